//! One rank of a job: whether it waits, and for what.
use smallvec::SmallVec;
use wb_comm::{CallSite, Rank, Source, TagPattern};

use crate::{
    matching::{message::OperationId, send_history::SendHistory},
    rma::window_state::EpochCondition,
};

/// The operations of one call, in its order; none of a send that was over at once.
pub(crate) type OperationIds = SmallVec<[Option<OperationId>; 2]>;

/// What a waiting rank needs to go on.
#[derive(Clone, Debug)]
pub(crate) enum WaitCondition {
    /// All of these are over, or one has failed.
    Operations(OperationIds),
    /// A message like this lies in its mailbox.
    Message { communicator: usize, rank: Rank, source: Source, label: TagPattern },
    /// Its communicator has agreed.
    Agreement { communicator: usize, rank: Rank },
    /// As member `rank` of a window.
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
    /// Where it stands; `None` while it can continue.
    pub(crate) wait_state: Option<WaitState>,
    /// Of the operations that it stands for: how many are not over.
    pub(super) incomplete: usize,
    /// The operations that it has stood for and has yet to take.
    pub(super) awaited: OperationIds,
    /// To whom it has sent.
    pub(crate) send_history: SendHistory,
    /// It has returned, panicked or could not be started.
    pub(crate) has_ended: bool,
}

impl RankState {
    /// What it stood for is met, or will not be: the operations are there to be taken.
    pub(super) fn wake(&mut self, wait_state: WaitState) {
        if let WaitCondition::Operations(ids) = wait_state.condition {
            self.awaited = ids;
        }
    }
}
