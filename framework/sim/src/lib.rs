//! Ranks in virtual time: what a program does on a machine that is not there.
//!
//! | module | noun |
//! |---|---|
//! | [`link`] | what a message costs: [`Link`], [`Piece`], [`Port`] |
//! | `card` | what ranks of a node share on their way to other nodes |
//! | [`machine`] | where ranks sit, what computing costs: [`Machine`] |
//! | [`library`] | the machines that come along, and the user's |
//! | [`fit`] | from measured messages to the parameters of a link |
//! | [`fault`] | what goes wrong on purpose: [`Faults`] |
//! | [`plan`] | programs that do not depend on data, in one pass: a million ranks in seconds |
//! | `job` | runs ranks in virtual time: [`Simulator`], [`run`] |
//! | `stopwatch` | what ranks' own code really takes, where that is charged |
//! | `turns` | who or what is next: what all paces of this crate have in common |
//! | `check` | all orders in which a job may go: [`Exhaustive`] |
//! | `hub` | how a rank waits: it gives the baton back |
//! | `random` | random times that are the same everywhere |
//! | `baton` | a stack for each rank; who holds the baton runs |
//! | `clockwork` | the clocks of all ranks, and what is under way |
//! | `calendar` | what is to come, in the order of things |
#![deny(unsafe_code)]
#![deny(missing_docs)]

mod baton;
mod calendar;
mod card;
mod check;
mod clockwork;
pub mod fault;
pub mod fit;
mod hub;
mod job;
pub mod library;
pub mod link;
pub mod machine;
mod machines;
pub mod plan;
mod random;
mod stopwatch;
mod turns;

pub use check::{Exhaustive, Reduction};
pub use fault::Faults;
pub use job::{Simulated, Simulator, run};
pub use link::{Flight, Link, Piece, Port};
pub use machine::{Cards, Distance, Machine};
pub use machines::Machines;
