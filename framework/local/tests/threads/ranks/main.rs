//! Ranks as threads, by their public interface: message delivery, deadlock reports, leaks.

mod calls;
mod communicators;
mod decorators;
mod endings;
mod epochs;
mod matching;
mod near_miss;
mod requests;
#[path = "../../../../mpi/tests/ranks/sample.rs"]
pub(crate) mod sample;
#[path = "../../../../mpi/tests/ranks/windows.rs"]
mod windows;
