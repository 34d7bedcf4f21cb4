//! The protocol between a process that starts jobs and the processes of its jobs: variables, files, exit codes and
//! times.
use std::time::Duration;

use wb_record::Backend;

pub(crate) mod completed_tests;

/// Names the backend of a job of ours: `threads`, `virtual-time` or `mpi`.
pub(crate) const JOB_VARIABLE: &str = "WB_FUNCTIONAL_LANE";

/// Names the folder of the journals of a job of ours.
pub(crate) const FOLDER_VARIABLE: &str = "WB_FUNCTIONAL_FOLDER";

/// The file that a job's own output goes to, in the folder of its run.
pub(crate) const OUTPUT_FILE: &str = "output";

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

    /// The backend of that name all of whose ranks are in one process.
    pub(crate) fn parse_single_process(name: &str) -> Option<Self> {
        [Self::Threads, Self::VirtualTime].into_iter().find(|id| id.backend().name() == name)
    }
}
