//! Ranks in virtual time: simulates what a program does on a given machine.
//!
//! | module | noun |
//! |---|---|
//! | [`link`] | the cost of a message: [`Link`], [`CostSegment`], [`Port`] |
//! | `nic` | the NICs that the ranks of a node share |
//! | [`machine`] | the placement of ranks and the cost of computation: [`Machine`] |
//! | [`machine_library`] | the included machines and the user's |
//! | [`fit`] | fits the parameters of a link to measured messages |
//! | [`fault`] | injected faults: [`Faults`] |
//! | [`max_plus`] | programs that do not depend on data, in one pass: a million ranks in seconds |
//! | `job` | runs ranks in virtual time: [`Simulator`], [`run`] |
//! | `compute_timer` | measures the ranks' own code, where that is charged |
//! | `scheduler` | selects the next event or rank: the interface of both schedulers |
//! | `checker` | explores all schedules of a job: [`ExhaustiveChecker`] |
//! | `runtime` | how a rank waits: it suspends its coroutine |
//! | `random` | random times that are the same on every computer |
//! | `storage` | the cost of an access to a file: [`Storage`] |
//! | `coroutine` | a stack for each rank; one rank runs at a time |
//! | `event_loop` | the clocks of all ranks and the pending events |
//! | `event_queue` | pending events, ordered by time |

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
mod storage;

pub use checker::{ExhaustiveChecker, Reduction};
pub use fault::Faults;
pub use job::{SimulationOutcome, Simulator, run};
pub use link::{CostSegment, Link, Port, TransferTimes};
pub use machine::{Distance, Machine, Nics};
pub use simulated_machines::SimulatedMachines;
pub use storage::Storage;

#[cfg(test)]
#[path = "../tests/sim/mod.rs"]
mod interface;
