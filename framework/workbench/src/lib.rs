//! The facade: everything a task needs, and the choice of backend.
//!
//! This is the one crate that names all the others. A task depends on it alone.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod backends;
mod functional;
mod performance;
mod threads;

#[doc(hidden)]
pub use backends::backends;
pub use functional::functional;
pub use threads::threads;
#[doc(hidden)]
pub use wb_harness as harness;
pub use wb_process::test_binary;
pub use wb_task::{
    Communication, Failure, Input, Invalid, Output, Pipeline, Place, Problem, Progress, Stage, Task, Verdict,
    Workload,
};
pub use wb_world::{
    ANY_SOURCE, ANY_TAG, Counts, Error, Number, Operation, Rank, RecvRequest, Result, Rooted, SendRequest,
    Source, Status, Wire, World,
};
