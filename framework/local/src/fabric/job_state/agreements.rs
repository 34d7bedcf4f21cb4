//! Collective decisions of a communicator or a window: collectives, new communicators and windows, fences.
use std::sync::Arc;

use wb_comm::{
    CallSite, CollectiveCall, CollectiveMismatch, Datatype, Error, Rank, RankCall, Result, WindowKind,
    diagnosis::CollectiveMatcher,
};

use crate::fabric::{
    agreement::{Agreement, Decision, NewMembership, Proposal, split_groups},
    communicator::CommunicatorState,
    delivery::DeliveryModel,
    job_state::JobState,
    matching::operation::PostedOperation,
    rma::{
        locks::LockTable, pending_accesses::PendingAccesses, pscw::PscwState, window_part::create_parts,
        window_state::WindowState,
    },
};

impl<P: DeliveryModel> JobState<P> {
    /// Adds one member's proposal of a split, dup or window; the last one decides for all.
    pub(crate) fn propose(&mut self, communicator: usize, rank: Rank, proposal: Proposal, site: CallSite) {
        let Some(all) = self.communicators[communicator].agreement.propose(rank, proposal) else { return };
        if proposal == Proposal::FileTransfer {
            return self.start_collective_transfer(communicator);
        }
        let decisions = self.decide(communicator, &all, site);
        let group = &mut self.communicators[communicator];
        group.agreement.decide(decisions);
        let members = Arc::clone(&group.members);
        match proposal.orders_members() {
            true => self.synchronize(&members),
            false => self.delivery.synchronize(&members),
        }
        for member in members.iter() {
            self.unblock_if_satisfied(*member);
        }
    }

    fn decide(&mut self, communicator: usize, proposals: &[Proposal], site: CallSite) -> Vec<Decision> {
        let groups = match split_groups(proposals) {
            Ok(groups) => groups,
            Err(error) => return vec![Err(error); proposals.len()],
        };
        if let Proposal::Window { kind, datatype, .. } = proposals[0] {
            return self.create_window(communicator, (kind, datatype), proposals, site);
        }
        if let Some(decision) = self.decide_on_file(communicator, proposals[0], site) {
            return vec![decision; proposals.len()];
        }
        if proposals[0] == Proposal::Join {
            self.group_creations.retain(|creation| creation.index != communicator);
            let membership = |rank| Ok(Some(NewMembership { index: communicator, rank }));
            return (0..proposals.len()).map(membership).collect();
        }
        let name = self.communicators[communicator].child_name(proposals[0]);
        let mut decisions = vec![Ok(None); proposals.len()];
        for group in groups {
            let parents = &self.communicators[communicator].members;
            let members = group.iter().map(|old| parents[*old]).collect();
            let index = self.add_communicator(CommunicatorState::new(name.clone(), Some(site), members));
            for (rank, old) in group.iter().enumerate() {
                decisions[*old] = Ok(Some(NewMembership { index, rank }));
            }
        }
        decisions
    }

    /// Adds a communicator; returns its index.
    pub(crate) fn add_communicator(&mut self, made: CommunicatorState) -> usize {
        let index = self.unused_communicators.pop().unwrap_or(self.communicators.len());
        match self.communicators.get_mut(index) {
            Some(unused) => *unused = made,
            None => self.communicators.push(made),
        }
        index
    }

    /// A member drops a communicator. If it was the last one and nothing is left there, the index can be used again.
    pub(crate) fn drop_communicator(&mut self, index: usize) {
        let group = &mut self.communicators[index];
        group.users -= 1;
        let is_idle =
            group.users + group.open_messages == 0 && group.collectives.first_incomplete().is_none();
        let is_used = |operation: &PostedOperation| operation.communicator == index;
        if is_idle && !self.operations.values().any(is_used) && !self.files.contains_key(&index) {
            self.unused_communicators.push(index);
            self.ranks.iter_mut().for_each(|rank| rank.send_history.forget(index));
        }
    }

