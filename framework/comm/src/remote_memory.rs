//! A window as [`Memory`]: cells that PEs access by remote atomics, without shared memory.
//!
//! Every verb updates one word of the window and is complete when it returns ([`ErasedWindow::fetch_and_update_word`]).
//! So a fence or a quiet has nothing to order. That is stronger than [`Memory`] guarantees and costs a round trip for
//! each signal. On one machine, where remote atomics are the processor's own, it is fast. The library makes progress in
//! every verb.
//!
//! The window has type [`Datatype::I64`](crate::Datatype::I64) and stays in one passive epoch
//! ([`lock_all`](ErasedWindow::lock_all)) during this use.
use std::ops::Deref;

use crate::{CallSite, CellIndex, ErasedWindow, Memory, Rank, Result, Until, WordUpdate};

/// A window as [`Memory`]. The window may be borrowed, boxed or reference-counted.
#[derive(Clone, Copy, Debug)]
pub struct RemoteMemory<W> {
    window: W,
    site: CallSite,
}

impl<W: Deref<Target: ErasedWindow>> RemoteMemory<W> {
    /// For verbs called at `site`.
    pub fn new(window: W, site: CallSite) -> Self {
        Self { window, site }
    }

    /// The wrapped window.
    pub fn into_window(self) -> W {
        self.window
    }

    fn word(&self, pe: Rank, cell: CellIndex, becomes: WordUpdate) -> Result<i64> {
        self.window.fetch_and_update_word(pe, cell, becomes, self.site)
    }

    fn update(&self, pe: Rank, cell: CellIndex, becomes: WordUpdate) -> Result<()> {
        self.window.update_word(pe, cell, becomes, self.site)
    }
}

impl<W: Deref<Target: ErasedWindow>> Memory for RemoteMemory<W> {
    fn rank(&self) -> Rank {
        self.window.rank()
    }
    fn size(&self) -> usize {
        self.window.size()
    }
    fn load(&mut self, cell: CellIndex) -> Result<i64> {
        self.word(self.rank(), cell, WordUpdate::Keep)
    }
    fn store(&mut self, cell: CellIndex, value: i64) -> Result<()> {
        self.update(self.rank(), cell, WordUpdate::Replace(value))
    }
    fn put(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<()> {
        self.update(pe, cell, WordUpdate::Replace(value))
    }
    fn add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<()> {
        self.update(pe, cell, WordUpdate::Add(by))
    }
    fn get(&mut self, pe: Rank, cell: CellIndex) -> Result<i64> {
        self.word(pe, cell, WordUpdate::Keep)
    }
    fn fetch_add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<i64> {
        self.word(pe, cell, WordUpdate::Add(by))
    }
    fn swap(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<i64> {
        self.word(pe, cell, WordUpdate::Replace(value))
    }
    fn compare_swap(&mut self, pe: Rank, cell: CellIndex, expected: i64, value: i64) -> Result<i64> {
        self.word(pe, cell, WordUpdate::Swap { expected, value })
    }
    fn wait(&mut self, cell: CellIndex, until: Until) -> Result<()> {
        self.window.wait_until(self.rank(), cell, until, self.site)
    }
    fn poll(&mut self, pe: Rank, cell: CellIndex, until: Until) -> Result<()> {
        self.window.wait_until(pe, cell, until, self.site)
    }
    fn fence(&mut self) -> Result<()> {
        Ok(())
    }
    fn quiet(&mut self) -> Result<()> {
        Ok(())
    }
}
