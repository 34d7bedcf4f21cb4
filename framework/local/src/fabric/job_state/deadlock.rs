//! Where a rank is blocked, and when no rank can continue.
//!
//! The verdict is exact. A rank is *blocked* from the moment its condition is found unsatisfied until the moment it is
//! satisfied, both while the state is held: a rank whose condition is satisfied but that has not woken up yet is no
//! longer blocked. Conditions are satisfied by ranks and by what they have in flight, never by time alone. So if every
//! rank that has not ended is blocked and nothing is in flight, no rank will ever continue. If one of them is not
//! blocked, it may still continue.
use wb_comm::{BlockedCall, CallLocation, Error, Rank, Source, Verb};

use crate::fabric::{
    delivery::DeliveryModel,
    job_state::{
        JobState,
        rank_state::{RankState, WaitCondition, WaitState},
    },
    matching::{
        message::OperationId,
        operation::{Direction, PostedOperation, user_tag},
    },
};

impl<P: DeliveryModel> JobState<P> {
    /// Describes a rank's wait in terms of the program.
    pub(crate) fn describe(&self, rank: Rank, wait_state: &WaitState) -> BlockedCall {
        let call = BlockedCall { is_bufferable: false, ..BlockedCall::new(rank, wait_state.site) };
        match &wait_state.condition {
            WaitCondition::Operations(ids) | WaitCondition::AnyOperation(ids) => self
                .first_incomplete(ids)
                .map_or(call.clone(), |open| self.describe_operations(call, ids, open)),
            WaitCondition::Message { communicator, source, tag, .. } => {
                let waits_for = self.partners(*communicator, rank, *source);
                let communicator = Some(self.communicators[*communicator].describe());
                BlockedCall { peer: Some(*source), tag: user_tag(*tag), waits_for, communicator, ..call }
            }
            WaitCondition::Agreement { communicator, .. } => {
                let group = &self.communicators[*communicator];
                let waits_for = group.agreement.missing().map(|member| group.members[member]).collect();
                BlockedCall { waits_for, communicator: Some(group.describe()), ..call }
            }
            // Only its own transfer ends this wait, and no program waits for it without end.
            WaitCondition::Storage { .. } => call,
            WaitCondition::Window { window, rank, condition } => {
                let shared = &self.windows[*window];
                let peer = shared.first_missing(*rank, condition).map(Source::Rank);
                let waits_for = shared.missing(*rank, condition);
                BlockedCall { peer, waits_for, communicator: Some(shared.name.clone()), ..call }
            }
        }
    }

    /// Describes the wait for these operations, of which `open` explains it best.
    fn describe_operations(
        &self,
        call: BlockedCall,
        ids: &[Option<OperationId>],
        open: &PostedOperation,
    ) -> BlockedCall {
        let communicator = Some(self.communicators[open.communicator].describe());
        let waits_for = self.all_partners(ids);
        let detaches = call.verb == Verb::BufferDetach;
        let completes = call.verb.is_completion() || detaches;
        let started_at = completes.then(|| CallLocation::new(call.rank, open.site));
        if open.direction == Direction::Both {
            return BlockedCall { waits_for, communicator, started_at, ..call };
        }
        let waits_for_match = open.is_synchronous || call.verb.is_collective() || detaches;
        let is_bufferable = open.direction == Direction::Send && !waits_for_match;
        let (peer, tag, bytes) = (Some(open.peer), open.tag, Some(open.bytes));
        BlockedCall { peer, tag, bytes, waits_for, is_bufferable, communicator, started_at, ..call }
    }

    /// The ranks that could complete one of the incomplete operations, those of the [first](Self::first_incomplete) before the others.
    fn all_partners(&self, ids: &[Option<OperationId>]) -> Vec<Rank> {
        let first = self.first_incomplete(ids).filter(|open| open.direction != Direction::Both);
        let rounds = ids.iter().flatten().flat_map(|id| self.open_messages(*id));
        let open = ids.iter().flatten().map(|id| &self.operations[*id]);
        let open = open.filter(|operation| !operation.is_done() && operation.direction != Direction::Both);
        let mut partners = vec![];
        for open in first.into_iter().chain(open).chain(rounds) {
            let found = self.partners(open.communicator, open.owner, open.peer);
            let new: Vec<Rank> = found.into_iter().filter(|rank| !partners.contains(rank)).collect();
            partners.extend(new);
        }
        partners
    }

    /// The ranks that could complete an operation of `rank`, in the job's numbering.
    fn partners(&self, communicator: usize, rank: Rank, peer: Source) -> Vec<Rank> {
        let members = &self.communicators[communicator].members;
        match peer {
            Source::Rank(peer) => vec![members[peer]],
            Source::Any => members.iter().copied().filter(|member| *member != rank).collect(),
        }
    }

    /// The operation that explains a wait best: a receive before a send, as a sendrecv has both.
    pub(crate) fn first_incomplete(&self, ids: &[Option<OperationId>]) -> Option<&PostedOperation> {
        let open =
            || ids.iter().flatten().map(|id| &self.operations[*id]).filter(|operation| !operation.is_done());
        open().find(|operation| operation.direction == Direction::Receive).or_else(|| open().next())
    }

    /// Every blocked rank, in terms of the program.
    pub(crate) fn blocked_ranks(&self) -> Vec<BlockedCall> {
        self.describe_each(|rank_state| rank_state.wait_state.as_ref())
    }

    /// The calls of all ranks that `awaited` selects, in terms of the program.
    pub(crate) fn describe_each(
        &self,
        awaited: impl Fn(&RankState) -> Option<&WaitState>,
    ) -> Vec<BlockedCall> {
        let described =
            |(rank, rank_state)| awaited(rank_state).map(|wait_state| self.describe(rank, wait_state));
        self.ranks.iter().enumerate().filter_map(described).collect()
    }

    /// Fails the job if no rank can continue. Call it whenever a rank blocks or has ended, and when nothing is in
    /// flight any more.
    pub fn check_deadlock(&mut self) {
        if self.is_deadlocked() {
            self.blocked = self.blocked_ranks();
            self.diagnose_deadlock();
            self.fail(Error::Deadlock { blocked: self.blocked.clone() });
        }
    }
}
