//! The typed interface for tasks: MPI's verbs under MPI's names.
//!
//! A [`World`] is a communicator as one rank sees it. It is deliberately a concrete type: a task has no type parameter
//! for the backend, and the same code runs unchanged on MPI processes and on threads. Arguments are in MPI's order:
//! buffer, peer, tag.
//!
//! ```
//! use wb_world::{World, Operation};
//!
//! fn total(world: &World, mine: f64) -> wb_world::Result<f64> {
//!     let mut sum = [0.0];
//!     world.allreduce(&[mine], &mut sum, Operation::Sum)?;
//!     Ok(sum[0])
//! }
//! ```
//!
//! Where the backend can detect that a wait would never end, the verb returns a [`wb_comm::Error`] instead of hanging.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod barrier;
mod barrier_choice;
pub mod call_log;
mod call_text;
mod call_tracer;
#[doc(hidden)]
pub mod collective;
pub mod comm_stats;
mod completion;
mod dims_create;
pub mod file;
mod framework_calls;
pub mod group;
pub mod intercommunicator;
mod message_calls;
mod message_status;
mod nonblocking;
pub mod persistent;
pub mod recv_layout_request;
pub mod request;
pub mod rooted;
mod round_tracer;
pub mod tags;
pub mod topology;
pub mod window;
pub mod world;

pub use barrier::NamedBarrier;
pub use call_log::CallLog;
pub use comm_stats::{CommStats, Counts};
pub use completion::Requests;
pub use dims_create::dims_create;
pub use file::File;
pub use framework_calls::FrameworkCalls;
pub use group::{Group, GroupComparison};
pub use intercommunicator::InterWorld;
pub use persistent::{PersistentCollective, PersistentRecv, PersistentRequest, PersistentSend};
pub use recv_layout_request::RecvLayoutRequest;
pub use request::{
    CollectiveOutput, CollectiveRequest, CompletedRequest, MixedRequest, RecvRequest, Request, SendRequest,
};
pub use rooted::Rooted;
pub use tags::{ANY_TAG, AnyTag, Tags};
pub use topology::{CartesianWorld, GraphWorld};
pub use wb_comm::{
    Accumulation, Assertion, CartesianGrid, Error, FileMode, Layout, Located, LocatedValue, LockKind,
    Neighbours, Number, Operation, PROC_NULL, Rank, RankBlocks, Reduces, Result, Rule, Source, Status,
    UserOperation, Violation, Wire,
};
pub use window::{
    AccessEpoch, Accesses, ExposureEpoch, FenceEpoch, LockAllEpoch, LockEpoch, MemoryModel, Raw, Ticket,
    Window,
};
pub use world::{ANY_SOURCE, ProbedMessage, World};
