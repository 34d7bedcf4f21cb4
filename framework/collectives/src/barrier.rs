//! Barriers: nobody leaves before everybody has entered. One algorithm a file, in one of two languages.
//!
//! A [`Pattern`] is who tells whom: it names no substrate, and what it does depends on nothing but rank and size. From
//! its text alone follow its [plan](crate::plan), its [proof](crate::proof), its counts and pictures, and how it runs on
//! messages, on flags in memory and split in two phases. A [`BarrierProgram`] counts in memory, which only memory can.
//!
//! The modules below are made from the folder `src/barrier`: a file there is a barrier, and its `ENTRIES` are its rows in
//! the [catalogue](crate::catalogue).
use wb_comm::{Memory, Rank, Result, Signal};

use crate::explore::MemoryOrdering;

/// Who tells whom in one episode of a barrier.
///
/// ```
/// use wb_collectives::Pattern;
/// use wb_comm::{Result, Signal};
///
/// /// Everybody tells rank 0, then rank 0 tells everybody.
/// struct Central;
///
/// impl Pattern for Central {
///     fn episode<S: Signal>(&self, s: &mut S) -> Result<()> {
///         match s.rank() {
///             0 => {
///                 (1..s.size()).try_for_each(|peer| s.wait_signal(peer, 0))?;
///                 (1..s.size()).try_for_each(|peer| s.signal(peer, 0))
///             }
///             _ => s.signal(0, 0).and_then(|()| s.wait_signal(0, 0)),
///         }
///     }
/// }
/// ```
pub trait Pattern {
    /// One participant's part of one episode; the same each time.
    ///
    /// # Errors
    /// [`Error::Setup`](wb_comm::Error::Setup) where the algorithm is not defined for the size; what the substrate of
    /// the signals can meet.
    fn episode<S: Signal>(&self, s: &mut S) -> Result<()>;
}

/// A barrier that counts: what each PE does to everybody's cells in one episode.
pub trait BarrierProgram {
    /// How many cells each PE needs in a group of `size`.
    fn cells(&self, size: usize) -> usize;

    /// What every cell holds before the first episode.
    fn initial(&self) -> i64 {
        0
    }

    /// Whose barrier it is, in a group of `size`: these are waited for, and need nobody else.
    fn members(&self, size: usize) -> Vec<Rank> {
        (0..size).collect()
    }

    /// The weakest memory on which it is right. Shared memory is strong enough for all; what a program needs beyond the
    /// promise of [`Memory`] is said here.
    fn required_ordering(&self) -> MemoryOrdering {
        MemoryOrdering::UNORDERED
    }

    /// One participant's part of episode `epoch` = 1, 2, 3, ...
    ///
    /// Deterministic given what the verbs return, and without state of its own beside the cells: the explorer runs it
    /// again and again from the start.
    ///
    /// # Errors
    /// [`Error::Setup`](wb_comm::Error::Setup) where the algorithm is not defined for the size; what the memory can meet.
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()>;
}

/// A borrowed program is one.
impl<P: BarrierProgram + ?Sized> BarrierProgram for &P {
    fn cells(&self, size: usize) -> usize {
        (**self).cells(size)
    }

    fn initial(&self) -> i64 {
        (**self).initial()
    }

    fn members(&self, size: usize) -> Vec<Rank> {
        (**self).members(size)
    }

    fn required_ordering(&self) -> MemoryOrdering {
        (**self).required_ordering()
    }

    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        (**self).episode(m, epoch)
    }
}

include!(concat!(env!("OUT_DIR"), "/barriers.rs"));
