//! A communicator whose calls are recorded.
use std::{cell::Cell, rc::Rc};

use wb_comm::{
    Block, CallSite, CollectiveCall, CollectiveSchedule, Collectives, Datatype, ErasedFile, ErasedWindow,
    FileArgs, Layout, MessageTag, MultipleCompletion, NewTopology, Op, OwnedBuffers, Pending, PendingMessage,
    Persistent, PersistentArgs, Rank, Result, SendMode, Source, Status, TagPattern, Transport,
    TransportDecorator, ViewMut, WindowKind,
};

use crate::replay::call_trace::{
    call_action::{CallAction, CollectiveArgs, CreatedHandle, TracedOp},
    file::TracingFile,
    pending::TracingRequest,
    persistent::{TracingMessage, TracingPersistent},
    trace::{CallId, TraceBuffer},
    window::TracingWindow,
};

pub(crate) struct TracingTransport {
    pub(crate) inner: Rc<dyn Transport>,
    pub(crate) trace: TraceBuffer,
    /// Its number.
    pub(crate) on: usize,
    /// The last collective that the rank has called.
    pub(crate) current_collective: Cell<CallId>,
}

impl TracingTransport {
    /// The world, with its transcript.
    pub(crate) fn world(inner: Rc<dyn Transport>, notes: &TraceBuffer) -> Rc<dyn Transport> {
        Self::shared(inner, notes.clone(), 0)
    }

    fn shared(inner: Rc<dyn Transport>, notes: TraceBuffer, on: usize) -> Rc<dyn Transport> {
        Rc::new(Self { inner, trace: notes, on, current_collective: Cell::new(None) })
    }

    /// Records the creation of a communicator.
    fn record_creation(
        &self,
        site: CallSite,
        act: CallAction,
        make: impl FnOnce() -> Result<Option<Rc<dyn Transport>>>,
    ) -> Result<Option<Rc<dyn Transport>>> {
        let note = self.trace.begin(site, self.on, act);
        let result = make();
        let made = match &result {
            Ok(Some(made)) => Some(CreatedHandle { number: self.trace.next_handle(), rank: made.rank() }),
            _ => None,
        };
        let number = made.as_ref().map(|made| made.number);
        self.trace.end(note, result.is_ok(), |act| made.into_iter().for_each(|made| act.set_created(made)));
        let noting = |(made, number)| Self::shared(made, self.trace.clone(), number);
        Ok(result?.zip(number).map(noting))
    }

    /// Records the start of the collective that the rank has entered last.
    pub(crate) fn start_collective(&self, site: CallSite, start: impl FnOnce() -> PostResult) -> PostResult {
        let request = self.trace.next_request();
        let pending = self.trace.record(site, self.on, CallAction::StartCollective { request }, start)?;
        Ok(Box::new(TracingRequest::new(pending, self.trace.clone(), (self.on, request), site)))
    }

    fn start(&self, operation: TracedOp, site: CallSite, post: impl FnOnce() -> PostResult) -> PostResult {
        let request = self.trace.next_request();
        let pending = self.trace.record(site, self.on, CallAction::Start { request, operation }, post)?;
        Ok(Box::new(TracingRequest::new(pending, self.trace.clone(), (self.on, request), site)))
    }
}

/// The result of posting an operation.
pub(crate) type PostResult = Result<Box<dyn Pending>>;

impl TransportDecorator for TracingTransport {
    fn inner(&self) -> &dyn Transport {
        &*self.inner
    }

    fn post_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()> {
        let note =
            self.trace.begin(site, self.on, CallAction::Round(ops.iter().map(TracedOp::from_op).collect()));
        let result = self.inner.post_and_wait(ops, site);
        self.trace.end(note, result.is_ok(), |act| {
            for (at, op) in ops.iter().enumerate() {
                if let Op::Recv { status: Some(Status { source, tag, .. }), .. }
                | Op::RecvLayout { status: Some(Status { source, tag, .. }), .. } = op
                {
                    act.set_match(at, (*source, *tag));
                }
            }
        });
        result
    }

    fn post_send(
        &self,
        to: Rank,
        tag: MessageTag,
        data: Block,
        mode: SendMode,
        site: CallSite,
    ) -> PostResult {
        let elements = (data.view().datatype(), data.view().count());
        let operation = TracedOp::send(to, tag, elements, mode);
        self.start(operation, site, || self.inner.post_send(to, tag, data, mode, site))
    }

