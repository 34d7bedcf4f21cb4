//! The pairs of labels that meet at the borders of strips, and the smallest label of each component.
use std::collections::HashMap;

/// The pairs of labels in two rows that lie one above the other, without repetitions of the same pair in a run.
pub fn pairs(above: &[u64], below: &[u64]) -> Vec<[u64; 2]> {
    let met = above.iter().zip(below).filter(|(above, below)| **above != 0 && **below != 0);
    let mut pairs: Vec<[u64; 2]> = met.map(|(above, below)| [*above, *below]).collect();
    pairs.dedup();
    pairs
}

/// The smallest label of the component of each label in the pairs that is not the smallest itself.
pub fn smallest(pairs: &[[u64; 2]]) -> HashMap<u64, u64> {
    let mut parents = HashMap::new();
    for [one, other] in pairs {
        let [one, other] = [one, other].map(|label| find(&parents, *label));
        if one != other {
            parents.insert(one.max(other), one.min(other));
        }
    }
    parents.keys().map(|label| (*label, find(&parents, *label))).collect()
}

/// The smallest label that is known for the component of `label`.
fn find(parents: &HashMap<u64, u64>, mut label: u64) -> u64 {
    while let Some(parent) = parents.get(&label) {
        label = *parent;
    }
    label
}
