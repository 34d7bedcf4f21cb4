//! Binomial tree: gather up to rank 0, release down.
//!
//! Source: Open MPI coll/base barrier 6; the same tree as coll/basic "log".
//!
//! D is the smallest power of two that is not below P. Up, for j = 1, 2, 4, ... < D: the partner is r XOR j; while the
//! bits of r below j are zero and the partner exists, wait for it if it is larger, else signal it and be done. Down, for
//! j = D/2, ..., 1: the same pairs, the other way round. So the parent of r is r with its lowest set bit cleared.
//!
//! Messages 2 (P - 1), rounds 2 ceil(log2 P), hops 2 max over r < P of the bits set in r. D must be *inclusive*: with
//! floor(log2) or log2 in its place ranks are left out (`tree_depth_floor`, `tree_depth_log` among the wrong ones).
//! Safe back to back.
use wb_comm::{Rank, Result, Text};

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, GatherRelease, Guarantee, Implementation, PlanBuilder,
    logarithm::ceil_log2,
};

/// The barrier on a binomial tree with root 0: 2 (P - 1) messages, 2 ceil(log2 P) rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tree;

/// The partners of `r` in a tree of that depth, with growing distance.
pub(crate) fn partners(r: Rank, p: usize, depth: usize) -> impl DoubleEndedIterator<Item = Rank> {
    let distances = (0..usize::BITS).map(|k| 1_usize << k).take_while(move |j| *j < depth);
    let pairs = distances
        .map(move |j| (r ^ j, (r ^ j) & (j - 1)))
        .filter(move |(peer, below)| *below == 0 && *peer < p);
    pairs.map(|(peer, _)| peer).collect::<Vec<_>>().into_iter()
}

impl GatherRelease for Tree {
    fn gather(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, p) = (plan.rank(), plan.size());
        partners(r, p, p.next_power_of_two())
            .try_for_each(|peer| if peer > r { plan.wait_signal(peer, 0) } else { plan.signal(peer, 0) })
    }

    fn release(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, p) = (plan.rank(), plan.size());
        partners(r, p, p.next_power_of_two())
            .rev()
            .try_for_each(|peer| if peer > r { plan.signal(peer, 0) } else { plan.wait_signal(peer, 0) })
    }
}

/// The maximum number of set bits of a rank below `p`: the depth of the binomial tree.
pub(crate) fn depth(p: usize) -> usize {
    (0..p).map(usize::count_ones).max().unwrap_or_default() as usize
}

/// 2 (P - 1) messages in 2 ceil(log2 P) rounds.
pub(crate) fn cost(p: usize) -> BarrierCost {
    BarrierCost { messages: 2 * (p - 1), rounds: Some(2 * ceil_log2(p)), hops: Some(2 * depth(p)) }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "tree",
    family: Family::TwoSided,
    source: "Open MPI coll/base barrier 6 (\"tree\")",
    section: "1.6",
    summary: Text {
        en: "gather to rank 0 along a binomial tree, release back down it",
        ru: "сбор к рангу 0 по биномиальному дереву и отпускание вниз по нему",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(cost),
    implementation: Implementation::Pattern(|_| Ok(Box::new(Tree))),
}];
