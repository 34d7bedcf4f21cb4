//! Arrival patterns: when ranks enter.
use oorandom::Rand64;
use wb_comm::Rank;

/// When each rank enters. Times in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArrivalPattern {
    /// All enter at 0.
    Simultaneous,
    /// All but one enter at 0.
    OneLate {
        /// The late rank.
        rank: Rank,
        /// When it enters.
        delay: u64,
    },
    /// Evenly from 0 (rank 0) to `last` (the last rank).
    Ramp {
        /// When the last rank enters.
        last: u64,
    },
    /// Each at a random time from 0 to `last`.
    Random {
        /// The latest time.
        last: u64,
        /// Equal seeds give equal times.
        seed: u64,
    },
    /// The listed times, by rank.
    Explicit(Vec<u64>),
}

impl ArrivalPattern {
    /// When each of `size` ranks enters.
    ///
    /// # Panics
    /// For a late rank that does not exist, and for a list of another length.
    pub fn times(&self, size: usize) -> Vec<u64> {
        match self {
            Self::Simultaneous => vec![0; size],
            Self::OneLate { rank, delay: by } => {
                let mut times = vec![0; size];
                times[*rank] = *by;
                times
            }
            Self::Ramp { last } => {
                let gaps = size.saturating_sub(1).max(1) as u128;
                (0..size).map(|rank| (u128::from(*last) * rank as u128 / gaps) as u64).collect()
            }
            Self::Random { last, seed } => {
                let mut random = Rand64::new(u128::from(*seed));
                (0..size).map(|_| random.rand_range(0..last.saturating_add(1))).collect()
            }
            Self::Explicit(times) => {
                assert_eq!(times.len(), size, "one time a rank");
                times.clone()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_what_they_are_called() {
        assert_eq!(ArrivalPattern::Simultaneous.times(3), [0, 0, 0]);
        assert_eq!(ArrivalPattern::OneLate { rank: 1, delay: 7 }.times(3), [0, 7, 0]);
        assert_eq!(ArrivalPattern::Ramp { last: 9 }.times(4), [0, 3, 6, 9]);
        assert_eq!(ArrivalPattern::Ramp { last: 9 }.times(1), [0]);
        let random = ArrivalPattern::Random { last: 5, seed: 3 };
        let times = random.times(200);
        assert!(times.contains(&0) && times.contains(&5) && times.iter().all(|time| *time <= 5));
        assert_eq!(times, random.times(200));
        assert_ne!(times, ArrivalPattern::Random { last: 5, seed: 4 }.times(200));
    }
}
