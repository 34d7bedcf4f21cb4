//! What Rust's standard library brings along.
use crate::catalogue::{Entry, Family, Form, Promise, Substrate, Text};

/// In the catalogue.
pub static ENTRIES: &[Entry] = &[Entry {
    name: "std_barrier",
    family: Family::Native,
    source: "Rust's standard library: std::sync::Barrier",
    section: "9",
    summary: Text {
        en: "the standard library's barrier of threads, a counter under a lock",
        ru: "барьер потоков стандартной библиотеки: счётчик под блокировкой",
    },
    promise: Promise::COMPLETION,
    cost: None,
    form: Form::Native(&[Substrate::Std]),
}];
