//! The proofs of a barrier at many sizes: proved at all, or the smallest counterexample.
//!
//! Sizes grow, and at each size a single node comes before other assignments of nodes, so what is found first is smallest.
use wb_comm::{Error, text};

use super::{PatternRefutation, prove};
use crate::barriers::{BarrierEntry, GroupConfig, Plan};

/// The result of the proofs.
#[derive(Clone, Debug, PartialEq)]
pub enum ProofResult {
    /// A barrier, wherever it is defined.
    Proved {
        /// The number of sizes at which it is defined.
        sizes: usize,
        /// The number of different groups of plans that were proved: more than sizes, where nodes matter.
        proofs: usize,
    },
    /// Not a barrier.
    Refuted(Counterexample),
    /// Defined at none of the sizes.
    Undefined(Error),
}

/// The smallest group in which a barrier fails.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterexample {
    /// The number of participants, and their nodes.
    pub group: GroupConfig,
    /// The violation.
    pub refutation: PatternRefutation,
}

/// Proves a pattern at all sizes from 1 to `max`, on several layouts of nodes each; `None` for barriers that are not
/// patterns.
pub fn prove_all_sizes(entry: &BarrierEntry, max: usize, radix: Option<usize>) -> Option<ProofResult> {
    let (mut sizes, mut proofs, mut undefined) = (0, 0, None);
    for size in 1..=max {
        let mut proved: Vec<Vec<Plan>> = vec![];
        for config in layouts(size) {
            let config = GroupConfig { radix, ..config };
            match (entry.plans(&config)?, proved.first()) {
                (Err(why), _) => undefined = undefined.or(Some(why)),
                // Nodes have no effect here, as for most barriers.
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

/// The layouts of this number of ranks: all on one node, each on its own, in threes, round-robin over three, unevenly
/// on a few nodes, and in pairs with descending node numbers.
pub fn layouts(size: usize) -> Vec<GroupConfig> {
    let nodes: [fn(usize, usize) -> usize; 6] =
        [|_, _| 0, |r, _| r, |r, _| r / 3, |r, _| r % 3, |r, _| r * r % 7, |r, p| (p - r) / 2];
    let config = |node: fn(usize, usize) -> usize| GroupConfig {
        nodes: (0..size).map(|r| node(r, size)).collect(),
        ..GroupConfig::new(size)
    };
    nodes.into_iter().map(config).collect()
}
