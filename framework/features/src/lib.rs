//! Asks for the features of published crates that any part of the workspace uses.
//!
//! Cargo builds a crate once for each set of its features, and the set depends on the packages that are selected: without this
//! crate, `cargo wb`, the tests of one task and the tests of the workspace each build their own copies of most crates. Every
//! other crate of the workspace depends on this one, so all selections have the same sets. It has no code.
//!
//! `tests/tests/features.rs` names the crates that are missing here.
#![forbid(unsafe_code)]
