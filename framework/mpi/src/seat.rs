//! This process's place in the job: makes the communicators of a case, finds what was left on them, frees them.
use std::{
    rc::Rc,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use mpi::ffi::{MPI_Datatype, MPI_Iprobe, MPI_Recv, MPI_Status};
use wb_comm::{
    Channel, Error, Finding, Layout, Leftover, Rank, Result, Seat, Status, Transport, text::setup,
};

use crate::{
    check::{self, check},
    communicator::{Communicator, Contexts, Registry},
    handles, session,
    transport::{MpiTransport, blank_status},
};

static TAKEN: AtomicBool = AtomicBool::new(false);

/// The seat. There is at most one at a time; a new one can be taken when the last one was dropped with nothing open.
pub(crate) struct MpiSeat {
    registry: Rc<Registry>,
}

impl MpiSeat {
    /// Takes the seat, initialising MPI the first time.
    pub(crate) fn take() -> Result<Rc<Self>> {
        if TAKEN.swap(true, Ordering::SeqCst) {
            return Err(Error::Setup(setup::seat_taken()));
        }
        // After a failure the seat stays taken: MPI cannot be initialised twice.
        Ok(Rc::new(Self { registry: Registry::new(session::start()?) }))
    }

    fn pass(&self, communicators: &[Rc<Communicator>], found: &mut Vec<Finding>) -> Result<()> {
        for communicator in communicators {
            while let Some(leftover) =
                take_one(communicator, self.registry.session.datatypes.of(Layout::I128))?
            {
                found.push(leftover.into());
            }
        }
        Ok(())
    }
}

impl Drop for MpiSeat {
    fn drop(&mut self) {
        // With communicators open their handles may still be in use on this thread: then nobody takes over.
        if self.registry.is_empty() {
            TAKEN.store(false, Ordering::SeqCst);
        }
    }
}

impl Seat for MpiSeat {
    fn rank(&self) -> Rank {
        self.registry.session.rank
    }

    fn size(&self) -> usize {
        self.registry.session.size
    }

    fn open(&self, size: usize) -> Result<Option<Rc<dyn Transport>>> {
        let all = self.size();
        if !(1..=all).contains(&size) {
            return Err(Error::Setup(setup::communicator_size(size, all)));
        }
        drop(self.registry.take_left());
        let world = Communicator::of_job(&self.registry, size)?;
        Ok(world.map(|world| Rc::new(MpiTransport::new(world)) as Rc<dyn Transport>))
    }

    fn sweep(&self, patience: Duration) -> Result<Vec<Finding>> {
        let started = Instant::now();
        let communicators = self.registry.communicators();
        let mut found = self.registry.take_left();
        loop {
            self.pass(&communicators, &mut found)?;
            if started.elapsed() >= patience {
                return Ok(found);
            }
            // The sender may need this core to get its message out.
            thread::yield_now();
        }
    }

    fn close(&self) -> Result<()> {
        self.registry.free_all(Contexts::Freed)
    }

    fn close_after_failure(&self) -> Result<()> {
        self.registry.free_all(Contexts::Kept)
    }
}

/// Receives one user message that waits on `communicator`, whatever its type; `wide` is a datatype of 16 bytes.
fn take_one(communicator: &Communicator, wide: MPI_Datatype) -> Result<Option<Leftover>> {
    let comm = communicator.channel(Channel::User)?;
    let mut there = 0;
    let mut status = blank_status();
    // SAFETY: a live communicator, one int and one status for the answer.
    let code = unsafe { MPI_Iprobe(handles::ANY_SOURCE, handles::ANY_TAG, comm, &mut there, &mut status) };
    check("MPI_Iprobe", code)?;
    if there == 0 {
        return Ok(None);
    }
    let Status { source, tag, bytes, .. } = check::status_of(&status)?;
    receive_raw(comm, &status, bytes, wide)?;
    let (to, communicator) = (communicator.rank, communicator.name.clone());
    Ok(Some(Leftover { source, to, tag, bytes, communicator, sent: None }))
}

fn receive_raw(
    comm: mpi::ffi::MPI_Comm,
    probed: &MPI_Status,
    bytes: usize,
    wide: MPI_Datatype,
) -> Result<()> {
    let no_memory = || Error::Setup(setup::no_memory_for_leftover(bytes));
    let (elements, unit) = elements_for(bytes);
    let datatype = if unit == 1 { handles::BYTE } else { wide };
    let count = check::count(elements)?;
    let room_bytes = elements.checked_mul(unit).ok_or_else(no_memory)?;
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(room_bytes).map_err(|_| no_memory())?;
    let mut status = blank_status();
    // SAFETY: the buffer has room for `count` elements of `unit` bytes (the product was checked); the probe named a message
    // that is there, so this does not block on its arrival.
    let code = unsafe {
        MPI_Recv(
            room.as_mut_ptr().cast(),
            count,
            datatype,
            probed.MPI_SOURCE,
            probed.MPI_TAG,
            comm,
            &mut status,
        )
    };
    check::received("MPI_Recv", code, &status, room_bytes).map(drop)
}

/// How many elements of how many bytes hold `bytes`: above 2 GiB a count of bytes does not fit an int, a count of 16-byte
/// elements does.
fn elements_for(bytes: usize) -> (usize, usize) {
    let unit = if bytes <= check::COUNT_MAX { 1 } else { WIDE };
    (bytes.div_ceil(unit), unit)
}

/// Bytes of the widest datatype.
const WIDE: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_for_a_leftover_message_holds_all_its_bytes() {
        for bytes in [0, 1, check::COUNT_MAX, check::COUNT_MAX + 1, (WIDE * check::COUNT_MAX) - 1, usize::MAX]
        {
            let (elements, unit) = elements_for(bytes);
            // Where the product does not fit, the message is refused for want of memory.
            assert!(
                elements.checked_mul(unit).is_none_or(|room| room >= bytes && room - bytes < WIDE),
                "{bytes}"
            );
            let countable = bytes <= WIDE * check::COUNT_MAX;
            assert_eq!(check::count(elements).is_ok(), countable, "{bytes}");
            assert_eq!(Layout::I128.size(), WIDE);
        }
        assert_eq!(
            usize::MAX.div_ceil(WIDE).checked_mul(WIDE),
            None,
            "the product that must not wrap around"
        );
    }
}
