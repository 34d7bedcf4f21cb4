//! The limits inside a sandbox.
use std::time::Duration;

/// Open files of each process: the kernel keeps what is in their buffers.
const MAX_OPEN_FILES: u32 = 4096;

/// The limits of the programs in a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxLimits {
    /// Private memory of each process, in bytes.
    pub process_memory: u64,
    /// Private memory of all processes together, in bytes.
    pub memory: u64,
    /// Memory of each of the private file systems `/tmp` and `/dev/shm`, in bytes.
    pub file_memory: u64,
    /// The largest file, in bytes.
    pub file_size: u64,
    /// Processes and threads together.
    pub processes: u64,
    /// Processor time of each process.
    pub cpu_time: Duration,
}

impl SandboxLimits {
    /// For ranks of a job.
    pub const RUN: Self = Self {
        process_memory: 4 << 30,
        memory: 8 << 30,
        file_memory: 1 << 30,
        file_size: 1 << 30,
        processes: 512,
        cpu_time: Duration::from_secs(3600),
    };

    /// For a compiler and what it starts.
    pub const BUILD: Self = Self { processes: 1024, file_memory: 2 << 30, file_size: 4 << 30, ..Self::RUN };

    /// The arguments of `prlimit`.
    pub(crate) fn to_arguments(self) -> [String; 6] {
        [
            // Private writable memory: shared segments of an MPI library are in `/dev/shm`, which has a size.
            format!("--data={}", self.process_memory),
            format!("--fsize={}", self.file_size),
            format!("--nproc={}", self.processes),
            format!("--nofile={MAX_OPEN_FILES}"),
            format!("--cpu={}", self.cpu_time.as_secs()),
            "--core=0".to_owned(),
        ]
    }
}
