//! One-sided memory operations: every PE owns 64-bit cells that all PEs can access.
//!
//! *Every transport can signal; only memory can count.* Barriers that count (central counter, sense reversal) and those
//! that the OpenSHMEM literature publishes in puts and gets are programs in these verbs, under OpenSHMEM's names.
//!
//! The guarantees are minimal. A [`put`](Memory::put) or [`add`](Memory::add) takes effect at some later time. Those of
//! one PE take effect in any order, until [`fence`](Memory::fence) orders those to one PE or [`quiet`](Memory::quiet)
//! waits for all. A value that a wait has read makes everything visible that was complete before it was written. A
//! substrate may guarantee more, as shared memory does; the explorer of `wb_algorithms::barriers` guarantees exactly this.
use std::fmt;

use crate::{Rank, Result};

/// The number of a cell in a PE's part of the memory, `0..cells`.
pub type CellIndex = usize;

/// The condition of a wait.
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
    /// Whether `value` satisfies the condition.
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
/// Every verb: the errors of the substrate, including [`Error::Interrupted`](crate::Error::Interrupted).
#[allow(clippy::missing_errors_doc, reason = "said once for the whole trait")]
pub trait Memory {
    /// This PE's number.
    fn rank(&self) -> Rank;

    /// The number of PEs that share the memory.
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

    /// Returns once an own cell satisfies the condition (`shmem_wait_until`).
    fn wait(&mut self, cell: CellIndex, until: Until) -> Result<()>;

    /// Returns once a cell of `pe` satisfies the condition; reads it repeatedly.
    fn poll(&mut self, pe: Rank, cell: CellIndex, until: Until) -> Result<()>;

    /// Whether an own cell satisfies the condition (`shmem_test`).
    fn test(&mut self, cell: CellIndex, until: Until) -> Result<bool> {
        Ok(until.matches(self.load(cell)?))
    }

    /// Orders this PE's puts and adds so far before its later ones, for each target PE separately.
    fn fence(&mut self) -> Result<()>;

    /// Returns once all puts and adds of this PE are complete.
    fn quiet(&mut self) -> Result<()>;
}

/// A borrowed memory implements the same operations.
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
