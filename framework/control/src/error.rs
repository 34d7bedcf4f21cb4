//! The errors between a member and the store, with the rank, the barrier and the number of arrivals.
use std::{fmt, time::Duration};

use wb_comm::{
    Text,
    text::{control, error::duration},
};

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
    /// Not every member came in time; the version is abandoned.
    Late {
        /// The member that waited, and its barrier.
        context: BarrierContext,
        /// How many had arrived.
        arrived: String,
        /// The waiting time.
        after_ms: u128,
    },
    /// Another member abandoned the version.
    Abandoned {
        /// The member that detects it, and its barrier.
        context: BarrierContext,
        /// The member that abandoned it, and the reason.
        reason: String,
    },
    /// More arrivals than members: a member arrived twice, or a process of an old version is still there.
    TooMany {
        /// The member that detected it, and its barrier.
        context: BarrierContext,
        /// The counter.
        arrived: i64,
    },
    /// The members do not agree about the group.
    Group {
        /// The member that detected it, and its barrier.
        context: BarrierContext,
        /// The subject of the disagreement.
        why: Text,
    },
    /// A rank failed in the store underneath.
    At {
        /// The member and its barrier.
        context: BarrierContext,
        /// What happened.
        source: Box<Error>,
    },
    /// An invalid parameter.
    Invalid(Text),
}

impl Error {
    /// As a value that is rendered where it is shown.
    pub fn text(&self) -> Text {
        match self {
            Self::Link { server, reason: why } => control::no_answer(server, why),
            Self::Refused { server, reason: why } => control::refused(server, why),
            Self::Protocol { server, reason: why } => control::protocol(server, why),
            Self::Rule(why) => control::rule(why),
            Self::Late { context: place, arrived, after_ms } => {
                let limit = duration(Duration::from_millis(*after_ms as u64));
                control::placed(place.text(), control::late(limit, arrived, place.size))
            }
            Self::Abandoned { context: place, reason: why } => {
                control::placed(place.text(), control::abandoned(why))
            }
            Self::TooMany { context: place, arrived } => {
                control::placed(place.text(), control::too_many(*arrived, place.size))
            }
            Self::Group { context: place, why } => control::placed(place.text(), why),
            Self::At { context: place, source } => control::placed(place.text(), source.text()),
            Self::Invalid(why) => why.clone(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl std::error::Error for Error {}

/// Which member, at which barrier of which version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarrierContext {
    /// The group's name.
    pub group: String,
    /// The group's version.
    pub version: u64,
    /// The member.
    pub rank: usize,
    /// How many members.
    pub size: usize,
    /// Which barrier: 1, 2, 3, ...; 0 while joining.
    pub barrier: u64,
}

impl BarrierContext {
    fn text(&self) -> Text {
        let Self { group, version, rank, size, barrier } = self;
        let stage = if *barrier == 0 { control::joining() } else { control::barrier(*barrier) };
        control::at(*rank, *size, group, *version, stage)
    }
}

impl fmt::Display for BarrierContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

/// For code that uses barriers, not stores.
impl From<Error> for wb_comm::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid(why) => Self::Setup(why),
            other => Self::Interrupted { reason: other.text() },
        }
    }
}
