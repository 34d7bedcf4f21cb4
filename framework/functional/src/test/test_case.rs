//! One run as a question: which test, which input, on how many ranks, and what is expected besides a right output.
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wb_comm::Rank;
use wb_task::Place;

/// Which run of which test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct RunId {
    /// The test's path, and which of its checks.
    pub(crate) test: String,
    /// Ranks that take part.
    pub(crate) ranks: usize,
    /// Which of the inputs at this number of ranks, from 0.
    pub(crate) input: usize,
}

/// What has to hold besides the oracle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExtraRules {
    /// No collective verb may be called.
    pub(crate) point_to_point_only: bool,
    /// The exact number of point-to-point messages of all ranks together.
    pub(crate) messages: Option<u64>,
    /// Validation must refuse the input with a reason that contains this.
    pub(crate) refusal: Option<String>,
}

/// Everything that a verdict needs to know of a run.
#[derive(Clone, Debug)]
pub(crate) struct TestCase {
    /// Which run.
    pub(crate) id: RunId,
    /// How many inputs there are at this number of ranks.
    pub(crate) inputs: usize,
    /// The beginning of the input's text.
    pub(crate) excerpt: String,
    /// The rank that has the input.
    pub(crate) home_rank: Rank,
    /// Where the output belongs.
    pub(crate) output_location: Place,
    /// The further rules.
    pub(crate) expected: ExtraRules,
    /// What the stages may take together.
    pub(crate) limit: Option<Duration>,
}
