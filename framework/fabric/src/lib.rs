//! What the ranks of one process share: mail, agreements, windows, and who waits for what.
//!
//! Ranks that are threads and ranks that live in virtual time match their messages, agree on communicators, open windows and
//! run into deadlocks by the same text, this one. Two traits say what differs: a [`Runtime`] is how a rank gets at the shared
//! [`JobState`] and how it waits, a [`DeliveryModel`] is how long things are under way. With threads everything is there at once; the
//! simulator puts it off until its virtual time has come.
//!
//! | module | noun |
//! |---|---|
//! | `runtime` | how a rank reaches what is shared, and how it waits: [`Runtime`] |
//! | `delivery` | how long things take: [`DeliveryModel`], [`Event`], [`SendProtocol`] |
//! | `job_state` | all that the ranks share, as plain data: posting, matching, ending: [`JobState`] |
//! | `rank_state` | where the ranks stand, and what lets them go on |
//! | `deadlock` | where a rank stands, and when nobody can go on: [`WaitState`] |
//! | `leaks` | what is left behind, who waits in vain, which collectives do not fit |
//! | `incomplete_collectives` | collectives that not all members call |
//! | `near_miss` | messages that are almost the ones awaited |
//! | `matching` | who would take a message under way: [`InFlightMessage`], [`MatchingReceive`] |
//! | `mailbox` | MPI's matching: posted receives, unexpected messages |
//! | `match_queue` | what is searched from the front, and found at once where it is long |
//! | `operation` | a posted send or receive |
//! | `communicator`, `agreement` | groups of ranks, and how new ones are agreed on |
//! | `endpoint` | the [`Transport`](wb_comm::Transport) of one rank: [`Endpoint`] |
//! | `window_verbs`, `fabric_window`, `fetched` | the [`Window`](wb_comm::ErasedWindow) of one rank, and how its calls get at what all share |
//! | `window_state`, `window_part`, `pscw`, `locks` | what the ranks share of a window: its elements, who opened what to whom |
//! | `observed_state` | what a rank looks at that looks without waiting: [`ObservedState`] |
//! | `access`, `rma`, `pending_accesses` | what they do to each other's parts: at once, or under way and answered |
//! | `races`, `happens_before`, `element_clocks`, `vector_clock` | accesses that nothing orders, and what orders them |
//! | `request` | its [`Pending`](wb_comm::Pending) operations |
//! | `rank_main` | how a rank's own code ended |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod access;
mod agreement;
mod communicator;
#[cfg(test)]
mod conflict_tests;
mod deadlock;
mod delivery;
mod element_clocks;
mod endpoint;
mod fabric_window;
mod fetched;
mod happens_before;
mod incomplete_collectives;
mod job_state;
mod leaks;
mod locks;
mod mailbox;
mod match_queue;
mod matching;
mod near_miss;
mod observed_state;
mod operation;
mod pending_accesses;
mod pscw;
mod races;
mod rank_main;
mod rank_state;
mod request;
mod rma;
mod runtime;
mod send_history;
mod vector_clock;
mod window_part;
mod window_state;
mod window_verbs;

pub use access::{AccessFootprint, InFlightAccess};
pub use deadlock::WaitState;
pub use delivery::{Completion, DeliveryModel, Event, SendProtocol};
pub use endpoint::Endpoint;
pub use job_state::JobState;
pub use locks::LockScope;
pub use mailbox::Message;
pub use matching::{InFlightMessage, MatchingReceive};
pub use observed_state::ObservedState;
pub use operation::OperationId;
pub use rank_main::run_rank;
pub use rma::RmaNotice;
pub use runtime::Runtime;
