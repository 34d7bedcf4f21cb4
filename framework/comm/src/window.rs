//! MPI's windows, type-erased: memory that every rank of a group exposes to the others.
//!
//! One trait for MPI-3's one-sided communication (chapter 11 of MPI 3.1), object-safe like
//! [`Transport`](crate::Transport). A backend only executes the calls. Which of them is legal at which time is decided
//! above it, once for all backends, in `wb-world`. Displacements count elements of the window's type, not bytes.
//!
//! The backend owns the buffers until an operation is complete: the data of a put are copied by the call, and the data
//! of a get are returned by [`PendingFetch`] after a synchronisation has completed it. So no reference of the user can
//! dangle, however an epoch ends.
use std::sync::atomic::AtomicI64;

use crate::{
    Access, Block, CallSite, Datatype, Error, Operation, Rank, Result, Until, Verb, View, ViewMut, text,
};

/// How the memory of a window is provided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowKind {
    /// Existing memory of the rank (`MPI_Win_create`).
    Create,
    /// Memory that the library allocates (`MPI_Win_allocate`).
    Allocate,
    /// Memory that all ranks map (`MPI_Win_allocate_shared`); all of them must be on one node.
    Shared,
}

/// The lock type: which other locks of the same window part may be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockKind {
    /// Other shared locks (`MPI_LOCK_SHARED`).
    Shared,
    /// No other lock (`MPI_LOCK_EXCLUSIVE`).
    Exclusive,
}

/// How an accumulate combines the target's elements (left) with the origin's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Accumulation {
    /// A predefined reduction.
    With(Operation),
    /// The origin's data replace the target's elements, element by element and atomically (`MPI_REPLACE`).
    Replace,
    /// The target's elements do not change (`MPI_NO_OP`): an atomic read.
    Keep,
}

impl From<Operation> for Accumulation {
    fn from(operation: Operation) -> Self {
        Self::With(operation)
    }
}

/// The user's guarantees at a synchronisation (the assertions of MPI 3.1, 11.5.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Assertion {
    /// `MPI_MODE_NOCHECK`: the matching call has happened, or no conflicting lock is held.
    pub no_check: bool,
    /// `MPI_MODE_NOSTORE`: no local stores since the last synchronisation.
    pub no_store: bool,
    /// `MPI_MODE_NOPUT`: no rank will put or accumulate here until the next synchronisation.
    pub no_put: bool,
    /// `MPI_MODE_NOPRECEDE`: this fence completes no operation (all ranks assert it, or none).
    pub no_precede: bool,
    /// `MPI_MODE_NOSUCCEED`: this fence begins no epoch (all ranks assert it, or none).
    pub no_succeed: bool,
}

/// An atomic update of one word of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordUpdate {
    /// The target does not change: an atomic read.
    Keep,
    /// The sum with this value, which may wrap around.
    Add(i64),
    /// The target becomes this value.
    Replace(i64),
    /// `value`, if it is `expected` now.
    Swap {
        /// The expected value.
        expected: i64,
        /// The new value.
        value: i64,
    },
}

impl WordUpdate {
    /// The new value if the present one is `now`.
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

/// The data of a get or a fetching operation, once it is complete.
pub trait PendingFetch {
    /// The elements; call after a synchronisation that completes the operation.
    ///
    /// # Errors
    /// [`Error::Setup`] if the operation is not complete yet.
    fn take(self: Box<Self>) -> Result<Block>;
}

/// A window as one rank sees it.
///
/// # Errors
/// Every method: the library's error, and arguments outside the window (`MPI_ERR_RMA_RANGE`).
#[allow(clippy::missing_errors_doc, reason = "said once for the whole trait")]
pub trait ErasedWindow {
    /// This process's rank in the window's group.
    fn rank(&self) -> Rank;
    /// The number of ranks of the group.
    fn size(&self) -> usize;
    /// The type of its elements.
    fn datatype(&self) -> Datatype;
    /// The number of elements that `rank` exposes; 0 for a rank outside the group.
    fn count(&self, rank: Rank) -> usize;
    /// How its memory is provided: as requested, or [`WindowKind::Allocate`] if the library cannot expose existing
    /// memory (Open MPI 4.1 has no transport for it on one machine).
    fn kind(&self) -> WindowKind;

