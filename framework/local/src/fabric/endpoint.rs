//! The transport of one rank on one communicator.
use std::{cell::RefCell, rc::Rc};

use wb_comm::{
    Block, CallSite, CollectiveCall, CollectiveCounts, CollectiveSchedule, Datatype, ErasedFile,
    ErasedWindow, FileArgs, Layout, LayoutView, LayoutViewMut, MessageTag, MultipleCompletion, Op,
    OwnedBuffers, Pending, PendingMessage, Rank, Result, SendMode, Source, Status, TagPattern, Transport,
    WindowKind, nodes,
};

use crate::fabric::{
    agreement::{NewMembership, Proposal},
    delivery::DeliveryModel as _,
    endpoint::{
        fabric_file::FabricFile, fabric_window::FabricWindow, matched_message::TakenMessage,
        payload::Payload, rank_context::RankContext, request::Request, round_clock::RoundClock,
    },
    job_state::rank_state::{WaitCondition, WaitState},
    matching::message::RecvBuffer,
    observed_state::ObservedState,
    runtime::Runtime,
};

mod agreements;
mod checks;
mod fabric_file;
mod fabric_window;
mod matched_message;
mod multiple_completion;
mod payload;
mod rank_context;
mod request;
mod round_clock;
mod rounds;
mod window_verbs;

/// The transport of one rank on one communicator.
#[derive(Debug)]
pub struct Endpoint<H: Runtime> {
    context: Rc<RankContext<H>>,
    /// Index in the state.
    communicator: usize,
    rank: Rank,
    size: usize,
}

impl<H: Runtime> Endpoint<H> {
    /// A rank's endpoint on the world.
    pub(crate) fn world(runtime: H, rank: Rank, size: usize) -> Self {
        let context = RankContext {
            runtime,
            rank,
            round_clock: RoundClock::default(),
            spare_message: RefCell::new(None),
        };
        Self { context: Rc::new(context), communicator: 0, rank, size }
    }

    fn runtime(&self) -> &H {
        &self.context.runtime
    }

    /// Enters a call of this rank.
    fn enter_call(&self, site: CallSite) -> Result<H::StateGuard<'_>> {
        self.context.enter_call(site)
    }
}

