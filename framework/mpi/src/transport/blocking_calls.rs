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
        label: MessageTag,
        data: View<'_>,
        mode: SendMode,
        site: CallSite,
    ) -> Result<()> {
        let SendArgs { comm, to: peer, tag, count, datatype } =
            self.communicator.send_args(to, label, data)?;
        let bytes = data.bytes();
        let start = bytes.as_ptr().cast();
        self.communicator.check_mode(mode, bytes.len())?;
        let _inside = blocked_call::enter(
            site,
            WaitTarget::to(to, tag, bytes.len()).with_job_rank(self.communicator.has_job_ranks),
        );
        let (name, call): (_, SendCall) = match mode {
            SendMode::Standard => ("MPI_Send", MPI_Send),
            SendMode::Synchronous => ("MPI_Ssend", MPI_Ssend),
            SendMode::Buffered => ("MPI_Bsend", MPI_Bsend),
            SendMode::Ready => ("MPI_Rsend", MPI_Rsend),
        };
        // SAFETY: the view holds `count` elements of `datatype` for as long as the call lasts.
        let code = unsafe { call(start, count, datatype, peer, tag, comm) };
        self.communicator.check_send(name, code, mode, bytes.len())
    }

    #[inline]
    pub(super) fn recv(
        &self,
        from: Source,
        label: TagPattern,
        data: &mut ViewMut<'_>,
        site: CallSite,
    ) -> Result<Status> {
        let RecvArgs { comm, from: peer, tag, count, datatype } =
            self.communicator.recv_args(from, label, data)?;
        let bytes = data.bytes();
        let (start, room) = (bytes.as_mut_ptr().cast(), bytes.len());
        let mut status = empty_status();
        let _inside = blocked_call::enter(
            site,
            WaitTarget::from(from, label.tag, room).with_job_rank(self.communicator.has_job_ranks),
        );
        // SAFETY: the exclusive view has room for `count` elements of `datatype` for as long as the call lasts; MPI
        // truncates what is longer.
        let code = unsafe { MPI_Recv(start, count, datatype, peer, tag, comm, &mut status) };
        check::check_receive("MPI_Recv", code, &status, room)
    }

    pub(super) fn sendrecv(
        &self,
        (to, out_label, out): (Rank, MessageTag, View<'_>),
        (from, in_label, into): (Source, TagPattern, &mut ViewMut<'_>),
        site: CallSite,
    ) -> Result<Status> {
        let send = self.communicator.send_args(to, out_label, out)?;
        let recv = self.communicator.recv_args(from, in_label, into)?;
        let bytes = into.bytes();
        let (start, room) = (bytes.as_mut_ptr().cast(), bytes.len());
        let mut status = empty_status();
        let _inside = blocked_call::enter(
            site,
            WaitTarget::from(from, in_label.tag, room).with_job_rank(self.communicator.has_job_ranks),
        );
        // SAFETY: both views hold their counts of elements for as long as the call lasts, and they do not overlap: one
        // is exclusive.
        let code = unsafe {
            MPI_Sendrecv(
                out.bytes().as_ptr().cast(),
                send.count,
                send.datatype,
                send.to,
                send.tag,
                start,
                recv.count,
                recv.datatype,
                recv.from,
                recv.tag,
                send.comm,
                &mut status,
            )
        };
        check::check_receive("MPI_Sendrecv", code, &status, room)
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
        let (start, room) = (bytes.as_mut_ptr().cast(), bytes.len());
        let mut status = empty_status();
        let target = WaitTarget::from(from, into.tag, room).with_job_rank(self.communicator.has_job_ranks);
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
        check::check_receive("MPI_Sendrecv_replace", code, &status, room)
    }
}
