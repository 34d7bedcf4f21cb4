//! The data that all endpoints, requests and windows of one rank share.
use std::cell::RefCell;

use smallvec::SmallVec;
use wb_comm::{CallSite, Context, MessageTag, Rank, Result, Status};

use crate::fabric::{
    endpoint::{
        payload::{Payload, ReceiveTarget},
        round_clock::RoundClock,
    },
    job_state::{
        JobState,
        rank_state::{WaitCondition, WaitState},
    },
    matching::{
        message::{Message, OperationId},
        operation::OperationStatus,
    },
    runtime::Runtime,
};

/// The results of the operations of a call, in its order.
pub(crate) type OperationResults = SmallVec<[OperationStatus; 2]>;

/// The data that all endpoints of one rank share.
#[derive(Debug)]
pub(crate) struct RankContext<H> {
    pub(crate) runtime: H,
    /// The rank in the job.
    pub(crate) rank: Rank,
    /// The rounds of its user messages.
    pub(super) round_clock: RoundClock,
    /// A received message whose memory the next send reuses.
    pub(super) spare_message: RefCell<Option<Box<Message>>>,
}

/// The payload capacity that a reused message keeps, bytes.
const SPARE_PAYLOAD_BYTES: usize = 1 << 10;

impl<H> RankContext<H> {
    /// Advances the clock for a message about to be sent and returns its round.
    pub(super) fn next_stamp(&self, tag: MessageTag) -> u64 {
        match tag.context {
            Context::User => self.round_clock.send(),
            _ => self.round_clock.now(),
        }
    }

    /// Updates the clock from a received message, copies the payload out and returns the status.
    pub(crate) fn finish_receive(&self, message: Box<Message>, into: ReceiveTarget<'_, '_>) -> Status {
        if message.tag.context == Context::User {
            self.round_clock.receive(message.logical_time);
        }
        into.copy_from(&message.bytes);
        let status = message.status();
        if message.bytes.capacity() <= SPARE_PAYLOAD_BYTES {
            self.spare_message.replace(Some(message));
        }
        status
    }

    /// A message with this content; in the memory of a spare one if there is one.
    pub(super) fn fill_message(&self, message: Message, payload: Payload<'_>) -> Box<Message> {
        let mut written = match self.spare_message.take() {
            Some(mut spare) => {
                let bytes = std::mem::take(&mut spare.bytes);
                *spare = Message { bytes, ..message };
                spare.bytes.clear();
                spare
            }
            None => Box::new(message),
        };
        payload.append_to(&mut written.bytes);
        written
    }
}

impl<H: Runtime> RankContext<H> {
    /// Enters a call of this rank.
    pub(crate) fn enter_call(&self, site: CallSite) -> Result<H::StateGuard<'_>> {
        let mut state = self.runtime.lock_state();
        state.enter_call(self.rank, site)?;
        Ok(state)
    }

    /// The call that this rank has entered has polled `condition` without success.
    pub(crate) fn poll_failed(&self, mut state: H::StateGuard<'_>, condition: WaitCondition, site: CallSite) {
        state.record_fruitless_poll(self.rank, WaitState { site, condition });
        drop(state);
        self.runtime.after_failed_poll(self.rank);
    }

    /// Takes the completed operations of one call and records that the rank has observed them.
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
