//! The errors of a core or a host.
use std::{fmt, time::Duration};

use wb_comm::{
    Text,
    text::{ascend, error::duration, shmem},
};

use crate::ascend::{CoreBarrier, CoreSet};

/// The result of every call.
pub type Result<T> = std::result::Result<T, Error>;

/// The errors of the calls.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A machine without a core that could work at level 2, or without a PE.
    NoCores {
        /// PEs.
        pes: usize,
        /// Vector cores of each.
        vector: usize,
    },
    /// A PE that does not exist.
    Pe {
        /// The number of the PE.
        pe: usize,
        /// The number of PEs.
        pes: usize,
    },
    /// Memory between PEs that is too small for them.
    Memory {
        /// The number given.
        got: usize,
        /// The number needed.
        needed: usize,
    },
    /// A core that calls a barrier of cores to which it does not belong.
    NotInSet {
        /// The core.
        core: usize,
        /// The PE of the core.
        pe: usize,
        /// The set.
        set: CoreSet,
    },
    /// Two kinds of core barriers on one state.
    Mixed {
        /// The set whose state it is.
        set: CoreSet,
        /// The first user.
        was: CoreBarrier,
        /// The present caller.
        now: CoreBarrier,
    },
    /// A call on a team by a PE that does not belong to it.
    NotMember {
        /// The PE.
        pe: usize,
        /// The team.
        team: String,
    },
    /// A team that was destroyed before.
    Destroyed {
        /// The team.
        team: String,
    },
    /// Hosts that do not cover the PEs.
    Hosts {
        /// Names given.
        hosts: usize,
        /// PEs.
        pes: usize,
    },
    /// A kernel that panicked.
    Panicked {
        /// The core.
        core: usize,
        /// The PE of the core.
        pe: usize,
    },
    /// A kernel that has not returned within the limit.
    Limit {
        /// The PE.
        pe: usize,
        /// The limit in milliseconds.
        limit_ms: u128,
    },
    /// A team that cannot be made or freed.
    Team(crate::Error),
    /// The error of the memory.
    Comm(wb_comm::Error),
}

impl Error {
    /// The description of the error.
    pub fn text(&self) -> Text {
        match self {
            Self::NoCores { pes, vector } => ascend::no_cores(*pes, *vector),
            Self::Pe { pe, pes } => shmem::pe(*pe, *pes),
            Self::Memory { got, needed } => ascend::memory(*got, *needed),
            Self::NotInSet { core, pe, set } => ascend::not_in_set(*core, *pe, set.text()),
            Self::Mixed { set, was, now } => ascend::mixed(now.text(), set.text(), was.text()),
            Self::NotMember { pe, team } => ascend::not_member(*pe, team),
            Self::Destroyed { team } => ascend::destroyed(team),
            Self::Hosts { hosts, pes } => ascend::hosts(*hosts, *pes),
            Self::Panicked { core, pe } => ascend::panicked(*core, *pe),
            Self::Limit { pe, limit_ms } => {
                ascend::limit(*pe, duration(Duration::from_millis(*limit_ms as u64)))
            }
            Self::Team(error) => error.text(),
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

impl Error {
    /// Whether this core's wait was ended because another core had failed.
    pub fn is_consequence(&self) -> bool {
        let interrupted = |error: &wb_comm::Error| matches!(error, wb_comm::Error::Interrupted { .. });
        match self {
            Self::Comm(error) | Self::Team(crate::Error::Comm(error)) => interrupted(error),
            _ => false,
        }
    }
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        Self::Team(error)
    }
}

impl From<wb_comm::Error> for Error {
    fn from(error: wb_comm::Error) -> Self {
        Self::Comm(error)
    }
}
