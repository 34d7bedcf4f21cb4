//! Ranks as threads of one process.
//!
//! A backend of [`wb_comm::Transport`] that needs no library: every rank is a thread, all ranks share one state with
//! one lock, and a message is a copy of bytes that is passed on under it. This is enough to run the same tasks as on
//! MPI at any number of ranks. Diagnosis is better than with MPI: the state contains for every rank what it waits for.
//! So a deadlock is found the moment it happens, with the line of every call in it, and without false positives.
//!
//! The shared state, matching and waiting are in `wb_local::fabric`.
//!
//! | module | noun |
//! |---|---|
//! | `job` | starts the threads, collects their results: [`LocalThreads`], [`run`] |
//! | `runtime` | the lock, and how a rank waits under it |
//! | `waker` | wakes a rank that waits |
//! | `immediate` | the delivery model: no time; wakes ranks |
//!
//! ```
//! use wb_comm::{MessageTag, Op, CallSite, SendMode, Source, Verb, View, ViewMut};
//!
//! let received = wb_local::threads::run(3, |transport| {
//!     let (rank, size) = (transport.rank(), transport.size());
//!     let (mine, mut left) = ([rank], [0usize]);
//!     let mut ops = [
//!         Op::Send { to: (rank + 1) % size, tag: MessageTag::user(0), data: View::from_slice(&mine), mode: SendMode::Standard },
//!         Op::Recv {
//!             from: Source::Rank((rank + size - 1) % size),
//!             tag: MessageTag::user(0).into(),
//!             data: ViewMut::from_slice(&mut left),
//!             status: None,
//!         },
//!     ];
//!     transport.post_and_wait(&mut ops, CallSite::caller(Verb::Sendrecv)).expect("every rank sends");
//!     left[0]
//! });
//! assert_eq!(received, [2, 0, 1]);
//! ```

mod immediate;
mod job;
mod runtime;
mod waker;

pub use job::{LocalThreads, run};

#[cfg(test)]
#[path = "../tests/threads/ranks/main.rs"]
mod interface;
#[cfg(test)]
pub(crate) use interface::sample;
