//! A barrier on the host's side: an item of a stream, the queue that a PE's cores serve in order.
//!
//! The host enqueues the barrier in the stream and continues, or also waits for the stream. Serving the queue needs
//! threads, so it runs in `wb_shmem::ascend`; the barrier itself is one of the three-level ones.
use wb_comm::Text;

use crate::barriers::{BarrierEntry, Family, Guarantee, Implementation, Substrate};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "host_stream",
    family: Family::Ascend,
    source: "Ascend SHMEM, barrier on a stream, with and without waiting for it",
    section: "3",
    summary: Text {
        en: "a three-level barrier as an item of the queue that a PE's cores serve",
        ru: "трёхуровневый барьер как элемент очереди, которую обслуживают ядра PE",
    },
    guarantee: Guarantee::COMPLETION,
    cost: None,
    implementation: Implementation::Native(&[Substrate::Std]),
}];
