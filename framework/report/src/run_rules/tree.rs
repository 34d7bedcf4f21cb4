//! A transfer over a tree: the number of rounds that follow one another grows with the logarithm of the number of ranks.
//!
//! On the machine of this rule `run` takes as many rounds as messages follow one another, each rank sending one and receiving one at a
//! time. A transfer over a binomial tree takes ceil(log2 P) rounds, over a tree with k children at each node about k log_k P; a root that
//! sends to every rank takes P - 1. A transfer of several messages, such as a header and the data, takes as many rounds for each edge of
//! the tree: the unit is the smaller one of the rounds at P = 2 and of the messages for each of the P - 1 edges, so that messages
//! without use at one number of ranks do not make it larger.
//!
//! The rule is about the transfer that is the problem, and not about the way in which its operands reach the ranks or its parts come
//! back: these are in `preprocessing` and `postprocessing`. So `run` has to be the transfer: it moves a share of all bytes, and its
//! messages are received in it, which takes log2 P rounds at least.

use std::ops::RangeInclusive;

use wb_record::{ComputingCost, TimedRegion, Version};
use wb_text::{Text, source as text};

use super::{RunRuleVerdict, SimulatedPasses};

/// P = 2 is the unit; at all others a linear transfer is beyond the bound. On fewer ranks a star takes no more rounds than some trees.
pub(super) const RANKS: [RangeInclusive<u32>; 4] = [2..=2, 12..=31, 32..=80, 81..=160];

/// The rounds of a tree with up to seven children at each node, in those of a binomial tree.
const TOLERANCE: f64 = 2.5;

/// The time of a round on the machine.
const ROUND_NS: f64 = 1000.0;

/// `run` moves at least this share of the bytes of all stages. A reduction whose operands were sent to the ranks before moves half of
/// them.
const SHARE_MIN: f64 = 0.25;

pub(super) fn judge(passes: &SimulatedPasses<'_>) -> RunRuleVerdict {
    passes.judge_each(|workload| match find_break(passes, workload) {
        None => RunRuleVerdict::Undecided(text::no_virtual_runs()),
        Some(None) => RunRuleVerdict::Kept,
        Some(Some(reason)) => RunRuleVerdict::Broken { reason, remedy: text::remedy_tree() },
    })
}

/// The reason why the rule is broken, if it is; `None` without the passes that decide it.
fn find_break(passes: &SimulatedPasses<'_>, workload: &str) -> Option<Option<Text>> {
    let pass = |mode, ranks| passes.shortest(workload, ComputingCost::Declared, (Version::Mpi, mode, ranks));
    let rounds = |ranks| Some(pass(TimedRegion::TaskRun, ranks)?.elapsed_ns as f64 / ROUND_NS);
    let ranks = passes.ranks_in(workload, &RANKS)?;
    let rounds_of_two = rounds(ranks[0])?;
    for &ranks in &ranks[1..] {
        let (run, all) = (pass(TimedRegion::TaskRun, ranks)?, pass(TimedRegion::Pipeline, ranks)?);
        let (run, all, rounds) = (run.traffic, all.traffic, rounds(ranks)?);
        let for_each_edge = run.messages as f64 / f64::from(ranks - 1);
        let is_moved = (run.bytes as f64) < SHARE_MIN * all.bytes as f64;
        if is_moved || for_each_edge < 1.0 || rounds < f64::from(ranks.ilog2()) {
            let rounds = format!("{rounds:.0}");
            return Some(Some(text::transfer_moved(rounds, run.messages, run.bytes, all.bytes, ranks)));
        }
        let unit = rounds_of_two.min(for_each_edge).max(1.0);
        let bound = TOLERANCE * f64::from(ranks).log2() * unit;
        if rounds > bound {
            return Some(Some(text::not_a_tree(ranks, format!("{rounds:.0}"), format!("{bound:.0}"))));
        }
    }
    Some(None)
}
