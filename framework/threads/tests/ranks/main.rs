//! Ranks as threads, from outside: what arrives, what is reported when nothing can, and what a job leaves.

mod calls;
mod communicators;
mod decorators;
mod endings;
mod epochs;
mod matching;
mod near_miss;
mod requests;
#[path = "../../../mpi/tests/ranks/sample.rs"]
mod sample;
#[path = "../../../mpi/tests/ranks/windows.rs"]
mod windows;
