//! What a backend has posted and not completed: operations, messages that matched probes have taken, and persistent requests.
use std::any::Any;

use crate::{Block, CallSite, MessageTag, Rank, Result, SendMode, Source, Status, TagPattern, ViewMut};

/// A posted operation that has not been waited for, with the buffer that it owns.
///
/// Dropping an incomplete one is a programming error that a backend counts; it must stay sound (the buffer is leaked).
pub trait Pending: Any {
    /// True once [`wait`](Self::wait) would not block.
    ///
    /// # Errors
    /// The errors of the operation itself.
    fn test(&mut self, site: CallSite) -> Result<bool>;

    /// Completes the operation and returns its buffer.
    ///
    /// # Errors
    /// The errors of the operation itself.
    fn wait(self: Box<Self>, site: CallSite) -> Result<Completed>;

    /// Withdraws a receive that has no message yet, and else completes it (`MPI_Cancel` with its `MPI_Wait`): its buffer is returned only
    /// where it is complete.
    ///
    /// # Errors
    /// The errors of the operation itself.
    fn cancel(self: Box<Self>, site: CallSite) -> Result<Option<Completed>>;

    /// The request as its backend made it, without decorators, for calls on several requests.
    fn undecorated(&mut self) -> &mut dyn Any;
}

/// A message that a matched probe has taken out of its queue (`MPI_Message`): only its owner can receive it.
///
/// Dropping one loses the message, which a backend counts as not received.
pub trait PendingMessage {
    /// The source, tag and size of the message.
    fn status(&self) -> Status;

    /// Receives it (`MPI_Mrecv`).
    ///
    /// # Errors
    /// As of a receive.
    fn receive(self: Box<Self>, into: ViewMut<'_>, site: CallSite) -> Result<Status>;
}

/// A send or receive that can be started many times with the same arguments (`MPI_Send_init`).
pub trait Persistent {
    /// Starts it with the buffer that it was made with, which the wait returns.
    ///
    /// # Errors
    /// As of the operation.
    fn start(&mut self, block: Block, site: CallSite) -> Result<Box<dyn Pending>>;
}

/// The arguments of a persistent send or receive.
#[derive(Clone, Copy, Debug)]
pub enum PersistentArgs {
    /// The arguments of a send.
    Send {
        /// The receiver.
        to: Rank,
        /// The message's context and tag.
        tag: MessageTag,
        /// The mode of the send.
        mode: SendMode,
    },
    /// The arguments of a receive.
    Recv {
        /// The source.
        from: Source,
        /// The accepted context and tags.
        tag: TagPattern,
    },
}

/// The result of [`Pending::wait`].
#[derive(Debug)]
pub struct Completed {
    /// The buffer that was lent to the operation; of a collective operation the one that it has written.
    pub block: Block,
    /// The buffer that a collective operation has read.
    pub read: Option<Block>,
    /// For a receive: the status of the message.
    pub status: Option<Status>,
}
