//! The state that the ranks of a job share, as plain data that one rank holds at a time.
//!
//! Posting an operation matches it or queues it. Completing an operation also unblocks its owner. Nothing here waits:
//! what takes time is passed to the delivery model and returns as an [`Event`].
use std::{collections::BTreeMap, time::Duration};

use slotmap::{SecondaryMap, SlotMap};
use wb_comm::{
    BlockedCall, CallSite, Error, Finding, MAX_RACE_CHECKED_RANKS, Rank, Result, Text,
    job::{JobOutcome, RankTermination},
    text,
};

use crate::fabric::{
    communicator::CommunicatorState,
    delivery::{DeliveryModel, Event},
    files::{file_state::FileState, file_store::FileStore},
    job_state::{
        active_collectives::ActiveCollective,
        group_creation::GroupCreation,
        rank_state::{RankState, WaitState},
    },
    matching::{
        message::OperationId,
        operation::{OperationStatus, PostedOperation},
    },
    races::RaceDetector,
    rma::window_state::WindowState,
};

mod active_collectives;
mod agreements;
pub(crate) mod attached_buffer;
mod blocking;
mod deadlock;
mod files;
mod group_creation;
pub(crate) mod in_flight;
mod incomplete_collectives;
mod leaks;
mod messages;
mod near_miss;
pub(crate) mod rank_state;
mod rma;

/// The state that the ranks of a job share.
#[derive(Debug)]
pub struct JobState<P> {
    /// The state of each rank, by its rank in the job.
    pub(crate) ranks: Vec<RankState>,
    /// The number of ranks that neither wait nor have ended.
    pub(crate) runnable: usize,
    /// The number of ranks that have ended.
    ended: usize,
    /// The first one is the world.
    pub(crate) communicators: Vec<CommunicatorState>,
    /// The indices of those that all members have dropped and on which nothing is left.
    unused_communicators: Vec<usize>,
    /// Communicators that some of their members have begun to make, and others have not.
    pub(crate) group_creations: Vec<GroupCreation>,
    /// The windows by index; a freed window keeps its index.
    pub(crate) windows: Vec<WindowState>,
    /// Open files, by their communicators.
    pub(crate) files: BTreeMap<usize, FileState>,
    file_store: FileStore,
    pub(crate) operations: SlotMap<OperationId, PostedOperation>,
    /// The rounds of the collective operations that are under way.
    pub(crate) active_collectives: SecondaryMap<OperationId, ActiveCollective>,
    /// The active collectives whose round is over.
    due_collectives: Vec<OperationId>,
    /// Whether rounds are being posted.
    continues_collectives: bool,
    /// The operations whose requests were dropped.
    pub(crate) dropped_requests: Vec<OperationId>,
    /// The error because of which the job has failed; every later call returns it.
    pub(crate) failure: Option<Error>,
    /// The calls in which the ranks waited when the job was stopped, and the calls that they made later.
    pub(crate) blocked: Vec<BlockedCall>,
    /// What ranks polled when the job was stopped. A rank that polls calls again; one that does not computes.
    polled: Vec<BlockedCall>,
    /// Whether ranks could continue when the job was stopped: a call was about to complete, or was made later.
    continues: bool,
    /// The causes for which no rank can continue, the most explanatory first.
    pub(crate) causes: Vec<Finding>,
    /// Incomplete operations that were dropped, and windows that were not freed.
    pub(crate) findings: Vec<Finding>,
    /// Detects races of window accesses, if enabled.
    pub(crate) race_detector: Option<Box<RaceDetector>>,
    /// The model of the duration of deliveries.
    pub delivery: P,
}

impl<P: DeliveryModel> JobState<P> {
    /// A job of `size` ranks that have not done anything; the world is communicator 0.
    pub fn new(size: usize, delivery: P) -> Self {
        Self {
            ranks: (0..size).map(|_| RankState::default()).collect(),
            runnable: size,
            ended: 0,
            communicators: vec![CommunicatorState::new("world".to_owned(), None, (0..size).collect())],
            unused_communicators: Vec::new(),
            group_creations: Vec::new(),
            windows: Vec::new(),
            files: BTreeMap::new(),
            file_store: FileStore::default(),
            operations: SlotMap::with_key(),
            active_collectives: SecondaryMap::new(),
            due_collectives: Vec::new(),
            continues_collectives: false,
            dropped_requests: Vec::new(),
            failure: None,
            blocked: Vec::new(),
            polled: Vec::new(),
            continues: false,
            causes: Vec::new(),
            findings: Vec::new(),
            race_detector: None,
            delivery,
        }
    }

    /// Checks the accesses of windows for races ([`Code::WindowRace`](wb_comm::Code::WindowRace)). Call it before the
    /// ranks start. Every message then carries a clock with one number for each rank; among more than
    /// [`MAX_RACE_CHECKED_RANKS`] ranks the check is omitted.
    pub fn enable_race_detection(&mut self) {
        let size = self.ranks.len();
        self.race_detector = (size <= MAX_RACE_CHECKED_RANKS).then(|| Box::new(RaceDetector::new(size)));
    }

    /// Enters a call of a rank, unless the rank has ended or the job has failed.
    pub(crate) fn enter_call(&mut self, rank: Rank, site: CallSite) -> Result<()> {
        if self.ranks[rank].has_ended {
            return Err(Error::Setup(text::setup::communicator_closed("world")));
        }
        self.ranks[rank].calls += 1;
        self.ranks[rank].fruitless_poll = None;
        self.check_failure(rank, site)
    }

