//! The errors between a member and the store, with the rank, the barrier and the number of arrivals.
use std::{fmt, time::Duration};

use wb_comm::{
    Text,
    text::{control, error::duration},
};

use crate::GroupMember;

/// The result of every call here.
pub type Result<T> = std::result::Result<T, Error>;

/// The errors of the control network.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The server cannot be reached, or the connection broke; retried as often as the settings allow.
    Link {
        /// Its address.
        server: String,
        /// The system's message.
        reason: String,
    },
    /// The server closed the connection for a reason that a retry does not remove.
    Refused {
        /// Its address.
        server: String,
        /// Its reason.
        reason: String,
    },
    /// The server sent something outside the protocol.
    Protocol {
        /// Its address.
        server: String,
        /// The violation.
        reason: String,
    },
    /// A request broke a rule of the store, which changed nothing.
    Rule(String),
    /// Not every member came in time; the group is abandoned.
    Late {
        /// How many had arrived.
        arrived: String,
        /// How many members there are.
        size: usize,
        /// The waiting time.
        after: Duration,
    },
    /// Another member abandoned the group.
    Abandoned(
        /// The member that abandoned it, and the reason.
        String,
    ),
    /// More arrivals than members: a process outside the group counts.
    TooMany {
        /// The counter.
        arrived: i64,
        /// How many members there are.
        size: usize,
    },
    /// A member failed at a barrier.
    At {
        /// The member.
        member: GroupMember,
        /// Which barrier: 1, 2, 3, ...
        barrier: u64,
        /// What happened.
        source: Box<Error>,
    },
}

impl Error {
    /// As a value that is rendered where it is shown.
    pub fn text(&self) -> Text {
        match self {
            Self::Link { server, reason } => control::no_answer(server, reason),
            Self::Refused { server, reason } => control::refused(server, reason),
            Self::Protocol { server, reason } => control::protocol(server, reason),
            Self::Rule(reason) => control::rule(reason),
            Self::Late { arrived, size, after } => control::late(duration(*after), arrived, *size),
            Self::Abandoned(reason) => control::abandoned(reason),
            Self::TooMany { arrived, size } => control::too_many(*arrived, *size),
            Self::At { member: GroupMember { group, rank, size }, barrier, source } => {
                control::placed(control::at(*rank, *size, group, *barrier), source.text())
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl std::error::Error for Error {}

/// For code that uses barriers, not stores.
impl From<Error> for wb_comm::Error {
    fn from(error: Error) -> Self {
        Self::Interrupted { reason: error.text() }
    }
}
