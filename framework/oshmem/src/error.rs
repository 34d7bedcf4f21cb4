//! Why there is no OpenSHMEM here, or what a call cannot do: each a reason that can be printed beside "skipped".
use thiserror::Error;

/// The result of every verb here.
pub type Result<T> = std::result::Result<T, Error>;

/// What the library can meet.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No library was found.
    #[error("no OpenSHMEM library: {0}")]
    Absent(String),
    /// A library was found that lacks a function.
    #[error("the OpenSHMEM library {library} has no {function}")]
    Incomplete {
        /// Its file.
        library: String,
        /// What it lacks.
        function: String,
    },
    /// This program is linked with an MPI that the library does not belong to.
    #[error(
        "this program is linked with an MPI that is not Open MPI, and the OpenSHMEM library is Open MPI's: both in one \
         process would be two libraries under the same names"
    )]
    OtherMpi,
    /// This process was not started by Open MPI's launcher.
    #[error("this process is no PE of a job: start it with Open MPI's launcher (mpirun, oshrun)")]
    NoJob,
    /// Addresses are randomised.
    #[error(
        "addresses are randomised in this process: with PEs whose maps differ, Open MPI's shmem_init writes past its \
         tables (its issue 13621) and crashes in up to half of all runs; start the job by \
         `wb_oshmem::without_randomisation`, by hand as `setarch -R mpirun ...`"
    )]
    Randomised,
    /// The system does not let a process switch the randomisation off.
    #[error("addresses cannot be kept from being randomised here: {0}")]
    AlwaysRandomised(String),
    /// Started twice.
    #[error("OpenSHMEM is started already in this process")]
    Started,
    /// The thread level is too low.
    #[error("OpenSHMEM provides thread level {0}, at least 2 (serialized) is needed")]
    Threads(i32),
    /// The symmetric heap is full.
    #[error("no room for {longs} longs on the symmetric heap (SHMEM_SYMMETRIC_SIZE)")]
    Heap {
        /// How many were wanted.
        longs: usize,
    },
    /// A PE that does not exist.
    #[error("PE {pe} does not exist: there are {size}")]
    Pe {
        /// The number.
        pe: usize,
        /// How many there are.
        size: usize,
    },
    /// A cell outside an array.
    #[error("cell {cell} of a symmetric array of {cells}")]
    Cell {
        /// The number.
        cell: usize,
        /// How many there are.
        cells: usize,
    },
    /// PEs that are no active set.
    #[error(
        "an active set of {size} PEs from {start} with a stride of 2^{log_stride} does not fit {pes} PEs"
    )]
    ActiveSet {
        /// The first.
        start: usize,
        /// Logarithm of the distance.
        log_stride: usize,
        /// How many.
        size: usize,
        /// How many PEs there are.
        pes: usize,
    },
    /// This PE is not in the active set that it calls for.
    #[error("PE {pe} is not in the active set that it wants to wait in")]
    Outside {
        /// This PE.
        pe: usize,
    },
}

/// For those who know barriers, not libraries.
impl From<Error> for wb_comm::Error {
    fn from(error: Error) -> Self {
        Self::Setup(error.to_string())
    }
}
