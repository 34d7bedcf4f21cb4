//! MPI's windows, erased: memory that every rank of a group opens to the others.
//!
//! One trait for what MPI-3 calls one-sided communication (chapter 11 of MPI 3.1), object-safe like
//! [`Transport`](crate::Transport). A backend only carries the calls out; which of them is legal at which time is decided
//! above it, once for all backends, in `wb-world`. Displacements count elements of the window's type, not bytes.
//!
//! Buffers are the backend's until an operation is complete: what is put is copied when it is put, and what is got is
//! handed out by [`PendingFetch`] after a synchronisation has completed it. So no reference of the user's can dangle, however
//! an epoch ends.
use std::sync::atomic::AtomicI64;

use crate::{
    Access, Block, CallSite, Datatype, Error, Operation, Rank, Result, Until, Verb, View, ViewMut, text,
};

/// Where a window's memory comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowKind {
    /// Memory of ours that is opened (`MPI_Win_create`).
    Create,
    /// Memory that the library picks (`MPI_Win_allocate`).
    Allocate,
    /// Memory that all ranks map (`MPI_Win_allocate_shared`); all of them must be on one node.
    Shared,
}

/// Who else may hold a lock of the same window part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockKind {
    /// Others with a shared lock (`MPI_LOCK_SHARED`).
    Shared,
    /// Nobody (`MPI_LOCK_EXCLUSIVE`).
    Exclusive,
}

/// How an accumulate combines what is there (left) with what comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Accumulation {
    /// A predefined reduction.
    With(Operation),
    /// What comes replaces what is there, element by element and atomically (`MPI_REPLACE`).
    Replace,
    /// What is there stays (`MPI_NO_OP`): an atomic read.
    Keep,
}

impl From<Operation> for Accumulation {
    fn from(operation: Operation) -> Self {
        Self::With(operation)
    }
}

/// What the user promises at a synchronisation (the assertions of MPI 3.1, 11.5.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Assertion {
    /// `MPI_MODE_NOCHECK`: the matching call has happened, or no conflicting lock is held.
    pub no_check: bool,
    /// `MPI_MODE_NOSTORE`: no local stores since the last synchronisation.
    pub no_store: bool,
    /// `MPI_MODE_NOPUT`: nobody will put or accumulate here until the next synchronisation.
    pub no_put: bool,
    /// `MPI_MODE_NOPRECEDE`: this fence completes nothing (all ranks say so, or none).
    pub no_precede: bool,
    /// `MPI_MODE_NOSUCCEED`: this fence begins nothing (all ranks say so, or none).
    pub no_succeed: bool,
}

/// What one word of a window becomes, atomically and at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordUpdate {
    /// What it is: an atomic read.
    Keep,
    /// The sum with this, which may wrap around.
    Add(i64),
    /// This.
    Replace(i64),
    /// `value`, if it is `expected` now.
    Swap {
        /// What it must be.
        expected: i64,
        /// What it becomes.
        value: i64,
    },
}

impl WordUpdate {
    /// What `now` becomes.
    pub fn apply(self, now: i64) -> i64 {
        match self {
            Self::Keep => now,
            Self::Add(by) => now.wrapping_add(by),
            Self::Replace(value) => value,
            Self::Swap { expected, value } if now == expected => value,
            Self::Swap { .. } => now,
        }
    }
}

/// What a get or a fetching operation will have brought.
pub trait PendingFetch {
    /// The elements; call after a synchronisation that completes the operation.
    ///
    /// # Errors
    /// [`Error::Setup`] when nothing has completed it yet.
    fn take(self: Box<Self>) -> Result<Block>;
}

/// A window as one rank sees it.
///
/// # Errors
/// Every method: what the library says, and arguments outside the window (`MPI_ERR_RMA_RANGE`).
#[allow(clippy::missing_errors_doc, reason = "said once for the whole trait")]
pub trait ErasedWindow {
    /// This process's rank in the window's group.
    fn rank(&self) -> Rank;
    /// How many ranks the group has.
    fn size(&self) -> usize;
    /// The type of its elements.
    fn datatype(&self) -> Datatype;
    /// How many elements `rank` has opened; 0 for a rank outside the group.
    fn count(&self, rank: Rank) -> usize;
    /// Where its memory came from: what was asked for, or [`WindowKind::Allocate`] where the library cannot open
    /// memory of ours (Open MPI 4.1 has no transport for it on one machine).
    fn kind(&self) -> WindowKind;

