//! The description of a run: the test, the input, the number of ranks, and the expectations besides a right output.
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wb_comm::Rank;
use wb_runner::AllowedVerbs;
use wb_task::Place;

/// The identity of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct RunId {
    /// The test's path, and which of its checks.
    pub(crate) test: String,
    /// Ranks that take part.
    pub(crate) ranks: usize,
    /// Which of the inputs at this number of ranks, from 0.
    pub(crate) input: usize,
}

/// The conditions besides the oracle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExtraRules {
    /// The verbs that may be called.
    pub(crate) allowed: AllowedVerbs,
    /// The exact number of point-to-point messages of all ranks together.
    pub(crate) messages: Option<u64>,
    /// Validation must refuse the input with a reason that contains this.
    pub(crate) refusal: Option<String>,
}

/// The data about a run that a verdict needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TestCase {
    pub(crate) id: RunId,
    /// The number of inputs at this number of ranks.
    pub(crate) inputs: usize,
    /// The beginning of the input's text.
    pub(crate) excerpt: String,
    /// The rank that has the input.
    pub(crate) home_rank: Rank,
    /// The ranks that have the output.
    pub(crate) output_location: Place,
    /// The further rules.
    pub(crate) expected: ExtraRules,
    /// The time limit of all stages together.
    pub(crate) limit: Option<Duration>,
}

#[cfg(test)]
impl TestCase {
    /// A run without input and rules, under a limit of a second.
    pub(crate) fn example(id: RunId) -> Self {
        Self {
            id,
            inputs: 1,
            excerpt: String::new(),
            home_rank: 0,
            output_location: Place::Home,
            expected: ExtraRules::default(),
            limit: Some(Duration::from_secs(1)),
        }
    }
}
