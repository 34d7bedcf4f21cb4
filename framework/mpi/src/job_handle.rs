//! This process's job handle: makes the communicators of a case, finds leftover messages on them, frees them.
use std::{
    rc::Rc,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use mpi::ffi::{MPI_Datatype, MPI_Iprobe, MPI_Recv, MPI_Status};
use wb_comm::{
    Context, Datatype, Error, Finding, JobHandle, Rank, Result, Status, Transport, UnreceivedMessage,
    limits::COUNT_MAX, text::setup,
};

use crate::{
    check::{self, check},
    communicator::{Contexts, MpiCommunicator, Registry},
    handles,
    message_args::empty_status,
    session,
    transport::MpiTransport,
};

static IS_INITIALIZED: AtomicBool = AtomicBool::new(false);

/// The job handle. There is at most one at a time; a new one can be made when the last one was dropped with nothing
/// open.
pub(crate) struct MpiJobHandle {
    registry: Rc<Registry>,
}

impl MpiJobHandle {
    /// Makes the job handle, initialising MPI the first time.
    pub(crate) fn init() -> Result<Rc<Self>> {
        if IS_INITIALIZED.swap(true, Ordering::SeqCst) {
            return Err(Error::Setup(setup::already_initialised()));
        }
        // After a failure no handle can be made: MPI cannot be initialised twice.
        Ok(Rc::new(Self { registry: Registry::new(session::initialize()?) }))
    }

    fn receive_leftovers(
        &self,
        communicators: &[Rc<MpiCommunicator>],
        found: &mut Vec<Finding>,
    ) -> Result<()> {
        for communicator in communicators {
            while let Some(leftover) =
                receive_leftover(communicator, self.registry.session.datatypes.get(Datatype::I128)?)?
            {
                found.push(leftover.into());
            }
        }
        Ok(())
    }
}

impl Drop for MpiJobHandle {
    fn drop(&mut self) {
        // With communicators open their handles may still be in use on this thread: then no new handle can be made.
        if self.registry.is_empty() {
            IS_INITIALIZED.store(false, Ordering::SeqCst);
        }
    }
}

impl JobHandle for MpiJobHandle {
    fn rank(&self) -> Rank {
        self.registry.session.rank
    }

    fn size(&self) -> usize {
        self.registry.session.size
    }

    fn open_communicator(&self, size: usize) -> Result<Option<Rc<dyn Transport>>> {
        let all = self.size();
        if !(1..=all).contains(&size) {
            return Err(Error::Setup(setup::communicator_size(size, all)));
        }
        drop(self.registry.take_leaks());
        let world = MpiCommunicator::from_job(&self.registry, size)?;
        Ok(world.map(|world| Rc::new(MpiTransport::new(world)) as Rc<dyn Transport>))
    }

    fn find_leaks(&self, timeout: Duration) -> Result<Vec<Finding>> {
        let started = Instant::now();
        let communicators = self.registry.communicators();
        let mut found = self.registry.take_leaks();
        loop {
            self.receive_leftovers(&communicators, &mut found)?;
            if started.elapsed() >= timeout {
                return Ok(found);
            }
            // The sender may need this core to send its message.
            thread::yield_now();
        }
    }

    fn free_communicators(&self) -> Result<()> {
        self.registry.free_all(Contexts::Freed)
    }

    fn close_after_failure(&self) -> Result<()> {
        self.registry.free_all(Contexts::Kept)
    }
}

/// Receives one unreceived user message on `communicator`, whatever its type; `wide` is a datatype of 16 bytes.
fn receive_leftover(communicator: &MpiCommunicator, wide: MPI_Datatype) -> Result<Option<UnreceivedMessage>> {
    let comm = communicator.comm_of(Context::User)?;
    let mut flag = 0;
    let mut status = empty_status();
    // SAFETY: a live communicator, one int and one status for the answer.
    let code = unsafe { MPI_Iprobe(handles::ANY_SOURCE, handles::ANY_TAG, comm, &mut flag, &mut status) };
    check("MPI_Iprobe", code)?;
    if flag == 0 {
        return Ok(None);
    }
    let Status { source, tag, bytes, .. } = check::to_status(&status)?;
    receive_raw(comm, &status, bytes, wide)?;
    let (to, communicator) = (communicator.rank, communicator.name.borrow().clone());
    Ok(Some(UnreceivedMessage { source, dest: to, tag, bytes, communicator, sent_at: None }))
}

fn receive_raw(
    comm: mpi::ffi::MPI_Comm,
    probed: &MPI_Status,
    bytes: usize,
    wide: MPI_Datatype,
) -> Result<()> {
    let no_memory = || Error::Setup(setup::no_memory_for_leftover(bytes));
    let (elements, unit) = wide_count(bytes);
    let datatype = if unit == 1 { handles::BYTE } else { wide };
    let count = check::to_count(elements)?;
    let room_bytes = elements.checked_mul(unit).ok_or_else(no_memory)?;
    let mut buffer = Vec::<u8>::new();
    buffer.try_reserve_exact(room_bytes).map_err(|_| no_memory())?;
    let mut status = empty_status();
    // SAFETY: the buffer has room for `count` elements of `unit` bytes (the product was checked); the probe found this
    // message, so the call does not wait for its arrival.
    let code = unsafe {
        MPI_Recv(
            buffer.as_mut_ptr().cast(),
            count,
            datatype,
            probed.MPI_SOURCE,
            probed.MPI_TAG,
            comm,
            &mut status,
        )
    };
    check::check_receive("MPI_Recv", code, &status, room_bytes).map(drop)
}

/// The number of elements and their size for a message of `bytes`. Above 2 GiB a count of bytes does not fit an int, a
/// count of 16-byte elements does.
fn wide_count(bytes: usize) -> (usize, usize) {
    let unit = if bytes <= COUNT_MAX { 1 } else { WIDEST_BYTES };
    (bytes.div_ceil(unit), unit)
}

/// The size of the widest datatype.
const WIDEST_BYTES: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_for_a_leftover_message_holds_all_its_bytes() {
        for bytes in [0, 1, COUNT_MAX, COUNT_MAX + 1, (WIDEST_BYTES * COUNT_MAX) - 1, usize::MAX] {
            let (elements, unit) = wide_count(bytes);
            // Where the product does not fit, the message is refused because memory does not suffice.
            assert!(
                elements
                    .checked_mul(unit)
                    .is_none_or(|buffer| buffer >= bytes && buffer - bytes < WIDEST_BYTES),
                "{bytes}"
            );
            let countable = bytes <= WIDEST_BYTES * COUNT_MAX;
            assert_eq!(check::to_count(elements).is_ok(), countable, "{bytes}");
            assert_eq!(Datatype::I128.size(), WIDEST_BYTES);
        }
        assert_eq!(
            usize::MAX.div_ceil(WIDEST_BYTES).checked_mul(WIDEST_BYTES),
            None,
            "the product that must not wrap around"
        );
    }
}
