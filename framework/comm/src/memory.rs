//! The one-sided machine: every PE owns 64-bit cells that all can reach.
//!
//! *Everything can signal; only memory can count.* Barriers that count (central counter, sense reversal) and those that
//! the OpenSHMEM literature publishes in puts and gets are programs in these verbs, under OpenSHMEM's names.
//!
//! What is promised, and no more: a [`put`](Memory::put) or [`add`](Memory::add) takes effect at some later time, those
//! of one PE in any order, until [`fence`](Memory::fence) orders those to one PE and [`quiet`](Memory::quiet) waits for
//! all. A value that a wait has seen makes everything visible that was complete before it was written. A substrate may
//! be stronger (shared memory is); the explorer of `wb-barriers` is exactly this weak.
use std::fmt;

use crate::{Rank, Result};

/// The number of a cell in a PE's part of the memory, `0..cells`.
pub type CellIndex = usize;

/// What a wait waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Until {
    /// The value is this.
    Equal(i64),
    /// The value is not this.
    NotEqual(i64),
    /// The value is this or larger.
    AtLeast(i64),
    /// The value is one of these two.
    Either(i64, i64),
}

impl Until {
    /// Is `value` what is waited for?
    #[inline]
    pub fn matches(self, value: i64) -> bool {
        match self {
            Self::Equal(wanted) => value == wanted,
            Self::NotEqual(unwanted) => value != unwanted,
            Self::AtLeast(least) => value >= least,
            Self::Either(one, other) => value == one || value == other,
        }
    }
}

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal(value) => write!(f, "= {value}"),
            Self::NotEqual(value) => write!(f, "!= {value}"),
            Self::AtLeast(value) => write!(f, ">= {value}"),
            Self::Either(one, other) => write!(f, "in {{{one}, {other}}}"),
        }
    }
}

/// Cells that a group of PEs shares, as one PE sees them.
///
/// # Errors
/// Every verb: what the substrate can meet, among it [`Error::Interrupted`](crate::Error::Interrupted).
#[allow(clippy::missing_errors_doc, reason = "said once for the whole trait")]
pub trait Memory {
    /// This PE's number.
    fn rank(&self) -> Rank;

    /// How many PEs share the memory.
    fn size(&self) -> usize;

    /// The value of an own cell.
    fn load(&mut self, cell: CellIndex) -> Result<i64>;

    /// Sets an own cell immediately.
    fn store(&mut self, cell: CellIndex, value: i64) -> Result<()>;

    /// Sets a cell of `pe`, some time later.
    fn put(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<()>;

    /// Adds to a cell of `pe`, atomically, some time later.
    fn add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<()>;

    /// The value of a cell of `pe`.
    fn get(&mut self, pe: Rank, cell: CellIndex) -> Result<i64>;

    /// Adds to a cell of `pe`, atomically and immediately; returns the former value.
    fn fetch_add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<i64>;

    /// Sets a cell of `pe`, atomically and immediately; returns the former value.
    fn swap(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<i64>;

    /// Sets a cell of `pe` to `value` if it is `expected`, atomically and immediately; returns the former value.
    fn compare_swap(&mut self, pe: Rank, cell: CellIndex, expected: i64, value: i64) -> Result<i64>;

    /// Returns once an own cell is what is waited for (`shmem_wait_until`).
    fn wait(&mut self, cell: CellIndex, until: Until) -> Result<()>;

    /// Returns once a cell of `pe` is what is waited for, getting it again and again.
    fn poll(&mut self, pe: Rank, cell: CellIndex, until: Until) -> Result<()>;

    /// Is an own cell what would be waited for? (`shmem_test`)
    fn test(&mut self, cell: CellIndex, until: Until) -> Result<bool> {
        Ok(until.matches(self.load(cell)?))
    }

    /// Orders what this PE has put and added so far before what it puts and adds later, for each PE on its own.
    fn fence(&mut self) -> Result<()>;

    /// Returns once all that this PE has put and added is there.
    fn quiet(&mut self) -> Result<()>;
}

/// A borrowed memory is one.
impl<M: Memory + ?Sized> Memory for &mut M {
    fn rank(&self) -> Rank {
        (**self).rank()
    }
    fn size(&self) -> usize {
        (**self).size()
    }
    fn load(&mut self, cell: CellIndex) -> Result<i64> {
        (**self).load(cell)
    }
    fn store(&mut self, cell: CellIndex, value: i64) -> Result<()> {
        (**self).store(cell, value)
    }
    fn put(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<()> {
        (**self).put(pe, cell, value)
    }
    fn add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<()> {
        (**self).add(pe, cell, by)
    }
    fn get(&mut self, pe: Rank, cell: CellIndex) -> Result<i64> {
        (**self).get(pe, cell)
    }
    fn fetch_add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<i64> {
        (**self).fetch_add(pe, cell, by)
    }
    fn swap(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<i64> {
        (**self).swap(pe, cell, value)
    }
    fn compare_swap(&mut self, pe: Rank, cell: CellIndex, expected: i64, value: i64) -> Result<i64> {
        (**self).compare_swap(pe, cell, expected, value)
    }
    fn wait(&mut self, cell: CellIndex, until: Until) -> Result<()> {
        (**self).wait(cell, until)
    }
    fn poll(&mut self, pe: Rank, cell: CellIndex, until: Until) -> Result<()> {
        (**self).poll(pe, cell, until)
    }
    fn test(&mut self, cell: CellIndex, until: Until) -> Result<bool> {
        (**self).test(cell, until)
    }
    fn fence(&mut self) -> Result<()> {
        (**self).fence()
    }
    fn quiet(&mut self) -> Result<()> {
        (**self).quiet()
    }
}
