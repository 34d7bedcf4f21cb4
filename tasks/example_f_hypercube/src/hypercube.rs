//! The topology: ranks whose numbers differ in one bit are neighbours.
//!
//! With `P = 2^d` ranks each of them has d neighbours. With another number of ranks some vertices of the cube do not exist:
//! an *incomplete hypercube* (H. P. Katseff, Incomplete hypercubes, IEEE Transactions on Computers 37(5), 1988). It needs
//! no other routes, if a route first clears bits and then sets bits: until all bits are cleared each number is smaller
//! than the one before it, and from then on each one has only bits of the last rank. So all of them exist.
//!
//! ```text
//! from 101 to 110:  101 -> 100 -> 110     bit 0 is cleared, then bit 1 is set
//! not:              101 -> 111 -> 110     with P = 7 there is no rank 111
//! ```
use workbench::Rank;

/// A hypercube of `ranks` ranks, of which the last ones may not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hypercube {
    /// The number of ranks.
    pub ranks: usize,
}

impl Hypercube {
    /// The hypercube of `ranks` ranks.
    pub fn of(ranks: usize) -> Self {
        Self { ranks }
    }

    /// The number of links on a shortest way: that of different bits.
    pub fn distance(self, from: Rank, to: Rank) -> usize {
        (from ^ to).count_ones() as usize
    }

    /// A rank that is farthest from `rank`; the smallest of them.
    pub fn opposite(self, rank: Rank) -> Rank {
        let farthest = (0..self.ranks).rev().max_by_key(|to| self.distance(rank, *to));
        farthest.expect("the rank itself exists")
    }

    /// The ranks on the way, both ends included: the bits that `to` does not have are cleared, from the highest to the
    /// lowest; then those that it has are set, from the lowest to the highest.
    pub fn route(self, from: Rank, to: Rank) -> Vec<Rank> {
        let bits = || (0..usize::BITS).map(|bit| 1 << bit);
        let cleared = bits().rev().filter(|bit| from & !to & bit != 0);
        let set = bits().filter(|bit| to & !from & bit != 0);
        let after = cleared.chain(set).scan(from, |rank, bit| {
            *rank ^= bit;
            Some(*rank)
        });
        std::iter::once(from).chain(after).collect()
    }
}
