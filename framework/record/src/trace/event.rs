//! What a call of a trace did.

use serde::{Deserialize, Serialize};

use crate::fields::{BYTES, CheckedNumber, FieldVisitor, RANK, VisitFields};

/// One end of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// The rank at the other end.
    pub peer: u32,
    /// The tag.
    pub tag: i32,
    /// The size.
    pub bytes: u64,
}

/// The effect of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// No other rank's call is concerned: a probe, a test, own memory, a lock.
    Local,
    /// Sent, and returned when the buffer was free again.
    Send {
        /// Where to.
        to: Envelope,
        /// Whether it waits until the receive has started (`ssend`).
        #[serde(default)]
        synchronous: bool,
    },
    /// Received.
    Receive {
        /// The source of the received message; a wildcard is resolved.
        from: Envelope,
    },
    /// Sent and received in one call.
    Exchange {
        /// Where to.
        to: Envelope,
        /// Where from.
        from: Envelope,
    },
    /// Began to send.
    StartSend {
        /// Where to.
        to: Envelope,
        /// The request's number on this rank.
        request: u32,
    },
    /// Began to receive.
    StartReceive {
        /// The request's number on this rank.
        request: u32,
    },
    /// Waited for a send.
    FinishSend {
        /// The request's number on this rank.
        request: u32,
    },
    /// Waited for a receive.
    FinishReceive {
        /// The request's number on this rank.
        request: u32,
        /// Where from.
        from: Envelope,
    },
    /// Called a collective operation.
    Collective {
        /// The number among the collective calls of its communicator.
        sequence: u32,
        /// The ranks for which each rank has to wait.
        shape: CollectiveShape,
        /// The larger of this rank's input and output.
        bytes: u64,
    },
    /// Began a collective operation.
    StartCollective {
        /// The number among the collective calls of its communicator.
        sequence: u32,
        /// The ranks for which each rank has to wait.
        shape: CollectiveShape,
        /// The larger of this rank's input and output.
        bytes: u64,
        /// The request's number on this rank.
        request: u32,
    },
    /// Waited for a collective operation.
    FinishCollective {
        /// The request's number on this rank.
        request: u32,
    },
    /// Accessed another rank's part of a window.
    Access {
        /// The target rank.
        target: u32,
        /// The number of bytes, in either direction.
        bytes: u64,
    },
    /// Read from a file or wrote to it, by itself.
    File {
        /// The number of bytes.
        bytes: u64,
        /// Whether it wrote.
        is_write: bool,
    },
    /// Opened an exposure epoch for these ranks (`MPI_Win_post`).
    Post {
        /// The origins.
        peers: Vec<u32>,
    },
    /// Opened an access epoch to these ranks (`MPI_Win_start`).
    Start {
        /// The targets.
        peers: Vec<u32>,
    },
    /// Ended the access epoch to these ranks (`MPI_Win_complete`).
    Complete {
        /// The targets.
        peers: Vec<u32>,
    },
    /// Ended the exposure epoch for these ranks (`MPI_Win_wait`).
    Wait {
        /// The origins.
        peers: Vec<u32>,
    },
}

/// The ranks for which each rank has to wait in a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CollectiveShape {
    /// Every rank needs every rank: barrier, allreduce, fence, ...
    All,
    /// Every rank needs this rank: bcast, scatter.
    From(u32),
    /// This rank needs every rank: reduce, gather.
    To(u32),
    /// Every rank needs the lower ranks: scan, exscan.
    Prefix,
    /// Every rank needs its [sources](crate::TraceCommunicator::sources): neighbourhood collectives.
    Neighbours,
}

impl VisitFields for Envelope {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        // Every integer is a tag: libraries use negative tags.
        let Self { peer, tag: _, bytes } = self;
        visitor.field("peer", |visitor| peer.check(RANK, visitor));
        visitor.field("bytes", |visitor| bytes.check(BYTES, visitor));
    }
}

impl VisitFields for EventKind {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        match self {
            Self::Send { to, synchronous: _ } | Self::StartSend { to, request: _ } => {
                to.visit_fields(visitor);
            }
            Self::Receive { from } | Self::FinishReceive { request: _, from } => from.visit_fields(visitor),
            Self::Exchange { to, from } => {
                to.visit_fields(visitor);
                from.visit_fields(visitor);
            }
            Self::Collective { sequence: _, shape, bytes }
            | Self::StartCollective { sequence: _, shape, bytes, request: _ } => {
                shape.visit_fields(visitor);
                visitor.field("bytes", |visitor| bytes.check(BYTES, visitor));
            }
            Self::Access { target, bytes } => {
                visitor.field("target", |visitor| target.check(RANK, visitor));
                visitor.field("bytes", |visitor| bytes.check(BYTES, visitor));
            }
            Self::File { bytes, is_write: _ } => {
                visitor.field("bytes", |visitor| bytes.check(BYTES, visitor));
            }
            Self::Post { peers }
            | Self::Start { peers }
            | Self::Complete { peers }
            | Self::Wait { peers } => {
                visitor.field("peers", |visitor| peers.check(RANK, visitor));
            }
            Self::Local
            | Self::StartReceive { request: _ }
            | Self::FinishSend { request: _ }
            | Self::FinishCollective { request: _ } => {}
        }
    }
}

impl VisitFields for CollectiveShape {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        match self {
            Self::From(root) | Self::To(root) => visitor.field("root", |visitor| root.check(RANK, visitor)),
            Self::All | Self::Prefix | Self::Neighbours => {}
        }
    }
}
