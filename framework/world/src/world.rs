//! The communicator: point-to-point verbs, groups, and what the framework asks of it.
use std::{cell::RefCell, marker::PhantomData, rc::Rc};

use wb_collectives::Algorithms;
use wb_comm::{
    Block, Collectives, Contribution, Error, Label, Match, Op, Pending, Rank, Result, Site, Source, Status,
    Transport, Verb, View, ViewMut, Wire,
};

use wb_record::{Act, Envelope, Shape};

use crate::{
    Counts, Ledger, Log, RecvRequest, SendRequest, Tags,
    barrier::Chosen,
    recorder::{self, Recorder, Recording, number},
    request::Started,
};

/// Receives from whoever comes first (`MPI_ANY_SOURCE`).
pub const ANY_SOURCE: Source = Source::Any;

/// A communicator as one rank sees it.
pub struct World {
    transport: Rc<dyn Transport>,
    ledger: Rc<Ledger>,
    /// What [`barrier`](Self::barrier) runs, once that is known.
    pub(crate) chosen: RefCell<Option<Chosen>>,
    /// What writes its verbs down, if it is traced.
    pub(crate) recording: Recording,
}

impl World {
    /// A world over a backend's communicator, with a fresh ledger.
    pub fn new(transport: Rc<dyn Transport>) -> Self {
        Self { transport, ledger: Rc::default(), chosen: RefCell::default(), recording: None }
    }

    /// The same, with a log of everything that is called here, in worlds made from this one, and on their requests,
    /// windows and barriers: at most `limit` calls, the others are counted only.
    pub fn traced(transport: Rc<dyn Transport>, limit: usize) -> (Self, Rc<Log>) {
        Self::traced_with(transport, limit, || 0)
    }

    /// The same, where `processor_ns` reads this rank's processor time: the log adds up what the calls take of it.
    pub fn traced_with(
        transport: Rc<dyn Transport>,
        limit: usize,
        processor_ns: fn() -> u64,
    ) -> (Self, Rc<Log>) {
        let log = Rc::new(Log::new(limit, processor_ns));
        let recording = Some(Recorder::root(Rc::clone(&log), &transport));
        (Self { recording, ..Self::new(transport) }, log)
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
        self.ledger.read()
    }

    /// One-port rounds that this rank's messages have taken so far, where the backend's messages carry that number.
    pub fn rounds(&self) -> Option<u64> {
        self.transport.rounds()
    }

    /// The call that returned an error last, here or in a world made from this one: where to look when a stage passes
    /// the error on.
    pub fn refused(&self) -> Option<Site> {
        self.ledger.refused()
    }

    /// The first collective call that was counted, here or in a world made from this one.
    pub fn first_collective(&self) -> Option<Site> {
        self.ledger.first_collective()
    }

    /// Has anything come to this rank from another one, here or in a world made from this one: a message, what a collective
    /// brings, or what a window may hold?
    pub fn has_heard(&self) -> bool {
        self.ledger.has_heard()
    }

    /// Runs a verb; if it fails, its call is remembered.
    #[inline]
    pub(crate) fn at<R>(&self, site: Site, verb: impl FnOnce() -> Result<R>) -> Result<R> {
        verb().inspect_err(|_| self.ledger.refuse(site))
    }

    /// Runs a verb as [`at`](Self::at) does; where this world is traced, it is written down as `act`.
    #[inline]
    pub(crate) fn noted<R>(
        &self,
        site: Site,
        verb: impl FnOnce() -> Result<R>,
        act: impl FnOnce(&Recorder, &R) -> Act,
    ) -> Result<R> {
        recorder::around(&self.recording, site, || self.at(site, verb), act)
    }

    /// The same for a collective verb; `bytes` is what this rank puts in or gets.
    #[inline]
    pub(crate) fn collectively<R>(
        &self,
        site: Site,
        shape: Shape,
        bytes: usize,
        verb: impl FnOnce() -> Result<R>,
    ) -> Result<R> {
        let result = self.noted(site, verb, |recorder, _| recorder.collective(shape, bytes))?;
        if bytes > 0 && self.hears_in(shape) {
            self.ledger.hear();
        }
        Ok(result)
    }

