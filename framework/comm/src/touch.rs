//! How elements of a window are touched, and which of two touches needs an order.
use std::ops::Range;

use crate::{Accumulation, Rank, Site};

/// The most ranks whose calls are held against each other ([`Code::WindowRace`](crate::Code::WindowRace)): what orders them
/// takes a number for each rank in every message.
pub const MOST_WATCHED_RANKS: usize = 64;

/// How elements are touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
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

impl Touch {
    /// May the two touch the same elements while nothing orders them (MPI 3.1, 11.7)? Two accumulates of one operation may,
    /// and so may atomic reads and compare-and-swap, which are atomic like them.
    pub fn goes_with(self, other: Self) -> bool {
        use Touch::*;
        match (self, other) {
            // The owner's own loads and stores follow its program; and reading disturbs no reading.
            (Load | Store, Load | Store) => true,
            (a, b) if a.only_reads() && b.only_reads() => true,
            (Accumulate(a), Accumulate(b)) => a == b || a == Accumulation::Keep || b == Accumulation::Keep,
            (Accumulate(_) | CompareAndSwap, Accumulate(_) | CompareAndSwap) => true,
            _ => false,
        }
    }

    /// Does it leave the elements as they are?
    pub fn only_reads(self) -> bool {
        matches!(self, Self::Get | Self::Load | Self::Accumulate(Accumulation::Keep))
    }

    /// Does it change the target's elements from afar?
    pub fn changes(self) -> bool {
        !self.only_reads() && self != Self::Store
    }
}

/// A call of a typed window that the rules of epochs allow, as its backend hears of it before it carries the call out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// How.
    pub how: Touch,
    /// Whose part.
    pub target: Rank,
    /// Which elements of it.
    pub elements: Range<usize>,
    /// Does it concern the whole part where another rank changes it? A local store does, under the separate memory model.
    pub whole: bool,
    /// Is it made under a lock? What is not is held against the others of its epoch by rule 8.
    pub locked: bool,
    /// Which call.
    pub site: Site,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operation;

    const SUM: Touch = Touch::Accumulate(Accumulation::With(Operation::Sum));
    const MAX: Touch = Touch::Accumulate(Accumulation::With(Operation::Max));
    const READ: Touch = Touch::Accumulate(Accumulation::Keep);
    const KINDS: [Touch; 8] =
        [Touch::Put, Touch::Get, SUM, MAX, READ, Touch::CompareAndSwap, Touch::Load, Touch::Store];

    #[test]
    fn what_goes_together_is_symmetric() {
        for a in KINDS {
            assert!(KINDS.iter().all(|b| a.goes_with(*b) == b.goes_with(a)), "{a:?}");
        }
    }

    #[test]
    fn the_table_of_conflicts() {
        let friends = |kind: Touch| KINDS.into_iter().filter(move |k| kind.goes_with(*k)).collect::<Vec<_>>();
        assert_eq!(friends(Touch::Put), []);
        assert_eq!(friends(Touch::Get), [Touch::Get, READ, Touch::Load]);
        assert_eq!(friends(SUM), [SUM, READ, Touch::CompareAndSwap]);
        assert_eq!(friends(Touch::Store), [Touch::Load, Touch::Store]);
    }
}
