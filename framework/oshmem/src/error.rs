//! Why there is no OpenSHMEM here, or what a call cannot do: each a reason that can be printed beside "skipped".
use std::fmt;

use wb_comm::{Text, text::shmem};

/// The result of every verb here.
pub type Result<T> = std::result::Result<T, Error>;

/// What the library can meet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No library was found.
    Absent(String),
    /// A library was found that lacks a function.
    Incomplete {
        /// Its file.
        library: String,
        /// What it lacks.
        function: String,
    },
    /// This program is linked with an MPI that the library does not belong to.
    OtherMpi,
    /// This process was not started by Open MPI's launcher.
    NoJob,
    /// Addresses are randomised.
    Randomised,
    /// The system does not let a process switch the randomisation off.
    AlwaysRandomised(String),
    /// Started twice.
    Started,
    /// The thread level is too low.
    Threads(i32),
    /// The symmetric heap is full.
    Heap {
        /// How many were wanted.
        longs: usize,
    },
    /// A PE that does not exist.
    Pe {
        /// The number.
        pe: usize,
        /// How many there are.
        size: usize,
    },
    /// A cell outside an array.
    Cell {
        /// The number.
        cell: usize,
        /// How many there are.
        cells: usize,
    },
    /// PEs that are no active set.
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
    Outside {
        /// This PE.
        pe: usize,
    },
}

impl Error {
    /// As a value that is rendered where it is shown.
    pub fn text(&self) -> Text {
        match self {
            Self::Absent(why) => shmem::no_library(why),
            Self::Incomplete { library, function } => shmem::incomplete(library, function),
            Self::OtherMpi => shmem::other_mpi(),
            Self::NoJob => shmem::no_job(),
            Self::Randomised => shmem::randomised(),
            Self::AlwaysRandomised(why) => shmem::always_randomised(why),
            Self::Started => shmem::started(),
            Self::Threads(level) => shmem::thread_level(*level),
            Self::Heap { longs } => shmem::no_room(*longs),
            Self::Pe { pe, size } => shmem::pe(*pe, *size),
            Self::Cell { cell, cells } => shmem::cell(*cell, *cells),
            Self::ActiveSet { start, log_stride, size, pes } => {
                shmem::active_set(*size, *start, *log_stride, *pes)
            }
            Self::Outside { pe } => shmem::outside_active_set(*pe),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl std::error::Error for Error {}

/// For those who know barriers, not libraries.
impl From<Error> for wb_comm::Error {
    fn from(error: Error) -> Self {
        Self::Setup(error.text())
    }
}
