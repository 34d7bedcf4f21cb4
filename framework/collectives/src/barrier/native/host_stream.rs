//! A barrier on the host's side: an item of a stream, the queue that a PE's cores serve in order.
//!
//! The host puts the barrier into the stream and goes on, or waits for the stream as well. Who serves the queue needs
//! threads, so it runs in `wb-ascend`; the barrier itself is one of the three-level ones.
use crate::catalogue::{Entry, Family, Form, Promise, Substrate, Text};

/// In the catalogue.
pub static ENTRIES: &[Entry] = &[Entry {
    name: "host_stream",
    family: Family::Ascend,
    source: "Ascend SHMEM, barrier on a stream, with and without waiting for it",
    section: "3",
    summary: Text {
        en: "a three-level barrier as an item of the queue that a PE's cores serve",
        ru: "трёхуровневый барьер как элемент очереди, которую обслуживают ядра PE",
    },
    promise: Promise::COMPLETION,
    cost: None,
    form: Form::Native(&[Substrate::Std]),
}];
