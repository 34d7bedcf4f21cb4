//! The facade: everything that a task needs, and the choice of backend.
//!
//! A task depends on this crate and on the one of its assignment.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod assignment_laws;
mod backends;
mod functional;
mod judge;
mod performance;
mod ranks;
mod reference;
mod threads;

#[doc(hidden)]
pub use backends::{backends, in_one_process};
pub use functional::functional;
pub use ranks::ranks;
pub use reference::reference_output;
pub use threads::threads;
#[doc(hidden)]
pub use wb_comm::struct_type;
#[doc(hidden)]
pub use wb_performance as benchmark;
pub use wb_process::test_binary;
pub use wb_task::{
    Assignment, AssignmentId, Communication, Difference, Failure, GradedInput, Input, Invalid, LibraryVerb,
    Matrix, Output, Pipeline, Place, Problem, Progress, Stage, Task, Tolerance, TypedVec, Verdict, Workload,
    assignment_id, noise, private_inputs, special_float,
};
/// The derive macro.
pub use wb_wire_derive::Wire;
pub use wb_world::{
    ANY_SOURCE, ANY_TAG, AccessEpoch, Accesses, Accumulation, Assertion, CartesianGrid, CartesianWorld,
    CollectiveRequest, CompletedRequest, Counts, Error, ExposureEpoch, FenceEpoch, File, FileMode,
    GraphWorld, Group, GroupComparison, InterWorld, Layout, Located, LockAllEpoch, LockEpoch, LockKind,
    MemoryModel, MixedRequest, NamedBarrier, Neighbours, Number, Operation, PROC_NULL, PersistentCollective,
    PersistentRecv, PersistentRequest, PersistentSend, ProbedMessage, Rank, RankBlocks, Raw,
    RecvLayoutRequest, RecvRequest, Reduces, Request, Requests, Result, Rooted, Rule, SendRequest, Source,
    Status, Ticket, UserOperation, Violation, Window, Wire, World, dims_create,
};