impl<H: Runtime> Drop for Endpoint<H> {
    fn drop(&mut self) {
        self.runtime().lock_state().drop_communicator(self.communicator);
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
            runtime.on_host_stack(|| self.complete_all(state, ops, site))?;
        }
        Ok(())
    }

    fn post_send(
        &self,
        to: Rank,
        tag: MessageTag,
        data: Block,
        mode: SendMode,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        self.check_destination(to)?;
        let message = self.pack(tag, Payload::Contiguous(data.view()), site);
        self.start_send((to, tag), message, data, mode, site)
    }

    fn post_recv(
        &self,
        from: Source,
        tag: TagPattern,
        into: Block,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        self.check_source(from)?;
        let mut state = self.enter_call(site)?;
        let buffer = RecvBuffer::from_view(into.view());
        let id = state.post_receive(self.communicator, self.rank, (from, tag), buffer, site);
        Ok(Box::new(Request::new(&self.context, id, Some(into), None)))
    }

    fn post_send_layout(
        &self,
        to: Rank,
        tag: MessageTag,
        data: Block,
        layout: &Layout,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        self.check_destination(to)?;
        let message = self.pack(tag, Payload::Layout(LayoutView::new(data.view(), layout)?), site);
        self.start_send((to, tag), message, data, SendMode::Standard, site)
    }

    fn post_recv_layout(
        &self,
        from: Source,
        tag: TagPattern,
        mut into: Block,
        layout: &Layout,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        self.check_source(from)?;
        let buffer = RecvBuffer::from_layout(&LayoutViewMut::new(into.view_mut(), layout)?);
        let mut state = self.enter_call(site)?;
        let id = state.post_receive(self.communicator, self.rank, (from, tag), buffer, site);
        Ok(Box::new(Request::new(&self.context, id, Some(into), Some(layout.clone()))))
    }

    fn start_schedule(
        &self,
        schedule: CollectiveSchedule,
        buffers: OwnedBuffers,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        let mut state = self.enter_call(site)?;
        let id = state.start_collective((self.communicator, self.rank), schedule, buffers, site);
        Ok(Box::new(Request::new(&self.context, id, None, None)))
    }

    fn complete(
        &self,
        requests: &mut [&mut dyn Pending],
        mode: MultipleCompletion,
        site: CallSite,
    ) -> Result<Vec<usize>> {
        multiple_completion::complete(&self.context, requests, mode, site)
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

    fn drop_buffer(&self) -> Result<()> {
        self.runtime().lock_state().detach_buffer(self.context.rank);
        Ok(())
    }

    fn matched_probe(
        &self,
        from: Source,
        tag: TagPattern,
        waits: bool,
        site: CallSite,
    ) -> Result<Option<Box<dyn PendingMessage>>> {
        let found = if waits { Some(self.probe(from, tag, site)?) } else { self.iprobe(from, tag, site)? };
        let Some(status) = found else { return Ok(None) };
        let (communicator, rank) = (self.communicator, self.rank);
        let mut state = self.runtime().lock_state();
        let mailbox = &mut state.communicators[communicator].mailboxes[rank];
        let taken = mailbox.take(Source::Rank(status.source), TagPattern { tag: Some(status.tag), ..tag });
        let message = taken.expect("only this rank takes it away");
        Ok(Some(Box::new(TakenMessage::new(Rc::clone(&self.context), (communicator, rank), message))))
    }

    fn probe(&self, from: Source, tag: TagPattern, site: CallSite) -> Result<Status> {
        self.check_source(from)?;
        let state = self.enter_call(site)?;
        let (communicator, rank) = (self.communicator, self.rank);
        let wait_state =
            WaitState { site, condition: WaitCondition::Message { communicator, rank, source: from, tag } };
        let mut state = self.runtime().block(state, self.context.rank, wait_state)?;
        state.delivery.advance_to_event(self.context.rank);
        let found = state.probe_mailbox((communicator, rank), from, tag);
        Ok(found.expect("waited for it, and only this rank takes it away"))
    }

    fn iprobe(&self, from: Source, tag: TagPattern, site: CallSite) -> Result<Option<Status>> {
        self.check_source(from)?;
        self.runtime().before_poll(self.context.rank, ObservedState::Mailbox);
        let mut state = self.enter_call(site)?;
        let (communicator, rank) = (self.communicator, self.rank);
        let status = state.probe_mailbox((communicator, rank), from, tag);
        if status.is_none() {
            let condition = WaitCondition::Message { communicator, rank, source: from, tag };
            self.context.poll_failed(state, condition, site);
        }
        Ok(status)
    }

    fn enter_collective(&self, contribution: CollectiveCall) -> Result<()> {
        self.runtime().lock_state().enter_collective(self.communicator, self.rank, contribution)
    }

    fn split(&self, color: Option<u32>, key: i32, site: CallSite) -> Result<Option<Rc<dyn Transport>>> {
        let membership = self.agree_on(Proposal::Split { color, key }, CollectiveCall::new(site))?;
        Ok(membership.map(|membership| self.child_endpoint(membership)))
    }

    fn dup(&self, site: CallSite) -> Result<Rc<dyn Transport>> {
        let membership = self.agree_on(Proposal::Dup, CollectiveCall::new(site))?;
        Ok(self.child_endpoint(membership.expect("a dup has all members of its origin")))
    }

    fn create_group(&self, members: &[Rank], tag: i32, site: CallSite) -> Result<Rc<dyn Transport>> {
        let rank = members.iter().position(|member| *member == self.rank).expect("the caller is a member");
        let mut state = self.enter_call(site)?;
        let communicator = state.group_communicator(self.communicator, members, tag, site);
        drop(state);
        let context = Rc::clone(&self.context);
        let made = Self { context, communicator, rank, size: members.len() };
        made.agree_on(Proposal::Join, CollectiveCall::new(site))?;
        Ok(Rc::new(made))
    }

    fn window(
        &self,
        kind: WindowKind,
        datatype: Datatype,
        count: usize,
        site: CallSite,
    ) -> Result<Box<dyn ErasedWindow>> {
        let call = CollectiveCall::new(site).with_elements(datatype, CollectiveCounts::None);
        let made = self.agree_on(Proposal::Window { kind, datatype, count }, call)?;
        let NewMembership { index: made, rank } = made.expect("a window has all members of its communicator");
        Ok(Box::new(FabricWindow::new(Rc::clone(&self.context), (made, rank), site)))
    }

    fn file_open(&self, file: &FileArgs, site: CallSite) -> Result<Box<dyn ErasedFile>> {
        Ok(Box::new(FabricFile::open(self, file, site)?))
    }

    fn nodes(&self, _site: CallSite) -> Result<Vec<usize>> {
        let state = self.runtime().lock_state();
        let members = &state.communicators[self.communicator].members;
        Ok(nodes::renumber(&members.iter().map(|member| state.delivery.node_of(*member)).collect::<Vec<_>>()))
    }

    fn shares_address_space(&self) -> bool {
        true
    }

    fn now(&self) -> u64 {
        self.runtime().now(self.context.rank)
    }

    fn read_clock(&self) -> Option<u64> {
        self.runtime().read_clock(self.context.rank)
    }

    fn work(&self, flops: u64, bytes: u64) -> u64 {
        self.runtime().work(self.context.rank, flops, bytes)
    }

    fn rounds(&self) -> Option<u64> {
        Some(self.context.round_clock.now())
    }
}
