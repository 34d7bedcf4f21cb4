//! The verdict of one functional test at one number of ranks.

use serde::{Deserialize, Serialize};

use crate::fields::{ANY, RANK, RANKS, SECONDS, fields, plain};
use crate::{Backend, Version};

/// One functional test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionalRecord {
    /// The test's name.
    pub test: String,
    /// The program that ran.
    pub version: Version,
    /// Ranks that ran, or that would have been needed.
    pub ranks: u32,
    /// The backend.
    pub backend: Backend,
    /// The outcome.
    pub verdict: TestOutcome,
    /// Why, in words; required for everything but a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Wall time, in seconds.
    pub seconds: f64,
    /// Whether input, oracle and expected output are those of an instructor's assignment.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub graded: bool,
    /// Of a hang: which rank waits for which.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<RankWait>,
}

/// A rank that waits for another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankWait {
    /// The rank that waits.
    pub rank: u32,
    /// The rank that could end the wait.
    pub waits_for: u32,
    /// The name of the call that waits: `recv`.
    pub call: String,
    /// The tag, if the call has one; `None` also means any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<u32>,
    /// The line of the call, as `file:line`.
    pub line: String,
}

impl FunctionalRecord {
    /// A test that has passed, for documentation and tests.
    pub fn example() -> Self {
        Self {
            test: "one_number".into(),
            version: Version::Mpi,
            ranks: 2,
            backend: Backend::Threads,
            verdict: TestOutcome::Pass,
            reason: None,
            seconds: 0.1,
            graded: false,
            waits: vec![],
        }
    }
}

/// The outcome of a functional test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestOutcome {
    /// The output was right on every rank that must have it, and nothing was left over.
    Pass,
    /// Wrong output, disagreement, leftover messages, a panic: see the reason.
    Fail,
    /// Ranks were still waiting at the limit.
    Hang,
    /// Ranks were still computing at the limit.
    Limit,
    /// A rank ended without a result.
    Crash,
    /// A rank ended the job by `abort`.
    Aborted,
    /// Not run, for the reason given; never a pass.
    Skip,
}

fields! {
    RankWait { rank: RANK, waits_for: RANK, call, tag: ANY, line }
    FunctionalRecord { test, version, ranks: RANKS, backend, verdict, reason, seconds: SECONDS, graded, waits }
}
plain! { TestOutcome }
