//! The protocol of a job's processes and their coordinator: the order of a process, the events that it reports while it runs tests, the
//! instructions that it gets, exit codes and times.
use std::{collections::BTreeSet, fmt, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};
use wb_comm::{Finding, Rank};
use wb_process::{job_status::RankStatus, stack::ThreadActivity};
use wb_record::Backend;

use crate::{
    evidence::RankReport,
    test::{RunId, TestCase},
};

/// The order of a process, which it gets when it has connected.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct JobOrder {
    /// The backend of the job.
    pub(crate) backend: Backend,
    /// The tests that need not be run.
    pub(crate) completed: CompletedTests,
    /// The file that has the output of a process whose output is not redirected.
    pub(crate) output: Option<PathBuf>,
}

/// The tests that have their verdict already, at a number of ranks or at all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CompletedTests(pub(crate) BTreeSet<(String, Option<usize>)>);

impl CompletedTests {
    /// The tests of these names, at every number of ranks.
    pub(crate) fn from_names(names: impl Iterator<Item = String>) -> Self {
        Self(names.map(|name| (name, None)).collect())
    }

    /// Need the test not be run on `ranks` ranks?
    pub(crate) fn contains(&self, name: &str, ranks: usize) -> bool {
        [Some(ranks), None].into_iter().any(|ranks| self.0.contains(&(name.to_owned(), ranks)))
    }
}

/// An event of a process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum TestEvent {
    /// The rank begins a test, at this number of ranks, with these runs.
    Test(RunId, Vec<TestCase>),
    /// The rank is about to begin a run.
    Ready(RunId),
    /// The ends of the run on the ranks of the process.
    RanksEnded(RunId, Vec<RankReport>),
    /// The activity of a rank that did not return, after its end was reported: finding the line takes a moment.
    Activity(RunId, Rank, ThreadActivity),
    /// These ranks have reported their end, and their thread or process does not end.
    Unterminated(RunId, Vec<Rank>, Option<ThreadActivity>),
    /// Later findings.
    Leaks(RunId, LeakReport),
    /// The rank has done all runs of a test at a number of ranks, up to the first that fails.
    Done(RunId),
    /// What the ranks of the process do, and their run, for an observer of the job.
    Observed(Option<RunId>, Vec<RankStatus>),
    /// The process exits in an orderly way.
    Exiting,
}

/// The leaks of a run after all ranks have ended it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeakReport {
    /// Messages that no rank received, requests that no rank waited for, windows that no rank freed; on threads also
    /// the reason why no rank could continue.
    pub(crate) findings: Vec<Finding>,
    /// The findings of the replay of the call traces of all processes.
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
            Self::Ready(_)
            | Self::Activity(..)
            | Self::Unterminated(..)
            | Self::Observed(..)
            | Self::Exiting => return None,
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

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

/// The instruction to a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Instruction {
    /// Search for leaks; a message may still be on its way.
    FindLeaks { is_patient: bool },
    /// Continue; whether all runs of the test were right so far.
    Continue { is_right: bool },
    /// If the rank is in its stages, say where, and wait for the next instruction.
    Interrupt,
    /// Say what the ranks do, for an observer of the job.
    Observe,
    /// Leave the job with this exit code.
    Leave(i32),
}

/// The exit code of a process that leaves a run it could not end; libtest's own for failed tests.
pub(crate) const EXIT_FAILED: i32 = 101;

/// How long every rank may take to reach a step: the others may be computing, checking, or starting up.
pub(crate) const STEP_TIMEOUT: Duration = Duration::from_secs(30);

/// The time limit of the oracle.
pub(crate) const CHECKING_TIMEOUT: Duration = Duration::from_secs(30);

/// The time in which a rank that computes determines its line: it reads the debug information of the whole program.
pub(crate) const LOCATE_TIMEOUT: Duration = Duration::from_secs(10);

/// The backend of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum BackendJobId {
    /// Ranks as threads, any number of them.
    Threads,
    /// Ranks in virtual time, any number of them.
    VirtualTime,
    /// This number of ranks as processes; tests on fewer run on its first ranks.
    Processes(usize),
}

impl BackendJobId {
    /// The number of processes of its job.
    pub(crate) fn processes(self) -> usize {
        match self {
            Self::Threads | Self::VirtualTime => 1,
            Self::Processes(ranks) => ranks,
        }
    }

    /// The same backend with this number of processes, where its ranks are processes.
    pub(crate) fn with_processes(self, processes: usize) -> Self {
        match self {
            Self::Threads | Self::VirtualTime => self,
            Self::Processes(_) => Self::Processes(processes),
        }
    }

    /// The name of its ranks in records.
    pub(crate) fn backend(self) -> Backend {
        match self {
            Self::Threads => Backend::Threads,
            Self::VirtualTime => Backend::VirtualTime,
            Self::Processes(_) => Backend::Mpi,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_completed_at_a_number_of_ranks_or_at_all() {
        let completed = CompletedTests([("a::b#2".to_owned(), Some(3)), ("c".to_owned(), None)].into());
        assert!(completed.contains("a::b#2", 3) && !completed.contains("a::b#2", 4));
        assert!(!completed.contains("a::b", 3) && completed.contains("c", 1) && completed.contains("c", 8));
    }
}
