//! A window as [`Memory`]: cells that PEs reach by remote atomics, where memory need not be shared.
//!
//! Every verb is one word of the window and is complete when it returns ([`Window::word`]), so there is nothing left for
//! a fence or a quiet to order. That is stronger than [`Memory`] promises and costs a round trip for each signal; on one
//! machine, where remote atomics are the processor's own, it is the fast way. The library makes progress in every verb.
//!
//! The window has type [`Layout::I64`](crate::Layout::I64) and stands in one passive epoch
//! ([`lock_all`](Window::lock_all)) as long as it is used like this.
use std::ops::Deref;

use crate::{Cell, Memory, Rank, Result, Site, Until, Window, Word};

/// See the module. The window may be borrowed, boxed or counted.
#[derive(Clone, Copy, Debug)]
pub struct Remote<W> {
    window: W,
    site: Site,
}

impl<W: Deref<Target: Window>> Remote<W> {
    /// For verbs called at `site`.
    pub fn new(window: W, site: Site) -> Self {
        Self { window, site }
    }

    /// The window again.
    pub fn into_window(self) -> W {
        self.window
    }

    fn word(&self, pe: Rank, cell: Cell, becomes: Word) -> Result<i64> {
        self.window.word(pe, cell, becomes, self.site)
    }

    fn update(&self, pe: Rank, cell: Cell, becomes: Word) -> Result<()> {
        self.window.update(pe, cell, becomes, self.site)
    }
}

impl<W: Deref<Target: Window>> Memory for Remote<W> {
    fn rank(&self) -> Rank {
        self.window.rank()
    }
    fn size(&self) -> usize {
        self.window.size()
    }
    fn load(&mut self, cell: Cell) -> Result<i64> {
        self.word(self.rank(), cell, Word::Keep)
    }
    fn store(&mut self, cell: Cell, value: i64) -> Result<()> {
        self.update(self.rank(), cell, Word::Replace(value))
    }
    fn put(&mut self, pe: Rank, cell: Cell, value: i64) -> Result<()> {
        self.update(pe, cell, Word::Replace(value))
    }
    fn add(&mut self, pe: Rank, cell: Cell, by: i64) -> Result<()> {
        self.update(pe, cell, Word::Add(by))
    }
    fn get(&mut self, pe: Rank, cell: Cell) -> Result<i64> {
        self.word(pe, cell, Word::Keep)
    }
    fn fetch_add(&mut self, pe: Rank, cell: Cell, by: i64) -> Result<i64> {
        self.word(pe, cell, Word::Add(by))
    }
    fn swap(&mut self, pe: Rank, cell: Cell, value: i64) -> Result<i64> {
        self.word(pe, cell, Word::Replace(value))
    }
    fn compare_swap(&mut self, pe: Rank, cell: Cell, expected: i64, value: i64) -> Result<i64> {
        self.word(pe, cell, Word::Swap { expected, value })
    }
    fn wait(&mut self, cell: Cell, until: Until) -> Result<()> {
        self.window.wait_until(self.rank(), cell, until, self.site)
    }
    fn poll(&mut self, pe: Rank, cell: Cell, until: Until) -> Result<()> {
        self.window.wait_until(pe, cell, until, self.site)
    }
    fn fence(&mut self) -> Result<()> {
        Ok(())
    }
    fn quiet(&mut self) -> Result<()> {
        Ok(())
    }
}
