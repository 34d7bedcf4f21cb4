//! How elements of a window are touched, and which of two touches needs an order.
use std::ops::Range;

use crate::{Accumulation, CallSite, Rank};

/// The most ranks whose calls are held against each other ([`Code::WindowRace`](crate::Code::WindowRace)): what orders them
/// takes a number for each rank in every message.
pub const MAX_RACE_CHECKED_RANKS: usize = 64;

/// How elements are touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Its elements become others.
    Put,
    /// They are read.
    Get,
    /// They are combined with others, or read atomically ([`Accumulation::Keep`]).
    Accumulate(Accumulation),
    /// One becomes another if it is as expected.
    CompareAndSwap,
    /// The owner reads with its own hands.
    Load,
    /// The owner writes with its own hands.
    Store,
}

impl AccessKind {
    /// May the two touch the same elements while nothing orders them (MPI 3.1, 11.7)? Two accumulates of one operation may,
    /// and so may atomic reads and compare-and-swap, which are atomic like them.
    pub fn is_compatible_with(self, other: Self) -> bool {
        use AccessKind::*;
        match (self, other) {
            // The owner's own loads and stores follow its program; and reading disturbs no reading.
            (Load | Store, Load | Store) => true,
            (a, b) if a.is_read_only() && b.is_read_only() => true,
            (Accumulate(a), Accumulate(b)) => a == b || a == Accumulation::Keep || b == Accumulation::Keep,
            (Accumulate(_) | CompareAndSwap, Accumulate(_) | CompareAndSwap) => true,
            _ => false,
        }
    }

    /// Does it leave the elements as they are?
    pub fn is_read_only(self) -> bool {
        matches!(self, Self::Get | Self::Load | Self::Accumulate(Accumulation::Keep))
    }

    /// Does it change the target's elements from afar?
    pub fn is_remote_write(self) -> bool {
        !self.is_read_only() && self != Self::Store
    }
}

/// A call of a typed window that the rules of epochs allow, as its backend gets it before the call is carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// How.
    pub kind: AccessKind,
    /// Whose part.
    pub target: Rank,
    /// Which elements of it.
    pub elements: Range<usize>,
    /// Does it concern the whole part where another rank changes it? A local store does, under the separate memory model.
    pub covers_whole_part: bool,
    /// Is it made under a lock? What is not is held against the others of its epoch by rule 8.
    pub is_locked: bool,
    /// Which call.
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
        let friends = |kind: AccessKind| {
            KINDS.into_iter().filter(move |k| kind.is_compatible_with(*k)).collect::<Vec<_>>()
        };
        assert_eq!(friends(AccessKind::Put), []);
        assert_eq!(friends(AccessKind::Get), [AccessKind::Get, READ, AccessKind::Load]);
        assert_eq!(friends(SUM), [SUM, READ, AccessKind::CompareAndSwap]);
        assert_eq!(friends(AccessKind::Store), [AccessKind::Load, AccessKind::Store]);
    }
}
