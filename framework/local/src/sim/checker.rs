//! Explores all schedules of a job: a stateless search with replay over runs on coroutines.
//!
//! A run is a list of choices. Everything between two choices is the same in every run that begins with them. So the
//! search stores no states: it runs the job again under a prefix of choices and takes the first option at every later
//! choice (Godefroid, *Model Checking for Programming Languages using VeriSoft*, POPL 1997).
//!
//! A choice is made only where MPI leaves the result open, and as late as possible: a wildcard receive gets its
//! message once every other rank waits or has ended, from any sender whose message can match by then (POE of
//! Vakkalanka, Gopalakrishnan and Kirby, *Dynamic Verification of MPI Programs with Reductions in Presence of Split
//! Operations and Relaxed Orderings*, CAV 2008). Receives that name their source make no choice. Of two independent
//! choices at different ranks only one order is run to its end: the other enters the sleep set (Godefroid,
//! *Partial-Order Methods*, LNCS 1032, 1996, chapter 5).
//!
//! `docs/checker.md` lists what is explored and what is not. `tests/orders` compares the results with those of a
//! search without delays and sleep sets ([`Reduction::None`]).
mod exploration_scheduler;
mod outcome_log;
mod result_difference;
mod search;
mod sleep_sets;
mod transition;

pub use exploration_scheduler::Reduction;
pub use search::ExhaustiveChecker;
