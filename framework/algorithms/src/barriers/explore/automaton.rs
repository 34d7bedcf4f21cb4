//! The behaviour of a PE as an automaton: a node is the position in its calls and the results of its operations in the
//! current one. PEs that are [alike](super::symmetry) share one.
//!
//! Nodes are created when they are first reached, by running the program again; afterwards a step is a table look-up.
//! Results of earlier calls are dropped, because the program does not keep them either.
use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use wb_comm::{CellIndex, Error, Rank, Until};

use super::{
    Configuration, Episode,
    replay::{self, MemoryOp},
    symmetry::AsymmetricClasses,
};

/// A node's number; a small type, so that a state is small.
pub(super) type Node = u16;

/// The number of results in one episode after which a program counts as polling for ever.
const MAX_RESULTS: usize = 300;

/// The reason why a search ends without a result.
pub(super) enum SearchAbort {
    /// A program failed.
    Failed(Error),
    /// More nodes, values or messages than numbers, or a program that polls for ever.
    CapacityExceeded,
    /// A cell was assumed to be a counter but is not.
    NotACounter,
    /// PEs were assumed to be alike but are not.
    NotSymmetric(AsymmetricClasses),
}

/// An observation of a PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PeObservation {
    /// It executes this operation at some time.
    Executes {
        operation: MemoryOp,
        /// For a put: since the last one into that cell, or since the call began, there was a fence.
        fenced: bool,
        /// For an addition to an own cell: since the last one it has waited for the cell to be above 0.
        guarded: bool,
    },
    /// It reads an own cell, or leaves, before an addition of its own to that cell is known to have arrived.
    Unfinished { cell: CellIndex },
}

struct AutomatonState {
    /// The number of the call, counted from 0.
    call: usize,
    /// `None`: all calls are made.
    next: Option<MemoryOp>,
    /// The place before and what was returned there; `None` where a call begins.
    before: Option<(Node, i64)>,
}

/// One call of a PE.
pub(super) struct BarrierCall {
    group: usize,
    epoch: i64,
    /// The episode in which it takes part.
    pub(super) episode: Episode,
}

pub(super) struct Automaton<'s> {
    configuration: &'s Configuration,
    /// The PEs that behave like this.
    pub(super) pes: Vec<Rank>,
    pub(super) calls: Vec<BarrierCall>,
    states: Vec<AutomatonState>,
    children: HashMap<(Node, i64), Node, FxBuildHasher>,
    initial_nodes: Vec<Option<Node>>,
    /// The observations since the last query.
    pub(super) new_observations: Vec<PeObservation>,
}

impl<'s> Automaton<'s> {
    /// The automaton of PEs, at least one, that make the same calls.
    pub(super) fn new(configuration: &'s Configuration, pes: Vec<Rank>) -> Self {
        let mut made = vec![0; configuration.groups.len()];
        let call = |&group: &usize| {
            made[group] += 1;
            let epoch = configuration.groups[group].epoch + made[group];
            BarrierCall { group, epoch, episode: Episode { group, number: made[group] as usize } }
        };
        let calls: Vec<_> = configuration.calls[pes[0]].iter().map(call).collect();
        let beginnings = vec![None; calls.len() + 1];
        Self {
            configuration,
            pes,
            calls,
            states: vec![],
            children: HashMap::default(),
            initial_nodes: beginnings,
            new_observations: vec![],
        }
    }

    /// The node at which a call begins; after the last one, the end.
    pub(super) fn initial_node(&mut self, call: usize) -> Result<Node, SearchAbort> {
        if let Some(node) = self.initial_nodes[call] {
            return Ok(node);
        }
        let next = if call == self.calls.len() {
            None
        } else {
            Some(self.operation(call, &[])?.unwrap_or(MemoryOp::Nothing))
        };
        let node = self.push(AutomatonState { call, next, before: None })?;
        self.initial_nodes[call] = Some(node);
        Ok(node)
    }

    /// The next operation; `None` after the last one.
    pub(super) fn next(&self, node: Node) -> Option<MemoryOp> {
        self.states[node as usize].next
    }

    /// The call in which the node is, and whether nothing has been done in it yet.
    pub(super) fn position(&self, node: Node) -> (usize, bool) {
        let place = &self.states[node as usize];
        (place.call, place.before.is_none())
    }

