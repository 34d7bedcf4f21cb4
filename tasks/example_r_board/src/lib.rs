//! Heat in a rod, sequentially and on many ranks that only touch each other's windows: no message is sent.
//!
//! The rod is cut into strips. In every step a rank needs the outermost cells of its neighbours, so each rank opens a
//! window with room for these *halos*, and the neighbours put them there. And whenever a cell becomes hotter than the
//! alarm, whoever owns it pins a notice on a *bulletin board* (доска объявлений) that hangs at rank 0, in another window.
//!
//! MPI knows three ways to say when a window may be touched, and [`Mpi`] can do with each of them ([`By`]):
//!
//! | | halos | board |
//! |---|---|---|
//! | [`fence`] | everybody waits for everybody | places are handed out in one epoch, filled in the next |
//! | [`pscw`] | neighbours wait for neighbours | all start, rank 0 posts |
//! | [`locks`] | nobody waits, so a barrier must say when it is done | one at a time, who is first is undefined |
//!
//! The cells are the same bits as the sequential version's; the notices are the same set, and are sorted at the end,
//! because their order on the board is not defined.
//!
//! | module | noun |
//! |---|---|
//! | [`problem`] | what is asked: [`Rod`], [`Diary`], [`Heat`], and an oracle that knows the rod's vibrations |
//! | [`strip`] | a strip of the rod: one step of it, which both versions share |
//! | [`seq`] | [`Seq`]: one strip, all of the rod |
//! | [`mpi`] | [`Mpi`]: a strip for each rank |
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
