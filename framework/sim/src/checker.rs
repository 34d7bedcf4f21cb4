//! All orders in which a job may go: a stateless search with replay over runs on coroutines.
//!
//! A run is a list of choices, and everything between two choices is the same in every run that begins with them. So the
//! search keeps no states: it runs the job again under a prefix of choices and takes the first possibility from there on
//! (Godefroid, *Model Checking for Programming Languages using VeriSoft*, POPL 1997).
//!
//! A choice is made only where MPI leaves something open, and as late as it can be: a receive from any source gets its
//! message once everybody else waits or has ended, and then from all who can have sent one by then (POE of Vakkalanka,
//! Gopalakrishnan and Kirby, *Dynamic Verification of MPI Programs with Reductions in Presence of Split Operations and
//! Relaxed Orderings*, CAV 2008). Receives that name their source make no choice. Of two choices at different ranks only
//! one order is run to its end: the other is put to sleep (Godefroid, *Partial-Order Methods*, LNCS 1032, 1996, chapter 5).
//!
//! What is tried and what is not is a page: `docs/checker.md`. That nothing is lost by waiting and sleeping is held against
//! a search that does neither ([`Reduction::None`]) in `tests/orders.rs`.
mod exploration_scheduler;
mod outcome_log;
mod result_difference;
mod search;
mod sleep_sets;
mod transition;

pub use exploration_scheduler::Reduction;
pub use search::ExhaustiveChecker;
