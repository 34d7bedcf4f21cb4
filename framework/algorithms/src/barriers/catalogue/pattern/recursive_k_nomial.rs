//! Recursive k-nomial exchange: recursive doubling with groups of k instead of pairs.
//!
//! Source: UCC's default barrier (`tl_ucp` knomial, radix 8).
//!
//! full = k^s is the largest power of k up to P, nf = floor(P / full) whole blocks, ex = P - nf full ranks left over,
//! N' = P - ex. Extras are the odd ranks below 2 ex; rank r - 1 is the proxy of the extra r. Those who take part are
//! numbered l = r / 2 below 2 ex, else r - ex. An extra signals its proxy and waits for its answer; a proxy waits for its extra
//! first and answers it last. Round w = 1, k, k^2, ...: exchange with all block(l, k w) + (l + i w) mod (k w) that are
//! below N', i = 1..k-1: s rounds within the blocks, and one among them if there are several.
//!
//! Messages 2 ex + N' ((k - 1) s + nf - 1), hops `s + [nf > 1] + 2 [ex > 0]` at most. Safe back to back: no two rounds
//! pair the same ranks.
use wb_comm::{Rank, Result, Text};

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, GroupConfig, Guarantee, Implementation, PlanBuilder,
};

/// The recursive k-nomial exchange: recursive doubling with groups of k ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecursiveKNomial {
    radix: usize,
}

/// How a size divides: the rounds within a block, the blocks, the extras.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockDivision {
    pub(crate) rounds_within: u32,
    pub(crate) blocks: usize,
    pub(crate) extras: usize,
}

impl BlockDivision {
    pub(crate) fn new(k: usize, p: usize) -> Self {
        let within = p.ilog(k);
        let full = k.pow(within);
        Self { rounds_within: within, blocks: p / full, extras: p % full }
    }

    fn number(self, rank: Rank) -> usize {
        if rank < 2 * self.extras { rank / 2 } else { rank - self.extras }
    }

    fn rank(self, number: usize) -> Rank {
        if number < self.extras { 2 * number } else { number + self.extras }
    }
}

impl RecursiveKNomial {
    /// The exchange of that radix.
    ///
    /// # Panics
    /// For a radix below 2.
    pub fn new(radix: usize) -> Self {
        assert!(radix >= 2, "radix {radix}");
        Self { radix }
    }

    fn for_group(config: &GroupConfig, radix: usize) -> Result<Self> {
        config.radix_or(radix).map(Self::new)
    }

    /// The radix, reduced to the number of ranks.
    fn effective_radix(self, size: usize) -> usize {
        self.radix.min(size).max(2)
    }

    fn exchange(self, plan: &mut PlanBuilder<'_>, blocks: BlockDivision) -> Result<()> {
        let (k, members) = (self.effective_radix(plan.size()), plan.size() - blocks.extras);
        let number = blocks.number(plan.rank());
        for round in 0..blocks.rounds_within + u32::from(blocks.blocks > 1) {
            let (unit, block) = (k.pow(round), k.pow(round + 1));
            let first = number / block * block;
            let peers = || (1..k).map(|i| first + (number + i * unit) % block).filter(|peer| *peer < members);
            peers().try_for_each(|peer| plan.signal(blocks.rank(peer), round + 1))?;
            peers().try_for_each(|peer| plan.wait_signal(blocks.rank(peer), round + 1))?;
        }
        Ok(())
    }
}

impl crate::barriers::Pattern for RecursiveKNomial {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let blocks = BlockDivision::new(self.effective_radix(plan.size()), plan.size());
        let is_paired = plan.rank() < 2 * blocks.extras;
        match plan.rank() {
            extra if is_paired && extra % 2 == 1 => {
                plan.signal(extra - 1, 0)?;
                plan.wait_signal(extra - 1, 0)
            }
            proxy if is_paired => {
                plan.wait_signal(proxy + 1, 0)?;
                self.exchange(plan, blocks)?;
                plan.signal(proxy + 1, 0)
            }
            _ => self.exchange(plan, blocks),
        }
    }
}

fn cost(k: usize, p: usize) -> BarrierCost {
    let BlockDivision { rounds_within: within, blocks, extras } = BlockDivision::new(k, p);
    let messages = 2 * extras + (p - extras) * ((k - 1) * within as usize + blocks - 1);
    BarrierCost { messages, rounds: None, hops: None }
}

/// The first row; the others differ from it in a few fields.
const ROW: BarrierEntry = BarrierEntry {
    name: "recursive_k_nomial_4",
    family: Family::TwoSided,
    source: "UCC tl_ucp barrier (knomial)",
    section: "1.8",
    summary: Text {
        en: "exchange in groups of 4, then of 4 such groups; ranks left over have proxies",
        ru: "обмен в группах по 4, затем между 4 такими группами; у лишних рангов посредники",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| cost(4, p)),
    implementation: Implementation::Pattern(|config| Ok(Box::new(RecursiveKNomial::for_group(config, 4)?))),
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    ROW,
    BarrierEntry {
        name: "recursive_k_nomial_8",
        summary: Text {
            en: "exchange in groups of 8, then of 8 such groups; ranks left over have proxies",
            ru: "обмен в группах по 8, затем между 8 такими группами; у лишних рангов посредники",
        },
        cost: Some(|p| cost(8, p)),
        implementation: Implementation::Pattern(|config| {
            Ok(Box::new(RecursiveKNomial::for_group(config, 8)?))
        }),
        ..ROW
    },
];