    /// The node after the node's operation has returned `result`.
    pub(super) fn successor(&mut self, node: Node, result: i64) -> Result<Node, SearchAbort> {
        if let Some(&child) = self.children.get(&(node, result)) {
            return Ok(child);
        }
        let call = self.states[node as usize].call;
        let child = match self.states[node as usize].next {
            Some(MemoryOp::Nothing) => self.initial_node(call + 1)?,
            _ => match self.operation(call, &self.results(node, result)?)? {
                Some(next) => {
                    self.push(AutomatonState { call, next: Some(next), before: Some((node, result)) })?
                }
                None => {
                    let unfinished: Vec<_> = self.unfinished(self.done(Some(node))).collect();
                    self.new_observations
                        .extend(unfinished.into_iter().map(|cell| PeObservation::Unfinished { cell }));
                    self.initial_node(call + 1)?
                }
            },
        };
        self.children.insert((node, result), child);
        Ok(child)
    }

    /// The next operation of all of them in this call; `None`: they leave.
    fn operation(&self, call: usize, results: &[i64]) -> Result<Option<MemoryOp>, SearchAbort> {
        let BarrierCall { group, epoch, .. } = self.calls[call];
        let next = |&pe: &Rank| {
            let group = &self.configuration.groups[group];
            let rank = group.ranks.iter().position(|&rank| rank == pe);
            let rank = rank.unwrap_or_else(|| panic!("PE {pe} calls the barrier of a group without it"));
            replay::next_operation(group, rank, epoch, results)
                .map(|next| (pe, next))
                .map_err(SearchAbort::Failed)
        };
        let next: Vec<_> = self.pes.iter().map(next).collect::<Result<_, _>>()?;
        match AsymmetricClasses::from_next_operations(&next) {
            Some(unlike) => Err(SearchAbort::NotSymmetric(unlike)),
            None => Ok(next[0].1),
        }
    }

    fn results(&self, node: Node, last: i64) -> Result<Vec<i64>, SearchAbort> {
        let mut results = vec![last];
        let mut at = node;
        while let Some((before, result)) = self.states[at as usize].before {
            results.push(result);
            at = before;
        }
        results.reverse();
        if results.len() < MAX_RESULTS { Ok(results) } else { Err(SearchAbort::CapacityExceeded) }
    }

    fn push(&mut self, place: AutomatonState) -> Result<Node, SearchAbort> {
        let node = Node::try_from(self.states.len()).map_err(|_| SearchAbort::CapacityExceeded)?;
        if let Some(operation) = place.next {
            let facts = self.observations(operation, place.before.map(|(before, _)| before));
            self.new_observations.extend(facts);
        }
        self.states.push(place);
        Ok(node)
    }

    /// What an operation after `before` says of the PE.
    fn observations(&self, operation: MemoryOp, before: Option<Node>) -> Vec<PeObservation> {
        let again = |cell| self.done(before).take_while(move |done| writes(*done) != Some(cell));
        let fenced = writes(operation).is_some_and(|cell| again(cell).any(is_fence));
        let guarded = writes(operation).is_some_and(|own| again(own).any(|done| is_guard(done, own.1)));
        let waits_here =
            |cell: &CellIndex| matches!(operation, MemoryOp::Wait { cell: at, .. } if at == *cell);
        let unfinished = self.unfinished(self.done(before)).filter(waits_here);
        let mut facts: Vec<_> = unfinished.map(|cell| PeObservation::Unfinished { cell }).collect();
        facts.push(PeObservation::Executes { operation, fenced, guarded });
        facts
    }

    /// The operations of this call up to this node, the last first.
    fn done(&self, at: Option<Node>) -> impl Iterator<Item = MemoryOp> {
        let before = |&node: &Node| self.states[node as usize].before.map(|(before, _)| before);
        std::iter::successors(at, before).filter_map(|node| self.next(node))
    }

    /// Own cells to which something of the PE's own may be on its way after it has `done` this.
    fn unfinished(&self, done: impl Iterator<Item = MemoryOp>) -> impl Iterator<Item = CellIndex> {
        let own = self.pes[0];
        done.take_while(|done| *done != MemoryOp::Quiet).filter_map(move |done| match done {
            MemoryOp::Add { pe, cell, by } if pe == own && by < 0 => Some(cell),
            _ => None,
        })
    }
}

/// The target cell of a put or an addition.
fn writes(operation: MemoryOp) -> Option<(Rank, CellIndex)> {
    match operation {
        MemoryOp::Put { pe, cell, .. } | MemoryOp::Add { pe, cell, .. } => Some((pe, cell)),
        _ => None,
    }
}

fn is_fence(operation: MemoryOp) -> bool {
    matches!(operation, MemoryOp::Fence | MemoryOp::Quiet)
}

fn is_guard(operation: MemoryOp, own: CellIndex) -> bool {
    match operation {
        MemoryOp::Wait { cell, until: Until::AtLeast(least) } => cell == own && least > 0,
        MemoryOp::Wait { cell, until } => cell == own && until == Until::NotEqual(0),
        _ => false,
    }
}
