//! The max-plus executor: programs whose messages do not depend on data, in one pass.
//!
//! Barriers and most collectives send the same messages for all data. So a [`Recording`] of every rank's operations is
//! made once, on a transport that completes every call immediately, and the times are computed from it by maxima and
//! additions. A million ranks take seconds, while coroutines need a stack for each.
//!
//! The invariant: *times are those of the table in [`link`](crate::sim::link), as in every executor.* A round called at t
//! has these steps:
//!
//! 1. its operations are called in order: a receive is posted, which costs nothing; a send is on the processor for o +
//!    m O (o for a rendezvous send), and its message or header goes to the port then;
//! 2. payloads of rendezvous sends go to the port in the order of the times when they are requested;
//! 3. arrivals are received in the order of arrival, each on the processor for o + m O, but not before 1 is done;
//! 4. the round ends when all of this and its last send are complete.
//!
//! Ranks that run in virtual time ([`run`](crate::sim::run())) follow the same rules: a test compares the two to the
//! nanosecond, for every pattern of the catalogue and for random programs.
//!
//! The order in which ranks are computed has no influence: a rank's time depends only on the events that it waits for.
//! Only the order of payloads at one port depends on time, and these are processed in the order of their times.
//!
//! | module | noun |
//! |---|---|
//! | [`recording`] | the operations of every rank: [`Recording`] |
//! | `program_store` | the programs of ranks, each stored once |
//! | `recorder` | the transport that records the operations |
//! | [`arrival`] | when ranks enter: [`ArrivalPattern`] |
//! | [`noise`] | operating system noise: [`Noise`] |
//! | [`run`] | the pass itself: [`MaxPlusRun`] |
//! | `episode` | when ranks enter and exit, or why the program does not end |
//! | `node_events` | payloads and messages at shared NICs, in the order of time |
//! | `symmetry` | nodes that all behave the same: one is simulated for all |
//! | `receive_matcher` | matches messages with receives |
//! | [`critical`] | the times of messages, and the chain of messages that decides the last exit |
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
pub use critical::{MaxPlusPath, MessageTimes, PathStep};
pub use episode::{EpisodeTimes, RecordingError};
pub use noise::Noise;
pub use recording::Recording;
pub use run::MaxPlusRun;
