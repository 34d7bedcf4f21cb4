//! What is drawn: a generator for each subject, so that one more draw for one student changes nothing for another.

use oorandom::Rand64;

/// A generator of one subject.
pub(crate) struct DemoRandom(Rand64);

impl DemoRandom {
    /// The generator for `subject` of the course with this seed.
    pub(crate) fn new(seed: u64, subject: &str) -> Self {
        let hash = wb_course::fnv1a(subject.bytes());
        let mut random = Rand64::new((u128::from(seed) << 64) | u128::from(hash));
        // The first numbers of close seeds are close.
        for _ in 0..8 {
            random.rand_u64();
        }
        Self(random)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0.rand_range(0..end.max(1) as u64) as usize
    }

    /// A number from `low` to `high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.rand_float()
    }

    /// True with this probability.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.0.rand_float() < probability
    }

    pub(crate) fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// Puts the values into a random order.
    pub(crate) fn shuffle<T>(&mut self, values: &mut [T]) {
        for end in (1..values.len()).rev() {
            values.swap(end, self.below(end + 1));
        }
    }
}
