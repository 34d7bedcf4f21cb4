//! Heat conduction in a rod, sequentially and on many ranks that communicate only through windows, without messages.
//!
//! The rod is divided into strips. In every step a rank needs the outermost cells of its neighbours, so each rank opens
//! a window with room for these *halos*, and the neighbours put them there. When a cell becomes at least as hot as the
//! alarm, the rank that has it puts a notice on a *bulletin board* (доска объявлений) in a second window, at rank 0.
//!
//! MPI has three ways to synchronise the accesses to a window, and [`By`] is the parallel version with each of them:
//!
//! | | halos | board |
//! |---|---|---|
//! | [`fence`] | every rank waits for every rank | places are reserved in one epoch, written in the next |
//! | [`pscw`] | neighbours wait for neighbours | all ranks start, rank 0 posts |
//! | [`locks`] | no rank waits, so a barrier must follow the accesses | one rank at a time, in an undefined order |
//!
//! The cells are bitwise equal to the sequential version's. The notices are the same set, and are sorted at the end,
//! because their order on the board is undefined.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | the problem: [`Rod`], [`Diary`], [`Heat`], and an oracle that uses the rod's vibration modes |
//! | [`strip`] | a strip of the rod and one step of it, which both versions share |
//! | [`seq`] | [`Seq`]: one strip, all of the rod |
//! | [`mpi`] | [`By`]: a strip for each rank; [`Mpi`]: the one that is measured |
#![forbid(unsafe_code)]

pub mod fence;
pub mod locks;
pub mod mpi;
pub mod problem;
pub mod pscw;
pub mod seq;
pub mod strip;

pub use mpi::{By, Mpi};
pub use problem::{Diary, Heat, Notice, Rod};
pub use seq::Seq;
