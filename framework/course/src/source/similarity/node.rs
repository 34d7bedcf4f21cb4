//! The nodes that a normal form is made of, before they become one sequence.

use super::{
    fingerprints::{LineRange, PlacedCode},
    statement::StatementNames,
    vocabulary::ATOM,
};

/// A code with the codes below it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) code: u32,
    pub(super) place: LineRange,
    pub(super) below: Vec<Node>,
}

/// The statements in the order of their codes, each after those that it does not commute with.
pub(super) fn in_order(statements: Vec<(Vec<Node>, StatementNames)>) -> Vec<Node> {
    let mut waiting: Vec<_> =
        statements.into_iter().map(|(nodes, names)| (sequence(&nodes), nodes, names)).collect();
    let mut ordered = vec![];
    while !waiting.is_empty() {
        let is_free =
            |at: &usize| waiting[..*at].iter().all(|(_, _, names)| names.commutes_with(&waiting[*at].2));
        let free = (0..waiting.len()).filter(is_free);
        let next =
            free.min_by(|a, b| waiting[*a].0.cmp(&waiting[*b].0)).expect("the first one waits for none");
        ordered.extend(waiting.remove(next).1);
    }
    ordered
}

/// Whether this is one value whose making does not matter.
pub(super) fn is_atom(nodes: &[Node]) -> bool {
    matches!(nodes, [Node { code: ATOM, .. }])
}

/// The codes alone, for comparisons.
pub(super) fn sequence(nodes: &[Node]) -> Vec<u32> {
    let mut codes = vec![];
    nodes.iter().for_each(|node| append(node, &mut codes));
    codes.into_iter().map(|code| code.code).collect()
}

pub(super) fn append(node: &Node, codes: &mut Vec<PlacedCode>) {
    codes.push(PlacedCode { code: node.code, place: node.place });
    node.below.iter().for_each(|node| append(node, codes));
}
