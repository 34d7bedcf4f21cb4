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
    blocked_call::WaitTarget,
    check::check,
    communicator::MpiCommunicator,
    handles,
    message_args::{Elements, RecvArgs, SendArgs},
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
                let args = communicator.send_args(to, tag, communicator.elements(view.as_view())?, mode)?;
                let SendArgs { comm, to, tag, ref elements, wait_target, .. } = args;
                let Elements { start, count, datatype, .. } = *elements;
                let (name, call): (_, SendInitCall) = match mode {
                    SendMode::Standard => ("MPI_Send_init", MPI_Send_init),
                    SendMode::Synchronous => ("MPI_Ssend_init", MPI_Ssend_init),
                    SendMode::Buffered => ("MPI_Bsend_init", MPI_Bsend_init),
                    SendMode::Ready => ("MPI_Rsend_init", MPI_Rsend_init),
                };
                // SAFETY: the library uses the buffer only while the request is active, and then `MpiRequest` keeps it.
                check(name, unsafe { call(start, count, datatype, to, tag, comm, &mut handle) })?;
                (Direction::Send, wait_target)
            }
            PersistentArgs::Recv { from, tag } => {
                let args = communicator.recv_args(from, tag, communicator.elements_mut(&mut view)?)?;
                let RecvArgs { comm, from, tag, ref elements, wait_target } = args;
                let Elements { start, count, datatype, .. } = *elements;
                // SAFETY: as above.
                let code = unsafe { MPI_Recv_init(start, count, datatype, from, tag, comm, &mut handle) };
                check("MPI_Recv_init", code)?;
                (Direction::Receive, wait_target)
            }
        };
        Ok(Self {
            handle: Rc::new(PersistentHandle(handle)),
            direction,
            mode: if let PersistentArgs::Send { mode, .. } = args { mode } else { SendMode::Standard },
            wait_target,
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
