//! What goes wrong between ranks, as values that say what to look at.
use thiserror::Error;

use crate::{Blocked, Call, Code, Layout, Mismatch, Operation, Rank, Verb, Violation};

/// The result of every verb.
pub type Result<T> = std::result::Result<T, Error>;

/// What a verb can meet.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A peer or root outside `0..size` (`MPI_ERR_RANK`, `MPI_ERR_ROOT`).
    #[error("{role} {rank} does not exist: this communicator has {size} rank(s), numbered 0..={}", size.saturating_sub(1))]
    Rank {
        /// What the number was given as: "root", "destination", "source".
        role: &'static str,
        /// The number, as the caller wrote it.
        rank: i64,
        /// The communicator's size.
        size: usize,
    },
    /// A tag outside what the backend allows (`MPI_ERR_TAG`).
    #[error("tag {tag} is not allowed: 0..={max}")]
    Tag {
        /// The tag.
        tag: i32,
        /// The largest one.
        max: i32,
    },
    /// A buffer whose length does not fit the verb (`MPI_ERR_COUNT`).
    #[error("{verb}: {buffer} has {got} element(s), {expected} needed")]
    Count {
        /// The verb.
        verb: &'static str,
        /// Which buffer.
        buffer: &'static str,
        /// Its length.
        got: usize,
        /// What the verb needs.
        expected: usize,
    },
    /// A message longer than the receive's buffer (`MPI_ERR_TRUNCATE`).
    #[error(
        "message of {sent} bytes from rank {source_rank}, tag {tag}, does not fit the receive buffer of {room} bytes{}",
        sent_by(by.as_deref())
    )]
    Truncated {
        /// The sender.
        source_rank: Rank,
        /// The tag.
        tag: i32,
        /// The message's bytes.
        sent: usize,
        /// The buffer's bytes.
        room: usize,
        /// The call that sent it, where the backend's messages carry it.
        by: Option<Box<Call>>,
    },
    /// Sender and receiver disagree on the element type (`MPI_ERR_TYPE`).
    #[error(
        "message from rank {source_rank}, tag {tag}, has elements of type {sent}, the receive expects {expected}{}",
        sent_by(by.as_deref())
    )]
    Type {
        /// The sender.
        source_rank: Rank,
        /// The tag.
        tag: i32,
        /// What was sent.
        sent: Layout,
        /// What the receiver asked for.
        expected: Layout,
        /// The call that sent it, where the backend's messages carry it.
        by: Option<Box<Call>>,
    },
    /// A message whose bytes are no whole number of elements.
    #[error(
        "message of {bytes} bytes from rank {source_rank}, tag {tag}, is no whole number of {expected} elements"
    )]
    Ragged {
        /// The sender.
        source_rank: Rank,
        /// The tag.
        tag: i32,
        /// Its size.
        bytes: usize,
        /// What the receiver asked for.
        expected: Layout,
    },
    /// More elements than a message may have (MPI counts with a 32-bit int).
    #[error("a message of {count} elements is too long: at most {max}; send it in pieces")]
    TooLong {
        /// The message's elements.
        count: usize,
        /// The most allowed.
        max: usize,
    },
    /// A reduction that is not defined for the type (`MPI_ERR_OP`).
    #[error("operation {operation} is not defined for elements of type {layout}")]
    Operation {
        /// The operation.
        operation: Operation,
        /// The type.
        layout: Layout,
    },
    /// Elements of a window that its owner has not opened (`MPI_ERR_RMA_RANGE`).
    #[error("{verb}: elements {at}..{end} of rank {target}, which has opened {opened} element(s)", end = at.saturating_add(*count))]
    Range {
        /// The verb.
        verb: Verb,
        /// Whose part of the window.
        target: Rank,
        /// The first element.
        at: usize,
        /// How many.
        count: usize,
        /// How many the target has opened.
        opened: usize,
    },
    /// Elements of another type than the window's (`MPI_ERR_TYPE`).
    #[error("{verb}: elements of type {given} on a window of type {window}")]
    WindowType {
        /// The verb.
        verb: Verb,
        /// What the call brought.
        given: Layout,
        /// What the window holds.
        window: Layout,
    },
    /// A call on a window that the rules of epochs do not allow (`MPI_ERR_RMA_SYNC`, `_CONFLICT`, `_ASSERT`).
    #[error(transparent)]
    Epoch(Box<Violation>),
    /// Ranks make different calls of one collective.
    #[error(transparent)]
    Collective(Box<Mismatch>),
    /// Everybody waits for somebody; nobody can go on.
    #[error("deadlock: every rank waits\n{}", lines(blocked))]
    Deadlock {
        /// Who stands where.
        blocked: Vec<Blocked>,
    },
    /// Another rank failed or ended, so waiting is in vain.
    #[error("rank {rank} {what}; this rank cannot go on")]
    Peer {
        /// The other rank.
        rank: Rank,
        /// What it did: "panicked: ...", "ended without sending".
        what: String,
    },
    /// The harness stopped the run (limit, Ctrl-C).
    #[error("interrupted: {reason}")]
    Interrupted {
        /// Why.
        reason: String,
    },
    /// The library returned an error code.
    #[error("{call} failed with code {code}: {text}")]
    Library {
        /// The C function.
        call: &'static str,
        /// Its return code.
        code: i32,
        /// The library's own text.
        text: String,
    },
    /// A root that gives no buffer for what all others bring or get.
    #[error("rank {root} is the root and must give its buffer, it gave none")]
    RootBuffer {
        /// The root.
        root: Rank,
    },
    /// The job could not be set up.
    #[error("{0}")]
    Setup(String),
}

impl Error {
    /// The call of another rank that has to do with it.
    pub(crate) fn other_side(&self) -> Option<Call> {
        match self {
            Self::Truncated { by, .. } | Self::Type { by, .. } => by.as_deref().copied(),
            _ => None,
        }
    }

    /// The mistake that it tells of, where it is one of the caller's own.
    pub fn code(&self) -> Option<Code> {
        Some(match self {
            Self::Rank { .. } => Code::Rank,
            Self::Tag { .. } => Code::Tag,
            Self::Count { .. } | Self::TooLong { .. } => Code::Count,
            Self::Truncated { .. } => Code::Truncated,
            Self::Type { .. } | Self::Ragged { .. } | Self::WindowType { .. } => Code::Type,
            Self::Operation { .. } => Code::Operation,
            Self::Range { .. } => Code::Range,
            Self::RootBuffer { .. } => Code::RootBuffer,
            Self::Epoch(violation) => Code::of(violation.rule),
            Self::Collective(mismatch) => mismatch.code,
            Self::Deadlock { .. }
            | Self::Peer { .. }
            | Self::Interrupted { .. }
            | Self::Library { .. }
            | Self::Setup(_) => return None,
        })
    }
}

fn sent_by(call: Option<&Call>) -> String {
    call.map_or_else(String::new, |call| format!("; sent by {call}"))
}

fn lines(blocked: &[Blocked]) -> String {
    blocked.iter().map(|b| format!("  {b}")).collect::<Vec<_>>().join("\n")
}