    fn post_recv(&self, from: Source, tag: TagPattern, into: Block, site: CallSite) -> PostResult {
        let elements = (into.view().datatype(), into.view().count());
        let operation = TracedOp::receive(from, tag, elements);
        self.start(operation, site, || self.inner.post_recv(from, tag, into, site))
    }

    fn post_send_layout(
        &self,
        to: Rank,
        tag: MessageTag,
        data: Block,
        layout: &Layout,
        site: CallSite,
    ) -> PostResult {
        let operation = TracedOp::send(to, tag, (data.view().datatype(), layout.count()), SendMode::Standard);
        self.start(operation, site, || self.inner.post_send_layout(to, tag, data, layout, site))
    }

    fn post_recv_layout(
        &self,
        from: Source,
        tag: TagPattern,
        into: Block,
        layout: &Layout,
        site: CallSite,
    ) -> PostResult {
        let operation = TracedOp::receive(from, tag, (into.view().datatype(), layout.count()));
        self.start(operation, site, || self.inner.post_recv_layout(from, tag, into, layout, site))
    }

    fn start_schedule(
        &self,
        schedule: CollectiveSchedule,
        buffers: OwnedBuffers,
        site: CallSite,
    ) -> PostResult {
        self.start_collective(site, || self.inner.start_schedule(schedule, buffers, site))
    }

    fn complete(
        &self,
        requests: &mut [&mut dyn Pending],
        mode: MultipleCompletion,
        site: CallSite,
    ) -> Result<Vec<usize>> {
        let (numbers, mut requests): (Vec<_>, Vec<_>) =
            requests.iter_mut().map(|request| TracingRequest::of(&mut **request)).unzip();
        let all = mode.is_for_all();
        if !mode.waits() {
            let act = || CallAction::WaitForSeveral { requests: numbers, all };
            let test = || self.inner.complete(&mut requests, mode, site);
            return self.trace.poll((site, self.on), act, test, Vec::is_empty);
        }
        let act = CallAction::WaitForSeveral { requests: numbers, all };
        self.trace.record(site, self.on, act, || self.inner.complete(&mut requests, mode, site))
    }

    fn persistent(&self, args: PersistentArgs, buffer: &mut Block) -> Result<Option<Box<dyn Persistent>>> {
        let made = self.inner.persistent(args, buffer)?;
        let tracing = |made| Box::new(TracingPersistent::new(made, self.trace.clone(), self.on, args)) as _;
        Ok(made.map(tracing))
    }

    fn sendrecv_replace(
        &self,
        data: ViewMut<'_>,
        (to, out): (Rank, MessageTag),
        (from, into): (Source, TagPattern),
        site: CallSite,
    ) -> Result<Status> {
        let elements = (data.datatype(), data.count());
        let operations = vec![
            TracedOp::receive(from, into, elements),
            TracedOp::send(to, out, elements, SendMode::Standard),
        ];
        let note = self.trace.begin(site, self.on, CallAction::Round(operations));
        let result = self.inner.sendrecv_replace(data, (to, out), (from, into), site);
        self.trace.end(note, result.is_ok(), |act| {
            if let Ok(Status { source, tag, .. }) = &result {
                act.set_match(0, (*source, *tag));
            }
        });
        result
    }

    fn attach_buffer(&self, bytes: usize, site: CallSite) -> Result<()> {
        let act = CallAction::Buffer(Some(bytes));
        self.trace.record(site, self.on, act, || self.inner.attach_buffer(bytes, site))
    }

    fn detach_buffer(&self, site: CallSite) -> Result<usize> {
        self.trace.record(site, self.on, CallAction::Buffer(None), || self.inner.detach_buffer(site))
    }

    fn matched_probe(
        &self,
        from: Source,
        tag: TagPattern,
        waits: bool,
        site: CallSite,
    ) -> Result<Option<Box<dyn PendingMessage>>> {
        let probe = || self.inner.matched_probe(from, tag, waits, site);
        let act = || CallAction::Probe(TracedOp::receive(from, tag, (Datatype::U8, 0)));
        let taken = match waits {
            true => self.trace.record(site, self.on, act(), probe),
            false => self.trace.poll((site, self.on), act, probe, Option::is_none),
        };
        Ok(taken?.map(|message| Box::new(TracingMessage::new(message, self.trace.clone(), self.on)) as _))
    }

