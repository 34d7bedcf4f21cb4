//! Point-to-point communication over one communicator: raw MPI calls, each checked.
//!
//! A round of one operation is one blocking call; a send and a receive together are `MPI_Sendrecv`. Any other round is
//! posted and then waited for one by one. This is as good as `MPI_Waitall`, because MPI makes progress on all
//! operations; it also gives the outcome of each operation, and a watchdog sees which one is stuck.
use std::{cell::RefCell, rc::Rc};

use mpi::ffi::{MPI_Iprobe, MPI_Probe, MPI_Recv, MPI_Request, MPI_Send, MPI_Sendrecv, MPI_Ssend};
use wb_comm::{
    Block, CallSite, Collectives, Datatype, ErasedWindow, Layout, MessageTag, Op, Pending, Rank, Result,
    Source, Status, TagPattern, Transport, View, ViewMut, WindowKind,
};

use crate::{
    blocked_call::{self, WaitTarget},
    check::{self, check},
    communicator::MpiCommunicator,
    message_args::{RecvArgs, SendArgs, empty_status},
    nodes,
    request::MpiRequest,
    window::MpiWindow,
};

mod layouts;
mod round;

/// A communicator as this rank sees it.
pub(crate) struct MpiTransport {
    pub(crate) communicator: Rc<MpiCommunicator>,
    /// Memory for the requests of a round.
    requests: RefCell<Vec<MPI_Request>>,
}

impl MpiTransport {
    pub(crate) fn new(communicator: Rc<MpiCommunicator>) -> Self {
        Self { communicator, requests: RefCell::default() }
    }

    #[inline]
    fn send(
        &self,
        to: Rank,
        label: MessageTag,
        data: View<'_>,
        synchronous: bool,
        site: CallSite,
    ) -> Result<()> {
        let args = self.communicator.send_args(to, label, data)?;
        let bytes = data.bytes();
        // SAFETY: the view holds the elements for as long as the call lasts.
        unsafe { self.send_raw(to, &args, bytes.as_ptr(), bytes.len(), synchronous, site) }
    }

    /// # Safety
    /// The elements that the arguments name from `start` on must be there for as long as the call lasts.
    #[inline]
    unsafe fn send_raw(
        &self,
        to: Rank,
        args: &SendArgs,
        start: *const u8,
        bytes: usize,
        synchronous: bool,
        site: CallSite,
    ) -> Result<()> {
        let SendArgs { comm, to: peer, tag, count, datatype } = *args;
        let start = start.cast();
        let _inside = blocked_call::enter(
            site,
            WaitTarget::to(to, tag, bytes).with_job_rank(self.communicator.has_job_ranks),
        );
        if synchronous {
            // SAFETY: the caller's promise.
            check("MPI_Ssend", unsafe { MPI_Ssend(start, count, datatype, peer, tag, comm) })
        } else {
            // SAFETY: as above.
            check("MPI_Send", unsafe { MPI_Send(start, count, datatype, peer, tag, comm) })
        }
    }

    #[inline]
    fn recv(
        &self,
        from: Source,
        label: TagPattern,
        data: &mut ViewMut<'_>,
        site: CallSite,
    ) -> Result<Status> {
        let args = self.communicator.recv_args(from, label, data)?;
        let bytes = data.bytes();
        // SAFETY: the exclusive view has room for the elements for as long as the call lasts.
        unsafe { self.recv_raw(from, label.tag, &args, bytes.as_mut_ptr(), bytes.len(), site) }
    }

    /// # Safety
    /// There must be exclusive room for the elements that the arguments name from `start` on, `room` bytes, for as long as the
    /// call lasts; MPI truncates what is longer.
    #[inline]
    unsafe fn recv_raw(
        &self,
        from: Source,
        tag_pattern: Option<i32>,
        args: &RecvArgs,
        start: *mut u8,
        room: usize,
        site: CallSite,
    ) -> Result<Status> {
        let RecvArgs { comm, from: peer, tag, count, datatype } = *args;
        let mut status = empty_status();
        let _inside = blocked_call::enter(
            site,
            WaitTarget::from(from, tag_pattern, room).with_job_rank(self.communicator.has_job_ranks),
        );
        // SAFETY: the caller's promise.
        let code = unsafe { MPI_Recv(start.cast(), count, datatype, peer, tag, comm, &mut status) };
        check::check_receive("MPI_Recv", code, &status, room)
    }

