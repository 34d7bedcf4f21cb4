//! The memory that a rank has attached for its buffered sends.
//!
//! A message occupies its size and [`BSEND_OVERHEAD`] bytes until a receive takes it (the model of MPI 4.0, 3.6.1).
use smallvec::SmallVec;
use wb_comm::{BSEND_OVERHEAD, Error, Rank, Result, text::setup};

use crate::fabric::{delivery::DeliveryModel, job_state::JobState, matching::message::OperationId};

#[derive(Debug, Default)]
pub(crate) struct AttachedBuffer {
    /// The size of the attached buffer; `None` while none is attached.
    bytes: Option<usize>,
    /// The sends whose messages are in it, each with its size.
    sends: SmallVec<[(OperationId, usize); 1]>,
}

impl AttachedBuffer {
    /// Puts the message of a send into it.
    pub(super) fn occupy(&mut self, send: OperationId, bytes: usize) {
        self.sends.push((send, bytes + BSEND_OVERHEAD));
    }
}

impl<P: DeliveryModel> JobState<P> {
    pub(crate) fn attach_buffer(&mut self, rank: Rank, bytes: usize) -> Result<()> {
        let buffer = &mut self.ranks[rank].attached_buffer;
        match buffer.bytes {
            Some(attached) => Err(Error::Setup(setup::buffer_attached(attached))),
            None => {
                buffer.bytes = Some(bytes);
                Ok(())
            }
        }
    }

    /// Checks that a message fits the buffer of a rank beside those that are not received yet.
    pub(crate) fn check_attached_buffer(&mut self, rank: Rank, bytes: usize) -> Result<()> {
        self.remove_received(rank);
        let buffer = &self.ranks[rank].attached_buffer;
        let occupied = buffer.sends.iter().map(|(_, bytes)| bytes).sum();
        let (needed, attached) = (bytes + BSEND_OVERHEAD, buffer.bytes.unwrap_or(0));
        if needed.saturating_add(occupied) <= attached {
            return Ok(());
        }
        Err(Error::AttachedBuffer { needed, attached, occupied: Some(occupied) })
    }

    /// Removes the messages that were received.
    fn remove_received(&mut self, rank: Rank) {
        let Self { ranks, operations, .. } = self;
        ranks[rank].attached_buffer.sends.retain(|(send, _)| {
            let is_done = operations[*send].is_done();
            if is_done {
                operations.remove(*send);
            }
            !is_done
        });
    }

    /// The sends whose messages are in the buffer of a rank, and its size.
    pub(crate) fn buffered_sends(&self, rank: Rank) -> Result<(Vec<OperationId>, usize)> {
        let buffer = &self.ranks[rank].attached_buffer;
        let bytes = buffer.bytes.ok_or(Error::Setup(setup::no_buffer_attached()))?;
        Ok((buffer.sends.iter().map(|(send, _)| *send).collect(), bytes))
    }

    /// Detaches the buffer of a rank. Messages that are still in it arrive nevertheless.
    pub(crate) fn detach_buffer(&mut self, rank: Rank) {
        self.remove_received(rank);
        self.ranks[rank].attached_buffer = AttachedBuffer::default();
    }
}
