//! The transport of one rank on one communicator.
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use smallvec::SmallVec;
use wb_comm::{
    Block, CallSite, CollectiveCall, CollectiveCounts, CollectiveSchedule, Datatype, ErasedWindow,
    MessageTag, MultipleCompletion, Op, OwnedBuffers, Pending, PendingMessage, Rank, Result, SendMode,
    Source, Status, TagPattern, Transport, View, WindowKind, nodes,
};

use crate::{
    agreement::{NewMembership, Proposal},
    delivery::DeliveryModel as _,
    endpoint::{
        fabric_window::FabricWindow, matched_message::TakenMessage, rank_context::RankContext,
        request::Request,
    },
    job_state::rank_state::{OperationIds, WaitCondition, WaitState},
    matching::{
        message::{Message, RecvBuffer, SendProtocol},
        operation::OperationStatus,
    },
    observed_state::ObservedState,
    runtime::Runtime,
};

mod checks;
mod fabric_window;
mod matched_message;
mod multiple_completion;
mod rank_context;
mod request;
mod window_verbs;

/// The transport of one rank on one communicator.
#[derive(Debug)]
pub struct Endpoint<H> {
    context: Rc<RankContext<H>>,
    /// Index in the state.
    communicator: usize,
    rank: Rank,
    size: usize,
}

impl<H: Runtime> Endpoint<H> {
    /// A rank's endpoint on the world.
    pub(crate) fn world(runtime: H, rank: Rank, size: usize) -> Self {
        let context =
            RankContext { runtime, rank, logical_clock: Cell::new(0), spare_message: RefCell::new(None) };
        Self { context: Rc::new(context), communicator: 0, rank, size }
    }

    fn runtime(&self) -> &H {
        &self.context.runtime
    }

    /// Enters a call of this rank.
    fn enter_call(&self, site: CallSite) -> Result<H::StateGuard<'_>> {
        let mut state = self.runtime().lock_state();
        state.enter_call(self.context.rank, site)?;
        Ok(state)
    }

    /// Copies a payload into a message. This is outside the lock, as the copy may be long.
    fn pack(&self, label: MessageTag, data: View<'_>, site: CallSite) -> Box<Message> {
        let (source, stamp, layout) = (self.rank, self.context.next_stamp(label), data.datatype());
        let (bytes, mode, arrived, clock, send) = (Vec::new(), SendProtocol::Eager, 0, None, None);
        let message = Message {
            source,
            tag: label,
            datatype: layout,
            bytes,
            site,
            logical_time: stamp,
            clock,
            protocol: mode,
            arrived_at: arrived,
            send,
        };
        self.context.fill_message(message, data.bytes())
    }

    /// Posts all operations of a call and completes receives whose messages are there; returns whether it has to wait.
    fn post_all(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<bool> {
        for op in &*ops {
            match op {
                Op::Send { to, tag: label, .. } => self.check_send(*to, *label)?,
                Op::Recv { from, tag: label, .. } => self.check_receive(*from, *label)?,
            }
        }
        let mut messages: SmallVec<[_; 2]> = SmallVec::new();
        for op in &*ops {
            messages.push(self.pack_send(op, site));
        }
        let mut state = self.enter_call(site)?;
        for op in &*ops {
            if let Op::Send { to, tag, data, mode } = op {
                self.check_mode(&mut state, (*to, *tag), *mode, data.bytes().len())?;
            }
        }
        let mut ids = OperationIds::new();
        for (op, message) in ops.iter().zip(messages) {
            ids.push(match op {
                Op::Send { to, mode, .. } => {
                    let message = message.expect("packed above");
                    state.post_send(self.communicator, *to, message, *mode, false)
                }
                Op::Recv { from, tag: label, data, .. } => {
                    let room = RecvBuffer::from_view(data.as_view());
                    Some(state.post_receive(self.communicator, self.rank, (*from, *label), room, site))
                }
            });
        }
        let condition = WaitCondition::Operations(ids);
        match state.block(self.context.rank, WaitState { site, condition }) {
            true => Ok(true),
            false => self.complete_all(state, ops).map(|()| false),
        }
    }

    /// Takes the operations of a call and completes its receives. They are complete unless the job has failed.
    fn complete_all(&self, mut state: H::StateGuard<'_>, ops: &mut [Op<'_>]) -> Result<()> {
        let ids = state.take_awaited(self.context.rank);
        if let Some(failure) = state.failure().cloned() {
            ids.iter().flatten().for_each(|id| drop(state.take_operation(*id)));
            return Err(failure);
        }
        let ends = self.context.take_completed(&mut state, &ids);
        drop(state);
        for (op, end) in ops.iter_mut().zip(ends) {
            if let (Op::Recv { data, status, .. }, OperationStatus::Received(message)) = (op, end) {
                *status = Some(self.context.finish_receive(message.map_err(|error| *error)?, data.bytes()));
            }
        }
        Ok(())
    }

    fn pack_send(&self, op: &Op<'_>, site: CallSite) -> Option<Box<Message>> {
        match op {
            Op::Send { tag: label, data, .. } => Some(self.pack(*label, *data, site)),
            Op::Recv { .. } => None,
        }
    }

    fn agree(&self, proposal: Proposal, site: CallSite) -> Result<Option<NewMembership>> {
        let (communicator, rank) = (self.communicator, self.rank);
        let mut state = self.enter_call(site)?;
        let call = CollectiveCall::new(site);
        state.enter_collective(
            communicator,
            rank,
            match proposal {
                Proposal::Window { layout, .. } => call.with_elements(layout, CollectiveCounts::None),
                _ => call,
            },
        )?;
        state.propose(communicator, rank, proposal, site);
        let wait_state = WaitState { site, condition: WaitCondition::Agreement { communicator, rank } };
        let mut state = self.runtime().block(state, self.context.rank, wait_state)?;
        state.communicators[communicator].agreement.take(rank).expect("waited for the decision")
    }

    fn child_endpoint(&self, membership: NewMembership) -> Rc<dyn Transport> {
        let NewMembership { index: communicator, rank } = membership;
        let size = self.runtime().lock_state().communicators[communicator].members.len();
        Rc::new(Self { context: Rc::clone(&self.context), communicator, rank, size })
    }
}

