//! All that the ranks of a job share, as plain data that one of them holds at a time.
//!
//! Posting an operation matches it or queues it; whatever completes somebody's operation also takes that rank out of its
//! standing. Nothing here waits; what takes time is handed to the delivery model and comes back as an [`Event`].
use std::time::Duration;

use slotmap::SlotMap;
use wb_comm::{
    BlockedCall, CallSite, Error, Finding, MAX_RACE_CHECKED_RANKS, Rank, Result,
    job::{JobOutcome, RankTermination},
    text,
};

use crate::{
    communicator::CommunicatorState,
    delivery::{DeliveryModel, Event},
    job_state::rank_state::RankState,
    matching::{
        message::OperationId,
        operation::{OperationStatus, PostedOperation},
    },
    races::RaceDetector,
    rma::window_state::WindowState,
};

mod agreements;
mod blocking;
mod deadlock;
pub(crate) mod in_flight;
mod incomplete_collectives;
mod leaks;
mod messages;
mod near_miss;
pub(crate) mod rank_state;
mod rma;

/// See the module.
#[derive(Debug)]
pub struct JobState<P> {
    /// By rank in the job.
    pub(crate) ranks: Vec<RankState>,
    /// How many ranks neither wait nor have ended.
    pub(crate) runnable: usize,
    /// How many have ended.
    ended: usize,
    /// The first is the world.
    pub(crate) communicators: Vec<CommunicatorState>,
    /// By index; a freed one keeps its place.
    pub(crate) windows: Vec<WindowState>,
    pub(crate) operations: SlotMap<OperationId, PostedOperation>,
    /// Those whose requests were dropped.
    pub(crate) dropped_requests: Vec<OperationId>,
    /// Why the job cannot go on; every call returns it from then on.
    pub(crate) failure: Option<Error>,
    /// Where the ranks waited when the job was stopped.
    pub(crate) blocked: Vec<BlockedCall>,
    /// Why nobody could go on, the first to tell first.
    pub(crate) causes: Vec<Finding>,
    /// What was dropped without its end.
    pub(crate) findings: Vec<Finding>,
    /// What orders the accesses of windows, where somebody wants to know.
    pub(crate) race_detector: Option<Box<RaceDetector>>,
    /// How long things take.
    pub delivery: P,
}

impl<P: DeliveryModel> JobState<P> {
    /// Nobody of `size` ranks has done anything; the world is communicator 0.
    pub fn new(size: usize, delivery: P) -> Self {
        Self {
            ranks: (0..size).map(|_| RankState::default()).collect(),
            runnable: size,
            ended: 0,
            communicators: vec![CommunicatorState::new("world".to_owned(), None, (0..size).collect())],
            windows: Vec::new(),
            operations: SlotMap::with_key(),
            dropped_requests: Vec::new(),
            failure: None,
            blocked: Vec::new(),
            causes: Vec::new(),
            findings: Vec::new(),
            race_detector: None,
            delivery,
        }
    }

    /// Holds all accesses of windows against each other ([`Code::WindowRace`](wb_comm::Code::WindowRace)); call before anybody
    /// does anything. It costs a clock of a number for each rank in every message; among more than [`MAX_RACE_CHECKED_RANKS`] it is
    /// left out.
    pub fn enable_race_detection(&mut self) {
        let size = self.ranks.len();
        self.race_detector = (size <= MAX_RACE_CHECKED_RANKS).then(|| Box::new(RaceDetector::new(size)));
    }

    /// Lets a rank into a call, unless the job cannot go on. A call made after the limit struck is where that rank
    /// stands, so it is noted.
    pub(crate) fn enter_call(&mut self, rank: Rank, site: CallSite) -> Result<()> {
        let Some(failure) = &self.failure else { return Ok(()) };
        let interrupted = matches!(failure, Error::Interrupted { .. });
        if interrupted && self.blocked.iter().all(|blocked| blocked.rank != rank) {
            self.blocked.push(BlockedCall::new(rank, site));
            self.blocked.sort_by_key(|blocked| blocked.rank);
        }
        Err(failure.clone())
    }

    /// Stops the job; the first reason stays. Everybody who stands goes on, to be told.
    pub fn fail(&mut self, failure: Error) {
        self.failure.get_or_insert(failure);
        for rank in 0..self.ranks.len() {
            if self.ranks[rank].wait_state.is_some() {
                self.unblock(rank);
            }
        }
    }

    /// Stops the job because its limit is over, and keeps where everybody stood.
    pub fn interrupt(&mut self, limit: Duration) {
        if self.failure.is_none() {
            self.blocked = self.blocked_ranks();
            self.diagnose_deadlock();
        }
        self.fail(Error::Interrupted { reason: text::error::limit_over(text::error::duration(limit)) });
    }

    /// Why the job cannot go on.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// Can nobody do anything any more, though somebody has not ended?
    pub(crate) fn is_deadlocked(&self) -> bool {
        self.runnable == 0
            && self.ended < self.ranks.len()
            && self.failure.is_none()
            && self.delivery.is_idle()
    }

    /// What was under way comes about.
    pub fn process_event(&mut self, what: Event) {
        match what {
            Event::MessageArrival { communicator, to, message } => self.arrive(communicator, to, message),
            Event::PayloadArrival { receive, message } => self.complete_receive(receive, Ok(message)),
            Event::SendCompletion(send) => {
                self.complete(send, OperationStatus::Sent, self.delivery.event_time());
            }
            Event::AccessArrival(flight) => self.access_arrived(flight),
            Event::AccessReply(flight) => self.access_answered(*flight),
            Event::Notice { window, from, to, notice } => self.receive_notice(window, (from, to), notice),
        }
    }

    pub(crate) fn process_events(&mut self, what: impl IntoIterator<Item = Event>) {
        what.into_iter().for_each(|what| self.process_event(what));
    }

    /// All of these go on together, and each knows what all have known.
    pub(crate) fn synchronize(&mut self, members: &[Rank]) {
        if let Some(races) = &mut self.race_detector {
            races.synchronize(members);
        }
        self.delivery.synchronize(members);
    }

    /// A rank has ended: others may wait for it.
    pub(crate) fn rank_ended(&mut self, rank: Rank) {
        assert!(
            !self.ranks[rank].has_ended && !self.is_blocked(rank),
            "rank {rank} ends once, and by itself"
        );
        self.ranks[rank].has_ended = true;
        self.ended += 1;
        self.runnable -= 1;
        self.check_deadlock();
    }

    /// What the job leaves, once its ranks have ended like this; those that have not are lost.
    pub fn outcome(&self, ranks: Vec<Option<RankTermination>>, timed_out: bool) -> JobOutcome {
        let ranks: Vec<_> =
            ranks.into_iter().map(|ended| ended.unwrap_or(RankTermination::Unfinished)).collect();
        let all_returned = ranks.iter().all(|ended| matches!(ended, RankTermination::Returned(_)));
        JobOutcome { ranks, blocked: self.blocked.clone(), timed_out, findings: self.findings(all_returned) }
    }
}
