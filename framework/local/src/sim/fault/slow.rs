//! A rank whose processor takes longer for all work: computation, and its part of each message.
use wb_comm::Rank;

use super::Fault;

pub(super) const SYNTAX: &str = "slow:RANK:FACTOR (FACTOR from 1 to 1000)";

/// A rank with a slower processor.
#[derive(Clone, Copy, Debug)]
struct Slow {
    rank: Rank,
    /// The factor in thousandths.
    factor: u64,
}

pub(super) fn parse(words: &[&str]) -> Option<Box<dyn Fault>> {
    let [rank, factor] = words else { return None };
    let factor: f64 = factor.parse().ok().filter(|factor| (1.0..=1000.0).contains(factor))?;
    Some(Box::new(Slow { rank: rank.parse().ok()?, factor: (factor * 1000.0).round() as u64 }))
}

impl Fault for Slow {
    fn fresh_copy(&self) -> Box<dyn Fault> {
        Box::new(*self)
    }

    fn rank(&self) -> Option<Rank> {
        Some(self.rank)
    }

    fn busy_time(&mut self, rank: Rank, takes: u64) -> u64 {
        if rank != self.rank {
            return takes;
        }
        u64::try_from(u128::from(takes) * u128::from(self.factor) / 1000).unwrap_or(u64::MAX)
    }
}
