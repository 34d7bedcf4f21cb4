//! A posted send or receive, from its posting until its owner takes its result.
use slotmap::new_key_type;
use wb_comm::{Channel, Error, Label, Match, Rank, Site, Source};

use crate::{clock::Clock, mailbox::Message};

new_key_type! {
    /// Names an operation for as long as it is in the hub; never used twice in a job.
    pub struct OperationId;
}

/// What kind, and whether it is over.
#[derive(Debug)]
pub(crate) enum Progress {
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

/// An operation in the hub.
#[derive(Debug)]
pub(crate) struct Operation {
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
    pub(crate) site: Site,
    /// Does its user ask that a send wait for its receive?
    pub(crate) synchronous: bool,
    /// Of such a send that was matched: what its receiver knew then, where clocks are kept.
    pub(crate) met: Option<Clock>,
    /// Does its owner stand for it?
    pub(crate) awaited: bool,
    pub(crate) progress: Progress,
    /// When it was over, once it is.
    pub(crate) over: u64,
}

impl Operation {
    /// Nothing is left to wait for.
    pub(crate) fn done(&self) -> bool {
        !matches!(self.progress, Progress::Open)
    }

    /// What it brings its owner to know, where clocks are kept.
    pub(crate) fn heard(&self) -> Option<&Clock> {
        match &self.progress {
            Progress::Received(Ok(message)) => message.clock.as_ref(),
            _ => self.met.as_ref(),
        }
    }

    /// It is over, and not well.
    pub(crate) fn failed(&self) -> bool {
        matches!(self.progress, Progress::Received(Err(_)))
    }
}

/// The tag to show to people: ours are none of theirs.
pub(crate) fn shown_tag(label: Match) -> Option<i32> {
    match label.channel {
        Channel::User => label.tag,
        Channel::Internal => None,
    }
}

/// [`shown_tag`] of a message's full name.
pub(crate) fn shown_label(label: Label) -> Option<i32> {
    shown_tag(label.into())
}
