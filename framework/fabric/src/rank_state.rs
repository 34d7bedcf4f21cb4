//! Where the ranks of a job stand, and what lets them go on.
//!
//! Whatever meets a need takes its rank out of its standing while the state is held. Of the operations that a rank stands for,
//! only how many are open is looked at when one is over, however many there are.
use wb_comm::Rank;

use crate::{
    DeliveryModel,
    deadlock::{OperationIds, WaitCondition, WaitState},
    job_state::JobState,
    send_history::SendHistory,
};

/// One rank of the job.
#[derive(Debug, Default)]
pub(crate) struct RankState {
    /// Where it stands; `None` while it can go on.
    pub(crate) wait_state: Option<WaitState>,
    /// Of the operations that it stands for: how many are not over.
    incomplete: usize,
    /// The operations that it has stood for and has yet to take.
    awaited: OperationIds,
    /// To whom it has sent.
    pub(crate) send_history: SendHistory,
    /// It has returned, panicked or could not be started.
    pub(crate) has_ended: bool,
}

impl RankState {
    /// What it stood for is met, or will not be: the operations are there to be taken.
    fn wake(&mut self, standing: WaitState) {
        if let WaitCondition::Operations(ids) = standing.condition {
            self.awaited = ids;
        }
    }
}

impl<P: DeliveryModel> JobState<P> {
    /// Lets a rank stand, unless its need is met; tells whether it stands. Everybody is told when that means that nobody
    /// can go on.
    pub fn block(&mut self, rank: Rank, standing: WaitState) -> bool {
        if self.is_satisfied(&standing.condition) {
            self.ranks[rank].wake(standing);
            return false;
        }
        let open =
            if let WaitCondition::Operations(ids) = &standing.condition { self.mark_awaited(ids) } else { 0 };
        let seat = &mut self.ranks[rank];
        seat.incomplete = open;
        assert!(seat.wait_state.replace(standing).is_none(), "rank {rank} stands twice");
        self.runnable -= 1;
        self.check_deadlock();
        self.is_blocked(rank)
    }

    /// Their owner will be told when they are over; gives how many are not.
    fn mark_awaited(&mut self, ids: &OperationIds) -> usize {
        let mut open = 0;
        for id in ids.iter().flatten() {
            let operation = &mut self.operations[*id];
            operation.is_awaited = !operation.is_done();
            open += usize::from(operation.is_awaited);
        }
        open
    }

    /// The operations that a rank stood for last: over, unless the job cannot go on. It takes them now.
    pub(crate) fn take_awaited(&mut self, rank: Rank) -> OperationIds {
        std::mem::take(&mut self.ranks[rank].awaited)
    }

    /// Does it wait?
    pub fn is_blocked(&self, rank: Rank) -> bool {
        self.ranks[rank].wait_state.is_some()
    }

    /// One of the operations that a rank stands for is over: it goes on after the last one, or the first that fails.
    pub(crate) fn operation_completed(&mut self, rank: Rank, failed: bool) {
        let seat = &mut self.ranks[rank];
        seat.incomplete -= 1;
        if seat.wait_state.is_some() && (failed || seat.incomplete == 0) {
            self.unblock(rank);
        }
    }

    /// Takes a rank out of its standing once its need is met; operations that are over are [counted](Self::complete).
    pub(crate) fn unblock_if_satisfied(&mut self, rank: Rank) {
        let met = self.ranks[rank].wait_state.as_ref().is_some_and(|standing| match &standing.condition {
            WaitCondition::Operations(_) => false,
            need => self.is_satisfied(need),
        });
        if met {
            self.unblock(rank);
        }
    }

    pub(crate) fn unblock(&mut self, rank: Rank) {
        let seat = &mut self.ranks[rank];
        let standing = seat.wait_state.take().expect("it stands");
        seat.wake(standing);
        self.runnable += 1;
        self.delivery.wake(rank);
    }
}
