//! What a job is told of itself besides its results: why nobody can go on, what was left behind, which calls of a
//! collective do not fit together.
use std::sync::Arc;

use wb_comm::{
    Blocked, Call, Code, Contribution, Error, Finding, Mismatch, Place, Rank, Result, Site, diagnose,
    text::left,
};

use crate::{Pace, communicator::Communicator, operation::Operation, state::State};

impl<P: Pace> State<P> {
    /// A member comes to its communicator's next collective.
    ///
    /// # Errors
    /// [`Error::Collective`], and from then on for everybody: another member's call of it does not fit.
    pub(crate) fn contribute(&mut self, communicator: usize, rank: Rank, brings: Contribution) -> Result<()> {
        let group = &mut self.communicators[communicator];
        let (entered, members) = (group.roll.enter(rank, brings), Arc::clone(&group.members));
        self.refuse(entered, &members)
    }

    /// The same of a window and its next fence or end.
    ///
    /// # Errors
    /// As [`contribute`](Self::contribute).
    pub(crate) fn contribute_on_window(&mut self, window: usize, rank: Rank, site: Site) -> Result<()> {
        let shared = &mut self.windows[window];
        let entered = shared.roll.enter(rank, Contribution::of(site));
        let members = Arc::clone(&shared.members);
        self.refuse(entered, &members)
    }

    fn refuse(&mut self, entered: std::result::Result<(), Box<Mismatch>>, members: &[Rank]) -> Result<()> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let Err(mismatch) = entered else { return Ok(()) };
        let of_job = |call: Call| Call { rank: members[call.rank], ..call };
        let (call, earlier) = (of_job(mismatch.call), of_job(mismatch.earlier));
        let error = Error::Collective(Box::new(Mismatch { call, earlier, ..*mismatch }));
        self.fail(error.clone());
        Err(error)
    }

    /// Finds out why those who stand cannot go on.
    pub(crate) fn explain(&mut self) {
        let ended = self.seats.iter().enumerate().filter(|(_, seat)| seat.ended).map(|(rank, _)| rank);
        let ended: Vec<_> = ended.collect();
        let causes = diagnose(&self.blocked, &ended, self.near_misses());
        let causes = self.with_callers(causes);
        // A request that was left and explains a wait is one finding.
        let is_cause = |left: &Finding| {
            causes.iter().any(|cause| (cause.code, cause.places.first()) == (left.code, left.places.first()))
        };
        self.findings.retain(|left| !is_cause(left));
        self.causes = causes;
    }

    /// Does what is dropped now count? Not once the job has failed, since it is dropped because of that.
    pub(crate) fn is_watched(&self) -> bool {
        self.failure.is_none() && !std::thread::panicking()
    }

    /// An operation whose request is dropped.
    pub(crate) fn request_left(&self, operation: &Operation) -> Finding {
        let Operation { owner, peer, tag, bytes, site, .. } = *operation;
        let call = Blocked { peer: Some(peer), tag, bytes: Some(bytes), ..Blocked::at(owner, site) }.call();
        let detail = left::request(call, &self.communicators[operation.communicator].name);
        Finding {
            code: Code::RequestLeft,
            rank: owner,
            places: vec![Place::of(owner, site)],
            details: vec![detail],
        }
    }

    /// Notes a window that a rank has dropped without freeing it.
    pub(crate) fn abandon_window(&mut self, rank: Rank, made: Site) {
        if self.is_watched() {
            let places = vec![Place::of(rank, made)];
            self.findings.push(Finding { code: Code::WindowLeft, rank, places, details: vec![] });
        }
    }

    /// All that was found, with the collectives that not all have called and the messages that nobody has seen if all ranks
    /// came back. Why nobody could go on comes first, in its order. Ranks do not drop things in any order among them, so the
    /// rest is sorted.
    pub(crate) fn found(&self, all_returned: bool) -> Vec<Finding> {
        let mut found = self.findings.clone();
        if all_returned && self.failure.is_none() {
            found.extend(self.never_joined());
            found.extend(self.races.iter().flat_map(|races| races.findings()));
            found.extend(self.communicators.iter().flat_map(Communicator::leftovers).map(Finding::from));
        }
        found.sort();
        found.splice(..0, self.causes.iter().cloned());
        found
    }
}
