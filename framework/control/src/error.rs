//! What goes wrong between a member and the store, with the rank, the barrier and how many had come.
use thiserror::Error;

/// The result of every verb here.
pub type Result<T> = std::result::Result<T, Error>;

/// What the control network can meet.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The server cannot be reached, or the connection broke; tried again until the settings said to stop.
    #[error("the store at {server} does not answer: {why}")]
    Link {
        /// Its address.
        server: String,
        /// What the system said.
        why: String,
    },
    /// The server closed the connection for a reason that trying again does not mend.
    #[error("the store at {server} refused this client: {why}")]
    Refused {
        /// Its address.
        server: String,
        /// Its reason.
        why: String,
    },
    /// The server said something that is not the protocol.
    #[error("the store at {server} breaks the protocol: {why}")]
    Protocol {
        /// Its address.
        server: String,
        /// What is wrong.
        why: String,
    },
    /// A request broke a rule of the store, which changed nothing.
    #[error("the store did not take the request: {0}")]
    Rule(String),
    /// Not everybody came in time; the version is abandoned.
    #[error("{place}: not everybody came in {after_ms} ms: {arrived} of {} had arrived", place.size)]
    Late {
        /// Who waited where.
        place: Place,
        /// How many had arrived.
        arrived: String,
        /// How long was waited.
        after_ms: u128,
    },
    /// Another member gave the version up.
    #[error("{place}: this version of the group was abandoned: {why}")]
    Abandoned {
        /// Who learns it where.
        place: Place,
        /// Who gave up and why.
        why: String,
    },
    /// More arrivals than members: somebody arrived twice, or a process of an old version is still there.
    #[error(
        "{place}: this is arrival {arrived} of {}: a process that was restarted, or one of an older version of the group, takes part",
        place.size
    )]
    TooMany {
        /// Who found it where.
        place: Place,
        /// The counter.
        arrived: i64,
    },
    /// The members do not agree about the group.
    #[error("{place}: {why}")]
    Group {
        /// Who found it where.
        place: Place,
        /// About what.
        why: String,
    },
    /// A rank failed in the store underneath.
    #[error("{place}: {source}")]
    At {
        /// Who, where.
        place: Place,
        /// What happened.
        source: Box<Error>,
    },
    /// A parameter that cannot be.
    #[error("{0}")]
    Invalid(String),
}

/// Which member, at which barrier of which version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
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

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { group, version, rank, size, barrier } = self;
        write!(f, "rank {rank} of {size}, group {group}, version {version}, ")?;
        match barrier {
            0 => write!(f, "joining"),
            _ => write!(f, "barrier {barrier}"),
        }
    }
}

/// For those who know barriers, not stores.
impl From<Error> for wb_comm::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid(why) => Self::Setup(why),
            other => Self::Interrupted { reason: wb_comm::Text::verbatim(other.to_string()) },
        }
    }
}
