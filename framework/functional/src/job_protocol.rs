//! The protocol of a job's processes and their runner: the order, exit codes and times.
use std::{collections::BTreeSet, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};
use wb_record::Backend;

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
    /// These tests, at every number of ranks.
    pub(crate) fn from_names(names: impl Iterator<Item = String>) -> Self {
        Self(names.map(|name| (name, None)).collect())
    }

    /// Need the test not be run on `ranks` ranks?
    pub(crate) fn contains(&self, name: &str, ranks: usize) -> bool {
        [Some(ranks), None].into_iter().any(|ranks| self.0.contains(&(name.to_owned(), ranks)))
    }
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
