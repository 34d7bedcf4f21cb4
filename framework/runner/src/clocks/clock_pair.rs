//! The pairs of clocks that exchange messages: every clock with the reference, and the edges of a binomial tree.
//!
//! Which of the two is better is not known before the measurement, so both are measured. Bounds add up along a chain of
//! pairs, so the direct exchange with the reference has the smaller bound wherever its messages take the shortest way.
//! In a network whose direct way is slow (another transport for distant hosts, a loaded link) two short exchanges have
//! less. [`CommonClock`](crate::clocks::CommonClock) takes the chain with the least sum for each clock.
//!
//! Costs of a comparison of H clocks: the reference makes H - 1 series of exchanges one after the other, the tree adds
//! at most log2 H further series on a clock, and series of different clocks run at the same time. With up to three clocks both sets of
//! pairs are the same.

/// Two clocks that are compared; the near one is closer to the reference, and starts the exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockPair {
    /// The clock whose rank starts the exchanges.
    pub near: usize,
    /// The clock whose rank answers.
    pub far: usize,
}

impl ClockPair {
    /// The pairs of this number of clocks: those with the reference first, then the other edges of the binomial tree.
    pub(crate) fn for_clocks(count: usize) -> Vec<Self> {
        let direct = (1..count).map(|far| Self { near: 0, far });
        // The parent of a node of the binomial tree clears the lowest set bit.
        let tree = (1..count).map(|far| Self { near: far & (far - 1), far });
        direct.chain(tree.filter(|pair| pair.near != 0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(count: usize) -> Vec<(usize, usize)> {
        ClockPair::for_clocks(count).into_iter().map(|pair| (pair.near, pair.far)).collect()
    }

    #[test]
    fn every_clock_is_compared_with_the_reference_and_with_its_parent_in_the_tree() {
        assert_eq!(pairs(1), []);
        assert_eq!(pairs(3), [(0, 1), (0, 2)]);
        assert_eq!(pairs(4), [(0, 1), (0, 2), (0, 3), (2, 3)]);
        assert_eq!(pairs(8)[7..], [(2, 3), (4, 5), (4, 6), (6, 7)]);
    }
}