    /// Does a collective of this shape bring this rank something from others?
    fn hears_in(&self, shape: Shape) -> bool {
        let (rank, size) = (number(self.rank()), self.size());
        size > 1
            && match shape {
                Shape::From(root) => rank != root,
                Shape::To(root) => rank == root,
                Shape::Prefix => rank > 0,
                Shape::All => true,
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
        self.send_as(Site::here(Verb::Send), data, dest, tag, false)
    }

    /// Sends and waits until the receiver has started to receive (`MPI_Ssend`).
    ///
    /// # Errors
    /// As [`send`](Self::send).
    #[track_caller]
    pub fn ssend<T: Wire>(&self, data: &[T], dest: Rank, tag: i32) -> Result<()> {
        self.send_as(Site::here(Verb::Ssend), data, dest, tag, true)
    }

    fn send_as<T: Wire>(&self, site: Site, data: &[T], to: Rank, tag: i32, synchronous: bool) -> Result<()> {
        let bytes = size_of_val(data);
        let verb = || {
            let data = View::of(data);
            self.transport.round(&mut [Op::Send { to, label: Label::user(tag), data, synchronous }], site)?;
            self.ledger.sent(bytes);
            Ok(())
        };
        self.noted(site, verb, |_, ()| Act::Send { to: envelope(to, tag, bytes), synchronous })
    }

    /// Receives into `data` (`MPI_Recv`); the message may be shorter, the status says how long it was.
    ///
    /// # Errors
    /// [`Error::Truncated`] when it is longer; [`Error::Type`] or [`Error::Ragged`] when it has other elements (MPI
    /// itself checks only the size); as [`send`](Self::send) otherwise.
    #[track_caller]
    pub fn recv<T: Wire>(
        &self,
        data: &mut [T],
        source: impl Into<Source>,
        tag: impl Into<Tags>,
    ) -> Result<Status> {
        self.recv_as(Site::here(Verb::Recv), data, source.into(), tag.into().of_user())
    }

    fn recv_as<T: Wire>(&self, site: Site, data: &mut [T], from: Source, label: Match) -> Result<Status> {
        let verb = || self.receive(site, data, from, label);
        self.noted(site, verb, |_, status| Act::Receive { from: came(status) })
    }

    /// A receive that is a part of the call at `site`.
    fn receive<T: Wire>(&self, site: Site, data: &mut [T], from: Source, label: Match) -> Result<Status> {
        let mut ops = [Op::Recv { from, label, data: ViewMut::of(data), status: None }];
        self.transport.round(&mut ops, site)?;
        let status = completed(&ops[0]);
        self.ledger.received(status.bytes);
        elements::<T>(&status)?;
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
        let site = Site::here(Verb::Recv);
        let (from, label) = (source.into(), tag.into().of_user());
        let verb = || {
            let found = self.transport.probe(from, label, site)?;
            let mut data = vec![T::default(); elements::<T>(&found)?];
            let (source, tag) = (Source::Rank(found.source), Label::user(found.tag).into());
            let status = self.receive(site, &mut data, source, tag)?;
            Ok((data, status))
        };
        self.noted(site, verb, |_, (_, status)| Act::Receive { from: came(status) })
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
        let site = Site::here(Verb::Sendrecv);
        let (from, label) = (source.into(), recv_tag.into().of_user());
        let bytes = size_of_val(send);
        let verb = || {
            let data = View::of(send);
            let mut ops = [
                Op::Recv { from, label, data: ViewMut::of(recv), status: None },
                Op::Send { to: dest, label: Label::user(send_tag), data, synchronous: false },
            ];
            self.transport.round(&mut ops, site)?;
            let status = completed(&ops[0]);
            self.ledger.sent(bytes);
            self.ledger.received(status.bytes);
            elements::<R>(&status)?;
            Ok(status)
        };
        let to = envelope(dest, send_tag, bytes);
        self.noted(site, verb, |_, status| Act::Exchange { to, from: came(status) })
    }

    /// Starts a send (`MPI_Isend`). The request owns the buffer and gives it back.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    #[track_caller]
    pub fn isend<T: Wire>(&self, data: Vec<T>, dest: Rank, tag: i32) -> Result<SendRequest<T>> {
        let bytes = data.len() * T::LAYOUT.size();
        let site = Site::here(Verb::Isend);
        let label = Label::user(tag);
        let request = self.request();
        let post = || self.transport.post_send(dest, label, Block::of(data), false, site);
        let to = envelope(dest, tag, bytes);
        let pending = self.noted(site, post, |_, _| Act::StartSend { to, request })?;
        self.ledger.sent(bytes);
        Ok(SendRequest { started: self.started(pending, request), element: PhantomData })
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
        let site = Site::here(Verb::Irecv);
        let room = Block::of(vec![T::default(); count]);
        let (from, label) = (source.into(), tag.into().of_user());
        let request = self.request();
        let post = || self.transport.post_recv(from, label, room, site);
        let pending = self.noted(site, post, |_, _| Act::StartReceive { request })?;
        Ok(RecvRequest { started: self.started(pending, request), element: PhantomData })
    }

    /// A number for a request, where the log needs one.
    fn request(&self) -> u32 {
        self.recording.as_ref().map_or(0, |recorder| recorder.request())
    }

    fn started(&self, pending: Box<dyn Pending>, request: u32) -> Started {
        let (ledger, recording) = (Rc::clone(&self.ledger), self.recording.clone());
        Started { pending, ledger, recording, request }
    }

    /// Waits for a message without receiving it (`MPI_Probe`).
    ///
    /// # Errors
    /// [`Error::Rank`]; [`Error::Deadlock`] and [`Error::Peer`] on threads.
    #[track_caller]
    pub fn probe(&self, source: impl Into<Source>, tag: impl Into<Tags>) -> Result<Status> {
        let site = Site::here(Verb::Probe);
        let (from, label) = (source.into(), tag.into().of_user());
        self.noted(site, || self.transport.probe(from, label, site), |_, _| Act::Local)
    }

    /// Looks for a message without waiting (`MPI_Iprobe`).
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    #[track_caller]
    pub fn iprobe(&self, source: impl Into<Source>, tag: impl Into<Tags>) -> Result<Option<Status>> {
        let site = Site::here(Verb::Iprobe);
        let (from, label) = (source.into(), tag.into().of_user());
        self.noted(site, || self.transport.iprobe(from, label, site), |_, _| Act::Local)
    }

    /// Declares that this rank computes so many floating-point operations on so many bytes of memory, here.
    ///
    /// On MPI and on threads it does nothing: the computation itself takes its time. In virtual time, where computing takes
    /// none, it is what the computation costs, on whatever machine is simulated.
    pub fn work(&self, flops: u64, bytes: u64) {
        self.ledger.worked(self.transport.work(flops, bytes));
    }

    /// Collective: the ranks that give the same `color` form a new world, ordered by `key`, then by rank here
    /// (`MPI_Comm_split`); whoever gives `None` joins nobody and gets `None`.
    ///
    /// # Errors
    /// What the backend can meet.
    #[track_caller]
    pub fn split(&self, color: Option<u32>, key: i32) -> Result<Option<World>> {
        let site = Site::here(Verb::Split);
        let part = self.collectively(site, Shape::All, 0, || self.transport.split(color, key, site))?;
        if let (Some(recorder), None) = (&self.recording, &part) {
            recorder.skip_part();
        }
        Ok(part.map(|transport| self.alike(transport, color)))
    }

    /// Collective: the same ranks, separate messages (`MPI_Comm_dup`).
    ///
    /// # Errors
    /// What the backend can meet.
    #[track_caller]
    pub fn dup(&self) -> Result<World> {
        let site = Site::here(Verb::Dup);
        Ok(self.alike(self.collectively(site, Shape::All, 0, || self.transport.dup(site))?, None))
    }

    pub(crate) fn ledger(&self) -> &Rc<Ledger> {
        &self.ledger
    }

    fn alike(&self, transport: Rc<dyn Transport>, color: Option<u32>) -> Self {
        let recording = self.recording.as_ref().map(|recorder| recorder.part(&transport, color));
        Self { transport, ledger: Rc::clone(&self.ledger), chosen: RefCell::default(), recording }
    }

    pub(crate) fn counted<R>(
        &self,
        brings: Contribution,
        verb: impl FnOnce(&dyn Collectives) -> Result<R>,
    ) -> Result<R> {
        let site = brings.site();
        self.transport.contribute(brings)?;
        let result = match self.transport.library() {
            Some(library) => verb(library),
            None => verb(&Algorithms(&*self.transport)),
        }?;
        self.ledger.collective(site);
        Ok(result)
    }

    pub(crate) fn check_root(&self, root: Rank) -> Result<()> {
        if root < self.size() {
            return Ok(());
        }
        Err(Error::no_rank("root", root, self.size()))
    }
}

/// The other end of a message, as a log has it.
fn envelope(peer: Rank, tag: i32, bytes: usize) -> Envelope {
    Envelope { peer: number(peer), tag, bytes: bytes as u64 }
}

/// Where a message came from, as a log has it.
pub(crate) fn came(status: &Status) -> Envelope {
    envelope(status.source, status.tag, status.bytes)
}

fn completed(op: &Op<'_>) -> Status {
    match op {
        Op::Recv { status: Some(status), .. } => *status,
        _ => unreachable!("a round that succeeded has filled the status of its receives"),
    }
}

/// How many `T` the message has.
pub(crate) fn elements<T: Wire>(status: &Status) -> Result<usize> {
    let &Status { source: source_rank, tag, bytes, layout } = status;
    if let Some(sent) = layout.filter(|sent| *sent != T::LAYOUT) {
        return Err(Error::Type { source_rank, tag, sent, expected: T::LAYOUT, by: None });
    }
    status.count(T::LAYOUT).ok_or(Error::Ragged { source_rank, tag, bytes, expected: T::LAYOUT })
}
