//! Shared memory as [`Memory`]: atomic cells that are shared by threads, or by processes with a common window.
//!
//! The owner of the memory does not matter: a `Vec` that threads share, or a window of MPI. All participants access the
//! same slice of atomics. Every store that signals is a Release, every load that ends a wait an Acquire, so a barrier
//! on these cells orders data as well as control. The orderings are a parameter, [`ReleaseAcquire`]. The model
//! checker's tests in `wb_algorithms::barriers` run these verbs with them and with each of them weakened.
//!
//! Two hardware properties are parameters, because neither choice is always right. [`Spacing`]: cells that share a
//! cache line are transferred together, which halves the cost for two participants and costs more with many writers.
//! [`SpinPolicy`]: a participant that has a core of its own spins; one that shares it yields, since the awaited
//! participant may need it.
//!
//! ```
//! use wb_comm::{Cells, Memory, SpinPolicy, Spacing, Until, cells::required_len};
//! use std::sync::atomic::AtomicI64;
//!
//! let all: Vec<AtomicI64> = (0..required_len(2, 1, Spacing::Packed)).map(|_| AtomicI64::new(0)).collect();
//! let mut zero = Cells::new(&all, 0, 2, 1, Spacing::Packed, SpinPolicy::SHARED_CORE);
//! let mut one = Cells::new(&all, 1, 2, 1, Spacing::Packed, SpinPolicy::SHARED_CORE);
//! zero.put(1, 0, 7)?;
//! one.wait(0, Until::AtLeast(7))?;
//! # Ok::<(), wb_comm::Error>(())
//! ```
use std::{
    hint,
    sync::atomic::{
        AtomicBool, AtomicI64, Ordering,
        Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst},
        fence,
    },
    thread,
};

use crate::{CellIndex, Error, Memory, Rank, Result, Until, text::barrier, word_copy};

/// The distance between cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spacing {
    /// Side by side: sixteen cells share the 128 bytes that a processor prefetches together.
    Packed,
    /// Each cell alone on 128 bytes.
    Padded,
}

impl Spacing {
    /// All spacings.
    pub const ALL: [Self; 2] = [Self::Packed, Self::Padded];

    /// The distance from one cell to the next, in cells of 8 bytes.
    pub fn stride(self) -> usize {
        match self {
            Self::Packed => 1,
            Self::Padded => 16,
        }
    }

    /// `"packed"`, `"padded"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Packed => "packed",
            Self::Padded => "padded",
        }
    }
}

/// The number of polls of a wait before it yields its core at each poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpinPolicy {
    /// The number of polls without yielding.
    pub spins_before_yield: u32,
}

impl SpinPolicy {
    /// For participants that have a core each: spins some tens of microseconds, a hundred times what a barrier takes. A
    /// participant that is later than that has lost its core, perhaps to this one; yielding then costs the waiting one
    /// nothing.
    pub const DEDICATED_CORE: Self = Self { spins_before_yield: 1_000 };

    /// For participants that share cores: one read, since the awaited participant may need this core. Two more polls
    /// before the first yield cost 2 to 3 % of an episode at 3, 4 and 8 ranks on two cores, by pairs of visits of 13
    /// barriers; more cost more: 20 polls 8 %, 80 polls 40 %.
    pub const SHARED_CORE: Self = Self { spins_before_yield: 0 };

    /// The policy for `participants` on `cores` cores.
    pub fn for_participants(participants: usize, cores: usize) -> Self {
        if participants <= cores { Self::DEDICATED_CORE } else { Self::SHARED_CORE }
    }
}

/// The memory orderings of the verbs of [`Cells`].
///
/// They are a parameter, so that a model checker runs the verbs with the orderings that the processor gets, and with
/// weaker ones, for which it must find an error.
pub trait Orderings: 'static {
    /// The ordering of a read.
    const LOAD: Ordering;
    /// The ordering of a write.
    const STORE: Ordering;
    /// The ordering of a read-modify-write.
    const READ_MODIFY_WRITE: Ordering;
    /// The ordering of a compare and swap that finds another value.
    const COMPARE_FAILURE: Ordering;
    /// The ordering of the fence that orders everything before it before everything after it.
    const FENCE: Ordering;
}

/// The orderings that the verbs need: a write releases, a read acquires, and all fences have one total order.
#[derive(Clone, Copy, Debug)]
pub struct ReleaseAcquire;

impl Orderings for ReleaseAcquire {
    const LOAD: Ordering = Acquire;
    const STORE: Ordering = Release;
    const READ_MODIFY_WRITE: Ordering = AcqRel;
    const COMPARE_FAILURE: Ordering = Acquire;
    const FENCE: Ordering = SeqCst;
}

