//! Point-to-point verbs: receives, exchanges, and probes.
use std::{marker::PhantomData, rc::Rc};

#[cfg(doc)]
use wb_comm::Error;
use wb_comm::{
    Block, CallSite, MessageTag, Op, PROC_NULL, Pending, Rank, Result, SendMode, Source, Status, TagPattern,
    Verb, View, ViewMut, Wire, limits,
};
use wb_record::EventKind;

use super::World;
use crate::{
    RecvRequest, Tags, message_calls,
    message_status::{element_count, message_envelope, receive_status, source_envelope},
    request::StartedRequest,
};

/// A receive buffer of this length.
pub(crate) fn room_for<T: Wire>(count: usize) -> Result<Block> {
    limits::check_count(count, size_of::<T>())?;
    Ok(Block::from_vec(vec![T::default(); count]))
}

impl World {
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
        let (site, from, tag) = (CallSite::caller(Verb::Recv), source.into(), tag.into().to_pattern());
        let verb = || self.receive(site, data, from, tag);
        self.run_traced(site, verb, |_, status| EventKind::Receive { from: source_envelope(status) })
    }

    /// A receive as part of the call at `site`.
    fn receive<T: Wire>(
        &self,
        site: CallSite,
        data: &mut [T],
        from: Source,
        tag: TagPattern,
    ) -> Result<Status> {
        let mut ops = [Op::Recv { from, tag, data: ViewMut::from_slice(data), status: None }];
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
        let (from, tag) = (source.into(), tag.into().to_pattern());
        let verb = || {
            let found = self.probe_source(from, tag, site)?;
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
        let (from, tag) = (source.into(), recv_tag.into().to_pattern());
        let bytes = size_of_val(send);
        let verb = || {
            let data = View::from_slice(send);
            let mut ops = [
                Op::Recv { from, tag, data: ViewMut::from_slice(recv), status: None },
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
        let (from, tag) = (source.into(), tag.into().to_pattern());
        let request = self.next_request();
        let post = || message_calls::post_recv(&**self.transport(), (from, tag), room_for::<T>(count)?, site);
        let pending = self.run_traced(site, post, |_, _| EventKind::StartReceive { request })?;
        let started = self.start_request(pending, request);
        Ok(RecvRequest { started, first_source: 0, element: PhantomData })
    }

    /// Sends `data` and replaces it by a received message, which may be shorter; the status has its length (`MPI_Sendrecv_replace`).
    ///
    /// # Errors
    /// As [`sendrecv`](Self::sendrecv).
    #[track_caller]
    pub fn sendrecv_replace<T: Wire>(
        &self,
        data: &mut [T],
        dest: Rank,
        send_tag: i32,
        source: impl Into<Source>,
        recv_tag: impl Into<Tags>,
    ) -> Result<Status> {
        let site = CallSite::caller(Verb::SendrecvReplace);
        let (from, bytes) = ((source.into(), recv_tag.into().to_pattern()), size_of_val(data));
        let verb = || {
            let to = (dest, MessageTag::user(send_tag));
            let status = self.exchange_in_place(ViewMut::from_slice(data), to, from, site)?;
            self.stats.note_sent(dest, bytes);
            self.stats.note_message_received(&status);
            element_count::<T>(&status)?;
            Ok(status)
        };
        let to = message_envelope(dest, send_tag, bytes);
        self.run_traced(site, verb, |_, status| EventKind::Exchange { to, from: source_envelope(status) })
    }

    /// A request number, where the log needs one.
    pub(crate) fn next_request(&self) -> u32 {
        self.tracer.as_ref().map_or(0, |recorder| recorder.next_request())
    }

    pub(crate) fn start_request(&self, pending: Box<dyn Pending>, request: u32) -> StartedRequest {
        let (stats, recording) = (Rc::clone(&self.stats), self.tracer.clone());
        StartedRequest { pending, stats, tracer: recording, request }
    }

    /// Waits for a message without receiving it (`MPI_Probe`).
    ///
    /// # Errors
    /// [`Error::Rank`]; [`Error::Deadlock`] and [`Error::Peer`] on threads.
    #[track_caller]
    pub fn probe(&self, source: impl Into<Source>, tag: impl Into<Tags>) -> Result<Status> {
        let site = CallSite::caller(Verb::Probe);
        let (from, tag) = (source.into(), tag.into().to_pattern());
        self.run_traced(site, || self.probe_source(from, tag, site), |_, _| EventKind::Local)
    }

    /// Checks for a message without waiting (`MPI_Iprobe`).
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    #[track_caller]
    pub fn iprobe(&self, source: impl Into<Source>, tag: impl Into<Tags>) -> Result<Option<Status>> {
        let site = CallSite::caller(Verb::Iprobe);
        let (from, tag) = (source.into(), tag.into().to_pattern());
        self.run_traced(site, || self.iprobe_source(from, tag, site), |_, _| EventKind::Local)
    }
}
