//! Blocking a rank until its condition is satisfied.
//!
//! A satisfied condition unblocks its rank while the state is held. For a rank that waits for several operations, each
//! completion only decrements the count of the incomplete ones.
use wb_comm::Rank;

use crate::fabric::{
    delivery::DeliveryModel,
    job_state::{
        JobState,
        rank_state::{OperationIds, WaitCondition, WaitState},
    },
    matching::operation::PostedOperation,
};

impl<P: DeliveryModel> JobState<P> {
    /// Blocks a rank, unless its condition is satisfied; returns whether it is blocked. If no rank can continue then,
    /// the job fails as a deadlock.
    pub fn block(&mut self, rank: Rank, wait_state: WaitState) -> bool {
        let is_any = matches!(wait_state.condition, WaitCondition::AnyOperation(_));
        if self.is_satisfied(&wait_state.condition) {
            self.ranks[rank].wake(wait_state);
            // A rank that chooses continues later, when the choice is the largest. It is not blocked.
            let chooses = is_any && self.delivery.can_choose_messages();
            if chooses {
                self.delivery.wake_to_choose(rank);
            }
            return chooses;
        }
        let open = match &wait_state.condition {
            WaitCondition::Operations(ids) => self.mark_awaited(ids),
            WaitCondition::AnyOperation(ids) => self.mark_awaited(ids).min(1),
            _ => 0,
        };
        let rank_state = &mut self.ranks[rank];
        rank_state.incomplete = open;
        assert!(rank_state.wait_state.replace(wait_state).is_none(), "rank {rank} stands twice");
        self.runnable -= 1;
        self.check_deadlock();
        self.is_blocked(rank)
    }

    /// Marks operations as awaited by their owner; returns how many are incomplete.
    fn mark_awaited(&mut self, ids: &OperationIds) -> usize {
        let mut open = 0;
        for id in ids.iter().flatten() {
            let operation = &mut self.operations[*id];
            operation.is_awaited = !operation.is_done();
            open += usize::from(operation.is_awaited);
        }
        open
    }

    /// Takes the operations that a rank waited for last. They are complete unless the job has failed.
    pub(crate) fn take_awaited(&mut self, rank: Rank) -> OperationIds {
        std::mem::take(&mut self.ranks[rank].awaited)
    }

    /// Whether the rank waits.
    pub fn is_blocked(&self, rank: Rank) -> bool {
        self.ranks[rank].wait_state.is_some()
    }

    /// An awaited operation of a rank is complete: the rank continues after the last one, or the first that fails.
    pub(crate) fn operation_completed(&mut self, rank: Rank, failed: bool) {
        let rank_state = &mut self.ranks[rank];
        rank_state.incomplete = rank_state.incomplete.saturating_sub(1);
        if rank_state.wait_state.is_some() && (failed || rank_state.incomplete == 0) {
            self.unblock(rank);
        }
    }

    /// Unblocks a rank if its condition is satisfied; complete operations are [counted](Self::complete).
    pub(crate) fn unblock_if_satisfied(&mut self, rank: Rank) {
        let met =
            self.ranks[rank].wait_state.as_ref().is_some_and(|wait_state| match &wait_state.condition {
                WaitCondition::Operations(_) | WaitCondition::AnyOperation(_) => false,
                condition => self.is_satisfied(condition),
            });
        if met {
            self.unblock(rank);
        }
    }

    pub(crate) fn unblock(&mut self, rank: Rank) {
        let rank_state = &mut self.ranks[rank];
        let wait_state = rank_state.wait_state.take().expect("it stands");
        let is_any = matches!(wait_state.condition, WaitCondition::AnyOperation(_));
        rank_state.wake(wait_state);
        self.runnable += 1;
        match is_any {
            true => self.delivery.wake_to_choose(rank),
            false => self.delivery.wake(rank),
        }
    }

    /// Whether a rank with this condition can continue.
    pub(crate) fn is_satisfied(&self, condition: &WaitCondition) -> bool {
        match condition {
            WaitCondition::Operations(ids) => {
                let operations = || ids.iter().flatten().map(|id| &self.operations[*id]);
                operations().all(PostedOperation::is_done) || operations().any(PostedOperation::has_failed)
            }
            WaitCondition::AnyOperation(ids) => ids.iter().flatten().any(|id| self.operations[*id].is_done()),
            WaitCondition::Message { communicator, rank, source, tag } => {
                self.communicators[*communicator].mailboxes[*rank].find(*source, *tag).is_some()
            }
            WaitCondition::Agreement { communicator, rank } => {
                self.communicators[*communicator].agreement.has_decision(*rank)
            }
            WaitCondition::Storage { rank } => !self.ranks[*rank].awaits_storage,
            WaitCondition::Window { window, rank, condition } => {
                self.windows[*window].is_satisfied(*rank, condition)
            }
        }
    }
}