    /// `data` goes to the elements of `target` from `at` on.
    fn put(&self, target: Rank, at: usize, data: View<'_>, site: CallSite) -> Result<()>;
    /// `count` elements of `target` from `at` on.
    fn get(&self, target: Rank, at: usize, count: usize, site: CallSite) -> Result<Box<dyn PendingFetch>>;
    /// `data` is combined with the elements of `target` from `at` on, each atomically.
    fn accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: CallSite,
    ) -> Result<()>;
    /// As [`accumulate`](Self::accumulate), and brings what was there before.
    fn get_accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>>;
    /// As [`get_accumulate`](Self::get_accumulate) for one element (`MPI_Fetch_and_op`).
    fn fetch_and_op(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>>;
    /// One element becomes `value` if it is `expected`; brings what was there before.
    fn compare_and_swap(
        &self,
        target: Rank,
        at: usize,
        expected: View<'_>,
        value: View<'_>,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>>;

    /// One element of a window of [`Datatype::I64`], at once: what was there before. It is a fetching operation and the
    /// flush that completes it, so it needs a passive epoch; nothing is allocated.
    fn fetch_and_update_word(
        &self,
        target: Rank,
        at: usize,
        becomes: WordUpdate,
        site: CallSite,
    ) -> Result<i64>;
    /// As [`word`](Self::fetch_and_update_word), when nobody asks what was there before: cheaper where fetching costs.
    fn update_word(&self, target: Rank, at: usize, becomes: WordUpdate, site: CallSite) -> Result<()> {
        self.fetch_and_update_word(target, at, becomes, site).map(drop)
    }
    /// Returns once one element of a window of [`Datatype::I64`] is what is waited for, looking again and again in a
    /// passive epoch. The library makes progress meanwhile, and whoever shares the core gets it.
    fn wait_until(&self, target: Rank, at: usize, until: Until, site: CallSite) -> Result<()>;

    /// Collective: ends an epoch of all ranks and begins the next.
    fn fence(&self, assertion: Assertion, site: CallSite) -> Result<()>;
    /// Opens this rank's part to `group`.
    fn post(&self, group: &[Rank], assertion: Assertion, site: CallSite) -> Result<()>;
    /// Begins access to the parts of `group`.
    fn start(&self, group: &[Rank], assertion: Assertion, site: CallSite) -> Result<()>;
    /// Ends what [`start`](Self::start) began.
    fn complete(&self, site: CallSite) -> Result<()>;
    /// Ends what [`post`](Self::post) began, once every rank of its group has completed.
    fn wait(&self, site: CallSite) -> Result<()>;
    /// As [`wait`](Self::wait), without waiting; false: not yet.
    fn test(&self, site: CallSite) -> Result<bool>;
    /// Begins access to the part of `target`, which takes no part.
    fn lock(&self, kind: LockKind, target: Rank, assertion: Assertion, site: CallSite) -> Result<()>;
    /// Ends what [`lock`](Self::lock) began; all operations are complete, here and there.
    fn unlock(&self, target: Rank, site: CallSite) -> Result<()>;
    /// Begins shared access to all parts.
    fn lock_all(&self, assertion: Assertion, site: CallSite) -> Result<()>;
    /// Ends what [`lock_all`](Self::lock_all) began.
    fn unlock_all(&self, site: CallSite) -> Result<()>;
    /// Completes all operations on `target`, here and there, inside a passive epoch; `None`: on all ranks.
    fn flush(&self, target: Option<Rank>, site: CallSite) -> Result<()>;
    /// Completes all operations on `target` here only; `None`: on all ranks.
    fn flush_local(&self, target: Option<Rank>, site: CallSite) -> Result<()>;
    /// Makes own loads see what others put and the reverse (`MPI_Win_sync`).
    fn sync(&self, site: CallSite) -> Result<()>;

    /// Do own loads and what others put meet in one memory (`MPI_WIN_UNIFIED`)? Else only at synchronisations.
    fn is_unified(&self) -> bool {
        true
    }
    /// Copies own elements from `at` on.
    fn read(&self, at: usize, into: ViewMut<'_>) -> Result<()>;
    /// Sets own elements from `at` on.
    fn write(&self, at: usize, from: View<'_>) -> Result<()>;
    /// The parts of all ranks, one after the other by rank, where the window is [`WindowKind::Shared`] and of type
    /// [`Datatype::I64`]; never in virtual time, where nobody may look past the clocks.
    fn shared_words(&self) -> Option<&[AtomicI64]> {
        None
    }
    /// Hears of a call of the typed window before it carries the call out. True: this backend holds the calls of all ranks
    /// against each other by what orders them ([`Code::WindowRace`](crate::Code::WindowRace)), so nobody else needs to.
    fn observe_access(&self, _touched: Access) -> bool {
        false
    }
    /// Collective: gives the window up.
    fn free(self: Box<Self>, site: CallSite) -> Result<()>;
}

/// Are `count` elements of `target` from `at` on elements of a window of `size` ranks that have opened `opened`?
///
/// # Errors
/// [`Error::Rank`] for a target outside the group, [`Error::Range`] for elements outside its part.
#[inline]
pub fn check_range(
    (size, opened): (usize, impl Fn(Rank) -> usize),
    (target, at, count): (Rank, usize, usize),
    verb: Verb,
) -> Result<()> {
    if target >= size {
        return Err(Error::invalid_rank("target", target, size));
    }
    let opened = opened(target);
    match at.checked_add(count) {
        Some(end) if end <= opened => Ok(()),
        _ => Err(Error::Range { verb, target, at, count, opened }),
    }
}

/// Do elements of `given` belong on a window of `window`?
///
/// # Errors
/// [`Error::WindowType`] when not.
#[inline]
pub fn check_datatype(window: Datatype, given: Datatype, verb: Verb) -> Result<()> {
    if given == window { Ok(()) } else { Err(Error::WindowType { verb, given, window }) }
}

/// Can elements of `layout` be compared and swapped? MPI does so with integers of up to 64 bits.
///
/// # Errors
/// [`Error::Setup`] when not.
pub fn check_comparable(layout: Datatype) -> Result<()> {
    match layout {
        Datatype::F32 | Datatype::F64 | Datatype::I128 | Datatype::U128 => {
            Err(Error::Setup(text::error::operation(Verb::CompareAndSwap.name(), layout.to_string())))
        }
        _ => Ok(()),
    }
}

impl Accumulation {
    /// Is this defined for elements of `layout`?
    ///
    /// # Errors
    /// [`Error::Operation`] when not.
    pub fn check(self, layout: Datatype) -> Result<()> {
        match self {
            Self::With(operation) if !operation.is_defined_for(layout) => {
                Err(Error::Operation { operation, datatype: layout })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part_of(target: Rank, at: usize, count: usize) -> Result<()> {
        check_range((2, |rank| [4, 0][rank]), (target, at, count), Verb::Put)
    }

    #[test]
    fn ranges_stay_inside_what_is_opened() {
        assert_eq!(part_of(0, 0, 4), Ok(()));
        assert_eq!(part_of(0, 4, 0), Ok(()));
        assert_eq!(part_of(1, 0, 0), Ok(()));
        let error = part_of(0, 3, 2).expect_err("one too many").to_string();
        assert_eq!(error, "put: elements 3..5 of rank 0, which has opened 4 element(s)");
        assert!(matches!(part_of(1, 0, 1), Err(Error::Range { opened: 0, .. })));
        assert!(part_of(0, usize::MAX, 2).expect_err("far out").to_string().contains("has opened 4"));
        assert_eq!(part_of(2, 0, 0), Err(Error::Rank { role: "target", rank: 2, size: 2 }));
    }

    #[test]
    fn types_and_reductions_are_the_window_s() {
        assert_eq!(check_datatype(Datatype::I64, Datatype::I64, Verb::Put), Ok(()));
        let error = check_datatype(Datatype::I64, Datatype::F64, Verb::Accumulate).expect_err("another type");
        assert_eq!(error.to_string(), "accumulate: elements of type f64 on a window of type i64");
        assert_eq!(Accumulation::Replace.check(Datatype::I128), Ok(()));
        assert!(Accumulation::With(Operation::BitOr).check(Datatype::F32).is_err());
        assert!(check_comparable(Datatype::U8).is_ok() && check_comparable(Datatype::F64).is_err());
    }

    #[test]
    fn words_change_as_they_say() {
        let after = |word: WordUpdate| word.apply(5);
        assert_eq!(
            [after(WordUpdate::Keep), after(WordUpdate::Add(-2)), after(WordUpdate::Replace(9))],
            [5, 3, 9]
        );
        assert_eq!(after(WordUpdate::Swap { expected: 5, value: 1 }), 1);
        assert_eq!(after(WordUpdate::Swap { expected: 4, value: 1 }), 5);
    }
}
