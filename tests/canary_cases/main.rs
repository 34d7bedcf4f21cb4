//! Tests that are wrong on purpose, and a few right ones beside them: what `tests/canaries.rs` starts to see whether the
//! functional harness notices. A plain `cargo test` does not run them.
//!
//! All solve one problem, to bring a number from rank 0 to every rank; each file makes one mistake on the way.

mod child_processes;
mod correct;
mod deadlock;
mod destructors;
mod disagreement;
mod dropped_requests;
mod exits;
mod input_files;
mod memory;
mod no_communication;
mod number_task;
mod output_homes;
mod panics;
mod rank_counts;
mod rules;
mod shared_files;
mod slow;
mod unending;
mod unread_messages;
mod wrong_results;

workbench::test_binary!();
