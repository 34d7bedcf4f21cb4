//! Laws that hold across crates; each file of `tests/tests` is one of them, and opens with why.
//!
//! Every law loops over everything there is, and each has a canary: a planted fault that it must find.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod aviary;
pub mod bare;
pub mod barrier_laws;
pub mod built;
pub mod epochs;
#[cfg(feature = "mpi")]
pub mod job;
pub mod laws;
pub mod lax;
pub mod machine;
pub mod pages;
pub mod paths;
pub mod russian;
pub mod sources;
pub mod verbs;
pub mod zoo;
