//! The communicator: point-to-point verbs, groups, and what the framework asks of it.
mod message_status;

use std::{cell::RefCell, marker::PhantomData, rc::Rc};

use wb_collectives::Algorithms;
use wb_comm::{
    Block, CallSite, CollectiveCall, Collectives, Error, MessageTag, Op, Pending, Rank, Result, Source,
    Status, TagPattern, Transport, Verb, View, ViewMut, Wire,
};

use wb_record::{CollectiveShape, EventKind};

use crate::{
    CallLog, CommStats, Counts, RecvRequest, SendRequest, Tags,
    barrier::BarrierChoice,
    call_tracer::{self, CallTracer, OptionalTracer, rank_number},
    request::StartedRequest,
};

pub(crate) use message_status::{element_count, source_envelope};
use message_status::{message_envelope, receive_status};

/// Receives from whoever comes first (`MPI_ANY_SOURCE`).
pub const ANY_SOURCE: Source = Source::Any;

/// A communicator as one rank sees it.
pub struct World {
    transport: Rc<dyn Transport>,
    stats: Rc<CommStats>,
    /// What [`barrier`](Self::barrier) runs, once that is known.
    pub(crate) barrier_choice: RefCell<Option<BarrierChoice>>,
    /// What writes its verbs down, if it is traced.
    pub(crate) tracer: OptionalTracer,
}

impl World {
    /// A world over a backend's communicator, with a fresh ledger.
    pub fn new(transport: Rc<dyn Transport>) -> Self {
        Self { transport, stats: Rc::default(), barrier_choice: RefCell::default(), tracer: None }
    }

    /// The same, with a log of everything that is called here, in worlds made from this one, and on their requests,
    /// windows and barriers: at most `limit` calls, the others are counted only.
    pub fn traced(transport: Rc<dyn Transport>, limit: usize) -> (Self, Rc<CallLog>) {
        Self::traced_with(transport, limit, || 0)
    }

    /// The same, where `processor_ns` reads this rank's processor time: the log adds up what the calls take of it.
    pub fn traced_with(
        transport: Rc<dyn Transport>,
        limit: usize,
        processor_ns: fn() -> u64,
    ) -> (Self, Rc<CallLog>) {
        let log = Rc::new(CallLog::new(limit, processor_ns));
        let recording = Some(CallTracer::for_world(Rc::clone(&log), &transport));
        (Self { tracer: recording, ..Self::new(transport) }, log)
    }

    /// This process's rank, `0..size`.
    pub fn rank(&self) -> Rank {
        self.transport.rank()
    }

    /// How many ranks there are.
    pub fn size(&self) -> usize {
        self.transport.size()
    }