    fn probe(&self, from: Source, tag: TagPattern, site: CallSite) -> Result<Status> {
        let act = CallAction::Probe(TracedOp::receive(from, tag, (Datatype::U8, 0)));
        self.trace.record(site, self.on, act, || self.inner.probe(from, tag, site))
    }

    fn iprobe(&self, from: Source, tag: TagPattern, site: CallSite) -> Result<Option<Status>> {
        let act = || CallAction::Probe(TracedOp::receive(from, tag, (Datatype::U8, 0)));
        let probe = || self.inner.iprobe(from, tag, site);
        self.trace.poll((site, self.on), act, probe, Option::is_none)
    }

    fn observes_collectives(&self) -> bool {
        true
    }

    fn enter_collective(&self, contribution: CollectiveCall) -> Result<()> {
        let act = CallAction::Collective(CollectiveArgs::from_call(&contribution));
        let note = self.trace.begin(contribution.site(), self.on, act);
        self.current_collective.set(note);
        let result = self.inner.enter_collective(contribution);
        // The following messages belong to our own algorithm, or to a call of the library.
        self.trace.end(note, result.is_ok(), |_| {});
        result
    }

    fn split(&self, color: Option<u32>, key: i32, site: CallSite) -> Result<Option<Rc<dyn Transport>>> {
        self.record_creation(site, CallAction::Split { color, key, created: None }, || {
            self.inner.split(color, key, site)
        })
    }

    fn create_topology(&self, topology: &NewTopology, site: CallSite) -> Result<Option<Rc<dyn Transport>>> {
        let action =
            CallAction::Topology { topology: topology.clone(), rank: self.inner.rank(), created: None };
        self.record_creation(site, action, || self.inner.create_topology(topology, site))
    }

    fn create_group(&self, members: &[Rank], tag: i32, site: CallSite) -> Result<Rc<dyn Transport>> {
        let action = CallAction::Group { members: members.to_vec(), tag, created: None };
        let made =
            self.record_creation(site, action, || self.inner.create_group(members, tag, site).map(Some))?;
        Ok(made.expect("every caller is a member"))
    }

    fn dup(&self, site: CallSite) -> Result<Rc<dyn Transport>> {
        let made =
            self.record_creation(site, CallAction::Dup { created: None }, || self.inner.dup(site).map(Some))?;
        Ok(made.expect("a dup gives every rank a communicator"))
    }

    fn window(
        &self,
        kind: WindowKind,
        datatype: Datatype,
        count: usize,
        site: CallSite,
    ) -> Result<Box<dyn ErasedWindow>> {
        let act = CallAction::Window { kind: kind as u8, datatype, count, created: None };
        let note = self.trace.begin(site, self.on, act);
        let result = self.inner.window(kind, datatype, count, site);
        let number = self.trace.next_handle();
        let rank = self.inner.rank();
        self.trace.end(note, result.is_ok(), |act| act.set_created(CreatedHandle { number, rank }));
        Ok(Box::new(TracingWindow::new(result?, self.trace.clone(), number, site)))
    }

    fn file_open(&self, file: &FileArgs, site: CallSite) -> Result<Box<dyn ErasedFile>> {
        let note = self.trace.begin(site, self.on, CallAction::File { file: file.clone(), created: None });
        let result = self.inner.file_open(file, site);
        let (number, rank) = (self.trace.next_handle(), self.inner.rank());
        self.trace.end(note, result.is_ok(), |act| act.set_created(CreatedHandle { number, rank }));
        Ok(Box::new(TracingFile::new(result?, self.trace.clone(), number)))
    }

    fn nodes(&self, site: CallSite) -> Result<Vec<usize>> {
        let act = CallAction::Collective(CollectiveArgs::from_call(&CollectiveCall::new(site)));
        self.trace.record(site, self.on, act, || self.inner.nodes(site))
    }

    fn native_collectives(&self) -> Option<&dyn Collectives> {
        self.inner.native_collectives().map(|_| self as &dyn Collectives)
    }
}
