//! A rank that enters late.
use wb_comm::Rank;

use super::Fault;

pub(super) const SYNTAX: &str = "late:RANK:NS";

/// A rank that enters late.
#[derive(Clone, Copy, Debug)]
struct Late {
    rank: Rank,
    delay: u64,
}

pub(super) fn parse(words: &[&str]) -> Option<Box<dyn Fault>> {
    let [rank, by] = words else { return None };
    Some(Box::new(Late { rank: rank.parse().ok()?, delay: by.parse().ok()? }))
}

impl Fault for Late {
    fn fresh_copy(&self) -> Box<dyn Fault> {
        Box::new(*self)
    }

    fn rank(&self) -> Option<Rank> {
        Some(self.rank)
    }

    fn start_time(&self, rank: Rank) -> u64 {
        if rank == self.rank { self.delay } else { 0 }
    }
}
