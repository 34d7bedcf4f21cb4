//! All that the ranks of a job share, as plain data that one of them holds at a time.
//!
//! Posting an operation matches it or queues it; whatever completes somebody's operation also takes that rank out of its
//! standing. Nothing here waits; what takes time is handed to the [`Pace`] and comes back as a [`Happening`].
use std::{sync::Arc, time::Duration};

use slotmap::SlotMap;
use smallvec::SmallVec;
use wb_comm::{
    Blocked, Channel, Error, Finding, MOST_WATCHED_RANKS, Match, Rank, Result, Site, Source, Status,
    job::{Ended, Outcome},
    text,
};

use crate::{
    Happening, Mode, Over, Pace,
    agreement::{Decision, Membership, Proposal, groups},
    communicator::Communicator,
    mailbox::{Message, Posted, Room},
    opened::Shared,
    operation::{Direction, Operation, OperationId, Progress, shown_label, shown_tag},
    races::Races,
    seat::Seat,
};

/// See the module.
#[derive(Debug)]
pub struct State<P> {
    /// By rank in the job.
    pub(crate) seats: Vec<Seat>,
    /// How many ranks neither stand nor have ended.
    pub(crate) active: usize,
    /// How many have ended.
    ended: usize,
    /// The first is the world.
    pub(crate) communicators: Vec<Communicator>,
    /// By index; a freed one keeps its place.
    pub(crate) windows: Vec<Shared>,
    pub(crate) operations: SlotMap<OperationId, Operation>,
    /// Those whose requests were dropped.
    pub(crate) dropped: Vec<OperationId>,
    /// Why the job cannot go on; every call returns it from then on.
    pub(crate) failure: Option<Error>,
    /// Where the ranks stood when the job was stopped.
    pub(crate) blocked: Vec<Blocked>,
    /// Why nobody could go on, the first to tell first.
    pub(crate) causes: Vec<Finding>,
    /// What was dropped without its end.
    pub(crate) findings: Vec<Finding>,
    /// What orders the accesses of windows, where somebody wants to know.
    pub(crate) races: Option<Box<Races>>,
    /// How long things take.
    pub pace: P,
}

impl<P: Pace> State<P> {
    /// Nobody of `size` ranks has done anything; the world is communicator 0.
    pub fn new(size: usize, pace: P) -> Self {
        Self {
            seats: (0..size).map(|_| Seat::default()).collect(),
            active: size,
            ended: 0,
            communicators: vec![Communicator::new("world".to_owned(), None, (0..size).collect())],
            windows: Vec::new(),
            operations: SlotMap::with_key(),
            dropped: Vec::new(),
            failure: None,
            blocked: Vec::new(),
            causes: Vec::new(),
            findings: Vec::new(),
            races: None,
            pace,
        }
    }

    /// Holds all accesses of windows against each other ([`Code::WindowRace`](wb_comm::Code::WindowRace)); call before anybody
    /// does anything. It costs a clock of a number for each rank in every message; among more than [`MOST_WATCHED_RANKS`] it is
    /// left out.
    pub fn watch_races(&mut self) {
        let size = self.seats.len();
        self.races = (size <= MOST_WATCHED_RANKS).then(|| Box::new(Races::of(size)));
    }

    /// Lets a rank into a call, unless the job cannot go on. A call made after the limit struck is where that rank
    /// stands, so it is noted.
    pub(crate) fn admit(&mut self, rank: Rank, site: Site) -> Result<()> {
        let Some(failure) = &self.failure else { return Ok(()) };
        let interrupted = matches!(failure, Error::Interrupted { .. });
        if interrupted && self.blocked.iter().all(|blocked| blocked.rank != rank) {
            self.blocked.push(Blocked::at(rank, site));
            self.blocked.sort_by_key(|blocked| blocked.rank);
        }
        Err(failure.clone())
    }

    /// Stops the job; the first reason stays. Everybody who stands goes on, to be told.
    pub fn fail(&mut self, failure: Error) {
        self.failure.get_or_insert(failure);
        for rank in 0..self.seats.len() {
            if self.seats[rank].standing.is_some() {
                self.release(rank);
            }
        }
    }

    /// Stops the job because its limit is over, and keeps where everybody stood.
    pub fn interrupt(&mut self, limit: Duration) {
        if self.failure.is_none() {
            self.blocked = self.standings();
            self.explain();
        }
        self.fail(Error::Interrupted { reason: text::error::limit_over(text::error::duration(limit)) });
    }

