//! What all endpoints, requests and windows of one rank have in common.
use std::cell::{Cell, RefCell};

use smallvec::SmallVec;
use wb_comm::{Context, MessageTag, Rank, Status};

use crate::{
    job_state::JobState,
    matching::{
        message::{Message, OperationId},
        operation::OperationStatus,
    },
    runtime::Runtime,
};

/// How the operations of a call ended, in its order.
pub(crate) type OperationResults = SmallVec<[OperationStatus; 2]>;

/// What all endpoints of one rank have in common.
#[derive(Debug)]
pub(crate) struct RankContext<H> {
    pub(crate) runtime: H,
    /// In the job.
    pub(crate) rank: Rank,
    /// The one-port logical clock of its user messages.
    pub(super) logical_clock: Cell<u64>,
    /// A message that it has received: the next one that it sends is written over it.
    pub(super) spare_message: RefCell<Option<Box<Message>>>,
}

/// So much room for a payload is kept with a message that is used again, bytes.
const SPARE_PAYLOAD_BYTES: usize = 1 << 10;

impl<H> RankContext<H> {
    /// Advances the clock for a message about to be sent and gives its stamp.
    pub(super) fn next_stamp(&self, label: MessageTag) -> u64 {
        if label.context == Context::User {
            self.logical_clock.set(self.logical_clock.get() + 1);
        }
        self.logical_clock.get()
    }

    /// Takes over the clock of a message that was received, copies it out and gives its status.
    pub(crate) fn finish_receive(&self, message: Box<Message>, into: &mut [u8]) -> Status {
        if message.tag.context == Context::User {
            self.logical_clock.set(self.logical_clock.get().max(message.logical_time));
        }
        into[..message.bytes.len()].copy_from_slice(&message.bytes);
        let status = message.status();
        if message.bytes.capacity() <= SPARE_PAYLOAD_BYTES {
            self.spare_message.replace(Some(message));
        }
        status
    }

    /// A message with this content; in the memory of a spare one, where there is one.
    pub(super) fn fill_message(&self, message: Message, payload: &[u8]) -> Box<Message> {
        let mut written = match self.spare_message.take() {
            Some(mut spare) => {
                let bytes = std::mem::take(&mut spare.bytes);
                *spare = Message { bytes, ..message };
                spare.bytes.clear();
                spare
            }
            None => Box::new(message),
        };
        written.bytes.extend_from_slice(payload);
        written
    }
}

impl<H: Runtime> RankContext<H> {
    /// Takes operations of one call that are over, and takes note of it.
    pub(crate) fn take_completed(
        &self,
        state: &mut JobState<H::Delivery>,
        ids: &[Option<OperationId>],
    ) -> OperationResults {
        state.note_completions(self.rank, ids);
        let mut ends = OperationResults::new();
        for id in ids {
            ends.push(id.map_or(OperationStatus::Sent, |id| state.take_operation(id).status));
        }
        ends
    }
}
