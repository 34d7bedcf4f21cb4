//! Point-to-point communication over one communicator: raw MPI calls, each checked.
//!
//! A round of one operation is one blocking call; a send and a receive together are `MPI_Sendrecv`. Any other round is
//! posted and then waited for one by one. This is as good as `MPI_Waitall`, because MPI makes progress on all
//! operations; it also gives the outcome of each operation, and a watchdog sees which one is stuck.
use std::{cell::RefCell, rc::Rc};

use mpi::ffi::{MPI_Iprobe, MPI_Probe};
use wb_comm::{
    Block, CallSite, Collectives, Datatype, ErasedFile, ErasedWindow, FileArgs, Layout, MessageTag,
    MultipleCompletion, NewTopology, Op, Pending, PendingMessage, Persistent, PersistentArgs, Rank, Result,
    SendMode, Source, Status, TagPattern, Transport, ViewMut, WindowKind,
};

use crate::{
    blocked_call::{self, WaitTarget},
    check::{self, check},
    communicator::MpiCommunicator,
    file::MpiFile,
    matched_message,
    message_args::{OpArgs, empty_status},
    nodes,
    request::{self, MpiRequest, persistent::MpiPersistent},
    transport::round::PostedOp,
    window::MpiWindow,
};

mod blocking_calls;
mod round;

/// A communicator as this rank sees it.
pub(crate) struct MpiTransport {
    pub(crate) communicator: Rc<MpiCommunicator>,
    /// Memory for the operations of a round.
    posted: RefCell<Vec<PostedOp>>,
}

impl MpiTransport {
    pub(crate) fn new(communicator: Rc<MpiCommunicator>) -> Self {
        Self { communicator, posted: RefCell::default() }
    }
}

impl Transport for MpiTransport {
    fn rank(&self) -> Rank {
        self.communicator.rank
    }

    fn size(&self) -> usize {
        self.communicator.size
    }

    fn members(&self) -> Result<Vec<Rank>> {
        nodes::ranks_in_job(&self.communicator)
    }

    fn set_name(&self, name: &str) -> Result<()> {
        self.communicator.set_name(name)
    }

