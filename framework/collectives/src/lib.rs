//! The programs: collective algorithms, each written once over the languages of `wb-comm`.
//!
//! No algorithm names a backend: all are written over [`Port`], which is a transport's two-sided round under the user's
//! call. One file an algorithm; each opens with its source, the formula of step k, messages and rounds. [`Algorithms`]
//! picks one for every verb and is what `World` calls where the backend has no library of its own.
//!
//! Barriers are written in two languages of their own, see [`barrier`]; from their text follow [`plan`] and [`proof`],
//! [`script`] and [`over`] run them, [`explore`] tries every order in which memory may behave, [`catalogue`] knows them
//! all.
//!
//! Broadcasts are written over [`Port`] like the other verbs; [`broadcast`] knows them all and proves them.
//!
//! A newcomer starts with `barrier/pattern/dissemination.rs`.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod algorithms;
pub mod allgather;
pub mod allreduce;
pub mod alltoall;
pub mod ascend;
pub mod barrier;
pub mod bcast;
mod blocking;
pub mod blocks;
pub mod broadcast;
pub mod catalogue;
pub mod explore;
pub mod faults;
pub mod gather;
pub mod group;
mod mark;
pub mod over;
pub mod part;
pub mod picture;
pub mod plan;
mod port;
pub mod proof;
pub mod reduce;
pub mod rma;
pub mod rooted;
pub mod scan;
pub mod scatter;
pub mod script;
pub mod select;
mod slot;
pub mod subset;

pub use algorithms::Algorithms;
pub use barrier::{Pattern, Program};
pub use blocks::Blocks;
pub use broadcast::Broadcast;
pub use catalogue::Entry;
pub use part::Part;
pub use port::Port;
