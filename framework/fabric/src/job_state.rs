//! All that the ranks of a job share, as plain data that one of them holds at a time.
//!
//! Posting an operation matches it or queues it; whatever completes somebody's operation also takes that rank out of its
//! standing. Nothing here waits; what takes time is handed to the [`Pace`] and comes back as a [`Event`].
use std::{sync::Arc, time::Duration};

use slotmap::SlotMap;
use smallvec::SmallVec;
use wb_comm::{
    BlockedCall, CallSite, Context, Error, Finding, MAX_RACE_CHECKED_RANKS, Rank, Result, Source, Status,
    TagPattern,
    job::{JobOutcome, RankTermination},
    text,
};

use crate::{
    Completion, DeliveryModel, Event, SendProtocol,
    agreement::{Decision, NewMembership, Proposal, split_groups},
    communicator::CommunicatorState,
    mailbox::{Message, PostedReceive, RecvBuffer},
    operation::{Direction, OperationId, OperationStatus, PostedOperation, user_tag, user_tag_of},
    races::RaceDetector,
    rank_state::RankState,
    window_state::WindowState,
};

/// See the module.
#[derive(Debug)]
pub struct JobState<P> {
    /// By rank in the job.
    pub(crate) ranks: Vec<RankState>,
    /// How many ranks neither stand nor have ended.
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
    /// Where the ranks stood when the job was stopped.
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
    pub fn new(size: usize, pace: P) -> Self {
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
            delivery: pace,
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

    /// Posts a send: its message leaves. Gives its operation, if it is not over at once or is to be kept all the same.
    pub(crate) fn post_send(
        &mut self,
        communicator: usize,
        to: Rank,
        mut message: Box<Message>,
        synchronous: bool,
        kept: bool,
    ) -> Option<OperationId> {
        let group = &self.communicators[communicator];
        let (owner, receiver) = (group.members[message.source], group.members[to]);
        if message.tag.context == Context::User {
            self.ranks[owner].send_history.record(communicator, message.tag.tag, message.site, to);
        }
        let bytes = message.bytes.len();
        let mode = self.delivery.send_protocol(owner, receiver, bytes, synchronous);
        let open = mode != SendProtocol::Eager;
        let operation = || PostedOperation {
            owner,
            communicator,
            mailbox: to,
            direction: Direction::Send,
            peer: Source::Rank(to),
            tag: user_tag_of(message.tag),
            bytes,
            site: message.site,
            is_synchronous: synchronous,
            matched_clock: None,
            is_awaited: false,
            status: if open { OperationStatus::Open } else { OperationStatus::Sent },
            completed_at: 0,
        };
        let id = (open || kept).then(operation).map(|operation| self.operations.insert(operation));
        message.clock = self.race_detector.as_mut().map(|races| races.publish(owner));
        message.protocol = mode;
        message.send = id.filter(|_| open);
        let arrive = Event::MessageArrival { communicator, to, message };
        let now = self.delivery.send(owner, receiver, bytes, mode, arrive);
        self.process_events(now);
        id
    }

    /// Posts a receive: takes its message or queues it.
    pub(crate) fn post_receive(
        &mut self,
        communicator: usize,
        rank: Rank,
        (source, label): (Source, TagPattern),
        room: RecvBuffer,
        site: CallSite,
    ) -> OperationId {
        if source == Source::Any && self.delivery.can_choose_messages() {
            self.requeue_unexpected(communicator, rank);
        }
        let group = &mut self.communicators[communicator];
        let owner = group.members[rank];
        let found = group.mailboxes[rank].take(source, label);
        let operation = self.operations.insert(PostedOperation {
            owner,
            communicator,
            mailbox: rank,
            direction: Direction::Receive,
            peer: source,
            tag: user_tag(label),
            bytes: room.bytes,
            site,
            is_synchronous: false,
            matched_clock: None,
            is_awaited: false,
            status: OperationStatus::Open,
            completed_at: 0,
        });
        let posted = PostedReceive {
            operation,
            source,
            tag: label,
            buffer: room,
            posted_at: self.delivery.local_time(owner),
        };
        match found {
            Some(message) => self.match_message(communicator, rank, &posted, message),
            None => self.communicators[communicator].mailboxes[rank].push_receive(posted),
        }
        operation
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

    fn arrive(&mut self, communicator: usize, to: Rank, mut message: Box<Message>) {
        message.arrived_at = self.delivery.event_time();
        let group = &mut self.communicators[communicator];
        let receiver = group.members[to];
        match group.mailboxes[to].take_receive(message.source, message.tag) {
            Some(posted) => self.match_message(communicator, to, &posted, message),
            None => {
                group.mailboxes[to].push_unexpected(message);
                self.unblock_if_satisfied(receiver);
            }
        }
    }

    /// A message and a receive have found each other.
    fn match_message(
        &mut self,
        communicator: usize,
        to: Rank,
        posted: &PostedReceive,
        message: Box<Message>,
    ) {
        let members = &self.communicators[communicator].members;
        let (from, receiver) = (members[message.source], members[to]);
        let (met, send, mode) = (message.arrived_at.max(posted.posted_at), message.send, message.protocol);
        if let (Some(races), Some(send)) = (&mut self.race_detector, send) {
            // A send that is told so waits for its receive; one that happens to wait promises nothing.
            let known = self.operations.get_mut(send).filter(|operation| operation.is_synchronous);
            known.into_iter().for_each(|operation| operation.matched_clock = Some(races.publish(receiver)));
        }
        match (mode, send, message.fit_into(posted.buffer, from)) {
            (SendProtocol::Rendezvous, Some(send), Ok(message)) => {
                let (receive, bytes) = (posted.operation, message.bytes.len());
                let landed = Event::PayloadArrival { receive, message };
                let now =
                    self.delivery.transfer((from, receiver), bytes, met, Event::SendCompletion(send), landed);
                self.process_events(now.into_iter().flatten());
            }
            (_, send, fitted) => {
                self.complete_receive(posted.operation, fitted);
                if let Some(send) = send {
                    let now = self.delivery.acknowledge(from, receiver, met, Event::SendCompletion(send));
                    self.process_events(now);
                }
            }
        }
    }

    /// A receive has its message, or the reason why it gets none.
    fn complete_receive(&mut self, receive: OperationId, message: Result<Box<Message>>) {
        let over = message
            .as_ref()
            .map_or_else(|_| self.delivery.event_time(), |message| message.completion_time(&self.delivery));
        self.complete(receive, OperationStatus::Received(message.map_err(Box::new)), over);
    }

    /// A member looks for a message in its mailbox.
    pub(crate) fn probe_mailbox(
        &mut self,
        (communicator, rank): (usize, Rank),
        source: Source,
        label: TagPattern,
    ) -> Option<Status> {
        let group = &self.communicators[communicator];
        let message = group.mailboxes[rank].find(source, label)?;
        if let (Some(races), Some(clock)) = (&mut self.race_detector, &message.clock) {
            races.join(group.members[rank], clock);
        }
        Some(message.status())
    }

    /// Takes an operation that is over, or one that is given up: then it leaves no trace.
    pub(crate) fn take_operation(&mut self, id: OperationId) -> PostedOperation {
        let operation = self.operations.remove(id).expect("an operation is taken once");
        if !operation.is_done() {
            let mailbox = &mut self.communicators[operation.communicator].mailboxes[operation.mailbox];
            match operation.direction {
                Direction::Send => mailbox.cancel_send(id),
                Direction::Receive => mailbox.cancel_receive(id),
            }
        }
        operation
    }

    /// Notes that the request of an operation was dropped. The operation goes on, as in MPI: a send is still received, and a
    /// receive still takes the message that it matches.
    ///
    /// Once the job has failed, requests are dropped because of that, so they are not counted.
    pub(crate) fn drop_request(&mut self, id: OperationId) {
        if self.is_leak_counted() {
            let finding = self.request_leak(&self.operations[id]);
            self.findings.push(finding);
            self.dropped_requests.push(id);
        }
    }

    /// Hands in what one member wants of a split, dup or window; the last one decides for all.
    pub(crate) fn propose(&mut self, communicator: usize, rank: Rank, proposal: Proposal, site: CallSite) {
        let Some(all) = self.communicators[communicator].agreement.propose(rank, proposal) else { return };
        let decisions = self.decide(communicator, &all, site);
        let group = &mut self.communicators[communicator];
        group.agreement.decide(decisions);
        let members = Arc::clone(&group.members);
        self.synchronize(&members);
        for member in members.iter() {
            self.unblock_if_satisfied(*member);
        }
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

    fn decide(&mut self, communicator: usize, proposals: &[Proposal], site: CallSite) -> Vec<Decision> {
        let groups = match split_groups(proposals) {
            Ok(groups) => groups,
            Err(error) => return vec![Err(error); proposals.len()],
        };
        if let Proposal::Window { kind, layout, .. } = proposals[0] {
            return self.create_window(communicator, (kind, layout), proposals, site);
        }
        let name = self.communicators[communicator].child_name(proposals[0]);
        let mut decisions = vec![Ok(None); proposals.len()];
        for group in groups {
            for (rank, old) in group.iter().enumerate() {
                let membership = NewMembership { index: self.communicators.len(), rank };
                decisions[*old] = Ok(Some(membership));
            }
            let parents = &self.communicators[communicator].members;
            let members = group.iter().map(|old| parents[*old]).collect();
            self.communicators.push(CommunicatorState::new(name.clone(), Some(site), members));
        }
        decisions
    }

    fn complete(&mut self, id: OperationId, progress: OperationStatus, over: u64) {
        // An operation of a job that cannot go on may still be under way.
        let Some(operation) = self.operations.get_mut(id) else { return };
        assert!(!operation.is_done(), "an operation completes once");
        operation.status = progress;
        operation.completed_at = over;
        if operation.is_awaited {
            let (owner, failed) = (operation.owner, operation.has_failed());
            self.operation_completed(owner, failed);
        }
    }

    /// Its rank takes note of operations of one call that are over.
    pub(crate) fn note_completions(&mut self, rank: Rank, ids: &[Option<OperationId>]) {
        if let Some(races) = &mut self.race_detector {
            let heard = ids.iter().flatten().filter_map(|id| self.operations[*id].received_clock());
            heard.for_each(|clock| races.join(rank, clock));
        }
        if P::TIMED {
            let mut over: SmallVec<[Completion; 4]> = SmallVec::new();
            for id in ids.iter().flatten() {
                over.push(self.completion(&self.operations[*id]));
            }
            self.delivery.note_completions(rank, &mut over);
        }
    }

    fn completion(&self, operation: &PostedOperation) -> Completion {
        let received = match &operation.status {
            OperationStatus::Received(Ok(message)) => {
                let members = &self.communicators[operation.communicator].members;
                Some((members[message.source], message.bytes.len()))
            }
            _ => None,
        };
        Completion { completed_at: operation.completed_at, received }
    }
}