impl<H: Runtime> Transport for Endpoint<H> {
    fn rank(&self) -> Rank {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn members(&self) -> Result<Vec<Rank>> {
        Ok(self.runtime().lock_state().communicators[self.communicator].members.to_vec())
    }

    fn set_name(&self, name: &str) -> Result<()> {
        name.clone_into(&mut self.runtime().lock_state().communicators[self.communicator].name);
        Ok(())
    }

    fn backend(&self) -> &'static str {
        self.runtime().name()
    }

    fn post_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()> {
        let runtime = self.runtime();
        if runtime.on_host_stack(|| self.post_all(ops, site))? {
            let state = runtime.wait(self.context.rank);
            runtime.on_host_stack(|| self.complete_all(state, ops))?;
        }
        Ok(())
    }

    fn post_send(
        &self,
        to: Rank,
        label: MessageTag,
        data: Block,
        mode: SendMode,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        self.check_send(to, label)?;
        let message = self.pack(label, data.view(), site);
        let mut state = self.enter_call(site)?;
        self.check_mode(&mut state, (to, label), mode, message.bytes.len())?;
        let id = state.post_send(self.communicator, to, message, mode, true).expect("it is kept");
        Ok(Box::new(Request::new(Rc::clone(&self.context), id, data)))
    }

    fn post_recv(
        &self,
        from: Source,
        label: TagPattern,
        into: Block,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        self.check_receive(from, label)?;
        let mut state = self.enter_call(site)?;
        let room = RecvBuffer::from_view(into.view());
        let id = state.post_receive(self.communicator, self.rank, (from, label), room, site);
        Ok(Box::new(Request::new(Rc::clone(&self.context), id, into)))
    }

    fn start_schedule(
        &self,
        schedule: CollectiveSchedule,
        buffers: OwnedBuffers,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        let mut state = self.enter_call(site)?;
        let id = state.start_collective((self.communicator, self.rank), schedule, buffers, site);
        Ok(Box::new(Request::collective(Rc::clone(&self.context), id)))
    }

    fn complete(
        &self,
        requests: &mut [&mut dyn Pending],
        how: MultipleCompletion,
        site: CallSite,
    ) -> Result<Vec<usize>> {
        multiple_completion::complete(&self.context, requests, how, site)
    }

    fn attach_buffer(&self, bytes: usize, site: CallSite) -> Result<()> {
        self.enter_call(site)?.attach_buffer(self.context.rank, bytes)
    }

    fn detach_buffer(&self, site: CallSite) -> Result<usize> {
        let state = self.enter_call(site)?;
        let (sends, bytes) = state.buffered_sends(self.context.rank)?;
        let condition = WaitCondition::Operations(sends.into_iter().map(Some).collect());
        let mut state = self.runtime().block(state, self.context.rank, WaitState { site, condition })?;
        state.detach_buffer(self.context.rank);
        Ok(bytes)
    }

