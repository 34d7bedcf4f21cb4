//! A posted send or receive, from its posting until its owner takes its result.
use wb_comm::{CallSite, Context, Error, MessageTag, Rank, Source, TagPattern};

use crate::{matching::message::Message, races::vector_clock::VectorClock};

/// What kind, and whether it is over.
#[derive(Debug)]
pub(crate) enum OperationStatus {
    /// Not matched yet.
    Open,
    /// A send whose buffer may be used again.
    Sent,
    /// A receive that was matched: its message, or why it does not fit.
    Received(std::result::Result<Box<Message>, Box<Error>>),
}

/// Which way the operation's payload goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Send,
    Receive,
}

/// An operation in the state.
#[derive(Debug)]
pub(crate) struct PostedOperation {
    /// The rank that posted it, in the job's numbering.
    pub(crate) owner: Rank,
    /// Index of the communicator it was posted on.
    pub(crate) communicator: usize,
    /// Whose mailbox it or its message lies in while it is open, in the communicator's numbering.
    pub(crate) mailbox: Rank,
    pub(crate) direction: Direction,
    /// The other side.
    pub(crate) peer: Source,
    /// The tag that its user wrote; none for any tag and for our own algorithms.
    pub(crate) tag: Option<i32>,
    /// The payload, or the room for it.
    pub(crate) bytes: usize,
    /// The call that posted it.
    pub(crate) site: CallSite,
    /// Does its user ask that a send wait for its receive?
    pub(crate) is_synchronous: bool,
    /// Of such a send that was matched: what its receiver knew then, where clocks are kept.
    pub(crate) matched_clock: Option<VectorClock>,
    /// Does its owner wait for it?
    pub(crate) is_awaited: bool,
    pub(crate) status: OperationStatus,
    /// When it was over, once it is.
    pub(crate) completed_at: u64,
}

impl PostedOperation {
    /// Nothing is left to wait for.
    pub(crate) fn is_done(&self) -> bool {
        !matches!(self.status, OperationStatus::Open)
    }

    /// What it brings its owner to know, where clocks are kept.
    pub(crate) fn received_clock(&self) -> Option<&VectorClock> {
        match &self.status {
            OperationStatus::Received(Ok(message)) => message.clock.as_ref(),
            _ => self.matched_clock.as_ref(),
        }
    }

    /// It is over, and not well.
    pub(crate) fn has_failed(&self) -> bool {
        matches!(self.status, OperationStatus::Received(Err(_)))
    }
}

/// The tag to show to people: ours are none of theirs.
pub(crate) fn user_tag(label: TagPattern) -> Option<i32> {
    match label.context {
        Context::User => label.tag,
        Context::Internal => None,
    }
}

/// [`user_tag`] of a message's full name.
pub(crate) fn user_tag_of(label: MessageTag) -> Option<i32> {
    user_tag(label.into())
}
