//! The blocking sends and receives of the library: one call for each.
use std::ffi::{c_int, c_void};

use mpi::ffi::{
    MPI_Bsend, MPI_Comm, MPI_Datatype, MPI_Recv, MPI_Rsend, MPI_Send, MPI_Sendrecv, MPI_Sendrecv_replace,
    MPI_Ssend,
};
use wb_comm::{CallSite, MessageTag, Rank, Result, SendMode, Source, Status, TagPattern, View, ViewMut};

use super::MpiTransport;
use crate::{
    blocked_call::{self, WaitTarget},
    check,
    message_args::{RecvArgs, SendArgs, empty_status},
};

/// A blocking send.
type SendCall = unsafe extern "C" fn(*const c_void, c_int, MPI_Datatype, c_int, c_int, MPI_Comm) -> c_int;

impl MpiTransport {
    #[inline]
    pub(super) fn send(
        &self,
        to: Rank,
        tag: MessageTag,
        data: View<'_>,
        mode: SendMode,
        site: CallSite,
    ) -> Result<()> {
        let args = self.communicator.send_args(to, tag, data)?;
        let bytes = data.bytes();
        // SAFETY: the view holds the elements for as long as the call lasts.
        unsafe { self.send_raw(to, &args, bytes.as_ptr(), bytes.len(), mode, site) }
    }

    /// # Safety
    /// The elements that the arguments name from `start` on must be there for as long as the call lasts.
    #[inline]
    pub(super) unsafe fn send_raw(
        &self,
        to: Rank,
        args: &SendArgs,
        start: *const u8,
        bytes: usize,
        mode: SendMode,
        site: CallSite,
    ) -> Result<()> {
        let SendArgs { comm, to: peer, tag, count, datatype } = *args;
        let start = start.cast();
        self.communicator.check_mode(mode, bytes)?;
        self.communicator.count_messages(1);
        let _inside = blocked_call::enter(
            site,
            WaitTarget::to(to, tag, bytes).with_job_rank(self.communicator.has_job_ranks),
        );
        let (name, call): (_, SendCall) = match mode {
            SendMode::Standard => ("MPI_Send", MPI_Send),
            SendMode::Synchronous => ("MPI_Ssend", MPI_Ssend),
            SendMode::Buffered => ("MPI_Bsend", MPI_Bsend),
            SendMode::Ready => ("MPI_Rsend", MPI_Rsend),
        };
        // SAFETY: the caller's promise.
        let code = unsafe { call(start, count, datatype, peer, tag, comm) };
        self.communicator.check_send(name, code, mode, bytes)
    }

    #[inline]
    pub(super) fn recv(
        &self,
        from: Source,
        tag: TagPattern,
        data: &mut ViewMut<'_>,
        site: CallSite,
    ) -> Result<Status> {
        let args = self.communicator.recv_args(from, tag, data)?;
        let bytes = data.bytes();
        // SAFETY: the exclusive view has room for the elements for as long as the call lasts.
        unsafe { self.recv_raw(from, tag.tag, &args, bytes.as_mut_ptr(), bytes.len(), site) }
    }

    /// # Safety
    /// There must be exclusive room for the elements that the arguments name from `start` on, `capacity` bytes, for as long as the
    /// call lasts; MPI truncates what is longer.
    #[inline]
    pub(super) unsafe fn recv_raw(
        &self,
        from: Source,
        tag_pattern: Option<i32>,
        args: &RecvArgs,
        start: *mut u8,
        capacity: usize,
        site: CallSite,
    ) -> Result<Status> {
        let RecvArgs { comm, from: peer, tag, count, datatype } = *args;
        let mut status = empty_status();
        self.communicator.count_messages(-1);
        let _inside = blocked_call::enter(
            site,
            WaitTarget::from(from, tag_pattern, capacity).with_job_rank(self.communicator.has_job_ranks),
        );
        // SAFETY: the caller's promise.
        let code = unsafe { MPI_Recv(start.cast(), count, datatype, peer, tag, comm, &mut status) };
        check::check_receive("MPI_Recv", code, &status, capacity)
    }

    pub(super) fn sendrecv(
        &self,
        (to, out_tag, out): (Rank, MessageTag, View<'_>),
        (from, in_tag, into): (Source, TagPattern, &mut ViewMut<'_>),
        site: CallSite,
    ) -> Result<Status> {
        let send = self.communicator.send_args(to, out_tag, out)?;
        let recv = self.communicator.recv_args(from, in_tag, into)?;
        let bytes = into.bytes();
        let wait = WaitTarget::from(from, in_tag.tag, bytes.len());
        // SAFETY: both views hold their elements for as long as the call lasts, and they do not overlap: one is exclusive.
        unsafe {
            self.sendrecv_raw(
                (&send, out.bytes().as_ptr()),
                (&recv, bytes.as_mut_ptr(), bytes.len()),
                wait,
                site,
            )
        }
    }

    /// # Safety
    /// As [`send_raw`](Self::send_raw) and [`recv_raw`](Self::recv_raw); no element may be in both.
    pub(super) unsafe fn sendrecv_raw(
        &self,
        (send, out): (&SendArgs, *const u8),
        (recv, start, capacity): (&RecvArgs, *mut u8, usize),
        wait: WaitTarget,
        site: CallSite,
    ) -> Result<Status> {
        let mut status = empty_status();
        let _inside = blocked_call::enter(site, wait.with_job_rank(self.communicator.has_job_ranks));
        // SAFETY: the caller's promise.
        let code = unsafe {
            MPI_Sendrecv(
                out.cast(),
                send.count,
                send.datatype,
                send.to,
                send.tag,
                start.cast(),
                recv.count,
                recv.datatype,
                recv.from,
                recv.tag,
                send.comm,
                &mut status,
            )
        };
        check::check_receive("MPI_Sendrecv", code, &status, capacity)
    }

    /// Sends the elements and replaces them by a received message.
    pub(super) fn sendrecv_in_place(
        &self,
        mut data: ViewMut<'_>,
        (to, out): (Rank, MessageTag),
        (from, into): (Source, TagPattern),
        site: CallSite,
    ) -> Result<Status> {
        let send = self.communicator.send_args(to, out, data.as_view())?;
        let recv = self.communicator.recv_args(from, into, &data)?;
        let bytes = data.bytes();
        let (start, capacity) = (bytes.as_mut_ptr().cast(), bytes.len());
        let mut status = empty_status();
        let target =
            WaitTarget::from(from, into.tag, capacity).with_job_rank(self.communicator.has_job_ranks);
        let _inside = blocked_call::enter(site, target);
        // SAFETY: the exclusive view holds `count` elements of `datatype` for as long as the call lasts.
        let code = unsafe {
            MPI_Sendrecv_replace(
                start,
                send.count,
                send.datatype,
                send.to,
                send.tag,
                recv.from,
                recv.tag,
                send.comm,
                &mut status,
            )
        };
        check::check_receive("MPI_Sendrecv_replace", code, &status, capacity)
    }
}
