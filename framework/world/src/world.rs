//! The communicator: point-to-point verbs, groups, and what the framework asks of it.
use std::{cell::RefCell, marker::PhantomData, rc::Rc};

use wb_collectives::Algorithms;
use wb_comm::{
    Block, Collectives, Error, Label, Match, Op, Rank, Result, Site, Source, Status, Transport, Verb, View,
    ViewMut, Wire,
};

use crate::{Counts, Ledger, RecvRequest, SendRequest, barrier::Chosen};

/// Receives from whoever comes first (`MPI_ANY_SOURCE`).
pub const ANY_SOURCE: Source = Source::Any;

/// Receives whatever the tag (`MPI_ANY_TAG`).
pub const ANY_TAG: AnyTag = AnyTag;

/// The type of [`ANY_TAG`].
#[derive(Clone, Copy, Debug)]
pub struct AnyTag;

/// Which tags a receive accepts; a plain tag and [`ANY_TAG`] convert into it.
#[derive(Clone, Copy, Debug)]
pub struct Tags(Option<i32>);

impl From<i32> for Tags {
    fn from(tag: i32) -> Self {
        Self(Some(tag))
    }
}

impl From<AnyTag> for Tags {
    fn from(_: AnyTag) -> Self {
        Self(None)
    }
}

impl Tags {
    fn of_user(self) -> Match {
        Match { channel: wb_comm::Channel::User, tag: self.0 }
    }
}

/// A communicator as one rank sees it.
pub struct World {
    transport: Rc<dyn Transport>,
    ledger: Rc<Ledger>,
    /// What [`barrier`](Self::barrier) runs, once that is known.
    pub(crate) chosen: RefCell<Option<Chosen>>,
}

