//! Tests that are wrong on purpose, and a few right ones beside them: what `tests/canaries.rs` starts to see whether the
//! functional harness notices. A plain `cargo test` does not run them.
//!
//! All solve one problem, to bring a number from rank 0 to every rank; each file makes one mistake on the way.

mod abandoned;
mod deadlock;
mod destructors;
mod disagreement;
mod exits;
mod homes;
mod kit;
mod leftovers;
mod memory;
mod panics;
mod processes;
mod ranks;
mod right;
mod rules;
mod silent;
mod slow;
mod wrong;

workbench::test_binary!();
