//! Ranks as threads of one process.
//!
//! An interpreter of [`wb_comm::Transport`] that needs no library: every rank is a thread, all of them share one hub
//! with one lock, and a message is a copy of bytes that changes hands under it. That is enough to run the same tasks
//! as on MPI at any number of ranks, and it sees more than MPI does: the hub knows of every rank what it waits for, so
//! a deadlock is found the moment it happens, with the line of every call in it, and never suspected wrongly.
//!
//! | module | noun |
//! |---|---|
//! | `job` | starts the threads, gathers how they ended: [`Local`], [`run`] |
//! | `hub` | the lock, and how a rank waits under it |
//! | `state` | all that the ranks share, as plain data: posting, matching, ending |
//! | `deadlock` | where a rank stands, and when nobody can go on |
//! | `mailbox` | MPI's matching: posted receives, unexpected messages |
//! | `operation` | a posted send or receive |
//! | `communicator`, `agreement` | groups of ranks, and how new ones are agreed on |
//! | `endpoint` | the [`Transport`](wb_comm::Transport) of one rank |
//! | `window` | the [`Window`](wb_comm::Window) of one rank |
//! | `opened`, `part`, `epochs` | what the ranks share of a window: its elements, who opened what to whom |
//! | `request` | its [`Pending`](wb_comm::Pending) operations |
//!
//! ```
//! use wb_comm::{Label, Op, Site, Source, Verb, View, ViewMut};
//!
//! let heard = wb_threads::run(3, |transport| {
//!     let (rank, size) = (transport.rank(), transport.size());
//!     let (mine, mut left) = ([rank], [0usize]);
//!     let mut ops = [
//!         Op::Send { to: (rank + 1) % size, label: Label::user(0), data: View::of(&mine), synchronous: false },
//!         Op::Recv {
//!             from: Source::Rank((rank + size - 1) % size),
//!             label: Label::user(0).into(),
//!             data: ViewMut::of(&mut left),
//!             status: None,
//!         },
//!     ];
//!     transport.round(&mut ops, Site::here(Verb::Sendrecv)).expect("everybody answers");
//!     left[0]
//! });
//! assert_eq!(heard, [2, 0, 1]);
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod agreement;
mod communicator;
mod deadlock;
mod endpoint;
mod epochs;
mod hub;
mod job;
mod mailbox;
mod opened;
mod operation;
mod part;
mod request;
mod state;
mod window;

pub use job::{Local, run};
