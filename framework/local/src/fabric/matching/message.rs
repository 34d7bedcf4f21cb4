//! A message and its send protocol.
use slotmap::new_key_type;
use wb_comm::{
    CallSite, Context, Datatype, Error, LayoutViewMut, MessageTag, Rank, RankCall, Result, Source, Status,
    TagPattern, View,
};

use crate::fabric::races::vector_clock::VectorClock;

new_key_type! {
    /// Identifies an operation for as long as it is in the state; never used twice in a job.
    pub struct OperationId;
}

/// How a message is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendProtocol {
    /// The send completes once the message has left.
    Eager,
    /// The message leaves immediately; the send completes when it is matched (`MPI_Ssend`).
    Synchronous,
    /// The header is sent alone; the payload follows when it is matched.
    Rendezvous,
}

/// A message in flight or arrived.
#[derive(Debug)]
pub struct Message {
    pub(crate) source: Rank,
    pub(crate) tag: MessageTag,
    pub(crate) datatype: Datatype,
    pub(crate) bytes: Vec<u8>,
    /// The call that sent it.
    pub(crate) site: CallSite,
    /// The sender's one-port clock.
    pub(crate) logical_time: u64,
    /// The sender's vector clock, if clocks are kept.
    pub(crate) clock: Option<VectorClock>,
    pub(crate) protocol: SendProtocol,
    /// The time at which it, or its header, arrived.
    pub(crate) arrived_at: u64,
    /// The send that completes only when this message is matched.
    pub(crate) send: Option<OperationId>,
}

impl Message {
    /// Whether it is a user message. The messages of our collectives are never taken by a receive from any source.
    pub fn is_user_message(&self) -> bool {
        self.tag.context == Context::User
    }

    /// The send that completes only when this message is matched.
    pub fn send(&self) -> Option<OperationId> {
        self.send
    }

    /// Whether a receive with this source and tag takes it.
    pub(super) fn matches(&self, source: Source, tag: TagPattern) -> bool {
        source.matches(self.source) && tag.matches(self.tag)
    }

    /// The status that a probe returns.
    pub(crate) fn status(&self) -> Status {
        Status {
            source: self.source,
            tag: self.tag.tag,
            bytes: self.bytes.len(),
            datatype: Some(self.datatype),
        }
    }

    /// The message of rank `sender` of the job, if a buffer of this kind can take it. As in MPI, an empty message has
    /// no type.
    pub(crate) fn fit_into(self: Box<Self>, buffer: RecvBuffer, sender: Rank) -> Result<Box<Self>> {
        let (source_rank, tag, sent) = (self.source, self.tag.tag, self.bytes.len());
        let by = || Some(Box::new(RankCall { rank: sender, site: self.site }));
        if self.datatype.find_difference(buffer.datatype, sent).is_some() {
            let (sent, expected) = (self.datatype, buffer.datatype);
            return Err(Error::Type { source_rank, tag, sent, expected, sent_by: by() });
        }
        if sent > buffer.bytes {
            return Err(Error::Truncated { source_rank, tag, sent, capacity: buffer.bytes, sent_by: by() });
        }
        Ok(self)
    }
}

/// The type and size of a receive's buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecvBuffer {
    pub(crate) datatype: Datatype,
    pub(crate) bytes: usize,
}

impl RecvBuffer {
    /// The room that a buffer offers.
    pub(crate) fn from_view(buffer: View<'_>) -> Self {
        Self { datatype: buffer.datatype(), bytes: buffer.bytes().len() }
    }

    /// The room that the elements of a layout offer.
    pub(crate) fn from_layout(buffer: &LayoutViewMut<'_>) -> Self {
        Self { datatype: buffer.datatype(), bytes: buffer.byte_count() }
    }
}
