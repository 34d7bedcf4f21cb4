//! Barrier algorithms, each written once and run on every substrate.
//!
//! A barrier is one file of the folder `src/barriers/catalogue`, in one of two forms:
//!
//! * A [`Pattern`] is made of signals between ranks. It builds a [`Plan`]; the proof ([`proof`]), the message counts, the
//!   picture ([`picture`]), the code for memory ([`compiled_plan`]) and the code for messages and for two phases
//!   ([`adapters`]) are made from the plan.
//! * A [`BarrierProgram`] counts, which only memory can. [`explore`] runs it under every order in which memory operations
//!   may arrive.
//!
//! [`catalogue`] lists the barriers, [`select`] chooses one for a group. A newcomer starts with
//! `catalogue/pattern/dissemination.rs`.

pub mod adapters;
pub mod ascend;
mod blocking;
pub mod catalogue;
pub mod compiled_plan;
mod entry;
mod epoch_flag;
pub mod explore;
pub mod faults;
pub mod group;
mod group_config;
pub mod logarithm;
mod memory_ordering;
mod memory_subset;
mod message_counts;
mod pattern;
pub mod picture;
mod plan;
mod program;
pub mod proof;
pub mod rma;
mod rooted_tree;
pub mod select;
mod slot;
mod subset;
mod tree_node;

pub use entry::{ArrivalScope, BarrierCost, BarrierEntry, Family, Guarantee, Implementation, Substrate};
pub use group_config::GroupConfig;
pub use memory_ordering::{Delivery, MemoryOrdering};
pub use memory_subset::MemorySubset;
pub use message_counts::MessageCounts;
pub use pattern::{GatherRelease, Pattern};
pub use plan::{Plan, PlanBuilder, PlanStep, Slot};
pub use program::{BarrierProgram, ErasedProgram};
pub use rooted_tree::RootedTree;
pub use subset::Subset;
pub use tree_node::TreeNode;

#[cfg(test)]
#[path = "../tests/barriers/mod.rs"]
pub(crate) mod interface;
