//! Interpreter: ranks are processes of a real MPI job.
//!
//! A launcher (`mpirun`) starts the processes; each takes its one [`Seat`] through [`MPI`] and opens a fresh
//! communicator per case, so no message survives from one case to the next. The crate `mpi` (rsmpi) finds the library,
//! declares its functions and initialises it; every other call is the raw one from [`mpi::ffi`] on communicators of our
//! own with `MPI_ERRORS_RETURN`, and its return code is looked at: rsmpi's safe interface drops it.
//!
//! What is hidden here, because only MPI has it: handles that are macros (`shim/handles.c`), a collective farewell that
//! must not happen when somebody is lost ([`Processes::abandon`]), and launchers that do not belong to the library.
//!
//! | module | noun |
//! |---|---|
//! | `session` | MPI's life in this process |
//! | `settings` | what keeps the library inside our buffers |
//! | `seat` | this process's place in the job; leftovers |
//! | `communicator` | a pair of `MPI_Comm`s and the registry of a case |
//! | `transport` | point-to-point |
//! | `pending` | requests with their buffers |
//! | `collectives` | the library's own collectives |
//! | `window` | one-sided communication, its origin buffers and groups |
//! | `nodes` | which ranks share a node |
//! | `buffers` | what they read and write |
//! | `datatype`, `handles` | our types as MPI's handles |
//! | `check` | return codes, counts, ranks, tags |
//! | `call` | where the rank stands, for a watchdog |
//! | `library` | which MPI is linked, and its launchers |
use std::rc::Rc;

use wb_comm::{Blocked, Library, Processes, Result, Seat};

mod buffers;
mod call;
mod check;
mod collectives;
mod communicator;
mod datatype;
mod handles;
mod library;
mod nodes;
mod pending;
mod seat;
mod session;
mod settings;
mod transport;
mod window;

pub use session::{tag_upper_bound, thread_level};

/// Ranks as processes of a real MPI job.
#[derive(Clone, Copy, Debug)]
pub struct Mpi;

/// The backend.
pub static MPI: Mpi = Mpi;

impl Processes for Mpi {
    fn library(&self) -> Library {
        library::library()
    }

    fn take_seat(&self) -> Result<Rc<dyn Seat>> {
        Ok(seat::MpiSeat::take()?)
    }

    fn current_call(&self) -> Option<Blocked> {
        session::current().and_then(|session| call::current(session.rank))
    }

    fn thread_level(&self) -> Option<&'static str> {
        session::thread_level()
    }

    fn abandon(&self) {
        session::abandon();
    }

    fn leave(&self) {
        session::leave();
    }
}