    fn matched_probe(
        &self,
        from: Source,
        label: TagPattern,
        waits: bool,
        site: CallSite,
    ) -> Result<Option<Box<dyn PendingMessage>>> {
        let found =
            if waits { Some(self.probe(from, label, site)?) } else { self.iprobe(from, label, site)? };
        let place = (self.communicator, self.rank);
        let taken = match found {
            Some(Status { source, tag, .. }) => {
                let label = TagPattern { tag: Some(tag), ..label };
                self.runtime().lock_state().take_message(place, Source::Rank(source), label)
            }
            None => None,
        };
        let context = || Rc::clone(&self.context);
        Ok(taken
            .map(|message| Box::new(TakenMessage::new(context(), place, message)) as Box<dyn PendingMessage>))
    }

    fn probe(&self, from: Source, label: TagPattern, site: CallSite) -> Result<Status> {
        self.check_receive(from, label)?;
        let state = self.enter_call(site)?;
        let (communicator, rank) = (self.communicator, self.rank);
        let wait_state =
            WaitState { site, condition: WaitCondition::Message { communicator, rank, source: from, label } };
        let mut state = self.runtime().block(state, self.context.rank, wait_state)?;
        state.delivery.advance_to_event(self.context.rank);
        let found = state.probe_mailbox((communicator, rank), from, label);
        Ok(found.expect("waited for it, and only this rank takes it away"))
    }

    fn iprobe(&self, from: Source, label: TagPattern, site: CallSite) -> Result<Option<Status>> {
        self.check_receive(from, label)?;
        self.runtime().before_poll(self.context.rank, ObservedState::Mailbox);
        let mut state = self.enter_call(site)?;
        let status = state.probe_mailbox((self.communicator, self.rank), from, label);
        drop(state);
        if status.is_none() {
            self.runtime().after_failed_poll(self.context.rank);
        }
        Ok(status)
    }

    fn enter_collective(&self, contribution: CollectiveCall) -> Result<()> {
        self.runtime().lock_state().enter_collective(self.communicator, self.rank, contribution)
    }

    fn split(&self, color: Option<u32>, key: i32, site: CallSite) -> Result<Option<Rc<dyn Transport>>> {
        let membership = self.agree(Proposal::Split { color, key }, site)?;
        Ok(membership.map(|membership| self.child_endpoint(membership)))
    }

    fn dup(&self, site: CallSite) -> Result<Rc<dyn Transport>> {
        let membership = self.agree(Proposal::Dup, site)?;
        Ok(self.child_endpoint(membership.expect("a dup has all members of its origin")))
    }

    fn create_group(&self, members: &[Rank], tag: i32, site: CallSite) -> Result<Rc<dyn Transport>> {
        checks::check_tag(Some(tag))?;
        let rank = members.iter().position(|member| *member == self.rank).expect("the caller is a member");
        let mut state = self.enter_call(site)?;
        let communicator = state.group_communicator(self.communicator, members, tag, site);
        drop(state);
        let context = Rc::clone(&self.context);
        let made = Self { context, communicator, rank, size: members.len() };
        made.agree(Proposal::Join, site)?;
        Ok(Rc::new(made))
    }

    fn window(
        &self,
        kind: WindowKind,
        layout: Datatype,
        count: usize,
        site: CallSite,
    ) -> Result<Box<dyn ErasedWindow>> {
        let made = self.agree(Proposal::Window { kind, layout, count }, site)?;
        let NewMembership { index: made, rank } = made.expect("a window has all members of its communicator");
        Ok(Box::new(FabricWindow::new(Rc::clone(&self.context), (made, rank), site)))
    }

    fn nodes(&self, _site: CallSite) -> Result<Vec<usize>> {
        let Some(text) = nodes::from_environment() else { return Ok(vec![0; self.size]) };
        let state = self.runtime().lock_state();
        let of_job = nodes::parse(&text, state.ranks.len())?;
        let members = &state.communicators[self.communicator].members;
        Ok(nodes::renumber(&members.iter().map(|member| of_job[*member]).collect::<Vec<_>>()))
    }

    fn shares_address_space(&self) -> bool {
        true
    }

    fn now(&self) -> u64 {
        self.runtime().now(self.context.rank)
    }

    fn work(&self, flops: u64, bytes: u64) -> u64 {
        self.runtime().work(self.context.rank, flops, bytes)
    }

    fn rounds(&self) -> Option<u64> {
        Some(self.context.logical_clock.get())
    }
}
