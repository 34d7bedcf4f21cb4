//! The errors of this crate.
use std::fmt;

use wb_comm::{Datatype, Text, text::shmem};

/// The result of every call.
pub type Result<T> = std::result::Result<T, Error>;

/// The errors of the calls.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A PE that does not exist.
    Pe {
        /// The number, as the caller wrote it.
        pe: i64,
        /// The number that exists.
        n_pes: usize,
    },
    /// Elements outside a symmetric array.
    Bounds {
        /// The call.
        call: &'static str,
        /// The first element.
        at: usize,
        /// The number of elements.
        count: usize,
        /// The length of the array.
        len: usize,
    },
    /// PEs ask for different arrays in one collective allocation.
    Asymmetric {
        /// The lowest PE whose request differs from this one's.
        pe: usize,
        /// The request of that PE.
        theirs: ArrayShape,
        /// This PE.
        me: usize,
        /// This PE's request.
        mine: ArrayShape,
    },
    /// An array that has been freed, or that belongs to another heap.
    NotAllocated {
        /// The call.
        call: &'static str,
    },
    /// A stride with which members would coincide or run backwards.
    InvalidStride {
        /// The given stride.
        stride: i64,
    },
    /// An empty team.
    EmptyTeam {
        /// The given size.
        size: i64,
    },
    /// A team that reaches beyond its parent.
    Outside {
        /// First member.
        start: i64,
        /// The distance from one member to the next.
        stride: i64,
        /// The number of members.
        size: i64,
        /// Members of the parent.
        parent: usize,
    },
    /// Members of a parent ask for different teams in one collective call.
    Disagreement {
        /// The lowest PE whose request differs from this one's.
        pe: usize,
        /// The request of that PE.
        theirs: String,
        /// This PE.
        me: usize,
        /// This PE's request.
        mine: String,
    },
    /// PEs request different barriers.
    AlgorithmMismatch {
        /// The lowest PE whose request differs from this one's.
        pe: usize,
        /// The name of the barrier that it gets.
        theirs: String,
        /// This PE.
        me: usize,
        /// The name of the barrier that this PE gets.
        mine: String,
    },
    /// A call on a team by a PE that does not belong to it.
    NotMember {
        /// The call.
        call: &'static str,
        /// The caller.
        pe: usize,
        /// The team.
        team: String,
    },
    /// A team that was destroyed before.
    Destroyed {
        /// The call.
        call: &'static str,
        /// The team.
        team: String,
    },
    /// The team of all PEs cannot be destroyed.
    World,
    /// No index of the parent's members is free everywhere.
    NoSlot {
        /// The number that exists.
        slots: usize,
    },
    /// A slot that is already free.
    FreedTwice {
        /// The slot.
        slot: usize,
    },
    /// A barrier that needs more cells than a team has left.
    TooFewCells {
        /// The barrier's catalogue name.
        name: String,
        /// The team.
        team: String,
        /// The number of cells it needs.
        needed: usize,
        /// The number of free cells.
        available: usize,
        /// The number of cells of a team.
        capacity: usize,
    },
    /// A barrier that runs elsewhere, not on a team's memory.
    NotInMemory {
        /// The catalogue name of the barrier.
        name: String,
        /// Whether it is one of the wrong barriers.
        wrong: bool,
    },
    /// The error of the substrate.
    Comm(wb_comm::Error),
}

impl Error {
    /// As a value that is rendered where it is displayed.
    pub fn text(&self) -> Text {
        match self {
            Self::Pe { pe, n_pes } => shmem::pe(*pe, *n_pes),
            Self::Bounds { call, at, count, len } => {
                shmem::bounds(*call, *at, at.saturating_add(*count), *len)
            }
            Self::Asymmetric { pe, theirs, me, mine } => {
                shmem::arrays_differ(*pe, theirs.text(), *me, mine.text())
            }
            Self::NotAllocated { call } => shmem::not_allocated(*call),
            Self::InvalidStride { stride } => shmem::stride(*stride),
            Self::EmptyTeam { size } => shmem::team_size(*size),
            Self::Outside { start, stride, size, parent } => {
                shmem::team_outside(*start, *stride, *size, parent.saturating_sub(1))
            }
            Self::Disagreement { pe, theirs, me, mine } => shmem::teams_differ(*pe, theirs, *me, mine),
            Self::AlgorithmMismatch { pe, theirs, me, mine } => {
                shmem::barriers_differ(*pe, theirs, *me, mine)
            }
            Self::NotMember { call, pe, team } => shmem::not_member(*call, *pe, team),
            Self::Destroyed { call, team } => shmem::destroyed(*call, team),
            Self::World => shmem::world_stays(),
            Self::NoSlot { slots } => shmem::no_slot(*slots),
            Self::FreedTwice { slot } => shmem::freed_twice(*slot),
            Self::TooFewCells { name, team, needed, available: left, capacity } => {
                shmem::no_cells(name, *needed, team, *left, *capacity)
            }
            Self::NotInMemory { name, wrong: true } => shmem::barrier_wrong(name),
            Self::NotInMemory { name, wrong: false } => shmem::barrier_of_library(name),
            Self::Comm(error) => error.text(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl std::error::Error for Error {}

/// The request of an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayShape {
    /// The number of elements.
    pub count: usize,
    /// The type of the elements.
    pub datatype: Datatype,
}

impl ArrayShape {
    fn text(self) -> Text {
        shmem::array(self.count, self.datatype.to_string())
    }
}

impl From<wb_comm::Error> for Error {
    fn from(error: wb_comm::Error) -> Self {
        Self::Comm(error)
    }
}
