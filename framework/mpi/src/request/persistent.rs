//! Persistent requests of the library: their arguments are bound to a buffer once, and each start is one call.
use std::{
    ffi::{c_int, c_void},
    rc::Rc,
};

use mpi::ffi::{
    MPI_Bsend_init, MPI_Comm, MPI_Datatype, MPI_Recv_init, MPI_Request, MPI_Request_free, MPI_Rsend_init,
    MPI_Send_init, MPI_Ssend_init, MPI_Start,
};
use wb_comm::{Block, CallSite, Pending, Persistent, PersistentArgs, Result, SendMode};

use super::{Direction, MpiRequest, RequestKind};
use crate::{
    blocked_call::WaitTarget, check::check, communicator::MpiCommunicator, handles, message_args::RecvArgs,
};

/// A call that makes a persistent send.
type SendInitCall = unsafe extern "C" fn(
    *const c_void,
    c_int,
    MPI_Datatype,
    c_int,
    c_int,
    MPI_Comm,
    *mut MPI_Request,
) -> c_int;

/// A persistent request, bound to a buffer.
pub(crate) struct MpiPersistent {
    handle: Rc<PersistentHandle>,
    direction: Direction,
    mode: SendMode,
    wait_target: WaitTarget,
    /// The address and the size of the buffer.
    buffer: (*const u8, usize),
    communicator: Rc<MpiCommunicator>,
}

/// The library's handle, freed when neither the persistent request nor an active operation of it is left.
pub(crate) struct PersistentHandle(MPI_Request);

impl Drop for PersistentHandle {
    fn drop(&mut self) {
        // SAFETY: an inactive request of ours, not used afterwards. A refusal leaves it to the library.
        let _code = unsafe { MPI_Request_free(&mut self.0) };
    }
}

impl MpiPersistent {
    /// Binds a send or receive to a buffer, which must be the one of every start.
    pub(crate) fn new(
        communicator: &Rc<MpiCommunicator>,
        args: PersistentArgs,
        buffer: &mut Block,
    ) -> Result<Self> {
        let mut handle = handles::REQUEST_NULL;
        let mut view = buffer.view_mut();
        let (direction, wait_target) = match args {
            PersistentArgs::Send { to, tag, mode } => {
                let send = communicator.send_args(to, tag, view.as_view())?;
                let (name, call): (_, SendInitCall) = match mode {
                    SendMode::Standard => ("MPI_Send_init", MPI_Send_init),
                    SendMode::Synchronous => ("MPI_Ssend_init", MPI_Ssend_init),
                    SendMode::Buffered => ("MPI_Bsend_init", MPI_Bsend_init),
                    SendMode::Ready => ("MPI_Rsend_init", MPI_Rsend_init),
                };
                let start = view.bytes().as_ptr().cast();
                // SAFETY: the library uses the buffer only while the request is active, and then `MpiRequest` keeps it.
                let code = unsafe {
                    call(start, send.count, send.datatype, send.to, send.tag, send.comm, &mut handle)
                };
                check(name, code)?;
                (Direction::Send, WaitTarget::to(to, tag.tag, view.bytes().len()))
            }
            PersistentArgs::Recv { from, tag } => {
                let RecvArgs { comm, from: source, tag: mpi_tag, count, datatype } =
                    communicator.recv_args(from, tag, &view)?;
                let start = view.bytes().as_mut_ptr().cast();
                // SAFETY: as above.
                let code =
                    unsafe { MPI_Recv_init(start, count, datatype, source, mpi_tag, comm, &mut handle) };
                check("MPI_Recv_init", code)?;
                (Direction::Receive, WaitTarget::from(from, tag.tag, view.bytes().len()))
            }
        };
        Ok(Self {
            handle: Rc::new(PersistentHandle(handle)),
            direction,
            mode: if let PersistentArgs::Send { mode, .. } = args { mode } else { SendMode::Standard },
            wait_target: wait_target.with_job_rank(communicator.has_job_ranks),
            buffer: (view.bytes().as_ptr(), view.bytes().len()),
            communicator: Rc::clone(communicator),
        })
    }
}

impl Persistent for MpiPersistent {
    fn start(&mut self, block: Block, site: CallSite) -> Result<Box<dyn Pending>> {
        let bytes = block.view().bytes();
        assert_eq!((bytes.as_ptr(), bytes.len()), self.buffer, "a persistent request has one buffer");
        self.communicator.check_mode(self.mode, bytes.len())?;
        self.communicator.count_messages(if self.direction == Direction::Send { 1 } else { -1 });
        let mut request = self.handle.0;
        // SAFETY: an inactive request of ours; the block lives until it is complete or for ever.
        check("MPI_Start", unsafe { MPI_Start(&mut request) })?;
        let kind = RequestKind::Persistent(Rc::clone(&self.handle), self.direction);
        Ok(Box::new(MpiRequest::new(&self.communicator, request, block, (kind, site), self.wait_target)))
    }
}
