//! The events of a process, as it reports them while it runs tests.
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wb_comm::{Finding, Rank};
use wb_process::stack::ThreadActivity;

use crate::{
    evidence::rank_report::RankReport,
    test::test_case::{RunId, TestCase},
};

/// An event of a process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum TestEvent {
    /// It begins a test, at this number of ranks, with these runs.
    Test(RunId, Vec<TestCase>),
    /// It is about to begin a run.
    Ready(RunId),
    /// How its ranks ended the run.
    RanksEnded(RunId, Vec<RankReport>),
    /// The activity of a rank that did not return, after its end was reported: finding the line takes a moment.
    Activity(RunId, Rank, ThreadActivity),
    /// These ranks have reported their end, and their thread or process does not end.
    Unterminated(RunId, Vec<Rank>, Option<ThreadActivity>),
    /// Later findings.
    Leaks(RunId, LeakReport),
    /// It has done all runs of a test at a number of ranks, up to the first that fails.
    Done(RunId),
    /// The findings of the replay of a run that ends its job, and their time after its beginning: an event of the coordinator.
    Diagnosed(RunId, Duration, Vec<Finding>),
    /// It exits in an orderly way.
    Exiting,
}

/// The leaks of a run after all ranks have ended it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeakReport {
    /// Messages that no rank received, requests that no rank waited for, windows that no rank freed; on threads also
    /// the reason why no rank could continue.
    pub(crate) findings: Vec<Finding>,
    /// Of processes: the findings of the replay of all their transcripts.
    pub(crate) replayed: Vec<Finding>,
    /// Processes that it had started and left running; they have been ended.
    pub(crate) processes: Vec<String>,
}

impl LeakReport {
    /// Adds the findings of another process.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.findings.extend_from_slice(&other.findings);
        self.replayed.extend_from_slice(&other.replayed);
        self.processes.extend_from_slice(&other.processes);
    }

    /// All findings, without repetition: the findings of the replay have the lines of both sides.
    pub(crate) fn all(&self) -> Vec<Finding> {
        let is_replayed =
            |finding: &&Finding| self.replayed.iter().any(|replayed| replayed.code == finding.code);
        let seen = self.findings.iter().filter(|finding| !is_replayed(finding));
        self.replayed.iter().chain(seen).cloned().collect()
    }
}

impl TestEvent {
    /// The step that all processes of a job have in common; `None` for events of a single process.
    pub(crate) fn step(&self) -> Option<Step> {
        let (kind, id, inputs) = match self {
            Self::Test(id, cases) => (StepKind::Test, id, cases.len()),
            Self::RanksEnded(id, _) => (StepKind::Run, id, 0),
            Self::Leaks(id, _) => (StepKind::Leaks, id, 0),
            Self::Done(id) => (StepKind::Done, id, 0),
            Self::Ready(_) | Self::Activity(..) | Self::Diagnosed(..) => return None,
            Self::Unterminated(..) | Self::Exiting => return None,
        };
        Some(Step { kind, id: id.clone(), inputs })
    }
}

/// A step to which every process of a job comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) kind: StepKind,
    pub(crate) id: RunId,
    /// The number of inputs, at the beginning of a test.
    inputs: usize,
}

/// The kinds of steps, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// The beginning of a test.
    Test,
    /// The end of a run.
    Run,
    /// The search for the leaks of a run.
    Leaks,
    /// The end of a test.
    Done,
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, id: RunId { test, ranks, input }, .. } = self;
        let kind = match kind {
            StepKind::Test => "case",
            StepKind::Run => "end",
            StepKind::Leaks => "swept",
            StepKind::Done => "done",
        };
        write!(f, "{test} (P = {ranks}, {kind} {})", input + 1)
    }
}
