//! The programs: collective algorithms, each written once over the languages of `wb-comm`.
//!
//! No algorithm names a backend: all are written over [`MessagePort`], which is a transport's two-sided round under the user's
//! call. One file an algorithm; each opens with its source, the formula of step k, messages and rounds. [`Algorithms`]
//! picks one for every verb and is what `World` calls where the backend has no library of its own.
//!
//! Barriers are written in two languages of their own, see [`barrier`]; from their text follow [`plan`] and [`proof`],
//! [`compiled_plan`] and [`adapters`] run them, [`explore`] tries every order in which memory may behave, [`catalogue`] knows them
//! all.
//!
//! Broadcasts are written over [`MessagePort`] like the other verbs; [`broadcast`] knows them all and proves them.
//!
//! A newcomer starts with `barrier/pattern/dissemination.rs`.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod adapters;
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
pub mod compiled_plan;
mod epoch_flag;
pub mod explore;
pub mod faults;
pub mod gather;
pub mod group;
pub mod memory_subset;
pub mod picture;
pub mod plan;
mod port;
pub mod proof;
pub mod reduce;
pub mod rma;
pub mod rooted_tree;
pub mod scan;
pub mod scatter;
pub mod select;
mod slot;
pub mod subset;

pub use algorithms::Algorithms;
pub use barrier::{BarrierProgram, Pattern};
pub use blocks::BlockLayout;
pub use broadcast::Broadcast;
pub use catalogue::BarrierEntry;
pub use memory_subset::MemorySubset;
pub use port::MessagePort;
