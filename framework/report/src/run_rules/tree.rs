//! A transfer over a tree: the number of rounds that follow one another grows with the logarithm of the number of ranks.
//!
//! On the machine of this rule a pass takes as many rounds as messages follow one another, each rank sending one and receiving one at a
//! time. A transfer over a binomial tree takes ceil(log2 P) rounds, over a tree with k children at each node about k log_k P; a root that
//! sends to every rank takes P - 1. Whatever is transferred besides the data takes the same path, so the rounds at P = 2 are the unit.

use wb_record::{TimedRegion, Version};
use wb_text::source as text;

use super::{RunRuleVerdict, SimulatedPasses};

/// P = 2 is the unit; at both others a linear transfer is beyond the bound, also beside other transfers over trees.
pub(super) const RANKS: [u32; 3] = [2, 32, 128];

/// The rounds of a tree with up to seven children at each node, in those of a binomial tree.
const TOLERANCE: f64 = 2.5;

/// The time of a round on the machine.
const ROUND_NS: f64 = 1000.0;

pub(super) fn judge(passes: &SimulatedPasses<'_>) -> RunRuleVerdict {
    passes.judge_each(|workload| {
        let rounds = |ranks| {
            passes
                .shortest_ns(workload, Version::Mpi, TimedRegion::Pipeline, ranks)
                .map(|ns| ns as f64 / ROUND_NS)
        };
        let Some(unit) = rounds(RANKS[0]) else { return RunRuleVerdict::Undecided(text::no_virtual_runs()) };
        for ranks in &RANKS[1..] {
            let Some(rounds) = rounds(*ranks) else {
                return RunRuleVerdict::Undecided(text::no_virtual_runs());
            };
            let bound = TOLERANCE * f64::from(*ranks).log2() * unit.max(1.0);
            if rounds > bound {
                let (rounds, bound) = (format!("{rounds:.0}"), format!("{bound:.0}"));
                return RunRuleVerdict::Broken(text::not_a_tree(*ranks, rounds, bound));
            }
        }
        RunRuleVerdict::Kept
    })
}
