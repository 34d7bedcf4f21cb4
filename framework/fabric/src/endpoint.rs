//! The transport of one rank on one communicator.
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use smallvec::SmallVec;
use wb_comm::{
    Block, Channel, Contribution, Error, Label, Layout, Lengths, Match, Op, Pending, Rank, Result, Site,
    Source, Status, Transport, View, Window, WindowKind, nodes,
};

use crate::{
    Hub, Mode, Pace as _, Sight, State,
    agreement::{Membership, Proposal},
    deadlock::{Ids, Need, Standing},
    handle::Handle,
    mailbox::{Message, Room},
    operation::{OperationId, Progress},
    request::Request,
};

/// How the operations of a call ended, in its order.
pub(crate) type Ends = SmallVec<[Progress; 2]>;

/// What all endpoints of one rank have in common.
#[derive(Debug)]
pub(crate) struct Participant<H> {
    pub(crate) hub: H,
    /// In the job.
    pub(crate) rank: Rank,
    /// The one-port logical clock of its user messages.
    rounds: Cell<u64>,
    /// A message that it has received: the next one that it sends is written over it.
    spare: RefCell<Option<Box<Message>>>,
}

/// So much room for a payload is kept with a message that is used again, bytes.
const SPARE_BYTES: usize = 1 << 10;

impl<H> Participant<H> {
    /// Advances the clock for a message about to be sent and gives its stamp.
    fn stamp(&self, label: Label) -> u64 {
        if label.channel == Channel::User {
            self.rounds.set(self.rounds.get() + 1);
        }
        self.rounds.get()
    }

    /// Takes over the clock of a message that was received, copies it out and gives its status.
    pub(crate) fn receive(&self, message: Box<Message>, into: &mut [u8]) -> Status {
        if message.label.channel == Channel::User {
            self.rounds.set(self.rounds.get().max(message.stamp));
        }
        into[..message.bytes.len()].copy_from_slice(&message.bytes);
        let status = message.status();
        if message.bytes.capacity() <= SPARE_BYTES {
            self.spare.replace(Some(message));
        }
        status
    }

    /// A message with this content; in the memory of a spare one, where there is one.
    fn write(&self, message: Message, payload: &[u8]) -> Box<Message> {
        let mut written = match self.spare.take() {
            Some(mut spare) => {
                let bytes = std::mem::take(&mut spare.bytes);
                *spare = Message { bytes, ..message };
                spare.bytes.clear();
                spare
            }
            None => Box::new(message),
        };
        written.bytes.extend_from_slice(payload);
        written
    }
}

impl<H: Hub> Participant<H> {
    /// Takes operations of one call that are over, and takes note of it.
    pub(crate) fn collect(&self, state: &mut State<H::Pace>, ids: &[Option<OperationId>]) -> Ends {
        state.note(self.rank, ids);
        let mut ends = Ends::new();
        for id in ids {
            ends.push(id.map_or(Progress::Sent, |id| state.take(id).progress));
        }
        ends
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
        let participant = Participant { hub, rank, rounds: Cell::new(0), spare: RefCell::new(None) };
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
        Err(Error::no_rank(role, peer, self.size))
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
        let (source, stamp, layout) = (self.rank, self.participant.stamp(label), data.layout());
        let (bytes, mode, arrived, clock, send) = (Vec::new(), Mode::Eager, 0, None, None);
        let message = Message { source, label, layout, bytes, site, stamp, clock, mode, arrived, send };
        self.participant.write(message, data.bytes())
    }

    /// Posts all operations of a round and receives what is there; does it have to be waited for?
    fn begin(&self, ops: &mut [Op<'_>], site: Site) -> Result<bool> {
        for op in &*ops {
            match op {
                Op::Send { to, label, .. } => self.check_send(*to, *label)?,
                Op::Recv { from, label, .. } => self.check_receive(*from, *label)?,
            }
        }
        let mut messages: SmallVec<[_; 2]> = SmallVec::new();
        for op in &*ops {
            messages.push(self.outgoing(op, site));
        }
        let mut state = self.enter(site)?;
        let mut ids = Ids::new();
        for (op, message) in ops.iter().zip(messages) {
            ids.push(match op {
                Op::Send { to, synchronous, .. } => {
                    let message = message.expect("packed above");
                    state.post_send(self.communicator, *to, message, *synchronous, false)
                }
                Op::Recv { from, label, data, .. } => {
                    let room = Room::of(data.as_view());
                    Some(state.post_receive(self.communicator, self.rank, (*from, *label), room, site))
                }
            });
        }
        let need = Need::Operations(ids);
        match state.let_stand(self.participant.rank, Standing { site, need }) {
            true => Ok(true),
            false => self.end(state, ops).map(|()| false),
        }
    }

    /// Takes the operations of a round, which are over unless the job cannot go on, and receives what has come.
    fn end(&self, mut state: H::Held<'_>, ops: &mut [Op<'_>]) -> Result<()> {
        let ids = state.stood_for(self.participant.rank);
        if let Some(failure) = state.failure().cloned() {
            ids.iter().flatten().for_each(|id| drop(state.take(*id)));
            return Err(failure);
        }
        let ends = self.participant.collect(&mut state, &ids);
        drop(state);
        for (op, end) in ops.iter_mut().zip(ends) {
            if let (Op::Recv { data, status, .. }, Progress::Received(message)) = (op, end) {
                *status = Some(self.participant.receive(message.map_err(|error| *error)?, data.bytes()));
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
        state.propose(communicator, rank, proposal, site);
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
        if hub.aside(|| self.begin(ops, site))? {
            let state = hub.wait(self.participant.rank);
            hub.aside(|| self.end(state, ops))?;
        }
        Ok(())
    }

    fn post_send(
        &self,
        to: Rank,
        label: Label,
        data: Block,
        synchronous: bool,
        site: Site,
    ) -> Result<Box<dyn Pending>> {
        self.check_send(to, label)?;
        let message = self.pack(label, data.view(), site);
        let mut state = self.enter(site)?;
        let id = state.post_send(self.communicator, to, message, synchronous, true).expect("it is kept");
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
        self.hub().look(self.participant.rank, Sight::Mail);
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
