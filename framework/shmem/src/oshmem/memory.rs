//! A symmetric array as [`Memory`]: every program of the catalogue runs on a real OpenSHMEM library.
use std::thread;

use wb_comm::{CellIndex, Memory, Rank, Result, Until};

use crate::oshmem::SymmetricLongs;

/// One PE's view.
pub struct SymmetricMemory<'s>(pub SymmetricLongs<'s>);

impl Memory for SymmetricMemory<'_> {
    fn rank(&self) -> Rank {
        self.0.shmem.pe()
    }

    fn size(&self) -> usize {
        self.0.shmem.size()
    }

    fn load(&mut self, cell: CellIndex) -> Result<i64> {
        Ok(self.0.load(cell)?)
    }

    fn store(&mut self, cell: CellIndex, value: i64) -> Result<()> {
        Ok(self.0.store(cell, value)?)
    }

    fn put(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<()> {
        Ok(self.0.put(pe, cell, value)?)
    }

    fn add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<()> {
        Ok(self.0.add(pe, cell, by)?)
    }

    fn get(&mut self, pe: Rank, cell: CellIndex) -> Result<i64> {
        Ok(self.0.get(pe, cell)?)
    }

    fn fetch_add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<i64> {
        Ok(self.0.fetch_add(pe, cell, by)?)
    }

    fn swap(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<i64> {
        Ok(self.0.swap(pe, cell, value)?)
    }

    fn compare_swap(&mut self, pe: Rank, cell: CellIndex, expected: i64, value: i64) -> Result<i64> {
        Ok(self.0.compare_swap(pe, cell, expected, value)?)
    }

    fn wait(&mut self, cell: CellIndex, until: Until) -> Result<()> {
        Ok(self.0.wait_until(cell, until)?)
    }

    fn poll(&mut self, pe: Rank, cell: CellIndex, until: Until) -> Result<()> {
        while !until.matches(self.0.get(pe, cell)?) {
            // The PE that sets the cell may need this core.
            thread::yield_now();
        }
        Ok(())
    }

    fn test(&mut self, cell: CellIndex, until: Until) -> Result<bool> {
        Ok(self.0.test(cell, until)?)
    }

    fn fence(&mut self) -> Result<()> {
        self.0.shmem.fence();
        Ok(())
    }

    fn quiet(&mut self) -> Result<()> {
        self.0.shmem.quiet();
        Ok(())
    }
}
