//! Collective algorithms, each written once over the messages of any transport.
//!
//! No algorithm names a backend. An algorithm makes a [`CollectiveSchedule`](wb_comm::CollectiveSchedule), the rounds of one rank. A blocking
//! operation executes it over a [`CollectiveContext`], the two-sided rounds of a transport under the user's call; a nonblocking one passes it to the
//! transport. Each file is one algorithm; it opens with its source, the formula of step k, messages and rounds. [`Algorithms`] picks one for
//! every verb; `World` calls it where the backend has no library. Its barrier is one of `wb_algorithms::barriers`.
//!
//! [`broadcast`] has a catalogue of broadcasts and their proof. [`shared_memory`] has the algorithms of ranks that share memory.

mod algorithms;
pub mod allgather;
pub mod allreduce;
pub mod alltoall;
pub mod blocks;
pub mod broadcast;
mod collective_context;
pub mod gather;
mod member;
mod message_algorithms;
pub mod neighborhood;
pub mod reduce;
pub mod reduce_scatter;
pub mod scan;
pub mod scatter;
pub mod schedule_proof;
pub mod selection;
pub mod shared_memory;

pub use algorithms::{Algorithms, schedule, with_collectives};
pub use blocks::BlockLayout;
pub use broadcast::Broadcast;
pub use collective_context::CollectiveContext;
pub use member::Member;
pub use message_algorithms::{MESSAGE_ALGORITHMS, MessageAlgorithm, SizedCall, message_algorithm_name};

#[cfg(test)]
#[path = "../tests/collectives/mod.rs"]
mod interface;
