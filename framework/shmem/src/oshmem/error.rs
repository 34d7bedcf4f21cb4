//! Why OpenSHMEM is unavailable here, or why a call fails: each a reason that can be printed beside "skipped".
use std::fmt;

use wb_comm::{Text, text::shmem};

/// The result of every call here.
pub type Result<T> = std::result::Result<T, Error>;

/// The errors of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No library was found.
    Absent(String),
    /// A library was found that lacks a function.
    Incomplete {
        /// The file of the library.
        library: String,
        /// The missing function.
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
    /// Already started.
    Started,
    /// The thread level is too low.
    Threads(i32),
    /// The symmetric heap is full.
    Heap {
        /// The requested number of longs.
        longs: usize,
    },
    /// A PE that does not exist.
    Pe {
        /// The number.
        pe: usize,
        /// The number of PEs.
        size: usize,
    },
    /// A cell outside an array.
    Cell {
        /// The number.
        cell: usize,
        /// The length of the array.
        cells: usize,
    },
    /// PEs that are not an active set.
    ActiveSet {
        /// The first.
        start: usize,
        /// Logarithm of the distance.
        log_stride: usize,
        /// The number of PEs in the set.
        size: usize,
        /// The number of PEs.
        pes: usize,
    },
    /// This PE is not in the active set of its call.
    Outside {
        /// This PE.
        pe: usize,
    },
}

impl Error {
    /// As a value that is rendered where it is displayed.
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

/// For code that uses barriers, not libraries.
impl From<Error> for wb_comm::Error {
    fn from(error: Error) -> Self {
        Self::Setup(error.text())
    }
}