    /// Why the job cannot go on.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// Can nobody do anything any more, though somebody has not ended?
    pub(crate) fn is_stuck(&self) -> bool {
        self.active == 0 && self.ended < self.seats.len() && self.failure.is_none() && self.pace.quiet()
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
        if message.label.channel == Channel::User {
            self.seats[owner].sent.note(communicator, message.label.tag, message.site, to);
        }
        let bytes = message.bytes.len();
        let mode = self.pace.mode(owner, receiver, bytes, synchronous);
        let open = mode != Mode::Eager;
        let operation = || Operation {
            owner,
            communicator,
            mailbox: to,
            direction: Direction::Send,
            peer: Source::Rank(to),
            tag: shown_label(message.label),
            bytes,
            site: message.site,
            synchronous,
            met: None,
            awaited: false,
            progress: if open { Progress::Open } else { Progress::Sent },
            over: 0,
        };
        let id = (open || kept).then(operation).map(|operation| self.operations.insert(operation));
        message.clock = self.races.as_mut().map(|races| races.tell(owner));
        message.mode = mode;
        message.send = id.filter(|_| open);
        let arrive = Happening::Arrive { communicator, to, message };
        let now = self.pace.send(owner, receiver, bytes, mode, arrive);
        self.happen_all(now);
        id
    }

    /// Posts a receive: takes its message or queues it.
    pub(crate) fn post_receive(
        &mut self,
        communicator: usize,
        rank: Rank,
        (source, label): (Source, Match),
        room: Room,
        site: Site,
    ) -> OperationId {
        if source == Source::Any && self.pace.chooses() {
            self.recall(communicator, rank);
        }
        let group = &mut self.communicators[communicator];
        let owner = group.members[rank];
        let found = group.mailboxes[rank].take(source, label);
        let operation = self.operations.insert(Operation {
            owner,
            communicator,
            mailbox: rank,
            direction: Direction::Receive,
            peer: source,
            tag: shown_tag(label),
            bytes: room.bytes,
            site,
            synchronous: false,
            met: None,
            awaited: false,
            progress: Progress::Open,
            over: 0,
        });
        let posted = Posted { operation, source, label, room, at: self.pace.clock(owner) };
        match found {
            Some(message) => self.meet(communicator, rank, &posted, message),
            None => self.communicators[communicator].mailboxes[rank].post(posted),
        }
        operation
    }

    /// What was under way comes about.
    pub fn happen(&mut self, what: Happening) {
        match what {
            Happening::Arrive { communicator, to, message } => self.arrive(communicator, to, message),
            Happening::Land { receive, message } => self.land(receive, Ok(message)),
            Happening::Sent(send) => self.complete(send, Progress::Sent, self.pace.time()),
            Happening::Reach(flight) => self.reach(flight),
            Happening::Answer(flight) => self.answered(*flight),
            Happening::Notice { window, from, to, notice } => self.hear(window, (from, to), notice),
        }
    }

    pub(crate) fn happen_all(&mut self, what: impl IntoIterator<Item = Happening>) {
        what.into_iter().for_each(|what| self.happen(what));
    }

    fn arrive(&mut self, communicator: usize, to: Rank, mut message: Box<Message>) {
        message.arrived = self.pace.time();
        let group = &mut self.communicators[communicator];
        let receiver = group.members[to];
        match group.mailboxes[to].claim(message.source, message.label) {
            Some(posted) => self.meet(communicator, to, &posted, message),
            None => {
                group.mailboxes[to].keep(message);
                self.settle(receiver);
            }
        }
    }

    /// A message and a receive have found each other.
    fn meet(&mut self, communicator: usize, to: Rank, posted: &Posted, message: Box<Message>) {
        let members = &self.communicators[communicator].members;
        let (from, receiver) = (members[message.source], members[to]);
        let (met, send, mode) = (message.arrived.max(posted.at), message.send, message.mode);
        if let (Some(races), Some(send)) = (&mut self.races, send) {
            // A send that is told so waits for its receive; one that happens to wait promises nothing.
            let known = self.operations.get_mut(send).filter(|operation| operation.synchronous);
            known.into_iter().for_each(|operation| operation.met = Some(races.tell(receiver)));
        }
        match (mode, send, message.fit(posted.room, from)) {
            (Mode::Rendezvous, Some(send), Ok(message)) => {
                let (receive, bytes) = (posted.operation, message.bytes.len());
                let landed = Happening::Land { receive, message };
                let now = self.pace.transfer((from, receiver), bytes, met, Happening::Sent(send), landed);
                self.happen_all(now.into_iter().flatten());
            }
            (_, send, fitted) => {
                self.land(posted.operation, fitted);
                if let Some(send) = send {
                    let now = self.pace.acknowledge(from, receiver, met, Happening::Sent(send));
                    self.happen_all(now);
                }
            }
        }
    }

    /// A receive has its message, or the reason why it gets none.
    fn land(&mut self, receive: OperationId, message: Result<Box<Message>>) {
        let over = message.as_ref().map_or_else(|_| self.pace.time(), |message| message.over(&self.pace));
        self.complete(receive, Progress::Received(message.map_err(Box::new)), over);
    }