    /// The failure of the job, which this call of a rank returns. After the time limit it shows where a rank was that was
    /// not blocked: in a call that was about to complete, or before this one.
    pub(crate) fn check_failure(&mut self, rank: Rank, site: CallSite) -> Result<()> {
        let Some(failure) = &self.failure else { return Ok(()) };
        let interrupted = matches!(failure, Error::Interrupted { .. });
        if interrupted && self.blocked.iter().all(|blocked| blocked.rank != rank) {
            let polled = self.polled.iter().find(|polled| polled.rank == rank);
            self.continues |= polled.is_none();
            self.blocked.push(polled.cloned().unwrap_or_else(|| BlockedCall::new(rank, site)));
            self.blocked.sort_by_key(|blocked| blocked.rank);
        }
        Err(failure.clone())
    }

    /// The call that a rank has entered last has polled this without success.
    pub(crate) fn record_fruitless_poll(&mut self, rank: Rank, polled: WaitState) {
        self.ranks[rank].calls -= 1;
        self.ranks[rank].fruitless_poll = Some(polled);
    }

    /// Stops the job; the first reason is kept. Every blocked rank continues and gets the failure; after an interruption as
    /// soon as no rank computes, since one that computes may wait for a lock that a blocked rank holds.
    pub fn fail(&mut self, failure: Error) {
        let failure = self.failure.get_or_insert(failure);
        if matches!(failure, Error::Interrupted { .. }) && self.runnable > 0 {
            return;
        }
        for rank in 0..self.ranks.len() {
            if self.ranks[rank].wait_state.is_some() {
                self.unblock(rank);
            }
        }
    }

    /// Stops the job at its time limit; see [`interrupt`](Self::interrupt).
    pub fn interrupt_at_limit(&mut self, limit: Duration) {
        self.interrupt(text::error::limit_over(text::error::duration(limit)));
    }

    /// Stops the job for this reason, and records where every rank was blocked. Why no rank can continue is diagnosed
    /// only where that is so.
    pub fn interrupt(&mut self, reason: Text) {
        if self.failure.is_none() {
            self.blocked = self.blocked_ranks();
            self.polled = self.describe_each(|rank_state| rank_state.fruitless_poll.as_ref());
            if self.is_stuck() {
                self.diagnose_deadlock();
            } else {
                self.continues = !self.delivery.is_idle();
            }
        }
        self.fail(Error::Interrupted { reason });
    }

    /// Whether every rank has ended, is blocked, or polls what does not change, and nothing is in flight.
    fn is_stuck(&self) -> bool {
        let is_stuck = |rank: &RankState| {
            let is_polling_without_result =
                || rank.fruitless_poll.as_ref().is_some_and(|polled| !self.is_satisfied(&polled.condition));
            rank.has_ended || rank.wait_state.is_some() || is_polling_without_result()
        };
        self.delivery.is_idle() && self.ranks.iter().all(is_stuck)
    }

    /// The error because of which the job has failed.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// Whether no rank can continue, though some ranks have not ended.
    pub(crate) fn is_deadlocked(&self) -> bool {
        self.runnable == 0
            && self.ended < self.ranks.len()
            && self.failure.is_none()
            && self.delivery.is_idle()
    }

    /// Processes an event that was in flight.
    pub fn process_event(&mut self, event: Event) {
        match event {
            Event::MessageArrival { communicator, to, message } => self.arrive(communicator, to, message),
            Event::PayloadArrival { receive, message } => self.complete_receive(receive, Ok(message)),
            Event::SendCompletion(send) => {
                self.complete(send, OperationStatus::Sent, self.delivery.event_time());
            }
            Event::AccessArrival(flight) => self.access_arrived(flight),
            Event::AccessReply(flight) => self.access_answered(*flight),
            Event::StorageReply(rank) => self.transfer_over(rank),
            Event::CollectiveTransfer { communicator } => self.collective_transfer_over(communicator),
            Event::Notice { window, from, to, notice } => self.receive_notice(window, (from, to), notice),
        }
        self.continue_collectives();
    }

    pub(crate) fn process_events(&mut self, event: impl IntoIterator<Item = Event>) {
        event.into_iter().for_each(|event| self.process_event(event));
    }

    /// All of these ranks continue together; each knows what all knew.
    pub(crate) fn synchronize(&mut self, members: &[Rank]) {
        if let Some(races) = &mut self.race_detector {
            races.synchronize(members);
        }
        self.delivery.synchronize(members);
    }

    /// A rank has ended: other ranks may wait for it.
    pub(crate) fn rank_ended(&mut self, rank: Rank) {
        assert!(
            !self.ranks[rank].has_ended && !self.is_blocked(rank),
            "rank {rank} ends once, and by itself"
        );
        self.ranks[rank].has_ended = true;
        self.ended += 1;
        self.runnable -= 1;
        if self.runnable == 0
            && let Some(failure) = self.failure.clone()
        {
            self.fail(failure);
        }
        self.check_deadlock();
    }

    /// The outcome of the job, once its ranks have ended like this; those that have not are lost.
    pub fn outcome(&self, ranks: Vec<Option<RankTermination>>, timed_out: bool) -> JobOutcome {
        let ranks: Vec<_> =
            ranks.into_iter().map(|ended| ended.unwrap_or(RankTermination::Unfinished)).collect();
        let all_returned = ranks.iter().all(|ended| matches!(ended, RankTermination::Returned(_)));
        let calls = self.ranks.iter().map(|rank| rank.calls).filter(|_| self.continues).collect();
        let (blocked, findings) = (self.blocked.clone(), self.findings(all_returned));
        JobOutcome { ranks, blocked, calls, timed_out, findings }
    }
}
