//! One PE as an automaton: a node is how far it is in its calls and what its verbs have returned in the current one.
//!
//! Nodes are made when they are first reached, by running the program again; afterwards a step is a look into a table.
//! What was returned in earlier calls is forgotten, because the program has forgotten it too.
use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use wb_comm::{Error, Rank};

use super::{
    Episode, Scene,
    replay::{self, Operation},
};

/// A node's number; so few that a state is small.
pub(super) type Node = u16;

/// After so many results in one episode a program is taken to look for ever.
const PATIENCE: usize = 300;

/// Why a search ends without a finding.
pub(super) enum Stop {
    /// A program failed.
    Failed(Error),
    /// More nodes, values or messages than have numbers, or a program that looks again and again.
    Full,
    /// A cell was taken for a counter that is none.
    Wrong,
}

struct Place {
    /// The number of the call, counted from 0.
    call: usize,
    /// `None`: all calls are made.
    next: Option<Operation>,
    /// The place before and what was returned there; `None` where a call begins.
    before: Option<(Node, i64)>,
}

/// One call of a PE.
pub(super) struct Call {
    group: usize,
    rank: usize,
    epoch: i64,
    /// Which episode it takes part in.
    pub(super) episode: Episode,
}

/// See the module.
pub(super) struct Automaton<'s> {
    scene: &'s Scene,
    /// What this PE calls.
    pub(super) calls: Vec<Call>,
    places: Vec<Place>,
    children: HashMap<(Node, i64), Node, FxBuildHasher>,
    beginnings: Vec<Option<Node>>,
    /// Operations that have come to light since somebody looked.
    pub(super) fresh: Vec<Operation>,
}

impl<'s> Automaton<'s> {
    pub(super) fn new(scene: &'s Scene, pe: Rank) -> Self {
        let mut made = vec![0; scene.groups.len()];
        let call = |&group: &usize| {
            made[group] += 1;
            let rank = scene.groups[group].ranks.iter().position(|&rank| rank == pe);
            let epoch = scene.groups[group].epoch + made[group];
            Call {
                group,
                rank: rank.unwrap_or_else(|| panic!("PE {pe} is no rank of group {group}")),
                epoch,
                episode: Episode { group, number: made[group] as usize },
            }
        };
        let calls: Vec<_> = scene.calls[pe].iter().map(call).collect();
        let beginnings = vec![None; calls.len() + 1];
        Self { scene, calls, places: vec![], children: HashMap::default(), beginnings, fresh: vec![] }
    }

    /// The node at which a call begins; after the last one, the end.
    pub(super) fn beginning(&mut self, call: usize) -> Result<Node, Stop> {
        if let Some(node) = self.beginnings[call] {
            return Ok(node);
        }
        let next = if call == self.calls.len() {
            None
        } else {
            Some(self.operation(call, &[])?.unwrap_or(Operation::Nothing))
        };
        let node = self.push(Place { call, next, before: None })?;
        self.beginnings[call] = Some(node);
        Ok(node)
    }

    /// What is done next; `None`: all is done.
    pub(super) fn next(&self, node: Node) -> Option<Operation> {
        self.places[node as usize].next
    }

    /// The call in which the node is, and whether nothing has been done in it yet.
    pub(super) fn place(&self, node: Node) -> (usize, bool) {
        let place = &self.places[node as usize];
        (place.call, place.before.is_none())
    }

    /// Where the node's operation leads when it returns `result`.
    pub(super) fn after(&mut self, node: Node, result: i64) -> Result<Node, Stop> {
        if let Some(&child) = self.children.get(&(node, result)) {
            return Ok(child);
        }
        let call = self.places[node as usize].call;
        let child = match self.places[node as usize].next {
            Some(Operation::Nothing) => self.beginning(call + 1)?,
            _ => match self.operation(call, &self.results(node, result)?)? {
                Some(next) => self.push(Place { call, next: Some(next), before: Some((node, result)) })?,
                None => self.beginning(call + 1)?,
            },
        };
        self.children.insert((node, result), child);
        Ok(child)
    }

    fn operation(&self, call: usize, results: &[i64]) -> Result<Option<Operation>, Stop> {
        let Call { group, rank, epoch, .. } = self.calls[call];
        replay::next(&self.scene.groups[group], rank, epoch, results).map_err(Stop::Failed)
    }

    fn results(&self, node: Node, last: i64) -> Result<Vec<i64>, Stop> {
        let mut results = vec![last];
        let mut at = node;
        while let Some((before, result)) = self.places[at as usize].before {
            results.push(result);
            at = before;
        }
        results.reverse();
        if results.len() < PATIENCE { Ok(results) } else { Err(Stop::Full) }
    }

    fn push(&mut self, place: Place) -> Result<Node, Stop> {
        let node = Node::try_from(self.places.len()).map_err(|_| Stop::Full)?;
        self.fresh.extend(place.next);
        self.places.push(place);
        Ok(node)
    }
}
