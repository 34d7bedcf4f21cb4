//! The MPI backend: ranks are processes of a real MPI job.
//!
//! A launcher (`mpirun`) starts the processes. Each makes its one [`JobHandle`] through [`MPI`] and opens a new
//! communicator for each case, so no message survives from one case to the next. The crate `mpi` (rsmpi) finds the
//! library, declares its functions and initialises it. Every other call is the raw one from [`mpi::ffi`] on our own
//! communicators with `MPI_ERRORS_RETURN`, and its return code is checked: rsmpi's safe interface discards it.
//!
//! This crate hides what only MPI has: handles that are macros (`shim/handles.c`), a collective `MPI_Finalize` that
//! must not be called when a rank is lost ([`ProcessRanks::skip_finalize`]), and launchers that do not belong to the
//! library.
//!
//! | module | contents |
//! |---|---|
//! | `session` | MPI in this process, from initialisation to finalisation |
//! | `neighbor_order_workaround` | the order of blocks in rings of one or two ranks |
//! | `topology` | communicators with a topology |
//! | `truncation_workaround` | settings that keep the library inside our buffers |
//! | `job_handle` | this process's job handle; leftover messages |
//! | `communicator` | a pair of `MPI_Comm`s and the registry of a case |
//! | `release` | frees the communicators that all their ranks have dropped |
//! | `transport` | point-to-point |
//! | `message_args` | checked arguments of sends and receives |
//! | `request` | requests with their buffers |
//! | `collectives` | the library's own collectives |
//! | `window` | one-sided communication, its origin buffers and groups |
//! | `nodes` | which ranks share a node |
//! | `buffers` | the buffers of collectives |
//! | `datatype`, `handles` | our types as MPI's handles |
//! | `file` | files by MPI-IO |
//! | `derived_types` | the library's types of layouts |
//! | `check` | return codes, counts, ranks, tags |
//! | `blocked_call` | the rank's current blocking call, for a watchdog |
//! | `library` | the linked MPI library and its launchers |
use std::rc::Rc;

use wb_comm::{BlockedCall, JobHandle, LibraryInfo, ProcessRanks, Result};

mod attached_buffer;
mod blocked_call;
mod buffers;
mod check;
mod collectives;
mod communicator;
mod datatype;
mod derived_types;
mod file;
mod group;
pub mod handles;
mod job_handle;
mod library;
mod matched_message;
mod message_args;
mod neighbor_order_workaround;
mod nodes;
mod progress_workaround;
mod release;
mod request;
mod session;
mod struct_types;
mod topology;
mod transport;
mod truncation_workaround;
mod window;

/// The functions and types of `mpi.h`.
pub use mpi::ffi;
pub use session::thread_level;

/// Ranks as processes of a real MPI job.
#[derive(Clone, Copy, Debug)]
pub struct Mpi;

/// The backend.
pub static MPI: Mpi = Mpi;

impl ProcessRanks for Mpi {
    fn library(&self) -> LibraryInfo {
        library::library()
    }

    fn init(&self) -> Result<Rc<dyn JobHandle>> {
        Ok(job_handle::MpiJobHandle::init()?)
    }

    fn blocked_call(&self) -> Option<BlockedCall> {
        session::current().and_then(|session| blocked_call::current(session.rank))
    }

    fn progress(&self) {
        progress_workaround::progress();
    }

    fn thread_level(&self) -> Option<&'static str> {
        session::thread_level()
    }

    fn skip_finalize(&self) {
        session::skip_finalize();
    }

    fn finalize(&self) {
        session::finalize();
    }
}
