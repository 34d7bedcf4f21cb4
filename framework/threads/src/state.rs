//! All that the ranks of a job share, as plain data under the hub's one lock.
//!
//! Posting an operation matches it at once or queues it; whoever completes somebody else's operation also takes that
//! rank out of its standing. Nothing here waits.
use std::{collections::BTreeMap, sync::Arc};

use wb_comm::{Blocked, Error, Leftover, Match, Rank, Result, Site, Source};

use crate::{
    agreement::{Decision, Membership, Proposal, groups},
    communicator::Communicator,
    deadlock::Standing,
    hub::Bell,
    mailbox::{Message, Posted, Room},
    opened::Shared,
    operation::{Direction, Operation, OperationId, Progress, shown_label, shown_tag},
};

/// One rank of the job.
#[derive(Debug, Default)]
pub(crate) struct Seat {
    /// Where it stands; `None` while it can go on.
    pub(crate) standing: Option<Standing>,
    /// It has returned, panicked or could not be started.
    pub(crate) ended: bool,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct State {
    /// By rank in the job.
    pub(crate) seats: Vec<Seat>,
    /// The first is the world.
    pub(crate) communicators: Vec<Communicator>,
    /// By index; a freed one keeps its place.
    pub(crate) windows: Vec<Shared>,
    pub(crate) operations: BTreeMap<OperationId, Operation>,
    /// Why the job cannot go on; every call returns it from then on.
    pub(crate) failure: Option<Error>,
    /// Where the ranks stood when the job was stopped.
    pub(crate) blocked: Vec<Blocked>,
    /// Requests dropped without being waited for, windows without being freed.
    pub(crate) abandoned: usize,
    next_operation: OperationId,
    bells: Arc<[Bell]>,
}

impl State {
    /// Nobody has done anything; the world is communicator 0.
    pub(crate) fn new(bells: Arc<[Bell]>) -> Self {
        let size = bells.len();
        Self {
            seats: (0..size).map(|_| Seat::default()).collect(),
            communicators: vec![Communicator::new("world".to_owned(), (0..size).collect())],
            windows: Vec::new(),
            operations: BTreeMap::new(),
            failure: None,
            blocked: Vec::new(),
            abandoned: 0,
            next_operation: 0,
            bells,
        }
    }

    /// Lets a rank into a call, unless the job cannot go on. A call made after the limit struck is where that rank
    /// stands, so it is noted.
    pub(crate) fn admit(&mut self, rank: Rank, site: Site) -> Result<()> {
        let Some(failure) = &self.failure else { return Ok(()) };
        let interrupted = matches!(failure, Error::Interrupted { .. });
        if interrupted && self.blocked.iter().all(|blocked| blocked.rank != rank) {
            let (file, line) = (site.at.file().to_owned(), site.at.line());
            let call = Blocked { rank, verb: site.verb, peer: None, tag: None, bytes: None, file, line };
            self.blocked.push(call);
            self.blocked.sort_by_key(|blocked| blocked.rank);
        }
        Err(failure.clone())
    }

    /// Stops the job; the first reason stays.
    pub(crate) fn fail(&mut self, failure: Error) {
        self.failure.get_or_insert(failure);
        for (seat, bell) in self.seats.iter_mut().zip(&*self.bells) {
            seat.standing = None;
            bell.ring();
        }
    }

    /// Posts a send: delivers its message or queues it. A synchronous one is over only when it is matched.
    pub(crate) fn post_send(
        &mut self,
        communicator: usize,
        to: Rank,
        message: Message,
        synchronous: bool,
    ) -> OperationId {
        let group = &mut self.communicators[communicator];
        let (owner, receiver) = (group.members[message.source], group.members[to]);
        let claimed = group.mailboxes[to].claim(message.source, message.label);
        let open = synchronous && claimed.is_none();
        let id = self.record(Operation {
            owner,
            communicator,
            mailbox: to,
            direction: Direction::Send,
            peer: Source::Rank(to),
            tag: shown_label(message.label),
            bytes: message.bytes.len(),
            progress: if open { Progress::Open } else { Progress::Sent },
        });
        if let Some(posted) = claimed {
            self.complete(posted.operation, Progress::Received(message.fit(posted.room)));
        } else {
            let message = Message { send: open.then_some(id), ..message };
            self.communicators[communicator].mailboxes[to].keep(message);
            self.settle(receiver);
        }
        id
    }