    fn backend(&self) -> &'static str {
        "mpi"
    }

    #[inline]
    fn post_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()> {
        match ops {
            [op] => match self.communicator.op_args(op)? {
                OpArgs::Send(args) => self.send(&args, site),
                OpArgs::Recv(args, status) => self.recv(&args, site).map(|received| *status = Some(received)),
            },
            [one, other] => match (self.communicator.op_args(one)?, self.communicator.op_args(other)?) {
                (OpArgs::Send(send), OpArgs::Recv(recv, status))
                | (OpArgs::Recv(recv, status), OpArgs::Send(send))
                    if send.mode == SendMode::Standard && send.comm == recv.comm =>
                {
                    self.sendrecv(&send, &recv, site).map(|received| *status = Some(received))
                }
                _ => self.post_all_and_wait(ops, site),
            },
            several => self.post_all_and_wait(several, site),
        }
    }

    fn post_send(
        &self,
        to: Rank,
        tag: MessageTag,
        data: Block,
        mode: SendMode,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        Ok(Box::new(MpiRequest::send(&self.communicator, (to, tag), (data, None), mode, site)?))
    }

    fn post_recv(
        &self,
        from: Source,
        tag: TagPattern,
        into: Block,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        Ok(Box::new(MpiRequest::recv(&self.communicator, (from, tag), (into, None), site)?))
    }

    fn complete(
        &self,
        requests: &mut [&mut dyn Pending],
        mode: MultipleCompletion,
        site: CallSite,
    ) -> Result<Vec<usize>> {
        request::multiple_completion::complete(requests, mode, site)
    }

    fn persistent(&self, args: PersistentArgs, buffer: &mut Block) -> Result<Option<Box<dyn Persistent>>> {
        Ok(Some(Box::new(MpiPersistent::new(&self.communicator, args, buffer)?)))
    }

    fn sendrecv_replace(
        &self,
        data: ViewMut<'_>,
        (to, out): (Rank, MessageTag),
        (from, into): (Source, TagPattern),
        site: CallSite,
    ) -> Result<Status> {
        self.sendrecv_in_place(data, (to, out), (from, into), site)
    }

    fn attach_buffer(&self, bytes: usize, _site: CallSite) -> Result<()> {
        self.communicator.registry.session.attached_buffer.attach(bytes)
    }

    fn detach_buffer(&self, site: CallSite) -> Result<usize> {
        self.communicator.registry.session.attached_buffer.detach(site)
    }

    fn matched_probe(
        &self,
        from: Source,
        tag: TagPattern,
        waits: bool,
        site: CallSite,
    ) -> Result<Option<Box<dyn PendingMessage>>> {
        let taken = matched_message::probe(&self.communicator, (from, tag), waits, site)?;
        Ok(taken.map(|message| Box::new(message) as Box<dyn PendingMessage>))
    }

    fn post_send_layout(
        &self,
        to: Rank,
        tag: MessageTag,
        data: Block,
        layout: &Layout,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        let (data, mode) = ((data, Some(layout)), SendMode::Standard);
        Ok(Box::new(MpiRequest::send(&self.communicator, (to, tag), data, mode, site)?))
    }

    fn post_recv_layout(
        &self,
        from: Source,
        tag: TagPattern,
        into: Block,
        layout: &Layout,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        Ok(Box::new(MpiRequest::recv(&self.communicator, (from, tag), (into, Some(layout)), site)?))
    }

    fn probe(&self, from: Source, tag: TagPattern, site: CallSite) -> Result<Status> {
        let comm = self.communicator.comm_of(tag.context)?;
        let (source, mpi_tag) = (self.communicator.to_source(from)?, self.communicator.to_recv_tag(tag.tag));
        let mut status = empty_status();
        let _inside = blocked_call::enter(
            site,
            WaitTarget::from(from, tag.tag, 0).without_size().with_job_rank(self.communicator.has_job_ranks),
        );
        // SAFETY: a live communicator, one status for the answer.
        check("MPI_Probe", unsafe { MPI_Probe(source, mpi_tag, comm, &mut status) })?;
        check::to_status(&status)
    }

    fn iprobe(&self, from: Source, tag: TagPattern, _site: CallSite) -> Result<Option<Status>> {
        let comm = self.communicator.comm_of(tag.context)?;
        let (source, mpi_tag) = (self.communicator.to_source(from)?, self.communicator.to_recv_tag(tag.tag));
        let mut status = empty_status();
        let mut flag = 0;
        // SAFETY: a live communicator, one int and one status for the answer.
        check("MPI_Iprobe", unsafe { MPI_Iprobe(source, mpi_tag, comm, &mut flag, &mut status) })?;
        if flag == 0 { Ok(None) } else { check::to_status(&status).map(Some) }
    }

    fn wait_in_memory(&self, peer: Option<Rank>, site: CallSite) -> Result<()> {
        match peer {
            Some(peer) => {
                self.make_progress(site)?;
                blocked_call::show(site, WaitTarget::for_peer(peer));
            }
            None => blocked_call::leave(),
        }
        Ok(())
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

    fn create_topology(&self, topology: &NewTopology, site: CallSite) -> Result<Option<Rc<dyn Transport>>> {
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        let made = self.communicator.create_topology(topology)?;
        Ok(made.map(|made| Rc::new(Self::new(made)) as Rc<dyn Transport>))
    }

    fn create_group(&self, members: &[Rank], tag: i32, site: CallSite) -> Result<Rc<dyn Transport>> {
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        Ok(Rc::new(Self::new(self.communicator.create_group(members, tag)?)))
    }

    fn window(
        &self,
        kind: WindowKind,
        datatype: Datatype,
        count: usize,
        site: CallSite,
    ) -> Result<Box<dyn ErasedWindow>> {
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        Ok(Box::new(MpiWindow::create(&self.communicator, kind, datatype, count, site)?))
    }

    fn file_open(&self, file: &FileArgs, site: CallSite) -> Result<Box<dyn ErasedFile>> {
        Ok(Box::new(MpiFile::open(&self.communicator, file, site)?))
    }

    fn observes_collectives(&self) -> bool {
        false
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
