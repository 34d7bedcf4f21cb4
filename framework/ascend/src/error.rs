//! What a core or a host can be told.
use thiserror::Error;

use crate::{CoreBarrier, Set};

/// The result of every call.
pub type Result<T> = std::result::Result<T, Error>;

/// What a call can meet.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A machine without a core that could work at level 2, or without a PE.
    #[error("a machine needs at least 1 PE with at least 1 vector core, not {pes} with {vector}")]
    NoCores {
        /// PEs.
        pes: usize,
        /// Vector cores of each.
        vector: usize,
    },
    /// A PE that does not exist.
    #[error("PE {pe} does not exist: there are {pes}, numbered 0..={}", pes.saturating_sub(1))]
    Pe {
        /// Which.
        pe: usize,
        /// How many there are.
        pes: usize,
    },
    /// Memory between PEs that is too small for them.
    #[error("the memory between the PEs has {got} cells, {needed} needed")]
    Memory {
        /// What was given.
        got: usize,
        /// What is needed.
        needed: usize,
    },
    /// A core that calls a barrier of cores to which it does not belong.
    #[error("core {core} of PE {pe} is a cube core: it must not call a barrier of {set}")]
    NotInSet {
        /// Which core.
        core: usize,
        /// Of which PE.
        pe: usize,
        /// The set.
        set: Set,
    },
    /// Two kinds of core barriers on one state.
    #[error("{now} on the state of {set}, which {was} uses: the two must not be mixed")]
    Mixed {
        /// The set whose state it is.
        set: Set,
        /// Who used it first.
        was: CoreBarrier,
        /// Who came now.
        now: CoreBarrier,
    },
    /// A call on a team by a PE that does not belong to it.
    #[error("PE {pe} is no member of the team {team}")]
    NotMember {
        /// Which.
        pe: usize,
        /// The team.
        team: String,
    },
    /// A team that was destroyed before.
    #[error("the team {team} has been destroyed")]
    Destroyed {
        /// Which.
        team: String,
    },
    /// Hosts that do not cover the PEs.
    #[error("{hosts} hosts are named for {pes} PEs: one for each")]
    Hosts {
        /// Names given.
        hosts: usize,
        /// PEs.
        pes: usize,
    },
    /// A kernel that panicked.
    #[error("core {core} of PE {pe} panicked")]
    Panicked {
        /// Which core.
        core: usize,
        /// Of which PE.
        pe: usize,
    },
    /// A kernel that has not come back within the limit.
    #[error("PE {pe}: its cores did not finish within {limit_ms} ms")]
    Limit {
        /// Which PE.
        pe: usize,
        /// The limit in milliseconds.
        limit_ms: u128,
    },
    /// A team that cannot be made or freed.
    #[error(transparent)]
    Team(#[from] wb_shmem::Error),
    /// What the memory met.
    #[error(transparent)]
    Comm(#[from] wb_comm::Error),
}

impl Error {
    /// Did another core fail first, so that this one's wait was ended?
    pub fn is_consequence(&self) -> bool {
        let interrupted = |error: &wb_comm::Error| matches!(error, wb_comm::Error::Interrupted { .. });
        match self {
            Self::Comm(error) | Self::Team(wb_shmem::Error::Comm(error)) => interrupted(error),
            _ => false,
        }
    }
}