/// A 64-bit atomic: the processor's, or a model checker's. It does not choose orderings: [`Cells`] passes those of
/// `Orderings`.
pub trait AtomicWord {
    /// The orderings that [`Cells`] uses on it.
    type Orderings: Orderings;

    /// Reads.
    fn load(&self, ordering: Ordering) -> i64;
    /// Writes.
    fn store(&self, value: i64, ordering: Ordering);
    /// Adds and returns the former value; wraps around.
    fn fetch_add(&self, by: i64, ordering: Ordering) -> i64;
    /// Writes and returns the former value.
    fn swap(&self, value: i64, ordering: Ordering) -> i64;
    /// Writes if the value is `expected`; returns the former value.
    fn compare_swap(&self, expected: i64, value: i64, ordering: Ordering, failure: Ordering) -> i64;
    /// A pause between two polls.
    fn spin_hint();
    /// Yields the core.
    fn yield_core();
    /// A fence between all atomics.
    fn fence(ordering: Ordering);

    /// Writes bytes to the first words, without order; the rest of the last word becomes zero.
    ///
    /// # Panics
    /// If the words are too few.
    #[inline]
    fn store_bytes(words: &[Self], bytes: &[u8])
    where
        Self: Sized,
    {
        word_copy::store_by_word(words, bytes);
    }

    /// Reads bytes from the first words, without order.
    ///
    /// # Panics
    /// If the words are too few.
    #[inline]
    fn load_bytes(words: &[Self], bytes: &mut [u8])
    where
        Self: Sized,
    {
        word_copy::load_by_word(words, bytes);
    }
}

#[deny(unused_variables, reason = "an ordering that is not passed on is another one")]
impl AtomicWord for AtomicI64 {
    type Orderings = ReleaseAcquire;

    #[inline]
    fn load(&self, ordering: Ordering) -> i64 {
        self.load(ordering)
    }
    #[inline]
    fn store(&self, value: i64, ordering: Ordering) {
        self.store(value, ordering);
    }
    #[inline]
    fn fetch_add(&self, by: i64, ordering: Ordering) -> i64 {
        self.fetch_add(by, ordering)
    }
    #[inline]
    fn swap(&self, value: i64, ordering: Ordering) -> i64 {
        self.swap(value, ordering)
    }
    #[inline]
    fn compare_swap(&self, expected: i64, value: i64, ordering: Ordering, failure: Ordering) -> i64 {
        self.compare_exchange(expected, value, ordering, failure).unwrap_or_else(|found| found)
    }
    #[inline]
    fn spin_hint() {
        hint::spin_loop();
    }
    #[inline]
    fn yield_core() {
        thread::yield_now();
    }
    #[inline]
    fn fence(ordering: Ordering) {
        fence(ordering);
    }
    #[inline]
    fn store_bytes(words: &[Self], bytes: &[u8]) {
        word_copy::store(words, bytes);
    }
    #[inline]
    fn load_bytes(words: &[Self], bytes: &mut [u8]) {
        word_copy::load(words, bytes);
    }
}

/// The number of atomics that `size` participants with `cells` cells each need.
///
/// # Panics
/// If they exceed the address space.
pub fn required_len(size: usize, cells: usize, spacing: Spacing) -> usize {
    let all = size.checked_mul(cells).and_then(|all| all.checked_mul(spacing.stride()));
    all.expect("the cells of all participants fit memory")
}

/// The view of one participant.
#[derive(Debug)]
pub struct Cells<'a, A = AtomicI64> {
    all: &'a [A],
    rank: Rank,
    size: usize,
    cells: usize,
    stride: usize,
    spin_policy: SpinPolicy,
    interrupt: Option<&'a AtomicBool>,
}

impl<'a, A: AtomicWord> Cells<'a, A> {
    /// The view of participant `rank` of `size` with `cells` cells each.
    ///
    /// # Panics
    /// When `all` is shorter than [`required_len`] says, or the rank is not one of the participants.
    pub fn new(
        all: &'a [A],
        rank: Rank,
        size: usize,
        cells: usize,
        spacing: Spacing,
        spin_policy: SpinPolicy,
    ) -> Self {
        let needed = required_len(size, cells, spacing);
        assert!(all.len() >= needed, "{} atomics given, {needed} needed", all.len());
        assert!(rank < size, "participant {rank} of {size}");
        Self { all, rank, size, cells, stride: spacing.stride(), spin_policy, interrupt: None }
    }

    /// Waits end with [`Error::Interrupted`] soon after `flag` is set.
    #[must_use]
    pub fn with_interrupt(self, flag: &'a AtomicBool) -> Self {
        Self { interrupt: Some(flag), ..self }
    }

