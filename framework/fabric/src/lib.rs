//! What the ranks of one process share: mail, agreements, windows, and who waits for what.
//!
//! Ranks that are threads and ranks that live in virtual time match their messages, agree on communicators, open windows and
//! run into deadlocks by the same text, this one. Two traits say what differs: a [`Hub`] is how a rank gets at the shared
//! [`State`] and how it waits, a [`Pace`] is how long things are under way. With threads everything is there at once; the
//! simulator puts it off until its virtual time has come.
//!
//! | module | noun |
//! |---|---|
//! | `hub` | how a rank reaches what is shared, and how it waits: [`Hub`] |
//! | `pace` | how long things take: [`Pace`], [`Happening`], [`Mode`] |
//! | `state` | all that the ranks share, as plain data: posting, matching, ending: [`State`] |
//! | `seat` | where the ranks stand, and what lets them go on |
//! | `deadlock` | where a rank stands, and when nobody can go on: [`Standing`] |
//! | `hygiene` | what is left behind, who waits in vain, which collectives do not fit |
//! | `alone` | collectives that not all members call |
//! | `near` | messages that are almost the ones awaited |
//! | `taker` | who would take a message under way: [`Letter`], [`Taker`] |
//! | `mailbox` | MPI's matching: posted receives, unexpected messages |
//! | `queue` | what is searched from the front, and found at once where it is long |
//! | `operation` | a posted send or receive |
//! | `communicator`, `agreement` | groups of ranks, and how new ones are agreed on |
//! | `endpoint` | the [`Transport`](wb_comm::Transport) of one rank: [`Endpoint`] |
//! | `window`, `handle`, `fetched` | the [`Window`](wb_comm::Window) of one rank, and how its calls get at what all share |
//! | `opened`, `part`, `epochs`, `locks` | what the ranks share of a window: its elements, who opened what to whom |
//! | `sight` | what a rank looks at that looks without waiting: [`Sight`] |
//! | `access`, `traffic`, `underway` | what they do to each other's parts: at once, or under way and answered |
//! | `races`, `order`, `words`, `clock` | accesses that nothing orders, and what orders them |
//! | `request` | its [`Pending`](wb_comm::Pending) operations |
//! | `ended` | how a rank's own code ended |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod access;
mod agreement;
mod alone;
mod clock;
mod communicator;
#[cfg(test)]
mod conflicts;
mod deadlock;
mod ended;
mod endpoint;
mod epochs;
mod fetched;
mod handle;
mod hub;
mod hygiene;
mod locks;
mod mailbox;
mod near;
mod opened;
mod operation;
mod order;
mod pace;
mod part;
mod queue;
mod races;
mod request;
mod seat;
mod sent;
mod sight;
mod state;
mod taker;
mod traffic;
mod underway;
mod window;
mod words;

pub use access::{Flight, Footprint};
pub use deadlock::Standing;
pub use ended::run;
pub use endpoint::Endpoint;
pub use hub::Hub;
pub use locks::Scope;
pub use mailbox::Message;
pub use operation::OperationId;
pub use pace::{Happening, Mode, Over, Pace};
pub use sight::Sight;
pub use state::State;
pub use taker::{Letter, Taker};
pub use traffic::Notice;