    /// What carries the messages: `"mpi"` or `"threads"`.
    pub fn backend(&self) -> &'static str {
        self.transport.backend()
    }

    /// Nanoseconds of a monotonic clock that the ranks of one machine share.
    pub fn now(&self) -> u64 {
        self.transport.now()
    }

    /// What this rank has communicated so far, here and in worlds made from this one.
    pub fn counts(&self) -> Counts {
        self.stats.read()
    }

    /// One-port rounds that this rank's messages have taken so far, where the backend's messages carry that number.
    pub fn rounds(&self) -> Option<u64> {
        self.transport.rounds()
    }

    /// The call that returned an error last, here or in a world made from this one: where to look when a stage passes
    /// the error on.
    pub fn last_error_site(&self) -> Option<CallSite> {
        self.stats.last_error_site()
    }

    /// The first collective call that was counted, here or in a world made from this one.
    pub fn first_collective(&self) -> Option<CallSite> {
        self.stats.first_collective()
    }

    /// Has anything come to this rank from another one, here or in a world made from this one: a message, what a collective
    /// brings, or what a window may hold?
    pub fn has_received(&self) -> bool {
        self.stats.has_received()
    }

    /// Runs a verb; if it fails, its call is remembered.
    #[inline]
    pub(crate) fn run<R>(&self, site: CallSite, verb: impl FnOnce() -> Result<R>) -> Result<R> {
        verb().inspect_err(|_| self.stats.note_error(site))
    }

    /// Runs a verb as [`at`](Self::at) does; where this world is traced, it is written down as `act`.
    #[inline]
    pub(crate) fn run_traced<R>(
        &self,
        site: CallSite,
        verb: impl FnOnce() -> Result<R>,
        act: impl FnOnce(&CallTracer, &R) -> EventKind,
    ) -> Result<R> {
        call_tracer::trace_call(&self.tracer, site, || self.run(site, verb), act)
    }

    /// The same for a collective verb; `bytes` is what this rank puts in or gets.
    #[inline]
    pub(crate) fn run_collective<R>(
        &self,
        site: CallSite,
        shape: CollectiveShape,
        bytes: usize,
        verb: impl FnOnce() -> Result<R>,
    ) -> Result<R> {
        let result = self.run_traced(site, verb, |recorder, _| recorder.collective(shape, bytes))?;
        if bytes > 0 && self.receives_in(shape) {
            self.stats.note_received();
        }
        Ok(result)
    }

    /// Does a collective of this shape bring this rank something from others?
    fn receives_in(&self, shape: CollectiveShape) -> bool {
        let (rank, size) = (rank_number(self.rank()), self.size());
        size > 1
            && match shape {
                CollectiveShape::From(root) => rank != root,
                CollectiveShape::To(root) => rank == root,
                CollectiveShape::Prefix => rank > 0,
                CollectiveShape::All => true,
            }
    }

    /// The backend's communicator, for the framework.
    pub fn transport(&self) -> &Rc<dyn Transport> {
        &self.transport
    }

    /// Sends `data` to `dest` (`MPI_Send`): returns when `data` may be changed again, which may be before or after the
    /// message is received. Programs must not rely on either.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Tag`], [`Error::TooLong`]; [`Error::Deadlock`] and [`Error::Peer`] on threads.
    #[track_caller]
    pub fn send<T: Wire>(&self, data: &[T], dest: Rank, tag: i32) -> Result<()> {
        self.send_as(CallSite::caller(Verb::Send), data, dest, tag, false)
    }

    /// Sends and waits until the receiver has started to receive (`MPI_Ssend`).
    ///
    /// # Errors
    /// As [`send`](Self::send).
    #[track_caller]
    pub fn ssend<T: Wire>(&self, data: &[T], dest: Rank, tag: i32) -> Result<()> {
        self.send_as(CallSite::caller(Verb::Ssend), data, dest, tag, true)
    }

    fn send_as<T: Wire>(
        &self,
        site: CallSite,
        data: &[T],
        to: Rank,
        tag: i32,
        synchronous: bool,
    ) -> Result<()> {
        let bytes = size_of_val(data);
        let verb = || {
            let data = View::from_slice(data);
            self.transport
                .post_and_wait(&mut [Op::Send { to, tag: MessageTag::user(tag), data, synchronous }], site)?;
            self.stats.note_sent(bytes);
            Ok(())
        };
        self.run_traced(site, verb, |_, ()| EventKind::Send {
            to: message_envelope(to, tag, bytes),
            synchronous,
        })
    }

    /// Receives into `data` (`MPI_Recv`); the message may be shorter, the status says how long it was.
    ///
    /// # Errors
    /// [`Error::Truncated`] when it is longer; [`Error::Type`] or [`Error::PartialElement`] when it has other elements (MPI
    /// itself checks only the size); as [`send`](Self::send) otherwise.
    #[track_caller]
    pub fn recv<T: Wire>(
        &self,
        data: &mut [T],
        source: impl Into<Source>,
        tag: impl Into<Tags>,
    ) -> Result<Status> {
        self.recv_as(CallSite::caller(Verb::Recv), data, source.into(), tag.into().to_pattern())
    }

    fn recv_as<T: Wire>(
        &self,
        site: CallSite,
        data: &mut [T],
        from: Source,
        label: TagPattern,
    ) -> Result<Status> {
        let verb = || self.receive(site, data, from, label);
        self.run_traced(site, verb, |_, status| EventKind::Receive { from: source_envelope(status) })
    }

    /// A receive that is a part of the call at `site`.
    fn receive<T: Wire>(
        &self,
        site: CallSite,
        data: &mut [T],
        from: Source,
        label: TagPattern,
    ) -> Result<Status> {
        let mut ops = [Op::Recv { from, tag: label, data: ViewMut::from_slice(data), status: None }];
        self.transport.post_and_wait(&mut ops, site)?;
        let status = receive_status(&ops[0]);
        self.stats.note_message_received(status.bytes);
        element_count::<T>(&status)?;
        Ok(status)
    }

    /// Receives a message of any length (`MPI_Probe`, then `MPI_Recv` of what was found).
    ///
    /// # Errors
    /// As [`recv`](Self::recv), never `Truncated`.
    #[track_caller]
    pub fn recv_vec<T: Wire>(
        &self,
        source: impl Into<Source>,
        tag: impl Into<Tags>,
    ) -> Result<(Vec<T>, Status)> {
        let site = CallSite::caller(Verb::Recv);
        let (from, label) = (source.into(), tag.into().to_pattern());
        let verb = || {
            let found = self.transport.probe(from, label, site)?;
            let mut data = vec![T::default(); element_count::<T>(&found)?];
            let (source, tag) = (Source::Rank(found.source), MessageTag::user(found.tag).into());
            let status = self.receive(site, &mut data, source, tag)?;
            Ok((data, status))
        };
        self.run_traced(site, verb, |_, (_, status)| EventKind::Receive { from: source_envelope(status) })
    }

    /// Sends and receives at once, in any order that works (`MPI_Sendrecv`).
    ///
    /// # Errors
    /// As [`send`](Self::send) and [`recv`](Self::recv).
    #[track_caller]
    pub fn sendrecv<S: Wire, R: Wire>(
        &self,
        send: &[S],
        dest: Rank,
        send_tag: i32,
        recv: &mut [R],
        source: impl Into<Source>,
        recv_tag: impl Into<Tags>,
    ) -> Result<Status> {
        let site = CallSite::caller(Verb::Sendrecv);
        let (from, label) = (source.into(), recv_tag.into().to_pattern());
        let bytes = size_of_val(send);
        let verb = || {
            let data = View::from_slice(send);
            let mut ops = [
                Op::Recv { from, tag: label, data: ViewMut::from_slice(recv), status: None },
                Op::Send { to: dest, tag: MessageTag::user(send_tag), data, synchronous: false },
            ];
            self.transport.post_and_wait(&mut ops, site)?;
            let status = receive_status(&ops[0]);
            self.stats.note_sent(bytes);
            self.stats.note_message_received(status.bytes);
            element_count::<R>(&status)?;
            Ok(status)
        };
        let to = message_envelope(dest, send_tag, bytes);
        self.run_traced(site, verb, |_, status| EventKind::Exchange { to, from: source_envelope(status) })
    }

    /// Starts a send (`MPI_Isend`). The request owns the buffer and gives it back.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    #[track_caller]
    pub fn isend<T: Wire>(&self, data: Vec<T>, dest: Rank, tag: i32) -> Result<SendRequest<T>> {
        let bytes = data.len() * T::DATATYPE.size();
        let site = CallSite::caller(Verb::Isend);
        let label = MessageTag::user(tag);
        let request = self.next_request();
        let post = || self.transport.post_send(dest, label, Block::from_vec(data), false, site);
        let to = message_envelope(dest, tag, bytes);
        let pending = self.run_traced(site, post, |_, _| EventKind::StartSend { to, request })?;
        self.stats.note_sent(bytes);
        Ok(SendRequest { started: self.start_request(pending, request), element: PhantomData })
    }

    /// Starts a receive of at most `count` elements (`MPI_Irecv`).
    ///
    /// # Errors
    /// As [`recv`](Self::recv).
    #[track_caller]
    pub fn irecv<T: Wire>(
        &self,
        count: usize,
        source: impl Into<Source>,
        tag: impl Into<Tags>,
    ) -> Result<RecvRequest<T>> {
        let site = CallSite::caller(Verb::Irecv);
        let room = Block::from_vec(vec![T::default(); count]);
        let (from, label) = (source.into(), tag.into().to_pattern());
        let request = self.next_request();
        let post = || self.transport.post_recv(from, label, room, site);
        let pending = self.run_traced(site, post, |_, _| EventKind::StartReceive { request })?;
        Ok(RecvRequest { started: self.start_request(pending, request), element: PhantomData })
    }

    /// A number for a request, where the log needs one.
    fn next_request(&self) -> u32 {
        self.tracer.as_ref().map_or(0, |recorder| recorder.next_request())
    }

    fn start_request(&self, pending: Box<dyn Pending>, request: u32) -> StartedRequest {
        let (ledger, recording) = (Rc::clone(&self.stats), self.tracer.clone());
        StartedRequest { pending, stats: ledger, tracer: recording, request }
    }

    /// Waits for a message without receiving it (`MPI_Probe`).
    ///
    /// # Errors
    /// [`Error::Rank`]; [`Error::Deadlock`] and [`Error::Peer`] on threads.
    #[track_caller]
    pub fn probe(&self, source: impl Into<Source>, tag: impl Into<Tags>) -> Result<Status> {
        let site = CallSite::caller(Verb::Probe);
        let (from, label) = (source.into(), tag.into().to_pattern());
        self.run_traced(site, || self.transport.probe(from, label, site), |_, _| EventKind::Local)
    }

    /// Looks for a message without waiting (`MPI_Iprobe`).
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    #[track_caller]
    pub fn iprobe(&self, source: impl Into<Source>, tag: impl Into<Tags>) -> Result<Option<Status>> {
        let site = CallSite::caller(Verb::Iprobe);
        let (from, label) = (source.into(), tag.into().to_pattern());
        self.run_traced(site, || self.transport.iprobe(from, label, site), |_, _| EventKind::Local)
    }

    /// Declares that this rank computes so many floating-point operations on so many bytes of memory, here.
    ///
    /// On MPI and on threads it does nothing: the computation itself takes its time. In virtual time, where computing takes
    /// none, it is what the computation costs, on whatever machine is simulated.
    pub fn work(&self, flops: u64, bytes: u64) {
        self.stats.note_work(self.transport.work(flops, bytes));
    }

    /// Collective: the ranks that give the same `color` form a new world, ordered by `key`, then by rank here
    /// (`MPI_Comm_split`); whoever gives `None` joins nobody and gets `None`.
    ///
    /// # Errors
    /// What the backend can meet.
    #[track_caller]
    pub fn split(&self, color: Option<u32>, key: i32) -> Result<Option<World>> {
        let site = CallSite::caller(Verb::Split);
        let part =
            self.run_collective(site, CollectiveShape::All, 0, || self.transport.split(color, key, site))?;
        if let (Some(recorder), None) = (&self.tracer, &part) {
            recorder.skip_child();
        }
        Ok(part.map(|transport| self.child(transport, color)))
    }

    /// Collective: the same ranks, separate messages (`MPI_Comm_dup`).
    ///
    /// # Errors
    /// What the backend can meet.
    #[track_caller]
    pub fn dup(&self) -> Result<World> {
        let site = CallSite::caller(Verb::Dup);
        Ok(self.child(self.run_collective(site, CollectiveShape::All, 0, || self.transport.dup(site))?, None))
    }

    pub(crate) fn stats(&self) -> &Rc<CommStats> {
        &self.stats
    }

    fn child(&self, transport: Rc<dyn Transport>, color: Option<u32>) -> Self {
        let recording = self.tracer.as_ref().map(|recorder| recorder.for_child(&transport, color));
        Self {
            transport,
            stats: Rc::clone(&self.stats),
            barrier_choice: RefCell::default(),
            tracer: recording,
        }
    }

    pub(crate) fn counted<R>(
        &self,
        brings: CollectiveCall,
        verb: impl FnOnce(&dyn Collectives) -> Result<R>,
    ) -> Result<R> {
        let site = brings.site();
        self.transport.enter_collective(brings)?;
        let result = match self.transport.native_collectives() {
            Some(library) => verb(library),
            None => verb(&Algorithms(&*self.transport)),
        }?;
        self.stats.note_collective(site);
        Ok(result)
    }

    pub(crate) fn check_root(&self, root: Rank) -> Result<()> {
        if root < self.size() {
            return Ok(());
        }
        Err(Error::invalid_rank("root", root, self.size()))
    }
}
