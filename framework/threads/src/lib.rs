//! Ranks as threads of one process.
//!
//! An interpreter of [`wb_comm::Transport`] that needs no library: every rank is a thread, all of them share one hub
//! with one lock, and a message is a copy of bytes that changes hands under it. That is enough to run the same tasks
//! as on MPI at any number of ranks, and it sees more than MPI does: the hub knows of every rank what it waits for, so
//! a deadlock is found the moment it happens, with the line of every call in it, and never suspected wrongly.
//!
//! What they share, and how they match and wait, is `wb-fabric`'s.
//!
//! | module | noun |
//! |---|---|
//! | `job` | starts the threads, gathers how they ended: [`LocalThreads`], [`run`] |
//! | `runtime` | the lock, and how a rank waits under it |
//! | `waker` | what wakes a rank that waits |
//! | `immediate` | how long things take: not at all; and how ranks are woken |
//!
//! ```
//! use wb_comm::{MessageTag, Op, CallSite, Source, Verb, View, ViewMut};
//!
//! let heard = wb_threads::run(3, |transport| {
//!     let (rank, size) = (transport.rank(), transport.size());
//!     let (mine, mut left) = ([rank], [0usize]);
//!     let mut ops = [
//!         Op::Send { to: (rank + 1) % size, tag: MessageTag::user(0), data: View::from_slice(&mine), synchronous: false },
//!         Op::Recv {
//!             from: Source::Rank((rank + size - 1) % size),
//!             tag: MessageTag::user(0).into(),
//!             data: ViewMut::from_slice(&mut left),
//!             status: None,
//!         },
//!     ];
//!     transport.post_and_wait(&mut ops, CallSite::caller(Verb::Sendrecv)).expect("everybody answers");
//!     left[0]
//! });
//! assert_eq!(heard, [2, 0, 1]);
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod immediate;
mod job;
mod runtime;
mod waker;

pub use job::{LocalThreads, run};
