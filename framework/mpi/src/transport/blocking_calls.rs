//! The blocking sends and receives of the library: one call for each.
use std::ffi::{c_int, c_void};

use mpi::ffi::{
    MPI_Bsend, MPI_Comm, MPI_Datatype, MPI_Recv, MPI_Rsend, MPI_Send, MPI_Sendrecv, MPI_Sendrecv_replace,
    MPI_Ssend,
};
use wb_comm::{CallSite, MessageTag, Rank, Result, SendMode, Source, Status, TagPattern, ViewMut};

use super::MpiTransport;
use crate::{
    blocked_call, check,
    message_args::{Elements, RecvArgs, SendArgs, empty_status},
};

/// A blocking send.
type SendCall = unsafe extern "C" fn(*const c_void, c_int, MPI_Datatype, c_int, c_int, MPI_Comm) -> c_int;

impl MpiTransport {
    #[inline]
    pub(super) fn send(&self, args: &SendArgs<'_>, site: CallSite) -> Result<()> {
        let SendArgs { comm, to, tag, mode, wait_target, ref elements } = *args;
        let Elements { start, count, datatype, bytes, .. } = *elements;
        self.communicator.check_mode(mode, bytes)?;
        self.communicator.count_messages(1);
        let _inside = blocked_call::enter(site, wait_target);
        let (name, call): (_, SendCall) = match mode {
            SendMode::Standard => ("MPI_Send", MPI_Send),
            SendMode::Synchronous => ("MPI_Ssend", MPI_Ssend),
            SendMode::Buffered => ("MPI_Bsend", MPI_Bsend),
            SendMode::Ready => ("MPI_Rsend", MPI_Rsend),
        };
        // SAFETY: the arguments borrow the elements for as long as the call lasts.
        let code = unsafe { call(start, count, datatype, to, tag, comm) };
        self.communicator.check_send(name, code, mode, bytes)
    }

    #[inline]
    pub(super) fn recv(&self, args: &RecvArgs<'_>, site: CallSite) -> Result<Status> {
        let RecvArgs { comm, from, tag, wait_target, ref elements } = *args;
        let Elements { start, count, datatype, bytes: capacity, .. } = *elements;
        let mut status = empty_status();
        self.communicator.count_messages(-1);
        let _inside = blocked_call::enter(site, wait_target);
        // SAFETY: the arguments borrow the elements alone for as long as the call lasts; MPI truncates what is longer.
        let code = unsafe { MPI_Recv(start, count, datatype, from, tag, comm, &mut status) };
        check::check_receive("MPI_Recv", code, &status, capacity)
    }

    pub(super) fn sendrecv(
        &self,
        send: &SendArgs<'_>,
        recv: &RecvArgs<'_>,
        site: CallSite,
    ) -> Result<Status> {
        let (out, into) = (&send.elements, &recv.elements);
        let mut status = empty_status();
        let _inside = blocked_call::enter(site, recv.wait_target);
        // SAFETY: as above. No element is in both, since one borrow is exclusive, or both are of parts of a slice without a common element.
        let code = unsafe {
            MPI_Sendrecv(
                out.start,
                out.count,
                out.datatype,
                send.to,
                send.tag,
                into.start,
                into.count,
                into.datatype,
                recv.from,
                recv.tag,
                send.comm,
                &mut status,
            )
        };
        check::check_receive("MPI_Sendrecv", code, &status, into.bytes)
    }

    /// Sends the elements and replaces them by a received message.
    pub(super) fn sendrecv_in_place(
        &self,
        mut data: ViewMut<'_>,
        (to, out): (Rank, MessageTag),
        (from, into): (Source, TagPattern),
        site: CallSite,
    ) -> Result<Status> {
        let communicator = &self.communicator;
        let sent = communicator.elements(data.as_view())?;
        let SendArgs { comm, to, tag, .. } = communicator.send_args(to, out, sent, SendMode::Standard)?;
        let recv = communicator.recv_args(from, into, communicator.elements_mut(&mut data)?)?;
        let Elements { start, count, datatype, bytes: capacity, .. } = recv.elements;
        let mut status = empty_status();
        let _inside = blocked_call::enter(site, recv.wait_target);
        // SAFETY: the exclusive view holds `count` elements of `datatype` for as long as the call lasts.
        let code = unsafe {
            MPI_Sendrecv_replace(start, count, datatype, to, tag, recv.from, recv.tag, comm, &mut status)
        };
        check::check_receive("MPI_Sendrecv_replace", code, &status, capacity)
    }
}
