//! A posted send, receive or collective operation, from its posting until its owner takes its result.
use wb_comm::{CallSite, Context, Error, MessageTag, OwnedBuffers, Part, Rank, Source, TagPattern};

use crate::fabric::{
    matching::message::{Message, OperationId},
    races::vector_clock::VectorClock,
};

/// The state of an operation.
#[derive(Debug)]
pub(crate) enum OperationStatus {
    /// Not matched yet.
    Open,
    /// A send whose buffer may be used again.
    Sent,
    /// A receive that was matched: its message, or why it does not fit.
    Received(std::result::Result<Box<Message>, Box<Error>>),
    /// A collective operation whose rounds are over: its buffers, or why a message does not fit.
    Collected(std::result::Result<OwnedBuffers, Box<Error>>),
}

/// The direction of the operation's payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Send,
    Receive,
    /// The rounds of a collective operation.
    Both,
}

/// The role of a message in a round of a collective operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RoundRole {
    /// A receive that fills this part of the buffers of the operation.
    Receive(OperationId, Part),
    /// A send of a round of this operation. The receiver requests the data when it has posted its receive.
    Send(OperationId),
}

/// An operation in the state.
#[derive(Debug)]
pub(crate) struct PostedOperation {
    /// The rank that posted it, in the job's numbering.
    pub(crate) owner: Rank,
    /// Index of the communicator it was posted on.
    pub(crate) communicator: usize,
    /// The mailbox that contains it or its message while it is open, in the communicator's numbering.
    pub(crate) mailbox: Rank,
    pub(crate) direction: Direction,
    /// The other rank.
    pub(crate) peer: Source,
    /// The tag that its user wrote; `None` for any tag and for our own algorithms.
    pub(crate) tag: Option<i32>,
    /// The size of the payload, or of the receive buffer.
    pub(crate) bytes: usize,
    /// The call that posted it.
    pub(crate) site: CallSite,
    /// The role of the message if it is of a round of a collective operation.
    pub(crate) round: Option<RoundRole>,
    /// Whether its user requests a synchronous send.
    pub(crate) is_synchronous: bool,
    /// For a matched synchronous send: the receiver's clock at the match, if clocks are kept.
    pub(crate) matched_clock: Option<VectorClock>,
    /// Whether its owner waits for it.
    pub(crate) is_awaited: bool,
    pub(crate) status: OperationStatus,
    /// The time of its completion, once it is complete.
    pub(crate) completed_at: u64,
}

impl PostedOperation {
    /// A send, receive or collective operation without a match, for which no rank waits.
    pub(crate) fn open(
        owner: Rank,
        (communicator, mailbox): (usize, Rank),
        (direction, peer): (Direction, Source),
        bytes: usize,
        site: CallSite,
    ) -> Self {
        Self {
            owner,
            communicator,
            mailbox,
            direction,
            peer,
            tag: None,
            bytes,
            site,
            round: None,
            is_synchronous: false,
            matched_clock: None,
            is_awaited: false,
            status: OperationStatus::Open,
            completed_at: 0,
        }
    }

    /// Whether it is complete.
    pub(crate) fn is_done(&self) -> bool {
        !matches!(self.status, OperationStatus::Open)
    }

    /// The clock that its owner acquires, if clocks are kept.
    pub(crate) fn received_clock(&self) -> Option<&VectorClock> {
        match &self.status {
            OperationStatus::Received(Ok(message)) => message.clock.as_ref(),
            _ => self.matched_clock.as_ref(),
        }
    }

    /// Whether it has failed.
    pub(crate) fn has_failed(&self) -> bool {
        matches!(self.status, OperationStatus::Received(Err(_)) | OperationStatus::Collected(Err(_)))
    }
}

/// The tag to display: tags of our own algorithms are not displayed.
pub(crate) fn user_tag(tag: TagPattern) -> Option<i32> {
    match tag.context {
        Context::User => tag.tag,
        Context::Internal => None,
    }
}

/// [`user_tag`] of a message's tag.
pub(crate) fn user_tag_of(tag: MessageTag) -> Option<i32> {
    user_tag(tag.into())
}