    /// Writes `data` to the elements of `target` from `at` on.
    fn put(&self, target: Rank, at: usize, data: View<'_>, site: CallSite) -> Result<()>;
    /// Reads `count` elements of `target` from `at` on.
    fn get(&self, target: Rank, at: usize, count: usize, site: CallSite) -> Result<Box<dyn PendingFetch>>;
    /// Combines `data` with the elements of `target` from `at` on, each atomically.
    fn accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        op: Accumulation,
        site: CallSite,
    ) -> Result<()>;
    /// As [`accumulate`](Self::accumulate), and fetches the former values.
    fn get_accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        op: Accumulation,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>>;
    /// As [`get_accumulate`](Self::get_accumulate) for one element (`MPI_Fetch_and_op`).
    fn fetch_and_op(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        op: Accumulation,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>>;
    /// One element becomes `value` if it is `expected`; fetches the former value.
    fn compare_and_swap(
        &self,
        target: Rank,
        at: usize,
        expected: View<'_>,
        value: View<'_>,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>>;

    /// Updates one element of a window of [`Datatype::I64`] immediately and returns the former value. It is a fetching
    /// operation and the flush that completes it, so it needs a passive epoch; it allocates no memory.
    fn fetch_and_update_word(
        &self,
        target: Rank,
        at: usize,
        becomes: WordUpdate,
        site: CallSite,
    ) -> Result<i64>;
    /// As [`fetch_and_update_word`](Self::fetch_and_update_word), without the former value: cheaper if fetching has a
    /// cost.
    fn update_word(&self, target: Rank, at: usize, becomes: WordUpdate, site: CallSite) -> Result<()> {
        self.fetch_and_update_word(target, at, becomes, site).map(drop)
    }
    /// Returns once one element of a window of [`Datatype::I64`] satisfies the condition; polls in a passive epoch. The
    /// library makes progress meanwhile, and the core is yielded to the ranks that share it.
    fn wait_until(&self, target: Rank, at: usize, until: Until, site: CallSite) -> Result<()>;

    /// Collective: ends an epoch of all ranks and begins the next.
    fn fence(&self, assertion: Assertion, site: CallSite) -> Result<()>;
    /// Exposes this rank's part to `group`.
    fn post(&self, group: &[Rank], assertion: Assertion, site: CallSite) -> Result<()>;
    /// Begins access to the parts of `group`.
    fn start(&self, group: &[Rank], assertion: Assertion, site: CallSite) -> Result<()>;
    /// Ends the epoch of [`start`](Self::start).
    fn complete(&self, site: CallSite) -> Result<()>;
    /// Ends the epoch of [`post`](Self::post), once every rank of its group has completed.
    fn wait(&self, site: CallSite) -> Result<()>;
    /// As [`wait`](Self::wait), without waiting; false: not yet.
    fn test(&self, site: CallSite) -> Result<bool>;
    /// Begins access to the part of `target`, which is passive.
    fn lock(&self, kind: LockKind, target: Rank, assertion: Assertion, site: CallSite) -> Result<()>;
    /// Ends the epoch of [`lock`](Self::lock); all operations are complete at origin and target.
    fn unlock(&self, target: Rank, site: CallSite) -> Result<()>;
    /// Begins shared access to all parts.
    fn lock_all(&self, assertion: Assertion, site: CallSite) -> Result<()>;
    /// Ends the epoch of [`lock_all`](Self::lock_all).
    fn unlock_all(&self, site: CallSite) -> Result<()>;
    /// Completes all operations on `target` (`None`: on all ranks) at origin and target, inside a passive epoch.
    fn flush(&self, target: Option<Rank>, site: CallSite) -> Result<()>;
    /// Completes all operations on `target` (`None`: on all ranks) at the origin only.
    fn flush_local(&self, target: Option<Rank>, site: CallSite) -> Result<()>;
    /// Synchronises own loads and stores with the accesses of others (`MPI_Win_sync`).
    fn sync(&self, site: CallSite) -> Result<()>;

    /// Whether own loads and remote puts access one memory (`MPI_WIN_UNIFIED`). Otherwise they meet only at
    /// synchronisations.
    fn is_unified(&self) -> bool {
        true
    }
    /// Copies own elements from `at` on.
    fn read(&self, at: usize, into: ViewMut<'_>) -> Result<()>;
    /// Sets own elements from `at` on.
    fn write(&self, at: usize, from: View<'_>) -> Result<()>;
    /// The parts of all ranks, one after the other by rank, if the window is [`WindowKind::Shared`] and of type
    /// [`Datatype::I64`]; never in virtual time, in which no access may bypass the clocks.
    fn shared_words(&self) -> Option<&[AtomicI64]> {
        None
    }
    /// The window belongs to the framework and is freed at the end of the job: it is no leak if it is dropped.
    fn keep_until_end(&self);
    /// Observes a call of the typed window before it is executed. True: this backend checks the calls of all ranks for
    /// races by their order ([`Code::WindowRace`](crate::Code::WindowRace)), so no other check is needed.
    fn observe_access(&self, _access: Access) -> bool {
        false
    }
    /// Collective: frees the window.
    fn free(self: Box<Self>, site: CallSite) -> Result<()>;
}

/// Whether `count` elements of `target` from `at` on are in a window of `size` ranks that expose `opened` elements.
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

/// Whether elements of `given` have the type of a window of `window`.
///
/// # Errors
/// [`Error::WindowType`] if not.
#[inline]
pub fn check_datatype(window: Datatype, given: Datatype, verb: Verb) -> Result<()> {
    if given == window { Ok(()) } else { Err(Error::WindowType { verb, given, window }) }
}

/// Whether elements of `datatype` support compare-and-swap. MPI supports it for integers of up to 64 bits.
///
/// # Errors
/// [`Error::Setup`] if not.
pub fn check_comparable(datatype: Datatype) -> Result<()> {
    match datatype {
        Datatype::F32 | Datatype::F64 | Datatype::I128 | Datatype::U128 | Datatype::Struct(_) => {
            Err(Error::Setup(text::error::operation(Verb::CompareAndSwap.name(), datatype.to_string())))
        }
        _ => Ok(()),
    }
}

impl Accumulation {
    /// Whether it is defined for elements of `datatype`.
    ///
    /// # Errors
    /// [`Error::Operation`] if not.
    pub fn check(self, datatype: Datatype) -> Result<()> {
        match self {
            // MPI allows no user's reduction on a window.
            Self::With(operation)
                if !operation.is_defined_for(datatype) || matches!(operation, Operation::User(_)) =>
            {
                Err(Error::Operation { operation, datatype })
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
        let undefined = Error::Operation { operation: Operation::BitOr, datatype: Datatype::F32 };
        assert_eq!(Accumulation::With(Operation::BitOr).check(Datatype::F32), Err(undefined));
        assert_eq!(check_comparable(Datatype::U8), Ok(()));
        let undefined = text::error::operation(Verb::CompareAndSwap.name(), Datatype::F64.to_string());
        assert_eq!(check_comparable(Datatype::F64), Err(Error::Setup(undefined)));
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
