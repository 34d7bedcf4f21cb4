//! The barrier of Rust's standard library.
use wb_comm::Text;

use crate::barriers::{BarrierEntry, Family, Guarantee, Implementation, Substrate};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "std_barrier",
    family: Family::Native,
    source: "Rust's standard library: std::sync::Barrier",
    section: "9",
    summary: Text {
        en: "the standard library's barrier of threads, a counter under a lock",
        ru: "барьер потоков стандартной библиотеки: счётчик под блокировкой",
    },
    guarantee: Guarantee::COMPLETION,
    cost: None,
    implementation: Implementation::Native(&[Substrate::Std]),
}];