    fn sendrecv(
        &self,
        (to, out_label, out): (Rank, MessageTag, View<'_>),
        (from, in_label, into): (Source, TagPattern, &mut ViewMut<'_>),
        site: CallSite,
    ) -> Result<Status> {
        let send = self.communicator.send_args(to, out_label, out)?;
        let recv = self.communicator.recv_args(from, in_label, into)?;
        let bytes = into.bytes();
        let wait = WaitTarget::from(from, in_label.tag, bytes.len());
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
    unsafe fn sendrecv_raw(
        &self,
        (send, out): (&SendArgs, *const u8),
        (recv, start, room): (&RecvArgs, *mut u8, usize),
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
        check::check_receive("MPI_Sendrecv", code, &status, room)
    }
}

impl Transport for MpiTransport {
    fn rank(&self) -> Rank {
        self.communicator.rank
    }

    fn size(&self) -> usize {
        self.communicator.size
    }

    fn backend(&self) -> &'static str {
        "mpi"
    }

    #[inline]
    fn post_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()> {
        match ops {
            [] => Ok(()),
            [Op::Send { to, tag: label, data, synchronous }] => {
                self.send(*to, *label, *data, *synchronous, site)
            }
            [Op::Recv { from, tag: label, data, status }] => {
                *status = Some(self.recv(*from, *label, data, site)?);
                Ok(())
            }
            [
                Op::Send { to, tag: out, data: payload, synchronous: false },
                Op::Recv { from, tag: label, data, status },
            ]
            | [
                Op::Recv { from, tag: label, data, status },
                Op::Send { to, tag: out, data: payload, synchronous: false },
            ] if out.context == label.context => {
                *status = Some(self.sendrecv((*to, *out, *payload), (*from, *label, data), site)?);
                Ok(())
            }
            [Op::SendLayout { to, tag, data }] => self.send_layout(*to, *tag, *data, site),
            [Op::RecvLayout { from, tag, data, status }] => {
                *status = Some(self.recv_layout(*from, *tag, data, site)?);
                Ok(())
            }
            [Op::RecvLayout { from, tag, data, status }, Op::SendLayout { to, tag: out, data: payload }]
                if out.context == tag.context =>
            {
                *status = Some(self.sendrecv_layout((*to, *out, *payload), (*from, *tag, data), site)?);
                Ok(())
            }
            several => self.post_all_and_wait(several, site),
        }
    }

    fn post_send(
        &self,
        to: Rank,
        label: MessageTag,
        data: Block,
        synchronous: bool,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        Ok(Box::new(MpiRequest::send(&self.communicator, (to, label), data, synchronous, site)?))
    }

    fn post_recv(
        &self,
        from: Source,
        label: TagPattern,
        into: Block,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        Ok(Box::new(MpiRequest::recv(&self.communicator, from, label, into, site)?))
    }

    fn post_send_layout(
        &self,
        to: Rank,
        label: MessageTag,
        data: Block,
        layout: &Layout,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        Ok(Box::new(MpiRequest::send_layout(&self.communicator, (to, label), data, layout, site)?))
    }

    fn post_recv_layout(
        &self,
        from: Source,
        label: TagPattern,
        into: Block,
        layout: &Layout,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        Ok(Box::new(MpiRequest::recv_layout(&self.communicator, (from, label), into, layout, site)?))
    }

    fn probe(&self, from: Source, label: TagPattern, site: CallSite) -> Result<Status> {
        let comm = self.communicator.comm_of(label.context)?;
        let (source, tag) = (self.communicator.to_source(from)?, self.communicator.to_recv_tag(label.tag)?);
        let mut status = empty_status();
        let _inside = blocked_call::enter(
            site,
            WaitTarget::from(from, label.tag, 0)
                .without_size()
                .with_job_rank(self.communicator.has_job_ranks),
        );
        // SAFETY: a live communicator, one status for the answer.
        check("MPI_Probe", unsafe { MPI_Probe(source, tag, comm, &mut status) })?;
        check::to_status(&status)
    }

    fn iprobe(&self, from: Source, label: TagPattern, _site: CallSite) -> Result<Option<Status>> {
        let comm = self.communicator.comm_of(label.context)?;
        let (source, tag) = (self.communicator.to_source(from)?, self.communicator.to_recv_tag(label.tag)?);
        let mut status = empty_status();
        let mut there = 0;
        // SAFETY: a live communicator, one int and one status for the answer.
        check("MPI_Iprobe", unsafe { MPI_Iprobe(source, tag, comm, &mut there, &mut status) })?;
        if there == 0 { Ok(None) } else { check::to_status(&status).map(Some) }
    }

    fn split(&self, color: Option<u32>, key: i32, site: CallSite) -> Result<Option<Rc<dyn Transport>>> {
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        let made = self.communicator.split(color, key)?;
        Ok(made.map(|made| Rc::new(Self::new(made)) as Rc<dyn Transport>))
    }

    fn dup(&self, site: CallSite) -> Result<Rc<dyn Transport>> {
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        Ok(Rc::new(Self::new(self.communicator.dup()?)))
    }

    fn window(
        &self,
        kind: WindowKind,
        layout: Datatype,
        count: usize,
        site: CallSite,
    ) -> Result<Box<dyn ErasedWindow>> {
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        Ok(Box::new(MpiWindow::create(&self.communicator, kind, layout, count, site)?))
    }

    fn nodes(&self, site: CallSite) -> Result<Vec<usize>> {
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        nodes::nodes(&self.communicator)
    }

    fn native_collectives(&self) -> Option<&dyn Collectives> {
        Some(self)
    }

    fn now(&self) -> u64 {
        let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: one timespec for the answer.
        let code = unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
        assert_eq!(code, 0, "every Linux has a monotonic clock");
        now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
    }
}
