//! Barriers that count: programs in the operations of [`Memory`].
use wb_comm::{Cells, Memory, Rank, Result};

use crate::barriers::memory_ordering::MemoryOrdering;

/// A barrier that counts: the operations of each PE on the cells of all ranks in one episode.
pub trait BarrierProgram {
    /// The number of cells of each PE in a group of `size`.
    fn cells(&self, size: usize) -> usize;

    /// The initial value of every cell.
    fn initial(&self) -> i64 {
        0
    }

    /// The members, in a group of `size`: the barrier waits for these, and needs no other rank.
    fn members(&self, size: usize) -> Vec<Rank> {
        (0..size).collect()
    }

    /// The weakest memory on which it is right. Shared memory is strong enough for all; the requirements beyond the
    /// guarantees of [`Memory`] are stated here.
    fn required_ordering(&self) -> MemoryOrdering {
        MemoryOrdering::UNORDERED
    }

    /// One participant's part of episode `epoch` = 1, 2, 3, ...
    ///
    /// It is deterministic given the results of the operations, and has no state besides the cells: the explorer
    /// repeatedly runs it from the start.
    ///
    /// # Errors
    /// [`Error::Setup`](wb_comm::Error::Setup) where the algorithm is not defined for the size; the errors of the
    /// memory.
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()>;
}

/// A borrowed program is a program.
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

/// A [`BarrierProgram`] with an erased type: one dynamic call around an episode on cells, none inside.
pub trait ErasedProgram: Send + Sync {
    /// See [`BarrierProgram::cells`].
    fn cells(&self, size: usize) -> usize;

    /// See [`BarrierProgram::initial`].
    fn initial(&self) -> i64;

    /// See [`BarrierProgram::members`].
    fn members(&self, size: usize) -> Vec<Rank>;

    /// See [`BarrierProgram::required_ordering`].
    fn required_ordering(&self) -> MemoryOrdering;

    /// See [`BarrierProgram::episode`].
    ///
    /// # Errors
    /// See [`BarrierProgram::episode`].
    fn run_on_cells(&self, cells: &mut Cells<'_>, epoch: i64) -> Result<()>;

    /// See [`BarrierProgram::episode`].
    ///
    /// # Errors
    /// See [`BarrierProgram::episode`].
    fn run_on_memory(&self, memory: &mut dyn Memory, epoch: i64) -> Result<()>;
}

impl<P: BarrierProgram + Send + Sync> ErasedProgram for P {
    fn cells(&self, size: usize) -> usize {
        BarrierProgram::cells(self, size)
    }

    fn initial(&self) -> i64 {
        BarrierProgram::initial(self)
    }

    fn members(&self, size: usize) -> Vec<Rank> {
        BarrierProgram::members(self, size)
    }

    fn required_ordering(&self) -> MemoryOrdering {
        BarrierProgram::required_ordering(self)
    }

    fn run_on_cells(&self, cells: &mut Cells<'_>, epoch: i64) -> Result<()> {
        self.episode(cells, epoch)
    }

    fn run_on_memory(&self, mut memory: &mut dyn Memory, epoch: i64) -> Result<()> {
        self.episode(&mut memory, epoch)
    }
}
