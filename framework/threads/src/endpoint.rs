//! The transport of one rank on one communicator.
use std::{cell::Cell, rc::Rc, sync::Arc, sync::OnceLock, thread, time::Instant};

use wb_comm::{
    Block, Channel, Error, Label, Layout, Match, Op, Pending, Rank, Result, Site, Source, Status, Transport,
    View, Window, WindowKind, nodes,
};

use crate::{
    agreement::{Membership, Proposal},
    deadlock::{Need, Standing},
    hub::Hub,
    mailbox::{Message, Room},
    operation::{OperationId, Progress},
    request::Request,
    state::State,
    window::Handle,
};

/// What all endpoints of one rank have in common.
#[derive(Debug)]
pub(crate) struct Participant {
    pub(crate) hub: Arc<Hub>,
    /// In the job.
    pub(crate) rank: Rank,
    /// The one-port logical clock of its user messages.
    rounds: Cell<u64>,
}

impl Participant {
    /// Advances the clock for a message about to be sent and gives its stamp.
    fn stamp(&self, label: Label) -> u64 {
        if label.channel == Channel::User {
            self.rounds.set(self.rounds.get() + 1);
        }
        self.rounds.get()
    }

    /// Takes over the clock of a message that was received, copies it out and gives its status.
    pub(crate) fn receive(&self, message: &Message, into: &mut [u8]) -> Status {
        if message.label.channel == Channel::User {
            self.rounds.set(self.rounds.get().max(message.stamp));
        }
        into[..message.bytes.len()].copy_from_slice(&message.bytes);
        message.status()
    }
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Endpoint {
    participant: Rc<Participant>,
    /// Index in the hub.
    communicator: usize,
    rank: Rank,
    size: usize,
}

impl Endpoint {
    /// A rank's endpoint on the world.
    pub(crate) fn world(hub: Arc<Hub>, rank: Rank, size: usize) -> Self {
        let participant = Participant { hub, rank, rounds: Cell::new(0) };
        Self { participant: Rc::new(participant), communicator: 0, rank, size }
    }

    fn hub(&self) -> &Hub {
        &self.participant.hub
    }

    fn check_peer(&self, role: &'static str, peer: Rank) -> Result<()> {
        if peer < self.size {
            return Ok(());
        }
        let rank = i64::try_from(peer).unwrap_or(i64::MAX);
        Err(Error::Rank { role, rank, size: self.size })
    }

    fn check_source(&self, source: Source) -> Result<()> {
        match source {
            Source::Rank(rank) => self.check_peer("source", rank),
            Source::Any => Ok(()),
        }
    }

    fn check_send(&self, to: Rank, label: Label) -> Result<()> {
        self.check_peer("destination", to)?;
        check_tag(Some(label.tag))
    }

    fn check_receive(&self, from: Source, label: Match) -> Result<()> {
        self.check_source(from)?;
        check_tag(label.tag)
    }

    /// Copies a payload into a message; outside the lock, as it may be long.
    fn pack(&self, label: Label, data: View<'_>) -> Message {
        let stamp = self.participant.stamp(label);
        let (layout, bytes) = (data.layout(), data.bytes().to_vec());
        Message { source: self.rank, label, layout, bytes, stamp, send: None }
    }

    fn post_message(&self, state: &mut State, to: Rank, message: Message, synchronous: bool) -> OperationId {
        let synchronous = synchronous || message.bytes.len() > self.hub().eager_limit;
        state.post_send(self.communicator, to, message, synchronous)
    }

    /// Posts all operations of a round and waits for them; gives how each one ended.
    fn exchange(&self, ops: &[Op<'_>], site: Site) -> Result<Vec<Progress>> {
        let mut messages: Vec<_> = ops.iter().map(|op| self.outgoing(op)).collect();
        let mut state = self.hub().lock();
        state.admit(self.participant.rank, site)?;
        let post = |(op, message): (&Op<'_>, &mut Option<Message>)| match op {
            Op::Send { to, synchronous, .. } => {
                let message = message.take().expect("packed above");
                self.post_message(&mut state, *to, message, *synchronous)
            }
            Op::Recv { from, label, data, .. } => {
                let room = Room::of(data.as_view());
                state.post_receive(self.communicator, self.rank, *from, *label, room)
            }
        };
        let ids: Vec<_> = ops.iter().zip(&mut messages).map(post).collect();
        let standing = Standing { site, need: Need::Operations(ids.clone()) };
        match self.hub().wait(state, self.participant.rank, standing) {
            Ok(mut state) => Ok(ids.into_iter().map(|id| state.take(id).progress).collect()),
            Err(error) => {
                let mut state = self.hub().lock();
                ids.into_iter().for_each(|id| drop(state.take(id)));
                Err(error)
            }
        }
    }

    fn outgoing(&self, op: &Op<'_>) -> Option<Message> {
        match op {
            Op::Send { label, data, .. } => Some(self.pack(*label, *data)),
            Op::Recv { .. } => None,
        }
    }

    fn agree(&self, proposal: Proposal, site: Site) -> Result<Option<Membership>> {
        let (communicator, rank) = (self.communicator, self.rank);
        let mut state = self.hub().lock();
        state.admit(self.participant.rank, site)?;
        state.propose(communicator, rank, proposal);
        let standing = Standing { site, need: Need::Agreement { communicator, rank } };
        let mut state = self.hub().wait(state, self.participant.rank, standing)?;
        state.communicators[communicator].agreement.take(rank).expect("waited for the decision")
    }

    fn member(&self, membership: Membership) -> Rc<dyn Transport> {
        let Membership { made: communicator, rank } = membership;
        let size = self.hub().lock().communicators[communicator].members.len();
        Rc::new(Self { participant: Rc::clone(&self.participant), communicator, rank, size })
    }
}

fn check_tag(tag: Option<i32>) -> Result<()> {
    match tag {
        Some(tag) if tag < 0 => Err(Error::Tag { tag, max: i32::MAX }),
        _ => Ok(()),
    }
}

impl Transport for Endpoint {
    fn rank(&self) -> Rank {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn backend(&self) -> &'static str {
        "threads"
    }

