//! Programs whose messages do not depend on data, in one pass: the max-plus executor.
//!
//! Barriers and most collectives send the same messages whatever the data is. Then nobody has to wait to find out what
//! they do: a [`Recording`] of every rank's operations is made once, on a transport that answers at once, and times follow
//! from it by taking maxima and adding. A million ranks take seconds, where coroutines would need a stack each.
//!
//! The invariant: *times are those of the table in [`link`](crate::link), for whoever executes.* A round that is called at
//! t is
//!
//! 1. its operations are called in their order: a receive is posted, which costs nothing; a send is on the processor for
//!    o + m O (o if it has to ask), and what it hands to the port at once, the message or the header, goes to it then;
//! 2. payloads that had to ask go to the port in the order of the times when they are asked for;
//! 3. what arrives is received in the order of arrivals, each on the processor for o + m O, but not before 1 is done;
//! 4. the round is over when all that is over, and its last send.
//!
//! Ranks that really run in virtual time ([`run`](crate::run())) keep the same rules: a test holds the two together to the
//! nanosecond, for every pattern of the catalogue and for random programs.
//!
//! The order in which ranks are computed has no influence: a rank's time depends on what it waits for and nothing else.
//! Only the order of payloads at one port does depend on time, and these are taken in the order of their times.
//!
//! | module | noun |
//! |---|---|
//! | [`recording`] | what every rank does: [`Recording`] |
//! | `text` | the programs of ranks, each stored once |
//! | `recorder` | the transport that writes it down |
//! | [`arrival`] | when ranks begin: [`ArrivalPattern`] |
//! | [`noise`] | what interrupts them: [`Noise`] |
//! | [`run`] | the pass itself: [`MaxPlusRun`] |
//! | `outcome` | when ranks came and went, or why the program does not end |
//! | `events` | payloads and messages at shared cards, in the order of time |
//! | `fold` | nodes that all do the same: one is simulated for all |
//! | `inbox` | which receive a message belongs to |
//! | [`critical`] | the chain of messages that decides the last exit |
pub mod arrival;
pub mod critical;
mod episode;
mod node_events;
pub mod noise;
mod program_store;
mod receive_matcher;
mod recorder;
pub mod recording;
pub mod run;
mod symmetry;

pub use arrival::ArrivalPattern;
pub use critical::{MaxPlusPath, PathStep};
pub use episode::{EpisodeTimes, RecordingError};
pub use noise::Noise;
pub use recording::Recording;
pub use run::MaxPlusRun;
