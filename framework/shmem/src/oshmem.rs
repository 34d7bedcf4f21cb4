//! A real OpenSHMEM library: Open MPI's `liboshmem`, loaded at run time.
//!
//! It is loaded, not linked: the workbench builds and runs without it, and reports why ([`available`]). The interface
//! has the operations that barriers need: symmetric longs with puts, gets and atomics ([`SymmetricLongs`]), the same as
//! [`Memory`](wb_comm::Memory), so that our programs run on it ([`SymmetricMemory`]), and the library's own barriers
//! ([`BarrierAll`], [`SyncAll`], [`ActiveSetBarrier`]).
//!
//! Invariant: *a library that may crash runs in a process of its own.* This library always crashes at its end,
//! sometimes at its start, and one of its barriers hangs. So a job that uses it has a limit, runs without randomised
//! addresses ([`without_randomisation`]), writes its measurements before it ends, and ends without finalising the
//! library. The reasons are given at [`without_randomisation`] and [`ShmemLibrary`].
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
//! | `algorithm` | the algorithms of these barriers |
//! | `randomisation` | jobs with equal address maps |
//! | `error` | the errors |

#![allow(unsafe_code, reason = "a C library that is loaded at run time")]

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
pub use memory::SymmetricMemory;
pub use randomisation::without_randomisation;
pub use shmem::{ShmemLibrary, SymmetricLongs, available};
