//! The transport of one rank on one communicator.
use std::{cell::Cell, rc::Rc};

use smallvec::SmallVec;
use wb_comm::{
    Block, Channel, Contribution, Error, Label, Layout, Lengths, Match, Op, Pending, Rank, Result, Site,
    Source, Status, Transport, View, Window, WindowKind, nodes,
};

use crate::{
    Hub, Mode, Pace as _, State,
    agreement::{Membership, Proposal},
    deadlock::{Ids, Need, Standing},
    handle::Handle,
    mailbox::{Message, Room},
    operation::{OperationId, Progress},
    request::Request,
};

/// The operations of a round, in its order; none of a send that was over at once.
type Posted = SmallVec<[Option<OperationId>; 2]>;

/// What all endpoints of one rank have in common.
#[derive(Debug)]
pub(crate) struct Participant<H> {
    pub(crate) hub: H,
    /// In the job.
    pub(crate) rank: Rank,
    /// The one-port logical clock of its user messages.
    rounds: Cell<u64>,
}

impl<H> Participant<H> {
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

impl<H: Hub> Participant<H> {
    /// Takes operations of one call that are over, and takes note of it.
    pub(crate) fn collect(&self, state: &mut State<H::Pace>, ids: &[OperationId]) -> SmallVec<[Progress; 2]> {
        state.note(self.rank, ids);
        ids.iter().map(|id| state.take(*id).progress).collect()
    }
}

/// See the module.
#[derive(Debug)]
pub struct Endpoint<H> {
    participant: Rc<Participant<H>>,
    /// Index in the hub.
    communicator: usize,
    rank: Rank,
    size: usize,
}

impl<H: Hub> Endpoint<H> {
    /// A rank's endpoint on the world.
    pub(crate) fn world(hub: H, rank: Rank, size: usize) -> Self {
        let participant = Participant { hub, rank, rounds: Cell::new(0) };
        Self { participant: Rc::new(participant), communicator: 0, rank, size }
    }

    fn hub(&self) -> &H {
        &self.participant.hub
    }

    /// Lets this rank into a call.
    fn enter(&self, site: Site) -> Result<H::Held<'_>> {
        let mut state = self.hub().hold();
        state.admit(self.participant.rank, site)?;
        Ok(state)
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
    fn pack(&self, label: Label, data: View<'_>, site: Site) -> Box<Message> {
        let stamp = self.participant.stamp(label);
        let (layout, bytes) = (data.layout(), data.bytes().to_vec());
        let (mode, arrived, clock, send) = (Mode::Eager, 0, None, None);
        Box::new(Message { source: self.rank, label, layout, bytes, site, stamp, clock, mode, arrived, send })
    }

    /// Posts all operations of a round and receives what is there; gives those that are to be waited for, if any are.
    fn begin(&self, ops: &mut [Op<'_>], site: Site) -> Result<Option<Posted>> {
        for op in &*ops {
            match op {
                Op::Send { to, label, .. } => self.check_send(*to, *label)?,
                Op::Recv { from, label, .. } => self.check_receive(*from, *label)?,
            }
        }
        let mut messages: SmallVec<[_; 2]> = ops.iter().map(|op| self.outgoing(op, site)).collect();
        let mut state = self.enter(site)?;
        let post = |(op, message): (&Op<'_>, &mut Option<Box<Message>>)| match op {
            Op::Send { to, synchronous, .. } => {
                let message = message.take().expect("packed above");
                state.post_send(self.communicator, *to, message, *synchronous, false)
            }
            Op::Recv { from, label, data, .. } => {
                let room = Room::of(data.as_view());
                Some(state.post_receive(self.communicator, self.rank, (*from, *label), room, site))
            }
        };
        let posted: Posted = ops.iter().zip(&mut messages).map(post).collect();
        let need = Need::Operations(posted.iter().flatten().copied().collect());
        if state.let_stand(self.participant.rank, Standing { site, need }) {
            return Ok(Some(posted));
        }
        self.end(state, ops, &posted).map(|()| None)
    }

    /// Takes the operations of a round, which are over unless the job cannot go on, and receives what has come.
    fn end(&self, mut state: H::Held<'_>, ops: &mut [Op<'_>], posted: &Posted) -> Result<()> {
        let ids = || posted.iter().flatten();
        if let Some(failure) = state.failure().cloned() {
            ids().for_each(|id| drop(state.take(*id)));
            return Err(failure);
        }
        let ids: Ids = ids().copied().collect();
        let mut ends = self.participant.collect(&mut state, &ids).into_iter();
        drop(state);
        for (op, _) in ops.iter_mut().zip(posted).filter(|(_, id)| id.is_some()) {
            let end = ends.next().expect("one an operation");
            if let (Op::Recv { data, status, .. }, Progress::Received(message)) = (op, end) {
                *status = Some(self.participant.receive(&*message.map_err(|error| *error)?, data.bytes()));
            }
        }
        Ok(())
    }

