//! The kinds of accesses to a window, and which of them conflict.
use std::ops::Range;

use crate::{Accumulation, CallSite, Rank};

/// The largest number of ranks whose accesses are checked for races ([`Code::WindowRace`](crate::Code::WindowRace)):
/// the check adds one number for each rank to every message.
pub const MAX_RACE_CHECKED_RANKS: usize = 64;

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// The elements are replaced.
    Put,
    /// The elements are read.
    Get,
    /// The elements are combined with data, or read atomically ([`Accumulation::Keep`]).
    Accumulate(Accumulation),
    /// One element is replaced if it has the expected value.
    CompareAndSwap,
    /// The owner reads by a local load.
    Load,
    /// The owner writes by a local store.
    Store,
}

impl AccessKind {
    /// Whether two unordered accesses of these kinds may touch the same elements (MPI 3.1, 11.7). Two accumulates of
    /// one operation may, and so may atomic reads and compare-and-swap, which are equally atomic.
    pub fn is_compatible_with(self, other: Self) -> bool {
        use AccessKind::*;
        match (self, other) {
            // The owner's own loads and stores follow program order, and two reads do not conflict.
            (Load | Store, Load | Store) => true,
            (a, b) if a.is_read_only() && b.is_read_only() => true,
            (Accumulate(a), Accumulate(b)) => a == b || a == Accumulation::Keep || b == Accumulation::Keep,
            (Accumulate(_) | CompareAndSwap, Accumulate(_) | CompareAndSwap) => true,
            _ => false,
        }
    }

    /// Whether it does not change the elements.
    pub fn is_read_only(self) -> bool {
        matches!(self, Self::Get | Self::Load | Self::Accumulate(Accumulation::Keep))
    }

    /// Whether it changes the target's elements remotely.
    pub fn is_remote_write(self) -> bool {
        !self.is_read_only() && self != Self::Store
    }
}

/// A call of a typed window that the rules of epochs allow, as its backend receives it before executing the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The kind of access.
    pub kind: AccessKind,
    /// The rank that owns the part.
    pub target: Rank,
    /// The accessed elements of the part.
    pub elements: Range<usize>,
    /// Whether it conflicts with a remote change of any element of the part. A local store does under the separate
    /// memory model.
    pub covers_whole_part: bool,
    /// Whether it is made under a lock. An access without a lock is checked against the others of its epoch by rule 8.
    pub is_locked: bool,
    /// The call.
    pub site: CallSite,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operation;

    const SUM: AccessKind = AccessKind::Accumulate(Accumulation::With(Operation::Sum));
    const MAX: AccessKind = AccessKind::Accumulate(Accumulation::With(Operation::Max));
    const READ: AccessKind = AccessKind::Accumulate(Accumulation::Keep);
    const KINDS: [AccessKind; 8] = [
        AccessKind::Put,
        AccessKind::Get,
        SUM,
        MAX,
        READ,
        AccessKind::CompareAndSwap,
        AccessKind::Load,
        AccessKind::Store,
    ];

    #[test]
    fn what_goes_together_is_symmetric() {
        for a in KINDS {
            assert!(KINDS.iter().all(|b| a.is_compatible_with(*b) == b.is_compatible_with(a)), "{a:?}");
        }
    }

    #[test]
    fn the_table_of_conflicts() {
        let compatible = |kind: AccessKind| {
            KINDS.into_iter().filter(move |k| kind.is_compatible_with(*k)).collect::<Vec<_>>()
        };
        assert_eq!(compatible(AccessKind::Put), []);
        assert_eq!(compatible(AccessKind::Get), [AccessKind::Get, READ, AccessKind::Load]);
        assert_eq!(compatible(SUM), [SUM, READ, AccessKind::CompareAndSwap]);
        assert_eq!(compatible(AccessKind::Store), [AccessKind::Load, AccessKind::Store]);
    }
}
