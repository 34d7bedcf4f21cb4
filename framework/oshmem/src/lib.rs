//! A real OpenSHMEM library as an interpreter: Open MPI's `liboshmem`, loaded while the program runs.
//!
//! Loaded, not linked: the workbench builds and runs where there is none, and says why ([`available`]). What is offered
//! is what barriers need: symmetric longs with puts, gets and atomics ([`SymmetricLongs`]), the same as
//! [`Memory`](wb_comm::Memory), so that our programs run on it ([`SymmetricMemory`]), and the library's own barriers
//! ([`BarrierAll`], [`SyncAll`], [`ActiveSetBarrier`]).
//!
//! Invariant: *what may crash does so in a process of its own.* This library crashes at its end always, at its start at
//! times, and one of its barriers hangs; so a job that uses it has a limit, runs without randomised addresses
//! ([`without_randomisation`]), writes what it has measured before it ends, and ends without the library's farewell. The
//! reasons stand at [`without_randomisation`] and [`ShmemLibrary`].
//!
//! In a job together with MPI: `wb_mpi::MPI.init()`, then [`ShmemLibrary::start`]; at the end `wb_mpi::MPI.leave()`, then
//! `wb_process::exit_now(0)`.
//!
//! | module | noun |
//! |---|---|
//! | `functions` | the library's functions |
//! | `shmem` | this process as a PE, symmetric arrays |
//! | `memory` | an array as `Memory` |
//! | `barrier` | the library's barriers |
//! | `algorithm` | which algorithm they use |
//! | `randomisation` | jobs with equal address maps |
//! | `error` | why not |

mod algorithm;
mod barrier;
mod error;
mod functions;
mod memory;
mod randomisation;
mod shmem;

pub use algorithm::Algorithm;
pub use barrier::{ActiveSet, ActiveSetBarrier, BarrierAll, SyncAll};
pub use error::{Error, Result};
pub use functions::LIBRARY_VARIABLE;
pub use memory::SymmetricMemory;
pub use randomisation::without_randomisation;
pub use shmem::{ShmemLibrary, SymmetricLongs, available};
