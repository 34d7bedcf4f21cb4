//! Point-to-point verbs: sends, receives, their requests, and probes.
use std::{marker::PhantomData, rc::Rc};

#[cfg(doc)]
use wb_comm::Error;
use wb_comm::{
    Block, CallSite, MessageTag, Op, PROC_NULL, Pending, Rank, Result, SendMode, Source, Status, TagPattern,
    Verb, View, ViewMut, Wire,
};
use wb_record::EventKind;

use super::World;
use crate::{
    RecvRequest, SendRequest, Tags,
    message_status::{element_count, message_envelope, receive_status, source_envelope},
    request::StartedRequest,
};

impl World {
    /// Sends `data` to `dest` (`MPI_Send`): returns when `data` may be changed again, which may be before or after the
    /// message is received. Programs must rely on neither. To [`PROC_NULL`] nothing is sent.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Tag`], [`Error::TooLong`]; [`Error::Deadlock`] and [`Error::Peer`] on threads.
    #[track_caller]
    pub fn send<T: Wire>(&self, data: &[T], dest: Rank, tag: i32) -> Result<()> {
        self.send_as(CallSite::caller(Verb::Send), data, dest, tag, SendMode::Standard)
    }

    /// Sends and waits until the receiver has started to receive (`MPI_Ssend`).
    ///
    /// # Errors
    /// As [`send`](Self::send).
    #[track_caller]
    pub fn ssend<T: Wire>(&self, data: &[T], dest: Rank, tag: i32) -> Result<()> {
        self.send_as(CallSite::caller(Verb::Ssend), data, dest, tag, SendMode::Synchronous)
    }

    fn send_as<T: Wire>(&self, site: CallSite, data: &[T], to: Rank, tag: i32, mode: SendMode) -> Result<()> {
        let bytes = size_of_val(data);
        let verb = || {
            let data = View::from_slice(data);
            self.post_and_wait(&mut [Op::Send { to, tag: MessageTag::user(tag), data, mode }], site)?;
            self.stats.note_sent(to, bytes);
            Ok(())
        };
        self.run_traced(site, verb, |_, ()| EventKind::Send {
            to: message_envelope(to, tag, bytes),
            synchronous: mode.is_synchronous(),
        })
    }

    /// Receives into `data` (`MPI_Recv`); the message may be shorter, the status has its length. A receive from [`PROC_NULL`] returns
    /// immediately with no elements.
    ///
    /// # Errors
    /// [`Error::Truncated`] when it is longer; [`Error::Type`] or [`Error::PartialElement`] when it has other elements
    /// (MPI itself checks only the size); otherwise as [`send`](Self::send).
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

    /// A receive as part of the call at `site`.
    fn receive<T: Wire>(
        &self,
        site: CallSite,
        data: &mut [T],
        from: Source,
        label: TagPattern,
    ) -> Result<Status> {
        let mut ops = [Op::Recv { from, tag: label, data: ViewMut::from_slice(data), status: None }];
        self.post_and_wait(&mut ops, site)?;
        let status = receive_status(&ops[0]);
        self.stats.note_message_received(&status);
        element_count::<T>(&status)?;
        Ok(status)
    }

    /// Receives a message of any length (`MPI_Probe`, then `MPI_Recv` of the message found).
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
            let found = self.probe_source(from, label, site)?;
            if found.source == PROC_NULL {
                return Ok((vec![], found));
            }
            let mut data = vec![T::default(); element_count::<T>(&found)?];
            let (source, tag) = (Source::Rank(found.source), MessageTag::user(found.tag).into());
            let status = self.receive(site, &mut data, source, tag)?;
            Ok((data, status))
        };
        self.run_traced(site, verb, |_, (_, status)| EventKind::Receive { from: source_envelope(status) })
    }

    /// Sends and receives in one call, without deadlock in either order (`MPI_Sendrecv`).
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
                Op::Send { to: dest, tag: MessageTag::user(send_tag), data, mode: SendMode::Standard },
            ];
            self.post_and_wait(&mut ops, site)?;
            let status = receive_status(&ops[0]);
            self.stats.note_sent(dest, bytes);
            self.stats.note_message_received(&status);
            element_count::<R>(&status)?;
            Ok(status)
        };
        let to = message_envelope(dest, send_tag, bytes);
        self.run_traced(site, verb, |_, status| EventKind::Exchange { to, from: source_envelope(status) })
    }

    /// Starts a send (`MPI_Isend`). The request owns the buffer and returns it.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    #[track_caller]
    pub fn isend<T: Wire>(&self, data: Vec<T>, dest: Rank, tag: i32) -> Result<SendRequest<T>> {
        let bytes = data.len() * T::DATATYPE.size();
        let site = CallSite::caller(Verb::Isend);
        let label = MessageTag::user(tag);
        let request = self.next_request();
        let post = || self.post_send(dest, label, Block::from_vec(data), SendMode::Standard, site);
        let to = message_envelope(dest, tag, bytes);
        let pending = self.run_traced(site, post, |_, _| EventKind::StartSend { to, request })?;
        self.stats.note_sent(dest, bytes);
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
        let post = || self.post_recv(from, label, room, site);
        let pending = self.run_traced(site, post, |_, _| EventKind::StartReceive { request })?;
        Ok(RecvRequest { started: self.start_request(pending, request), element: PhantomData })
    }

    /// A request number, where the log needs one.
    pub(crate) fn next_request(&self) -> u32 {
        self.tracer.as_ref().map_or(0, |recorder| recorder.next_request())
    }

    pub(crate) fn start_request(&self, pending: Box<dyn Pending>, request: u32) -> StartedRequest {
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
        self.run_traced(site, || self.probe_source(from, label, site), |_, _| EventKind::Local)
    }

    /// Checks for a message without waiting (`MPI_Iprobe`).
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    #[track_caller]
    pub fn iprobe(&self, source: impl Into<Source>, tag: impl Into<Tags>) -> Result<Option<Status>> {
        let site = CallSite::caller(Verb::Iprobe);
        let (from, label) = (source.into(), tag.into().to_pattern());
        self.run_traced(site, || self.iprobe_source(from, label, site), |_, _| EventKind::Local)
    }
}
