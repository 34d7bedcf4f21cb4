//! The shared state of the ranks of one process: messages, agreements, windows, and which rank waits for what.
//!
//! Ranks that are threads and ranks in virtual time use this code to match messages, agree on communicators, open
//! windows and detect deadlocks. Two traits describe the differences. A [`Runtime`] is how a rank reaches the shared
//! [`JobState`] and how it waits. A [`DeliveryModel`] is how long deliveries take. With threads every delivery is
//! immediate; the simulator delays it until its virtual time.
//!
//! | module | noun |
//! |---|---|
//! | `runtime` | how a rank reaches the shared state, and how it waits: [`Runtime`] |
//! | `delivery` | how long things take: [`DeliveryModel`], [`Event`] |
//! | `observed_state` | what a rank polls: [`ObservedState`] |
//! | `matching` | MPI's matching: messages, posted operations, mailboxes: [`Message`], [`SendProtocol`] |
//! | `communicator`, `agreement` | groups of ranks, and how new ones are agreed on |
//! | `rma` | windows: parts, epochs, locks, accesses: [`InFlightAccess`], [`RmaNotice`] |
//! | `races` | accesses that nothing orders, and what orders them |
//! | `job_state` | all that the ranks share, as plain data: [`JobState`] |
//! | `job_state/rank_state` | whether a rank waits, and for what: [`WaitState`] |
//! | `job_state/blocking` | blocks a rank until its condition is satisfied |
//! | `job_state/messages`, `job_state/agreements`, `job_state/rma` | posting and matching; collective decisions; accesses and notices |
//! | `job_state/in_flight` | what is in flight, as a scheduler that chooses sees it: [`InFlightMessage`], [`MatchingReceive`] |
//! | `job_state/deadlock`, `near_miss`, `incomplete_collectives`, `leaks` | why no rank can continue, and what is left behind |
//! | `endpoint` | the [`Transport`](wb_comm::Transport) of one rank, its [requests](wb_comm::Pending) and [windows](wb_comm::ErasedWindow): [`Endpoint`] |
//! | `rank_main` | runs a rank's own code to its end |

mod agreement;
mod communicator;
mod delivery;
mod endpoint;
mod files;
mod job_state;
mod matching;
mod observed_state;
mod races;
mod rank_main;
mod rma;
mod runtime;

pub use delivery::{Completion, DeliveryModel, Event, StorageTransfer};
pub use endpoint::Endpoint;
pub use job_state::{
    JobState,
    in_flight::{InFlightMessage, MatchingReceive},
    rank_state::WaitState,
};
pub use matching::message::{Message, OperationId, SendProtocol};
pub use observed_state::ObservedState;
pub use rank_main::run_rank;
pub use rma::{
    access::{AccessFootprint, InFlightAccess},
    locks::LockScope,
    notice::RmaNotice,
};
pub use runtime::Runtime;
