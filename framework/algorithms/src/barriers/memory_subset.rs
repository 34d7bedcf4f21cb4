//! A part of a memory: some of its PEs and some of their cells, renumbered.
//!
//! A team's barrier runs on one, and so do the levels of a composition: a program does not see that others share the
//! memory. It differs from a whole memory in one point: the caller may act for another PE. All cores of an Ascend NPU
//! work on the NPU's one part of the memory; access to an *own* cell then is a remote access to the rank that holds it.
use wb_comm::{CellIndex, Memory, Rank, Result, Until};

/// Some PEs and cells of a memory, as a memory: its PE i is `members[i]` of the whole, its cell c is `first + c`.
#[derive(Debug)]
pub struct MemorySubset<'a, M> {
    inner: &'a mut M,
    members: &'a [Rank],
    index: usize,
    first: CellIndex,
}

impl<'a, M: Memory> MemorySubset<'a, M> {
    /// The part of `members` from cell `first` on, used by (or for) member number `index`.
    ///
    /// # Panics
    /// When the member does not exist.
    pub fn new(whole: &'a mut M, members: &'a [Rank], index: usize, first: CellIndex) -> Self {
        assert!(index < members.len(), "member {index} of {}", members.len());
        Self { inner: whole, members, index, first }
    }

    /// The rank that holds the own cells, if that is another PE of the whole.
    fn foreign_owner(&self) -> Option<Rank> {
        let holder = self.members[self.index];
        (holder != self.inner.rank()).then_some(holder)
    }
}

impl<M: Memory> Memory for MemorySubset<'_, M> {
    fn rank(&self) -> Rank {
        self.index
    }
    fn size(&self) -> usize {
        self.members.len()
    }
    #[inline]
    fn load(&mut self, cell: CellIndex) -> Result<i64> {
        match self.foreign_owner() {
            None => self.inner.load(self.first + cell),
            Some(holder) => self.inner.get(holder, self.first + cell),
        }
    }
    #[inline]
    fn store(&mut self, cell: CellIndex, value: i64) -> Result<()> {
        match self.foreign_owner() {
            None => self.inner.store(self.first + cell, value),
            // A swap, because a store takes effect immediately.
            Some(holder) => self.inner.swap(holder, self.first + cell, value).map(drop),
        }
    }
    #[inline]
    fn put(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<()> {
        self.inner.put(self.members[pe], self.first + cell, value)
    }
    #[inline]
    fn add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<()> {
        self.inner.add(self.members[pe], self.first + cell, by)
    }
    #[inline]
    fn get(&mut self, pe: Rank, cell: CellIndex) -> Result<i64> {
        self.inner.get(self.members[pe], self.first + cell)
    }
    #[inline]
    fn fetch_add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<i64> {
        self.inner.fetch_add(self.members[pe], self.first + cell, by)
    }
    #[inline]
    fn swap(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<i64> {
        self.inner.swap(self.members[pe], self.first + cell, value)
    }
    #[inline]
    fn compare_swap(&mut self, pe: Rank, cell: CellIndex, expected: i64, value: i64) -> Result<i64> {
        self.inner.compare_swap(self.members[pe], self.first + cell, expected, value)
    }
    #[inline]
    fn wait(&mut self, cell: CellIndex, until: Until) -> Result<()> {
        match self.foreign_owner() {
            None => self.inner.wait(self.first + cell, until),
            Some(holder) => self.inner.poll(holder, self.first + cell, until),
        }
    }
    #[inline]
    fn poll(&mut self, pe: Rank, cell: CellIndex, until: Until) -> Result<()> {
        self.inner.poll(self.members[pe], self.first + cell, until)
    }
    #[inline]
    fn fence(&mut self) -> Result<()> {
        self.inner.fence()
    }
    #[inline]
    fn quiet(&mut self) -> Result<()> {
        self.inner.quiet()
    }
}
