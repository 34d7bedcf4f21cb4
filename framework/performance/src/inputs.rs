//! The inputs of a launch: a new one for every repetition, the same ones for every version.
use std::fmt::{self, Write as _};

/// The seeds of the inputs of a launch: the same for every version and on every rank.
pub(crate) struct InputSeeds(oorandom::Rand64);

impl InputSeeds {
    pub(crate) fn new(seed: u64) -> Self {
        Self(oorandom::Rand64::new(u128::from(seed)))
    }

    /// The next seed. A problem may add to its seed, so the two upper bits are zero.
    pub(crate) fn next(&mut self) -> u64 {
        self.0.rand_u64() >> 2
    }
}

/// The number of compared bytes of two inputs.
const COMPARED_BYTES: usize = 1 << 16;

/// Whether two inputs differ in the first part of their `Debug` texts.
pub(crate) fn are_different(one: &impl fmt::Debug, other: &impl fmt::Debug) -> bool {
    debug_prefix(one) != debug_prefix(other)
}

/// The first part of a value's `Debug` text.
fn debug_prefix(value: &impl fmt::Debug) -> String {
    struct Bounded(String);
    impl fmt::Write for Bounded {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.push_str(text);
            // The error stops the formatting, so that a large input is not formatted completely.
            if self.0.len() < COMPARED_BYTES { Ok(()) } else { Err(fmt::Error) }
        }
    }
    let mut bounded = Bounded(String::new());
    let _ = write!(bounded, "{value:?}");
    bounded.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_inputs_are_told_apart_by_their_beginnings() {
        assert_ne!(debug_prefix(&vec![1, 2, 3]), debug_prefix(&vec![1, 2, 4]));
        assert_eq!(debug_prefix(&vec![1, 2, 3]), debug_prefix(&vec![1, 2, 3]));
        let long = debug_prefix(&vec![7; 1 << 20]);
        assert!((COMPARED_BYTES..COMPARED_BYTES + 16).contains(&long.len()));
    }

    #[test]
    fn the_seeds_of_a_launch_are_its_own_and_leave_room() {
        let seeds = |seed| {
            let mut seeds = InputSeeds::new(seed);
            [(); 100].map(|()| seeds.next())
        };
        assert_eq!(seeds(7), seeds(7));
        let mut all = [seeds(7), seeds(8)].concat();
        assert!(all.iter().all(|&seed| seed < 1 << 62));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 200);
    }
}