    /// A member looks for a message in its mailbox.
    pub(crate) fn seen(
        &mut self,
        (communicator, rank): (usize, Rank),
        source: Source,
        label: Match,
    ) -> Option<Status> {
        let group = &self.communicators[communicator];
        let message = group.mailboxes[rank].find(source, label)?;
        if let (Some(races), Some(clock)) = (&mut self.races, &message.clock) {
            races.hear(group.members[rank], clock);
        }
        Some(message.status())
    }

    /// Takes an operation that is over, or one that is given up: then it leaves no trace.
    pub(crate) fn take(&mut self, id: OperationId) -> Operation {
        let operation = self.operations.remove(id).expect("an operation is taken once");
        if !operation.done() {
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
    pub(crate) fn abandon(&mut self, id: OperationId) {
        if self.is_watched() {
            let finding = self.request_left(&self.operations[id]);
            self.findings.push(finding);
            self.dropped.push(id);
        }
    }

    /// Hands in what one member wants of a split, dup or window; the last one decides for all.
    pub(crate) fn propose(&mut self, communicator: usize, rank: Rank, proposal: Proposal, site: Site) {
        let Some(all) = self.communicators[communicator].agreement.propose(rank, proposal) else { return };
        let decisions = self.decide(communicator, &all, site);
        let group = &mut self.communicators[communicator];
        group.agreement.decide(decisions);
        let members = Arc::clone(&group.members);
        self.agree(&members);
        for member in members.iter() {
            self.settle(*member);
        }
    }

    /// All of these go on together, and each knows what all have known.
    pub(crate) fn agree(&mut self, members: &[Rank]) {
        if let Some(races) = &mut self.races {
            races.agree(members);
        }
        self.pace.agree(members);
    }

    /// A rank has ended: others may wait for it.
    pub(crate) fn end(&mut self, rank: Rank) {
        assert!(!self.seats[rank].ended && !self.stands(rank), "rank {rank} ends once, and by itself");
        self.seats[rank].ended = true;
        self.ended += 1;
        self.active -= 1;
        self.check_deadlock();
    }

    /// What the job leaves, once its ranks have ended like this; those that have not are lost.
    pub fn outcome(&self, ranks: Vec<Option<Ended>>, timed_out: bool) -> Outcome {
        let ranks: Vec<_> = ranks.into_iter().map(|ended| ended.unwrap_or(Ended::Lost)).collect();
        let all_returned = ranks.iter().all(|ended| matches!(ended, Ended::Returned(_)));
        Outcome { ranks, blocked: self.blocked.clone(), timed_out, findings: self.found(all_returned) }
    }

    fn decide(&mut self, communicator: usize, proposals: &[Proposal], site: Site) -> Vec<Decision> {
        let groups = match groups(proposals) {
            Ok(groups) => groups,
            Err(error) => return vec![Err(error); proposals.len()],
        };
        if let Proposal::Window { kind, layout, .. } = proposals[0] {
            return self.open_window(communicator, (kind, layout), proposals, site);
        }
        let name = self.communicators[communicator].child_name(proposals[0]);
        let mut decisions = vec![Ok(None); proposals.len()];
        for group in groups {
            for (rank, old) in group.iter().enumerate() {
                let membership = Membership { made: self.communicators.len(), rank };
                decisions[*old] = Ok(Some(membership));
            }
            let parents = &self.communicators[communicator].members;
            let members = group.iter().map(|old| parents[*old]).collect();
            self.communicators.push(Communicator::new(name.clone(), Some(site), members));
        }
        decisions
    }

    fn complete(&mut self, id: OperationId, progress: Progress, over: u64) {
        // An operation of a job that cannot go on may still be under way.
        let Some(operation) = self.operations.get_mut(id) else { return };
        assert!(!operation.done(), "an operation completes once");
        operation.progress = progress;
        operation.over = over;
        if operation.awaited {
            let (owner, failed) = (operation.owner, operation.failed());
            self.count(owner, failed);
        }
    }

    /// Its rank takes note of operations of one call that are over.
    pub(crate) fn note(&mut self, rank: Rank, ids: &[Option<OperationId>]) {
        if let Some(races) = &mut self.races {
            let heard = ids.iter().flatten().filter_map(|id| self.operations[*id].heard());
            heard.for_each(|clock| races.hear(rank, clock));
        }
        if P::TIMED {
            let mut over: SmallVec<[Over; 4]> = SmallVec::new();
            for id in ids.iter().flatten() {
                over.push(self.over(&self.operations[*id]));
            }
            self.pace.finish(rank, &mut over);
        }
    }

    fn over(&self, operation: &Operation) -> Over {
        let received = match &operation.progress {
            Progress::Received(Ok(message)) => {
                let members = &self.communicators[operation.communicator].members;
                Some((members[message.source], message.bytes.len()))
            }
            _ => None,
        };
        Over { at: operation.over, received }
    }
}
