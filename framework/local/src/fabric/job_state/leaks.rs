//! Findings of a job besides its results: why no rank can continue, leaks, and mismatched collective calls.
use wb_comm::{BlockedCall, CallLocation, CallSite, Code, Finding, Rank, diagnosis::diagnose, text::leaks};

use crate::fabric::{
    communicator::CommunicatorState,
    delivery::DeliveryModel,
    job_state::JobState,
    matching::operation::{Direction, PostedOperation},
};

impl<P: DeliveryModel> JobState<P> {
    /// Finds why the blocked ranks cannot continue.
    pub(crate) fn diagnose_deadlock(&mut self) {
        let ended = self
            .ranks
            .iter()
            .enumerate()
            .filter(|(_, rank_state)| rank_state.has_ended)
            .map(|(rank, _)| rank);
        let ended: Vec<_> = ended.collect();
        let waiting: Vec<_> = self.blocked.iter().chain(&self.polled).cloned().collect();
        let causes = diagnose(&waiting, &ended, self.near_misses());
        let causes = self.add_collective_callers(causes);
        // A dropped request that explains a wait is reported once.
        let is_cause = |left: &Finding| {
            causes
                .iter()
                .any(|cause| (cause.code, cause.locations.first()) == (left.code, left.locations.first()))
        };
        self.findings.retain(|left| !is_cause(left));
        self.causes = causes;
    }

    /// Whether a drop counts as a leak. It does not once the job has failed, since it is a consequence of the failure.
    pub(crate) fn is_leak_counted(&self) -> bool {
        self.failure.is_none() && !std::thread::panicking()
    }

    /// The leak of an operation whose request is dropped.
    pub(crate) fn request_leak(&self, operation: &PostedOperation) -> Finding {
        let PostedOperation { owner, peer, tag, bytes, site, .. } = *operation;
        // A collective operation has no single peer.
        let peer = Some(peer).filter(|_| operation.direction != Direction::Both);
        let call = BlockedCall { peer, tag, bytes: Some(bytes), ..BlockedCall::new(owner, site) }.call();
        let detail = leaks::request(call, &self.communicators[operation.communicator].name);
        Finding {
            code: Code::RequestLeak,
            rank: owner,
            locations: vec![CallLocation::new(owner, site)],
            details: vec![detail],
        }
    }

    /// Records a window or a file that a rank has dropped without freeing or closing it.
    pub(crate) fn note_leak(&mut self, code: Code, rank: Rank, made: CallSite) {
        if self.is_leak_counted() {
            let locations = vec![CallLocation::new(rank, made)];
            self.findings.push(Finding { code, rank, locations, details: vec![] });
        }
    }

    /// All findings, and if all ranks returned also the incomplete collectives and unreceived messages. The causes of a
    /// deadlock come first, in their order. The rest is sorted, because the order in which ranks drop resources is not
    /// deterministic.
    pub(crate) fn findings(&self, all_returned: bool) -> Vec<Finding> {
        let mut found = self.findings.clone();
        if all_returned && self.failure.is_none() {
            found.extend(self.incomplete_collectives());
            found.extend(self.race_detector.iter().flat_map(|races| races.findings()));
            found.extend(self.communicators.iter().flat_map(CommunicatorState::leftovers).map(Finding::from));
        }
        found.sort();
        let computes = |polled: &BlockedCall| self.blocked.iter().all(|blocked| blocked.rank != polled.rank);
        if !self.polled.iter().any(computes) {
            found.splice(..0, self.causes.iter().cloned());
        }
        found
    }
}
