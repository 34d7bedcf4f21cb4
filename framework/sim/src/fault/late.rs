//! A rank that enters late.
use wb_comm::Rank;

use super::Fault;

pub(super) const FORM: &str = "late:RANK:NS";

/// See the module.
#[derive(Clone, Copy, Debug)]
struct Late {
    rank: Rank,
    by: u64,
}

pub(super) fn read(words: &[&str]) -> Option<Box<dyn Fault>> {
    let [rank, by] = words else { return None };
    Some(Box::new(Late { rank: rank.parse().ok()?, by: by.parse().ok()? }))
}

impl Fault for Late {
    fn fresh(&self) -> Box<dyn Fault> {
        Box::new(*self)
    }

    fn rank(&self) -> Option<Rank> {
        Some(self.rank)
    }

    fn enters(&self, rank: Rank) -> u64 {
        if rank == self.rank { self.by } else { 0 }
    }
}
