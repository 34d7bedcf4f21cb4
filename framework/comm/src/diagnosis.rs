//! Explains failed runs: why ranks wait, and which collective calls do not match.
//!
//! Everything here is a pure function of values of `wb-comm`: blocked calls, ended ranks, collective calls. The result is a list
//! of findings. Codes, rules and findings themselves are in `wb-comm`, since errors and the interfaces of backends carry them.
//!
//! | module | content |
//! |---|---|
//! | [`wait_for_graph`] | the causes of a hang: [`diagnose`] |
//! | `ranking` | the order in which causes are reported |
//! | [`collective_matcher`] | the collective calls of a communicator, compared: [`CollectiveMatcher`] |
//! | [`incomplete_collective`] | a collective that some ranks have not called: [`IncompleteCollective`] |

pub mod collective_matcher;
pub mod incomplete_collective;
mod ranking;
pub mod wait_for_graph;

pub use collective_matcher::CollectiveMatcher;
pub use incomplete_collective::IncompleteCollective;
pub use wait_for_graph::{diagnose, drop_near_misses_if_buffering};
