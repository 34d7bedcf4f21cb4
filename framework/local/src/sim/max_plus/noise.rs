//! Operating system noise: detours of a rank's processor, as an independent Poisson process on every rank.
//!
//! A detour interrupts the processor for a fixed time; the times between the end of one and the beginning of the next
//! are exponential. Activities without the processor (messages in flight, waiting) are not delayed. Times are whole
//! numbers (drawn by `random`), so one seed gives the same run on every machine.
//!
//! Source: Agarwal, Garg, Vishnoi, HiPC 2005, and Hoefler, Schneider, Lumsdaine, SC 2010, which show how detours that
//! average out on one rank delay all ranks.
use oorandom::Rand32;
use wb_comm::Rank;
use wb_config::NoiseSettings;

use crate::sim::random::{exponential, rank_seed};

/// The processors of all ranks of a job; the list is empty without noise.
#[derive(Clone, Debug)]
pub struct Noise(Vec<Processor>);

/// One rank's processor.
#[derive(Clone, Debug)]
pub(super) struct Processor {
    mean_interval: u64,
    detour: u64,
    /// When the next detour begins.
    next_detour: u64,
    random: Rand32,
}

impl Noise {
    /// No noise.
    pub fn none() -> Self {
        Self(vec![])
    }

    /// Detours of `settings` on each of `size` ranks; equal seeds give equal detours.
    pub fn from_settings(settings: &NoiseSettings, size: usize, seed: u64) -> Self {
        let (every, detour) = (settings.every_ns, settings.detour_ns);
        let start = |rank: usize| {
            let mut random = Rand32::new(rank_seed(seed, rank as u64));
            Processor { mean_interval: every, detour, next_detour: exponential(every, &mut random), random }
        };
        Self((0..size).map(start).collect())
    }

    pub(super) fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// See [`Processor::finish_time`].
    pub(super) fn finish_time(&mut self, rank: Rank, start: u64, work: u64) -> u64 {
        match self.0.get_mut(rank) {
            Some(processor) => processor.finish_time(start, work),
            None => start + work,
        }
    }

    /// A copy of the rank's processor in its present state, which then advances independently.
    pub(super) fn processor(&self, rank: Rank) -> Processor {
        let idle =
            || Processor { mean_interval: 1, detour: 0, next_detour: u64::MAX, random: Rand32::new(0) };
        self.0.get(rank).cloned().unwrap_or_else(idle)
    }
}

impl Processor {
    /// When the processor finishes `work` nanoseconds started at `start`. Called in the order of time.
    pub(super) fn finish_time(&mut self, start: u64, work: u64) -> u64 {
        let mut done = start + work;
        // A detour that ends before the start delays nothing; a later one delays the work.
        while self.next_detour < done {
            let end = self.next_detour + self.detour;
            done = if self.next_detour <= start { end.max(start) + work } else { done + self.detour };
            self.next_detour = end.saturating_add(exponential(self.mean_interval, &mut self.random));
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_detour_delays_what_it_meets_and_nothing_else() {
        // Detours are so rare that only the first one counts.
        let first = |next| Processor {
            mean_interval: 1 << 60,
            detour: 10,
            next_detour: next,
            random: Rand32::new(1),
        };
        let done = |next, start, work| first(next).finish_time(start, work);
        assert_eq!(done(100, 0, 100), 100, "over before it");
        assert_eq!(done(99, 0, 100), 110, "in the middle");
        assert_eq!(done(95, 100, 20), 125, "the rest of it is waited for");
        assert_eq!(done(90, 100, 20), 120, "just over");
        assert_eq!(done(5, 100, 20), 120, "long over");
        assert_eq!(Noise::none().finish_time(7, 100, 20), 120);
        assert_eq!(Noise::none().processor(7).finish_time(100, 20), 120);
    }

    #[test]
    fn first_detours_of_neighbours_are_exponential_too() {
        let settings = NoiseSettings { every_ns: 1000, detour_ns: 1 };
        for seed in 0..3 {
            let noise = Noise::from_settings(&settings, 10_000, seed);
            let below =
                |limit| noise.0.iter().filter(|rank| rank.next_detour < limit).count() as f64 / 10_000.0;
            assert!((below(1000) - (1.0 - (-1.0_f64).exp())).abs() < 0.02, "{}", below(1000));
            assert!((below(50) - (1.0 - (-0.05_f64).exp())).abs() < 0.01, "{}", below(50));
        }
    }

    #[test]
    fn work_takes_its_share_of_detours() {
        let settings = NoiseSettings { every_ns: 900, detour_ns: 100 };
        let mut noise = Noise::from_settings(&settings, 2, 3);
        let (mut now, steps) = ([0, 0], 100_000);
        for _ in 0..steps {
            now = [0, 1].map(|rank| noise.finish_time(rank, now[rank], 90));
        }
        for end in now {
            let share = end as f64 / f64::from(steps * 90);
            assert!((share / (1000.0 / 900.0) - 1.0).abs() < 0.02, "{share}");
        }
        assert_ne!(now[0], now[1], "ranks have detours of their own");
    }
}
