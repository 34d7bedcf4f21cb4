//! Ranks in virtual time: what a program does on a machine that is not there.
//!
//! | module | noun |
//! |---|---|
//! | [`link`] | what a message costs: [`Link`], [`CostSegment`], [`Port`] |
//! | `nic` | what ranks of a node share on their way to other nodes |
//! | [`machine`] | where ranks sit, what computing costs: [`Machine`] |
//! | [`machine_library`] | the machines that come along, and the user's |
//! | [`fit`] | from measured messages to the parameters of a link |
//! | [`fault`] | what goes wrong on purpose: [`Faults`] |
//! | [`max_plus`] | programs that do not depend on data, in one pass: a million ranks in seconds |
//! | `job` | runs ranks in virtual time: [`Simulator`], [`run`] |
//! | `compute_timer` | what ranks' own code really takes, where that is charged |
//! | `scheduler` | who or what is next: what all paces of this crate have in common |
//! | `checker` | all orders in which a job may go: [`ExhaustiveChecker`] |
//! | `runtime` | how a rank waits: it gives the baton back |
//! | `random` | random times that are the same everywhere |
//! | `coroutine` | a stack for each rank; who holds the baton runs |
//! | `event_loop` | the clocks of all ranks, and what is under way |
//! | `event_queue` | what is to come, in the order of things |
#![deny(unsafe_code)]
#![deny(missing_docs)]

mod checker;
mod compute_timer;
mod coroutine;
mod event_loop;
mod event_queue;
pub mod fault;
pub mod fit;
mod job;
pub mod link;
pub mod machine;
pub mod machine_library;
pub mod max_plus;
mod nic;
mod random;
mod runtime;
mod scheduler;
mod simulated_machines;

pub use checker::{ExhaustiveChecker, Reduction};
pub use fault::Faults;
pub use job::{SimulationOutcome, Simulator, run};
pub use link::{CostSegment, Link, Port, TransferTimes};
pub use machine::{Distance, Machine, Nics};
pub use simulated_machines::SimulatedMachines;