    #[inline]
    fn at(&self, pe: Rank, cell: CellIndex) -> &'a A {
        assert!(cell < self.cells, "cell {cell} of {}", self.cells);
        &self.all[(pe * self.cells + cell) * self.stride]
    }

    #[inline]
    fn spin_until(&self, pe: Rank, cell: CellIndex, until: Until) -> Result<()> {
        let atom = self.at(pe, cell);
        for _ in 0..self.spin_policy.spins_before_yield {
            if until.matches(read(atom)) {
                return Ok(());
            }
            A::spin_hint();
        }
        self.yield_until(pe, cell, until)
    }

    #[inline(never)]
    fn yield_until(&self, pe: Rank, cell: CellIndex, until: Until) -> Result<()> {
        let atom = self.at(pe, cell);
        while !until.matches(read(atom)) {
            if self.interrupt.is_some_and(|flag| flag.load(Relaxed)) {
                let (rank, value) = (self.rank, read(atom));
                let reason = barrier::cell_awaited(rank, cell, pe, until.to_string(), value);
                return Err(Error::Interrupted { reason });
            }
            A::yield_core();
        }
        Ok(())
    }
}

#[inline]
fn read<A: AtomicWord>(atom: &A) -> i64 {
    atom.load(A::Orderings::LOAD)
}

impl<A: AtomicWord> Memory for Cells<'_, A> {
    fn rank(&self) -> Rank {
        self.rank
    }
    fn size(&self) -> usize {
        self.size
    }
    #[inline]
    fn load(&mut self, cell: CellIndex) -> Result<i64> {
        Ok(read(self.at(self.rank, cell)))
    }
    #[inline]
    fn store(&mut self, cell: CellIndex, value: i64) -> Result<()> {
        self.at(self.rank, cell).store(value, A::Orderings::STORE);
        Ok(())
    }
    #[inline]
    fn put(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<()> {
        self.at(pe, cell).store(value, A::Orderings::STORE);
        Ok(())
    }
    #[inline]
    fn add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<()> {
        self.at(pe, cell).fetch_add(by, A::Orderings::READ_MODIFY_WRITE);
        Ok(())
    }
    #[inline]
    fn get(&mut self, pe: Rank, cell: CellIndex) -> Result<i64> {
        Ok(read(self.at(pe, cell)))
    }
    #[inline]
    fn fetch_add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<i64> {
        Ok(self.at(pe, cell).fetch_add(by, A::Orderings::READ_MODIFY_WRITE))
    }
    #[inline]
    fn swap(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<i64> {
        Ok(self.at(pe, cell).swap(value, A::Orderings::READ_MODIFY_WRITE))
    }
    #[inline]
    fn compare_swap(&mut self, pe: Rank, cell: CellIndex, expected: i64, value: i64) -> Result<i64> {
        Ok(self.at(pe, cell).compare_swap(
            expected,
            value,
            A::Orderings::READ_MODIFY_WRITE,
            A::Orderings::COMPARE_FAILURE,
        ))
    }
    #[inline]
    fn wait(&mut self, cell: CellIndex, until: Until) -> Result<()> {
        self.spin_until(self.rank, cell, until)
    }
    #[inline]
    fn poll(&mut self, pe: Rank, cell: CellIndex, until: Until) -> Result<()> {
        self.spin_until(pe, cell, until)
    }
    #[inline]
    fn fence(&mut self) -> Result<()> {
        Ok(())
    }
    #[inline]
    fn quiet(&mut self) -> Result<()> {
        A::fence(A::Orderings::FENCE);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_wait_goes_on_until_the_value_comes_or_the_flag_is_set() {
        let all: Vec<AtomicI64> =
            (0..required_len(2, 1, Spacing::Packed)).map(|_| AtomicI64::new(0)).collect();
        let stop = AtomicBool::new(false);
        let participant = |rank| {
            Cells::new(&all, rank, 2, 1, Spacing::Packed, SpinPolicy::SHARED_CORE).with_interrupt(&stop)
        };
        let (mut zero, mut one) = (participant(0), participant(1));
        thread::scope(|scope| {
            scope.spawn(move || {
                // So that the wait has usually begun.
                thread::sleep(Duration::from_millis(20));
                one.put(0, 0, 7)
            });
            assert_eq!(zero.wait(0, Until::AtLeast(7)), Ok(()));
        });
        stop.store(true, Relaxed);
        assert_eq!(zero.wait(0, Until::AtLeast(7)), Ok(()), "the value is there");
        let error = zero.wait(0, Until::AtLeast(8)).expect_err("it never comes").to_string();
        assert!(error.contains("PE 0 waits for cell 0 of PE 0"), "{error}");
    }
}
