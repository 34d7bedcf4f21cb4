//! What a PE does, as an automaton: a node is how far it is in its calls and what its verbs have returned in the current
//! one. PEs that are [alike](super::alike) share one.
//!
//! Nodes are made when they are first reached, by running the program again; afterwards a step is a look into a table.
//! What was returned in earlier calls is forgotten, because the program has forgotten it too.
use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use wb_comm::{Cell, Error, Rank, Until};

use super::{
    Episode, Scene,
    alike::Unlike,
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
    /// PEs were taken to be alike that are not.
    Unlike(Unlike),
}

/// What comes to light of a PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// It does this at some time.
    Does {
        /// What.
        operation: Operation,
        /// For a put: since the last one into that cell, or since the call began, there was a fence.
        fenced: bool,
        /// For an addition to an own cell: since the last one it has waited for the cell to be above 0.
        guarded: bool,
    },
    /// It looks at an own cell, or leaves, before an addition of its own to that cell is known to have arrived.
    Unfinished {
        /// Which.
        cell: Cell,
    },
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
    epoch: i64,
    /// Which episode it takes part in.
    pub(super) episode: Episode,
}

/// See the module.
pub(super) struct Automaton<'s> {
    scene: &'s Scene,
    /// Who behave so.
    pub(super) pes: Vec<Rank>,
    /// What they call.
    pub(super) calls: Vec<Call>,
    places: Vec<Place>,
    children: HashMap<(Node, i64), Node, FxBuildHasher>,
    beginnings: Vec<Option<Node>>,
    /// What has come to light since somebody looked.
    pub(super) fresh: Vec<Fact>,
}

impl<'s> Automaton<'s> {
    /// Of PEs, at least one, that make the same calls.
    pub(super) fn new(scene: &'s Scene, pes: Vec<Rank>) -> Self {
        let mut made = vec![0; scene.groups.len()];
        let call = |&group: &usize| {
            made[group] += 1;
            let epoch = scene.groups[group].epoch + made[group];
            Call { group, epoch, episode: Episode { group, number: made[group] as usize } }
        };
        let calls: Vec<_> = scene.calls[pes[0]].iter().map(call).collect();
        let beginnings = vec![None; calls.len() + 1];
        Self { scene, pes, calls, places: vec![], children: HashMap::default(), beginnings, fresh: vec![] }
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
                None => {
                    let unfinished: Vec<_> = self.unfinished(self.done(Some(node))).collect();
                    self.fresh.extend(unfinished.into_iter().map(|cell| Fact::Unfinished { cell }));
                    self.beginning(call + 1)?
                }
            },
        };
        self.children.insert((node, result), child);
        Ok(child)
    }

    /// What all of them do next in this call; `None`: they leave.
    fn operation(&self, call: usize, results: &[i64]) -> Result<Option<Operation>, Stop> {
        let Call { group, epoch, .. } = self.calls[call];
        let next = |&pe: &Rank| {
            let group = &self.scene.groups[group];
            let rank = group.ranks.iter().position(|&rank| rank == pe);
            let rank = rank.unwrap_or_else(|| panic!("PE {pe} calls the barrier of a group without it"));
            replay::next(group, rank, epoch, results).map(|next| (pe, next)).map_err(Stop::Failed)
        };
        let next: Vec<_> = self.pes.iter().map(next).collect::<Result<_, _>>()?;
        match Unlike::among(&next) {
            Some(unlike) => Err(Stop::Unlike(unlike)),
            None => Ok(next[0].1),
        }
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
        if let Some(operation) = place.next {
            let facts = self.facts(operation, place.before.map(|(before, _)| before));
            self.fresh.extend(facts);
        }
        self.places.push(place);
        Ok(node)
    }

    /// What an operation after `before` says of the PE.
    fn facts(&self, operation: Operation, before: Option<Node>) -> Vec<Fact> {
        let again = |cell| self.done(before).take_while(move |done| writes(*done) != Some(cell));
        let fenced = writes(operation).is_some_and(|cell| again(cell).any(is_fence));
        let guarded = writes(operation).is_some_and(|own| again(own).any(|done| waits_above_0(done, own.1)));
        let looks = |cell: &Cell| matches!(operation, Operation::Wait { cell: at, .. } if at == *cell);
        let unfinished = self.unfinished(self.done(before)).filter(looks);
        let mut facts: Vec<_> = unfinished.map(|cell| Fact::Unfinished { cell }).collect();
        facts.push(Fact::Does { operation, fenced, guarded });
        facts
    }

    /// What was done in this call up to this node, the last first.
    fn done(&self, at: Option<Node>) -> impl Iterator<Item = Operation> {
        let before = |&node: &Node| self.places[node as usize].before.map(|(before, _)| before);
        std::iter::successors(at, before).filter_map(|node| self.next(node))
    }

    /// Own cells to which something of the PE's own may be on its way after it has `done` this.
    fn unfinished(&self, done: impl Iterator<Item = Operation>) -> impl Iterator<Item = Cell> {
        let own = self.pes[0];
        done.take_while(|done| *done != Operation::Quiet).filter_map(move |done| match done {
            Operation::Add { pe, cell, by } if pe == own && by < 0 => Some(cell),
            _ => None,
        })
    }
}

/// Where what is put or added goes.
fn writes(operation: Operation) -> Option<(Rank, Cell)> {
    match operation {
        Operation::Put { pe, cell, .. } | Operation::Add { pe, cell, .. } => Some((pe, cell)),
        _ => None,
    }
}

fn is_fence(operation: Operation) -> bool {
    matches!(operation, Operation::Fence | Operation::Quiet)
}

fn waits_above_0(operation: Operation, own: Cell) -> bool {
    match operation {
        Operation::Wait { cell, until: Until::AtLeast(least) } => cell == own && least > 0,
        Operation::Wait { cell, until } => cell == own && until == Until::NotEqual(0),
        _ => false,
    }
}
