//! The interface of OpenSHMEM-like programs: PEs, a symmetric heap, one-sided access, teams and their barriers.
//!
//! It runs on any [`Transport`](wb_comm::Transport) that has windows, so on threads and on MPI alike. Names are those
//! of OpenSHMEM 1.5 without their prefix; undefined behaviour of the C interface is an error here.
//!
//! | module | noun |
//! |---|---|
//! | `shmem` | one PE: [`Shmem`] |
//! | `heap` | arrays that exist on every PE: [`Symmetric`] |
//! | `atomics`, `signal` | atomic changes of single elements, and waits for them |
//! | `strided`, [`team_slots`], `teams` | the members of a team, and their agreement: [`StridedSet`], [`Team`] |
//! | `barriers` | of teams and lists |
//! | `completing` | a barrier made from a sync: [`CompletingBarrier`] |
//! | [`partial_barrier`] | barriers of some PEs, by pairs |
//! | `error` | the errors: [`Error`] |
//! | [`ascend`] | the cores of Ascend, on threads |
//! | [`oshmem`] | a real OpenSHMEM library, loaded at run time |
//!
//! ```
//! use wb_comm::Until;
//! use wb_shmem::{Shmem, SignalOp};
//!
//! let heard = wb_local::threads::run(3, |transport| {
//!     let shmem = Shmem::init(&*transport)?;
//!     let (me, n) = (shmem.my_pe(), shmem.n_pes());
//!     let (ring, signal) = (shmem.malloc::<f64>(1)?, shmem.malloc::<i64>(1)?);
//!     shmem.put_signal((ring, 0), &[me as f64], (signal, 0), SignalOp::Set(1), (me + 1) % n)?;
//!     shmem.wait_until(signal, 0, Until::Equal(1))?;
//!     let left = shmem.local(ring)?[0];
//!     shmem.finalize()?;
//!     Ok::<_, wb_shmem::Error>(left)
//! });
//! assert_eq!(heard, [Ok(2.0), Ok(0.0), Ok(1.0)]);
//! ```
#![deny(unsafe_code)]
#![deny(missing_docs)]

pub mod ascend;
mod atomics;
mod barriers;
mod completing;
mod error;
mod heap;
pub mod oshmem;
pub mod partial_barrier;
mod shmem;
mod signal;
mod strided;
pub mod team_slots;
mod teams;

pub use completing::CompletingBarrier;
pub use error::{ArrayShape, Error, Result};
pub use heap::Symmetric;
pub use shmem::Shmem;
pub use signal::SignalOp;
pub use strided::StridedSet;
pub use teams::Team;

// The tests of the interface use the crate by its name, as others do.
#[cfg(test)]
extern crate self as wb_shmem;
#[cfg(test)]
#[path = "../tests/mod.rs"]
mod interface;
