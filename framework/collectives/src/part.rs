//! A part of a memory: some of its PEs, some of their cells, under numbers of its own.
//!
//! A team's barrier runs on one, and so do the levels of a composition: a program never learns that others share the
//! memory. One thing is new against a whole memory: the caller may act for a PE that it is not. Ascend's cores do, all
//! cores of an NPU work on the NPU's one part of the memory; what is *own* then is a remote access to whoever holds it.
use wb_comm::{Cell, Memory, Rank, Result, Until};

/// See the module. PE i of the part is `members[i]` of the whole, cell c is `first + c`.
#[derive(Debug)]
pub struct Part<'a, M> {
    whole: &'a mut M,
    members: &'a [Rank],
    index: usize,
    first: Cell,
}

impl<'a, M: Memory> Part<'a, M> {
    /// The part of `members` from cell `first` on, used by (or for) member number `index`.
    ///
    /// # Panics
    /// When there is no such member.
    pub fn new(whole: &'a mut M, members: &'a [Rank], index: usize, first: Cell) -> Self {
        assert!(index < members.len(), "member {index} of {}", members.len());
        Self { whole, members, index, first }
    }

    /// Whoever holds what is called own here, if that is another PE of the whole.
    fn other(&self) -> Option<Rank> {
        let holder = self.members[self.index];
        (holder != self.whole.rank()).then_some(holder)
    }
}

impl<M: Memory> Memory for Part<'_, M> {
    fn rank(&self) -> Rank {
        self.index
    }
    fn size(&self) -> usize {
        self.members.len()
    }
    #[inline]
    fn load(&mut self, cell: Cell) -> Result<i64> {
        match self.other() {
            None => self.whole.load(self.first + cell),
            Some(holder) => self.whole.get(holder, self.first + cell),
        }
    }
    #[inline]
    fn store(&mut self, cell: Cell, value: i64) -> Result<()> {
        match self.other() {
            None => self.whole.store(self.first + cell, value),
            // At once, as a store is.
            Some(holder) => self.whole.swap(holder, self.first + cell, value).map(drop),
        }
    }
    #[inline]
    fn put(&mut self, pe: Rank, cell: Cell, value: i64) -> Result<()> {
        self.whole.put(self.members[pe], self.first + cell, value)
    }
    #[inline]
    fn add(&mut self, pe: Rank, cell: Cell, by: i64) -> Result<()> {
        self.whole.add(self.members[pe], self.first + cell, by)
    }
    #[inline]
    fn get(&mut self, pe: Rank, cell: Cell) -> Result<i64> {
        self.whole.get(self.members[pe], self.first + cell)
    }
    #[inline]
    fn fetch_add(&mut self, pe: Rank, cell: Cell, by: i64) -> Result<i64> {
        self.whole.fetch_add(self.members[pe], self.first + cell, by)
    }
    #[inline]
    fn swap(&mut self, pe: Rank, cell: Cell, value: i64) -> Result<i64> {
        self.whole.swap(self.members[pe], self.first + cell, value)
    }
    #[inline]
    fn compare_swap(&mut self, pe: Rank, cell: Cell, expected: i64, value: i64) -> Result<i64> {
        self.whole.compare_swap(self.members[pe], self.first + cell, expected, value)
    }
    #[inline]
    fn wait(&mut self, cell: Cell, until: Until) -> Result<()> {
        match self.other() {
            None => self.whole.wait(self.first + cell, until),
            Some(holder) => self.whole.poll(holder, self.first + cell, until),
        }
    }
    #[inline]
    fn poll(&mut self, pe: Rank, cell: Cell, until: Until) -> Result<()> {
        self.whole.poll(self.members[pe], self.first + cell, until)
    }
    #[inline]
    fn fence(&mut self) -> Result<()> {
        self.whole.fence()
    }
    #[inline]
    fn quiet(&mut self) -> Result<()> {
        self.whole.quiet()
    }
}