    /// Posts a receive: takes its message or queues it.
    pub(crate) fn post_receive(
        &mut self,
        communicator: usize,
        rank: Rank,
        source: Source,
        label: Match,
        room: Room,
    ) -> OperationId {
        let group = &mut self.communicators[communicator];
        let owner = group.members[rank];
        let found = group.mailboxes[rank].take(source, label);
        let sender = found.as_ref().and_then(|message| message.send);
        let progress = found.map_or(Progress::Open, |message| Progress::Received(message.fit(room)));
        let open = matches!(progress, Progress::Open);
        let id = self.record(Operation {
            owner,
            communicator,
            mailbox: rank,
            direction: Direction::Receive,
            peer: source,
            tag: shown_tag(label),
            bytes: room.bytes,
            progress,
        });
        if open {
            let posted = Posted { operation: id, source, label, room };
            self.communicators[communicator].mailboxes[rank].post(posted);
        }
        if let Some(sender) = sender {
            self.complete(sender, Progress::Sent);
        }
        id
    }

    /// Takes an operation that is over, or one that is given up: then it leaves no trace.
    pub(crate) fn take(&mut self, id: OperationId) -> Operation {
        let operation = self.operations.remove(&id).expect("an operation is taken once");
        if !operation.done() {
            let mailbox = &mut self.communicators[operation.communicator].mailboxes[operation.mailbox];
            match operation.direction {
                Direction::Send => mailbox.cancel_send(id),
                Direction::Receive => mailbox.cancel_receive(id),
            }
        }
        operation
    }

    /// Lets go of an operation whose request was dropped: a send goes on, a receive does not swallow in silence.
    ///
    /// Once the job has failed, requests are dropped because of that, so they are not counted.
    pub(crate) fn abandon(&mut self, id: OperationId) {
        if self.failure.is_none() && !std::thread::panicking() {
            self.abandoned += 1;
        }
        let operation = &self.operations[&id];
        if operation.direction == Direction::Send && !operation.done() {
            return;
        }
        let operation = self.take(id);
        if let Progress::Received(Ok(message)) = &operation.progress {
            self.communicators[operation.communicator].swallow(operation.mailbox, message);
        }
    }

    /// Notes a window that was dropped without being freed, unless because the job has failed.
    pub(crate) fn abandon_window(&mut self) {
        if self.failure.is_none() && !std::thread::panicking() {
            self.abandoned += 1;
        }
    }

    /// Hands in what one member wants of a split, dup or window; the last one decides for all.
    pub(crate) fn propose(&mut self, communicator: usize, rank: Rank, proposal: Proposal) {
        let Some(all) = self.communicators[communicator].agreement.propose(rank, proposal) else { return };
        let decisions = self.decide(communicator, &all);
        let group = &mut self.communicators[communicator];
        group.agreement.decide(decisions);
        for member in Arc::clone(&group.members).iter() {
            self.settle(*member);
        }
    }

    /// The messages that nobody has seen, on all communicators.
    pub(crate) fn leftovers(&self) -> Vec<Leftover> {
        self.communicators.iter().flat_map(Communicator::leftovers).collect()
    }

    /// A rank has ended: nothing it waits for matters any more, but others may wait for it.
    pub(crate) fn end(&mut self, rank: Rank) {
        self.seats[rank].ended = true;
        self.check_deadlock();
    }

    fn decide(&mut self, communicator: usize, proposals: &[Proposal]) -> Vec<Decision> {
        let groups = match groups(proposals) {
            Ok(groups) => groups,
            Err(error) => return vec![Err(error); proposals.len()],
        };
        if let Proposal::Window { kind, layout, .. } = proposals[0] {
            return self.open_window(communicator, kind, layout, proposals);
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
            self.communicators.push(Communicator::new(name.clone(), members));
        }
        decisions
    }

    fn record(&mut self, operation: Operation) -> OperationId {
        let id = self.next_operation;
        self.next_operation += 1;
        self.operations.insert(id, operation);
        id
    }

    fn complete(&mut self, id: OperationId, progress: Progress) {
        let operation = self.operations.get_mut(&id).expect("an open operation stays in the hub");
        assert!(!operation.done(), "an operation completes once");
        operation.progress = progress;
        let owner = operation.owner;
        self.settle(owner);
    }

    /// Takes a rank out of its standing once its need is met.
    pub(crate) fn settle(&mut self, rank: Rank) {
        let met = self.seats[rank].standing.as_ref().is_some_and(|standing| self.meets(&standing.need));
        if met {
            self.seats[rank].standing = None;
            self.bells[rank].ring();
        }
    }
}
