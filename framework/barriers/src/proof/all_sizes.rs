//! What the proofs of a barrier at many sizes come to: proved at all, or the smallest counter-example.
//!
//! Sizes grow, and at each size a single node comes before other assignments of nodes, so what is found first is smallest.
use wb_comm::{Error, text};

use super::{PatternRefutation, prove};
use crate::{BarrierEntry, GroupConfig, Plan};

/// What the proofs come to.
#[derive(Clone, Debug, PartialEq)]
pub enum ProofResult {
    /// A barrier, wherever it is defined.
    Proved {
        /// At how many of the sizes it is defined.
        sizes: usize,
        /// How many different groups of plans were proved: more than sizes, where nodes matter.
        proofs: usize,
    },
    /// No barrier.
    Refuted(Counterexample),
    /// Defined at none of the sizes.
    Undefined(Error),
}

/// The smallest group in which a barrier fails.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterexample {
    /// How many take part, and on which nodes.
    pub group: GroupConfig,
    /// What goes wrong.
    pub refutation: PatternRefutation,
}

/// Proves a pattern at all sizes from 1 to `max`, on several layouts of nodes each; `None` for what is no pattern.
pub fn prove_all_sizes(entry: &BarrierEntry, max: usize, radix: Option<usize>) -> Option<ProofResult> {
    let (mut sizes, mut proofs, mut undefined) = (0, 0, None);
    for size in 1..=max {
        let mut proved: Vec<Vec<Plan>> = vec![];
        for config in layouts(size) {
            let config = GroupConfig { radix, ..config };
            match (entry.plans(&config)?, proved.first()) {
                (Err(why), _) => undefined = undefined.or(Some(why)),
                // Nodes that change nothing here: so it is with most.
                (Ok(plans), Some(_)) if proved.contains(&plans) => {}
                (Ok(plans), _) => {
                    if let Err(refutation) = prove(&plans) {
                        return Some(ProofResult::Refuted(Counterexample { group: config, refutation }));
                    }
                    proved.push(plans);
                }
            }
        }
        sizes += usize::from(!proved.is_empty());
        proofs += proved.len();
    }
    let none = || Error::Setup(text::barrier::no_sizes());
    Some(if sizes > 0 {
        ProofResult::Proved { sizes, proofs }
    } else {
        ProofResult::Undefined(undefined.unwrap_or_else(none))
    })
}

/// Where so many can be: all on one node, each on its own, in threes, dealt out to three, on a few nodes unevenly, and in
/// pairs whose numbers fall.
pub fn layouts(size: usize) -> Vec<GroupConfig> {
    let nodes: [fn(usize, usize) -> usize; 6] =
        [|_, _| 0, |r, _| r, |r, _| r / 3, |r, _| r % 3, |r, _| r * r % 7, |r, p| (p - r) / 2];
    let config = |node: fn(usize, usize) -> usize| GroupConfig {
        nodes: (0..size).map(|r| node(r, size)).collect(),
        ..GroupConfig::new(size)
    };
    nodes.into_iter().map(config).collect()
}
