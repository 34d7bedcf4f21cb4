//! The memory that this process has attached for its buffered sends.
//!
//! The library holds one buffer for the whole process. It stays attached when a case ends with messages in it: to detach it would wait for
//! their receives.
use std::{
    ptr,
    sync::{Mutex, MutexGuard, PoisonError},
};

use mpi::ffi::{MPI_Buffer_attach, MPI_Buffer_detach};
use wb_comm::{CallSite, Error, Result, text::setup};

use crate::{
    blocked_call::{self, WaitTarget},
    check::{self, check},
};

#[derive(Default)]
pub(crate) struct AttachedBuffer(Mutex<Option<Attached>>);

struct Attached {
    memory: Box<[u8]>,
    /// Whether the case that attached it has ended.
    is_left: bool,
}

impl AttachedBuffer {
    fn lock(&self) -> MutexGuard<'_, Option<Attached>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The size of the attached buffer in bytes; 0 if none is attached.
    pub(crate) fn size(&self) -> usize {
        self.lock().as_ref().map_or(0, |attached| attached.memory.len())
    }

    /// Attaches memory of this size; what an earlier case has left is used again if it is large enough.
    pub(crate) fn attach(&self, bytes: usize) -> Result<()> {
        let mut attached = self.lock();
        if let Some(Attached { memory, is_left }) = &mut *attached {
            let reused = *is_left && memory.len() >= bytes;
            *is_left = false;
            return if reused { Ok(()) } else { Err(Error::Setup(setup::buffer_attached(memory.len()))) };
        }
        let size = check::to_count(bytes)?;
        let mut memory = vec![0; bytes].into_boxed_slice();
        // SAFETY: the memory does not move and is not used before it is detached.
        check("MPI_Buffer_attach", unsafe { MPI_Buffer_attach(memory.as_mut_ptr().cast(), size) })?;
        *attached = Some(Attached { memory, is_left: false });
        Ok(())
    }

    /// Waits until the library has sent all messages in it, and detaches it.
    pub(crate) fn detach(&self, site: CallSite) -> Result<usize> {
        let memory = self.lock().take().ok_or(Error::Setup(setup::no_buffer_attached()))?.memory;
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        detach(memory)
    }

    /// A case has ended: the buffer is detached, unless messages may be in it.
    pub(crate) fn end_case(&self, may_hold_messages: bool) -> Result<()> {
        let mut attached = self.lock();
        if may_hold_messages {
            attached.iter_mut().for_each(|attached| attached.is_left = true);
            return Ok(());
        }
        attached.take().map_or(Ok(()), |attached| detach(attached.memory).map(drop))
    }
}

fn detach(memory: Box<[u8]>) -> Result<usize> {
    let (mut start, mut size) = (ptr::null_mut::<u8>(), 0);
    // SAFETY: room for an address and an int.
    let code = unsafe { MPI_Buffer_detach((&raw mut start).cast(), &mut size) };
    if let Err(error) = check("MPI_Buffer_detach", code) {
        // The library may still use it.
        std::mem::forget(memory);
        return Err(error);
    }
    Ok(memory.len())
}