    fn round(&self, ops: &mut [Op<'_>], site: Site) -> Result<()> {
        for op in &*ops {
            match op {
                Op::Send { to, label, .. } => self.check_send(*to, *label)?,
                Op::Recv { from, label, .. } => self.check_receive(*from, *label)?,
            }
        }
        let ends = self.exchange(ops, site)?;
        for (op, end) in ops.iter_mut().zip(ends) {
            if let (Op::Recv { data, status, .. }, Progress::Received(message)) = (op, end) {
                *status = Some(self.participant.receive(&message?, data.bytes()));
            }
        }
        Ok(())
    }

    fn post_send(&self, to: Rank, label: Label, data: Block, site: Site) -> Result<Box<dyn Pending>> {
        self.check_send(to, label)?;
        let message = self.pack(label, data.view());
        let mut state = self.hub().lock();
        state.admit(self.participant.rank, site)?;
        let id = self.post_message(&mut state, to, message, false);
        Ok(Box::new(Request::new(Rc::clone(&self.participant), id, data)))
    }

    fn post_recv(&self, from: Source, label: Match, into: Block, site: Site) -> Result<Box<dyn Pending>> {
        self.check_receive(from, label)?;
        let mut state = self.hub().lock();
        state.admit(self.participant.rank, site)?;
        let id = state.post_receive(self.communicator, self.rank, from, label, Room::of(into.view()));
        Ok(Box::new(Request::new(Rc::clone(&self.participant), id, into)))
    }

    fn probe(&self, from: Source, label: Match, site: Site) -> Result<Status> {
        self.check_receive(from, label)?;
        let mut state = self.hub().lock();
        state.admit(self.participant.rank, site)?;
        let (communicator, rank) = (self.communicator, self.rank);
        let standing = Standing { site, need: Need::Message { communicator, rank, source: from, label } };
        let state = self.hub().wait(state, self.participant.rank, standing)?;
        let found = state.communicators[communicator].mailboxes[rank].find(from, label);
        Ok(found.expect("waited for it, and only this rank takes it away").status())
    }

    fn iprobe(&self, from: Source, label: Match, site: Site) -> Result<Option<Status>> {
        self.check_receive(from, label)?;
        let mut state = self.hub().lock();
        state.admit(self.participant.rank, site)?;
        let found = state.communicators[self.communicator].mailboxes[self.rank].find(from, label);
        let status = found.map(Message::status);
        drop(state);
        if status.is_none() {
            // A rank that polls must not keep the processor from the one it waits for.
            thread::yield_now();
        }
        Ok(status)
    }

    fn split(&self, color: Option<u32>, key: i32, site: Site) -> Result<Option<Rc<dyn Transport>>> {
        let membership = self.agree(Proposal::Split { color, key }, site)?;
        Ok(membership.map(|membership| self.member(membership)))
    }

    fn dup(&self, site: Site) -> Result<Rc<dyn Transport>> {
        let membership = self.agree(Proposal::Dup, site)?;
        Ok(self.member(membership.expect("a dup has all members of its origin")))
    }

    fn window(&self, kind: WindowKind, layout: Layout, count: usize, site: Site) -> Result<Box<dyn Window>> {
        let made = self.agree(Proposal::Window { kind, layout, count }, site)?;
        let Membership { made, rank } = made.expect("a window has all members of its communicator");
        Ok(Box::new(Handle::new(Rc::clone(&self.participant), made, rank)))
    }

    fn nodes(&self, _site: Site) -> Result<Vec<usize>> {
        let Some(text) = nodes::injected() else { return Ok(vec![0; self.size]) };
        let state = self.hub().lock();
        let of_job = nodes::parse(&text, state.seats.len())?;
        let members = &state.communicators[self.communicator].members;
        Ok(nodes::by_lowest_rank(&members.iter().map(|member| of_job[*member]).collect::<Vec<_>>()))
    }

    fn one_process(&self) -> bool {
        true
    }

    fn now(&self) -> u64 {
        static ORIGIN: OnceLock<Instant> = OnceLock::new();
        let elapsed = ORIGIN.get_or_init(Instant::now).elapsed();
        u64::try_from(elapsed.as_nanos()).expect("a process lives less than 500 years")
    }

    fn rounds(&self) -> Option<u64> {
        Some(self.participant.rounds.get())
    }
}