    fn outgoing(&self, op: &Op<'_>, site: Site) -> Option<Box<Message>> {
        match op {
            Op::Send { label, data, .. } => Some(self.pack(*label, *data, site)),
            Op::Recv { .. } => None,
        }
    }

    fn agree(&self, proposal: Proposal, site: Site) -> Result<Option<Membership>> {
        let (communicator, rank) = (self.communicator, self.rank);
        let mut state = self.enter(site)?;
        let brings = Contribution::of(site);
        state.contribute(
            communicator,
            rank,
            match proposal {
                Proposal::Window { layout, .. } => brings.elements(layout, Lengths::None),
                _ => brings,
            },
        )?;
        state.propose(communicator, rank, proposal);
        let standing = Standing { site, need: Need::Agreement { communicator, rank } };
        let mut state = self.hub().stand(state, self.participant.rank, standing)?;
        state.communicators[communicator].agreement.take(rank).expect("waited for the decision")
    }

    fn member(&self, membership: Membership) -> Rc<dyn Transport> {
        let Membership { made: communicator, rank } = membership;
        let size = self.hub().hold().communicators[communicator].members.len();
        Rc::new(Self { participant: Rc::clone(&self.participant), communicator, rank, size })
    }
}

fn check_tag(tag: Option<i32>) -> Result<()> {
    match tag {
        Some(tag) if tag < 0 => Err(Error::Tag { tag, max: i32::MAX }),
        _ => Ok(()),
    }
}

impl<H: Hub> Transport for Endpoint<H> {
    fn rank(&self) -> Rank {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn backend(&self) -> &'static str {
        self.hub().name()
    }

    fn round(&self, ops: &mut [Op<'_>], site: Site) -> Result<()> {
        let hub = self.hub();
        let Some(posted) = hub.aside(|| self.begin(ops, site))? else { return Ok(()) };
        let state = hub.wait(self.participant.rank);
        hub.aside(|| self.end(state, ops, &posted))
    }

    fn post_send(&self, to: Rank, label: Label, data: Block, site: Site) -> Result<Box<dyn Pending>> {
        self.check_send(to, label)?;
        let message = self.pack(label, data.view(), site);
        let mut state = self.enter(site)?;
        let id = state.post_send(self.communicator, to, message, false, true).expect("it is kept");
        Ok(Box::new(Request::new(Rc::clone(&self.participant), id, data)))
    }

    fn post_recv(&self, from: Source, label: Match, into: Block, site: Site) -> Result<Box<dyn Pending>> {
        self.check_receive(from, label)?;
        let mut state = self.enter(site)?;
        let room = Room::of(into.view());
        let id = state.post_receive(self.communicator, self.rank, (from, label), room, site);
        Ok(Box::new(Request::new(Rc::clone(&self.participant), id, into)))
    }

    fn probe(&self, from: Source, label: Match, site: Site) -> Result<Status> {
        self.check_receive(from, label)?;
        let state = self.enter(site)?;
        let (communicator, rank) = (self.communicator, self.rank);
        let standing = Standing { site, need: Need::Message { communicator, rank, source: from, label } };
        let mut state = self.hub().stand(state, self.participant.rank, standing)?;
        state.pace.catch_up(self.participant.rank);
        let found = state.seen((communicator, rank), from, label);
        Ok(found.expect("waited for it, and only this rank takes it away"))
    }

    fn iprobe(&self, from: Source, label: Match, site: Site) -> Result<Option<Status>> {
        self.check_receive(from, label)?;
        self.hub().look(self.participant.rank);
        let mut state = self.enter(site)?;
        let status = state.seen((self.communicator, self.rank), from, label);
        drop(state);
        if status.is_none() {
            self.hub().idle(self.participant.rank);
        }
        Ok(status)
    }

    fn contribute(&self, contribution: Contribution) -> Result<()> {
        self.hub().hold().contribute(self.communicator, self.rank, contribution)
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
        Ok(Box::new(Handle::new(Rc::clone(&self.participant), (made, rank), site)))
    }

    fn nodes(&self, _site: Site) -> Result<Vec<usize>> {
        let Some(text) = nodes::injected() else { return Ok(vec![0; self.size]) };
        let state = self.hub().hold();
        let of_job = nodes::parse(&text, state.seats.len())?;
        let members = &state.communicators[self.communicator].members;
        Ok(nodes::by_lowest_rank(&members.iter().map(|member| of_job[*member]).collect::<Vec<_>>()))
    }

    fn one_process(&self) -> bool {
        true
    }

    fn now(&self) -> u64 {
        self.hub().now(self.participant.rank)
    }

    fn work(&self, flops: u64, bytes: u64) -> u64 {
        self.hub().work(self.participant.rank, flops, bytes)
    }

    fn rounds(&self) -> Option<u64> {
        Some(self.participant.rounds.get())
    }
}