    /// The number of communicators of this and of earlier times for which there is memory.
    pub fn communicator_count(&self) -> usize {
        self.communicators.len()
    }

    /// Makes a window from the proposals of all members.
    pub(crate) fn create_window(
        &mut self,
        communicator: usize,
        (kind, datatype): (WindowKind, Datatype),
        proposals: &[Proposal],
        site: CallSite,
    ) -> Vec<Decision> {
        let count = |proposal: &Proposal| match proposal {
            Proposal::Window { count, .. } => *count,
            _ => 0,
        };
        let counts: Arc<[usize]> = proposals.iter().map(count).collect();
        // In virtual time a rank may read memory only through the clocks.
        let (parts, shared_words) = create_parts(kind, datatype, &counts, !P::TIMED);
        let (made, size) = (self.windows.len(), counts.len());
        let name = format!("{} ({site})", self.communicators[communicator].child_name(proposals[0]));
        self.windows.push(WindowState {
            name,
            kind,
            datatype,
            parts,
            shared_words,
            pscw: PscwState::new(size),
            locks: LockTable::new(size),
            pending_accesses: PendingAccesses::new(size),
            value_waiters: vec![Vec::new(); size],
            deferred_accesses: (0..size).map(|_| Vec::new()).collect(),
            agreement: Agreement::new(size),
            collectives: CollectiveMatcher::new(size),
            members: Arc::clone(&self.communicators[communicator].members),
            counts,
        });
        if let Some(races) = &mut self.race_detector {
            races.add_window(Arc::clone(&self.windows[made].members));
        }
        (0..proposals.len()).map(|rank| Ok(Some(NewMembership { index: made, rank }))).collect()
    }

    /// Adds one member's fence or end of a window; the last one decides for all.
    pub(crate) fn propose_on_window(&mut self, window: usize, rank: Rank, proposal: Proposal) {
        let shared = &mut self.windows[window];
        let Some(all) = shared.agreement.propose(rank, proposal) else { return };
        let decision = split_groups(&all).map(|_| None);
        if proposal == Proposal::Free && decision.is_ok() {
            shared.parts.clear();
            self.race_detector.iter_mut().for_each(|races| races.remove_window(window));
        }
        shared.agreement.decide(vec![decision; all.len()]);
        let members = Arc::clone(&shared.members);
        self.synchronize(&members);
        for member in members.iter() {
            self.unblock_if_satisfied(*member);
        }
    }

    /// A member enters its communicator's next collective.
    ///
    /// # Errors
    /// [`Error::Collective`] if another member's call of it does not match; every later call of every rank returns it
    /// too.
    pub(crate) fn enter_collective(
        &mut self,
        communicator: usize,
        rank: Rank,
        call: CollectiveCall,
    ) -> Result<()> {
        let group = &mut self.communicators[communicator];
        let (entered, members) = (group.collectives.enter(rank, call), Arc::clone(&group.members));
        self.fail_on_mismatch(entered, &members)
    }

    /// The same for a window and its next fence or end.
    ///
    /// # Errors
    /// As [`enter_collective`](Self::enter_collective).
    pub(crate) fn enter_window_collective(
        &mut self,
        window: usize,
        rank: Rank,
        site: CallSite,
    ) -> Result<()> {
        let shared = &mut self.windows[window];
        let entered = shared.collectives.enter(rank, CollectiveCall::new(site));
        let members = Arc::clone(&shared.members);
        self.fail_on_mismatch(entered, &members)
    }

    fn fail_on_mismatch(
        &mut self,
        entered: std::result::Result<(), Box<CollectiveMismatch>>,
        members: &[Rank],
    ) -> Result<()> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let Err(mismatch) = entered else { return Ok(()) };
        let of_job = |call: RankCall| RankCall { rank: members[call.rank], ..call };
        let (call, earlier) = (of_job(mismatch.call), of_job(mismatch.earlier));
        let error = Error::Collective(Box::new(CollectiveMismatch { call, earlier, ..*mismatch }));
        self.fail(error.clone());
        Err(error)
    }
}
