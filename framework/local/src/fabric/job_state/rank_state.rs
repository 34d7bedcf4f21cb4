//! One rank of a job: whether it waits, and for what.
use smallvec::SmallVec;
use wb_comm::{CallSite, Rank, Source, TagPattern};

use crate::fabric::{
    job_state::attached_buffer::AttachedBuffer,
    matching::{message::OperationId, send_history::SendHistory},
    rma::window_state::EpochCondition,
};

/// The operations of one call, in its order; `None` for a send that completed immediately.
pub(crate) type OperationIds = SmallVec<[Option<OperationId>; 2]>;

/// The condition under which a waiting rank continues.
#[derive(Clone, Debug)]
pub(crate) enum WaitCondition {
    /// All of these are complete, or one has failed.
    Operations(OperationIds),
    /// One of these is complete.
    AnyOperation(OperationIds),
    /// A message like this is in its mailbox.
    Message { communicator: usize, rank: Rank, source: Source, tag: TagPattern },
    /// The communicator has decided.
    Agreement { communicator: usize, rank: Rank },
    /// The storage has transferred what it has asked for.
    Storage { rank: Rank },
    /// A condition of an epoch, as member `rank` of a window.
    Window { window: usize, rank: Rank, condition: EpochCondition },
}

/// A rank inside a call that cannot return yet.
#[derive(Clone, Debug)]
pub struct WaitState {
    pub(crate) site: CallSite,
    pub(crate) condition: WaitCondition,
}

/// One rank of the job.
#[derive(Debug, Default)]
pub(crate) struct RankState {
    /// The call in which it is blocked; `None` while it can continue.
    pub(crate) wait_state: Option<WaitState>,
    /// What its last call has polled without success; `None` after any other call.
    pub(crate) fruitless_poll: Option<WaitState>,
    /// The number of its calls that were not fruitless polls.
    pub(crate) calls: u64,
    /// The number of incomplete operations that it waits for.
    pub(super) incomplete: usize,
    /// The operations that it has waited for and has yet to take.
    pub(super) awaited: OperationIds,
    /// The receivers of its messages.
    pub(crate) send_history: SendHistory,
    /// The memory for its buffered sends.
    pub(crate) attached_buffer: AttachedBuffer,
    /// The storage has yet to transfer what it has asked for.
    pub(crate) awaits_storage: bool,
    /// Whether it has returned, panicked or could not be started.
    pub(crate) has_ended: bool,
}

impl RankState {
    /// What the rank waits for, in a call or by polling.
    pub(crate) fn awaited_state(&self) -> Option<&WaitState> {
        self.wait_state.as_ref().or(self.fruitless_poll.as_ref())
    }

    /// Unblocks the rank: its condition is satisfied, or never will be. Its operations can be taken.
    pub(super) fn wake(&mut self, wait_state: WaitState) {
        if let WaitCondition::Operations(ids) | WaitCondition::AnyOperation(ids) = wait_state.condition {
            self.awaited = ids;
        }
    }
}
