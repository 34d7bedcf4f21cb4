//! Random delays: each computation, each message on a processor and each message in flight takes an exponential time
//! longer, with a mean of a given percentage of its duration.
//!
//! Each rank draws from its own stream, in the order of its program, so times do not depend on the order of
//! simulation. A message that would overtake one of the same sender to the same receiver arrives together with it.
use oorandom::Rand32;
use rustc_hash::FxHashMap;
use wb_comm::Rank;

use super::Fault;
use crate::sim::random::{exponential, rank_seed};

pub(super) const SYNTAX: &str = "jitter:SEED or jitter:SEED:PERCENT (up to 1000 percent, else 10)";

/// The default mean.
const DEFAULT_PERCENT: u64 = 10;

/// The largest mean.
const MAX_PERCENT: u64 = 1000;

/// Random delays of all ranks; see the module.
#[derive(Clone, Debug)]
struct Jitter {
    seed: u64,
    percent: u64,
    streams: FxHashMap<Rank, Rand32>,
    /// When the last message from one rank to another arrives.
    last_arrival: FxHashMap<(Rank, Rank), u64>,
}

impl Jitter {
    fn new(seed: u64, percent: u64) -> Self {
        Self { seed, percent, streams: FxHashMap::default(), last_arrival: FxHashMap::default() }
    }

    /// The random delay of an activity of this duration.
    fn extra_time(&mut self, rank: Rank, takes: u64) -> u64 {
        let seed = self.seed;
        let stream = self.streams.entry(rank).or_insert_with(|| Rand32::new(rank_seed(seed, rank as u64)));
        exponential(takes.saturating_mul(self.percent) / 100, stream)
    }
}

pub(super) fn parse(words: &[&str]) -> Option<Box<dyn Fault>> {
    let (seed, percent) = match words {
        [seed] => (seed, DEFAULT_PERCENT),
        [seed, percent] => (seed, percent.parse().ok().filter(|percent| *percent <= MAX_PERCENT)?),
        _ => return None,
    };
    Some(Box::new(Jitter::new(seed.parse().ok()?, percent)))
}

impl Fault for Jitter {
    fn fresh_copy(&self) -> Box<dyn Fault> {
        Box::new(Self::new(self.seed, self.percent))
    }

    fn busy_time(&mut self, rank: Rank, takes: u64) -> u64 {
        takes.saturating_add(self.extra_time(rank, takes))
    }

    fn arrival_time(&mut self, from: Rank, to: Rank, at: u64, latency: u64) -> u64 {
        let jittered = at.saturating_add(self.extra_time(from, latency));
        let last = self.last_arrival.entry((from, to)).or_default();
        *last = jittered.max(*last);
        *last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_one_rank_to_another_stay_in_order_and_are_late_by_the_percentage() {
        let mut jitter = Jitter::new(7, 50);
        let (count, mut last, mut delay) = (20_000, 0, 0);
        for number in 0..count {
            let at = number * 100_000;
            let arrives = jitter.arrival_time(1, 2, at, 1000);
            assert!(arrives >= last.max(at));
            (last, delay) = (arrives, delay + arrives - at);
        }
        assert!((delay as f64 / count as f64 / 500.0 - 1.0).abs() < 0.03, "{delay}");
        let close: Vec<u64> = (0..1000).map(|at| jitter.arrival_time(3, 2, at, 1000)).collect();
        assert!(close.is_sorted());
    }

    #[test]
    fn a_rank_draws_its_own_whatever_others_do() {
        let draws = |jitter: &mut Jitter| [(); 50].map(|()| jitter.busy_time(1, 1000));
        let (mut alone, mut among) = (Jitter::new(7, 10), Jitter::new(7, 10));
        let beside =
            [(); 50].map(|()| (among.busy_time(0, 1000), among.busy_time(1, 1000), among.busy_time(2, 77)).1);
        assert_eq!(draws(&mut alone), beside);
        assert_ne!(draws(&mut Jitter::new(8, 10)), beside);
    }
}
