//! Sends in all modes, blocking and nonblocking, and the attached buffer.
use std::marker::PhantomData;

#[cfg(doc)]
use wb_comm::Error;
use wb_comm::{
    BSEND_OVERHEAD, Block, CallSite, MessageTag, Op, Rank, Result, SendMode, Verb, View, Wire, limits,
};
use wb_record::EventKind;

use super::World;
use crate::{SendRequest, message_calls, message_status::message_envelope};

impl World {
    /// What a buffered message occupies beside its elements, bytes (`MPI_BSEND_OVERHEAD`).
    pub const BSEND_OVERHEAD: usize = BSEND_OVERHEAD;

    /// Sends `data` to `dest` (`MPI_Send`): returns when `data` may be changed again, which may be before or after the
    /// message is received. Programs must rely on neither. To [`PROC_NULL`](crate::PROC_NULL) nothing is sent.
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

    /// Sends through the attached buffer and returns immediately (`MPI_Bsend`): the message occupies its size and [`BSEND_OVERHEAD`] bytes of the
    /// buffer until it is received.
    ///
    /// # Errors
    /// As [`send`](Self::send), and [`Error::AttachedBuffer`] if it does not fit.
    #[track_caller]
    pub fn bsend<T: Wire>(&self, data: &[T], dest: Rank, tag: i32) -> Result<()> {
        self.send_as(CallSite::caller(Verb::Bsend), data, dest, tag, SendMode::Buffered)
    }

    /// Sends to a receiver that has posted its receive (`MPI_Rsend`). This rank must know it from a message: MPI promises nothing else.
    ///
    /// # Errors
    /// As [`send`](Self::send), and [`Error::NotReady`] on threads and in virtual time if no matching receive is known to be posted.
    #[track_caller]
    pub fn rsend<T: Wire>(&self, data: &[T], dest: Rank, tag: i32) -> Result<()> {
        self.send_as(CallSite::caller(Verb::Rsend), data, dest, tag, SendMode::Ready)
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

    /// Starts a send (`MPI_Isend`). The request owns the buffer and returns it.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    #[track_caller]
    pub fn isend<T: Wire>(&self, data: Vec<T>, dest: Rank, tag: i32) -> Result<SendRequest<T>> {
        self.start_send(CallSite::caller(Verb::Isend), data, dest, tag, SendMode::Standard)
    }

    /// Starts a send that is complete when the receiver has started to receive (`MPI_Issend`).
    ///
    /// # Errors
    /// As [`send`](Self::send).
    #[track_caller]
    pub fn issend<T: Wire>(&self, data: Vec<T>, dest: Rank, tag: i32) -> Result<SendRequest<T>> {
        self.start_send(CallSite::caller(Verb::Issend), data, dest, tag, SendMode::Synchronous)
    }

    /// Starts a send through the attached buffer, which is complete immediately (`MPI_Ibsend`).
    ///
    /// # Errors
    /// As [`bsend`](Self::bsend).
    #[track_caller]
    pub fn ibsend<T: Wire>(&self, data: Vec<T>, dest: Rank, tag: i32) -> Result<SendRequest<T>> {
        self.start_send(CallSite::caller(Verb::Ibsend), data, dest, tag, SendMode::Buffered)
    }

    /// Starts a send to a receiver that has posted its receive (`MPI_Irsend`).
    ///
    /// # Errors
    /// As [`rsend`](Self::rsend).
    #[track_caller]
    pub fn irsend<T: Wire>(&self, data: Vec<T>, dest: Rank, tag: i32) -> Result<SendRequest<T>> {
        self.start_send(CallSite::caller(Verb::Irsend), data, dest, tag, SendMode::Ready)
    }

    fn start_send<T: Wire>(
        &self,
        site: CallSite,
        data: Vec<T>,
        dest: Rank,
        tag: i32,
        mode: SendMode,
    ) -> Result<SendRequest<T>> {
        let bytes = size_of_val(&data[..]);
        let request = self.next_request();
        let (receiver, data) = ((dest, MessageTag::user(tag)), Block::from_vec(data));
        let post = || message_calls::post_send(&**self.transport(), receiver, data, mode, site);
        let to = message_envelope(dest, tag, bytes);
        let pending = self.run_traced(site, post, |_, _| EventKind::StartSend { to, request })?;
        self.stats.note_sent(dest, bytes);
        Ok(SendRequest { started: self.start_request(pending, request), element: PhantomData })
    }

    /// Provides `bytes` of memory for the buffered sends of this rank (`MPI_Buffer_attach`). Each message needs its size and
    /// [`BSEND_OVERHEAD`](Self::BSEND_OVERHEAD) bytes.
    ///
    /// # Errors
    /// [`Error::Setup`] if a buffer is attached already; [`Error::TooLong`] for more than 2 GiB.
    #[track_caller]
    pub fn buffer_attach(&self, bytes: usize) -> Result<()> {
        let site = CallSite::caller(Verb::BufferAttach);
        let is_countable = || limits::check_count(bytes, 1);
        let attach = || is_countable().and_then(|()| self.transport.attach_buffer(bytes, site));
        self.run_traced(site, attach, |_, ()| EventKind::Local)
    }

    /// Waits until the buffered messages of this rank have left the buffer, and removes it; returns its size, bytes (`MPI_Buffer_detach`).
    ///
    /// # Errors
    /// [`Error::Setup`] if no buffer is attached; otherwise as [`send`](Self::send).
    #[track_caller]
    pub fn buffer_detach(&self) -> Result<usize> {
        let site = CallSite::caller(Verb::BufferDetach);
        self.run_traced(site, || self.transport.detach_buffer(site), |_, _| EventKind::Local)
    }
}