impl World {
    /// A world over a backend's communicator, with a fresh ledger.
    pub fn new(transport: Rc<dyn Transport>) -> Self {
        Self { transport, ledger: Rc::default(), chosen: RefCell::default() }
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

    /// Runs a verb; if it fails, its call is remembered.
    #[inline]
    pub(crate) fn at<R>(&self, site: Site, verb: impl FnOnce() -> Result<R>) -> Result<R> {
        verb().inspect_err(|_| self.ledger.refuse(site))
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
        self.at(site, || {
            let data = View::of(data);
            self.transport.round(&mut [Op::Send { to, label: Label::user(tag), data, synchronous }], site)?;
            self.ledger.sent(data.count() * T::LAYOUT.size());
            Ok(())
        })
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
        self.at(site, || {
            let mut ops = [Op::Recv { from, label, data: ViewMut::of(data), status: None }];
            self.transport.round(&mut ops, site)?;
            let status = completed(&ops[0]);
            self.ledger.received(status.bytes);
            elements::<T>(&status)?;
            Ok(status)
        })
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
        let (found, count) = self.at(site, || {
            let found = self.transport.probe(from, label, site)?;
            Ok((found, elements::<T>(&found)?))
        })?;
        let mut data = vec![T::default(); count];
        let status =
            self.recv_as(site, &mut data, Source::Rank(found.source), Label::user(found.tag).into())?;
        Ok((data, status))
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
        self.at(site, || {
            let data = View::of(send);
            let mut ops = [
                Op::Recv { from, label, data: ViewMut::of(recv), status: None },
                Op::Send { to: dest, label: Label::user(send_tag), data, synchronous: false },
            ];
            self.transport.round(&mut ops, site)?;
            let status = completed(&ops[0]);
            self.ledger.sent(data.count() * S::LAYOUT.size());
            self.ledger.received(status.bytes);
            elements::<R>(&status)?;
            Ok(status)
        })
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
        let pending = self.at(site, || self.transport.post_send(dest, label, Block::of(data), site))?;
        self.ledger.sent(bytes);
        Ok(SendRequest { pending, ledger: Rc::clone(&self.ledger), element: PhantomData })
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
        let pending = self.at(site, || self.transport.post_recv(from, label, room, site))?;
        Ok(RecvRequest { pending, ledger: Rc::clone(&self.ledger), element: PhantomData })
    }

    /// Waits for a message without receiving it (`MPI_Probe`).
    ///
    /// # Errors
    /// [`Error::Rank`]; [`Error::Deadlock`] and [`Error::Peer`] on threads.
    #[track_caller]
    pub fn probe(&self, source: impl Into<Source>, tag: impl Into<Tags>) -> Result<Status> {
        let site = Site::here(Verb::Probe);
        let (from, label) = (source.into(), tag.into().of_user());
        self.at(site, || self.transport.probe(from, label, site))
    }

    /// Looks for a message without waiting (`MPI_Iprobe`).
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    #[track_caller]
    pub fn iprobe(&self, source: impl Into<Source>, tag: impl Into<Tags>) -> Result<Option<Status>> {
        let site = Site::here(Verb::Iprobe);
        let (from, label) = (source.into(), tag.into().of_user());
        self.at(site, || self.transport.iprobe(from, label, site))
    }

    /// Collective: the ranks that give the same `color` form a new world, ordered by `key`, then by rank here
    /// (`MPI_Comm_split`); whoever gives `None` joins nobody and gets `None`.
    ///
    /// # Errors
    /// What the backend can meet.
    #[track_caller]
    pub fn split(&self, color: Option<u32>, key: i32) -> Result<Option<World>> {
        let site = Site::here(Verb::Split);
        let part = self.at(site, || self.transport.split(color, key, site))?;
        Ok(part.map(|transport| self.alike(transport)))
    }

    /// Collective: the same ranks, separate messages (`MPI_Comm_dup`).
    ///
    /// # Errors
    /// What the backend can meet.
    #[track_caller]
    pub fn dup(&self) -> Result<World> {
        let site = Site::here(Verb::Dup);
        Ok(self.alike(self.at(site, || self.transport.dup(site))?))
    }

    pub(crate) fn ledger(&self) -> &Rc<Ledger> {
        &self.ledger
    }

    fn alike(&self, transport: Rc<dyn Transport>) -> Self {
        Self { transport, ledger: Rc::clone(&self.ledger), chosen: RefCell::default() }
    }

    /// The framework's own broadcast of bytes that exist on `home` only: not counted, on the internal channel, so it
    /// meets no message of the user's.
    ///
    /// # Errors
    /// What the backend can meet.
    pub fn announce(&self, home: Rank, bytes: Option<&[u8]>) -> Result<Vec<u8>> {
        let site = Site::here(Verb::Agreement);
        let algorithms = Algorithms(&*self.transport);
        let mut length = [bytes.map_or(0, <[u8]>::len)];
        algorithms.bcast(ViewMut::of(&mut length), home, site)?;
        let mut data = bytes.map_or_else(|| vec![0; length[0]], <[u8]>::to_vec);
        algorithms.bcast(ViewMut::of(&mut data), home, site)?;
        Ok(data)
    }

    pub(crate) fn counted<R>(&self, verb: impl FnOnce(&dyn Collectives) -> Result<R>) -> Result<R> {
        let result = match self.transport.library() {
            Some(library) => verb(library),
            None => verb(&Algorithms(&*self.transport)),
        }?;
        self.ledger.collective();
        Ok(result)
    }

    pub(crate) fn check_root(&self, root: Rank) -> Result<()> {
        if root < self.size() {
            return Ok(());
        }
        let rank = i64::try_from(root).unwrap_or(i64::MAX);
        Err(Error::Rank { role: "root", rank, size: self.size() })
    }
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
        return Err(Error::Type { source_rank, tag, sent, expected: T::LAYOUT });
    }
    status.count(T::LAYOUT).ok_or(Error::Ragged { source_rank, tag, bytes, expected: T::LAYOUT })
}
