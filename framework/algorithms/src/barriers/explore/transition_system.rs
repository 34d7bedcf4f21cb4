//! The transition system that is explored: the possible operations and arrivals, and their effects.
//!
//! In the coarse granularity, steps that no other PE can see follow immediately after the step before: issuing a put or
//! an add (it may arrive any time later), a fence, a quiet that can complete, and steps at [counters](super::counters).
//! No fault is lost: these steps commute with all steps of others, and leaving an episode sooner can only add
//! violations. An episode's first step is never merged, because it enters. Symmetric PEs ([symmetry](super::symmetry))
//! are sorted. A test compares both granularities.
use wb_comm::Rank;

use super::{
    BlockedPe, Configuration, Episode, MemoryMessage, MemoryOp, TraceAction, TraceStep,
    automaton::{Automaton, SearchAbort},
    counters::{Counters, WrongAssumption},
    state::{InFlightPut, Interner, SystemState},
    symmetry::PeSymmetry,
};
use crate::barriers::{Delivery, MemoryOrdering};

mod effects;

/// The size of one step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Granularity {
    /// Invisible operations together with the one before.
    Coarse,
    /// One operation, or one arrival.
    Fine,
}

/// The possible steps.
#[derive(Clone, Copy)]
pub(super) enum Action {
    /// A PE makes its next operation.
    Execute(Rank),
    /// A message under way, by its place in the list, arrives.
    Deliver(usize),
}

/// A PE has left too early.
pub(super) struct BarrierViolation {
    pub(super) episode: Episode,
    pub(super) early_rank: Rank,
    pub(super) missing: Vec<Rank>,
}

/// The other PEs of an episode, each with the number of its call, if there is one.
type Peers = Vec<(Rank, Option<usize>)>;

impl From<WrongAssumption> for SearchAbort {
    fn from(WrongAssumption: WrongAssumption) -> Self {
        Self::NotACounter
    }
}

pub(super) struct TransitionSystem<'s> {
    configuration: &'s Configuration,
    mode: MemoryOrdering,
    granularity: Granularity,
    /// The number of cells of each PE.
    cells: usize,
    /// One for all PEs that are alike.
    automata: Vec<Automaton<'s>>,
    /// For each PE the number of its automaton.
    automaton_of: Vec<usize>,
    /// For each PE and call.
    peers: Vec<Vec<Peers>>,
    values: Interner<i64>,
    messages: Interner<MemoryMessage>,
    counters: &'s mut Counters,
}

impl<'s> TransitionSystem<'s> {
    pub(super) fn new(
        configuration: &'s Configuration,
        mode: MemoryOrdering,
        grain: Granularity,
        symmetry: &PeSymmetry,
        counters: &'s mut Counters,
    ) -> Self {
        let automata: Vec<_> =
            symmetry.classes().iter().map(|class| Automaton::new(configuration, class.clone())).collect();
        let of = |pe| automata.iter().position(|automaton| automaton.pes.contains(&pe));
        let behaves: Vec<_> = (0..configuration.size).filter_map(of).collect();
        let calls_of = |pe: Rank| &automata[behaves[pe]].calls;
        let call_of = |pe, episode| calls_of(pe).iter().position(|call| call.episode == episode);
        let peers_of = |pe: Rank, episode: Episode| {
            let members = &configuration.groups[episode.group].members;
            let others = members.iter().filter(|&&other| other != pe && members.contains(&pe));
            others.map(|&other| (other, call_of(other, episode))).collect()
        };
        let peers = |pe| calls_of(pe).iter().map(|call| peers_of(pe, call.episode)).collect();
        Self {
            peers: (0..configuration.size).map(peers).collect(),
            configuration,
            mode,
            granularity: grain,
            cells: configuration.cells(),
            counters,
            automata,
            automaton_of: behaves,
            values: Interner::new(),
            messages: Interner::new(),
        }
    }

    pub(super) fn initial_state(&mut self) -> Result<SystemState, SearchAbort> {
        let initial = self.configuration.initial();
        let mut state = SystemState::default();
        for pe in 0..self.configuration.size {
            let node = self.automata[self.automaton_of[pe]].initial_node(0)?;
            state.nodes.push(node);
            self.observe(pe)?;
            for &value in &initial {
                state.cells.push(self.values.intern(value)?);
            }
        }
        Ok(state)
    }

    fn automaton(&self, pe: Rank) -> &Automaton<'s> {
        &self.automata[self.automaton_of[pe]]
    }

    fn observe(&mut self, pe: Rank) -> Result<(), SearchAbort> {
        let automaton = &mut self.automata[self.automaton_of[pe]];
        for fact in automaton.new_observations.drain(..) {
            self.counters.observe(pe, fact)?;
        }
        Ok(())
    }

    /// Exchanges PEs that are alike, so that their nodes are sorted; `places`, if wanted, change with them.
    pub(super) fn canonicalize(&self, state: &mut SystemState, mut places: Option<&mut [Rank]>) {
        for Automaton { pes, .. } in self.automata.iter().filter(|automaton| automaton.pes.len() > 1) {
            let mut sorted: Vec<_> = pes.iter().map(|&pe| (state.nodes[pe], pe)).collect();
            sorted.sort_unstable();
            let were: Vec<_> = places
                .as_deref()
                .map(|places| sorted.iter().map(|&(_, pe)| places[pe]).collect())
                .unwrap_or_default();
            for (&pe, (node, _)) in pes.iter().zip(&sorted) {
                state.nodes[pe] = *node;
            }
            if let Some(places) = places.as_deref_mut() {
                for (&pe, was) in pes.iter().zip(were) {
                    places[pe] = was;
                }
            }
        }
    }

    pub(super) fn is_end(&self, state: &SystemState) -> bool {
        state.nodes.iter().enumerate().all(|(pe, &node)| self.automaton(pe).next(node).is_none())
    }

    pub(super) fn enabled_actions(&self, state: &SystemState, actions: &mut Vec<Action>) {
        actions.clear();
        for (at, under_way) in state.in_flight.iter().enumerate() {
            let again = at > 0 && state.in_flight[at - 1] == *under_way;
            if !again && self.can_deliver(state, *under_way) {
                actions.push(Action::Deliver(at));
            }
        }
        actions.extend(
            (0..self.configuration.size).filter(|&pe| self.can_execute(state, pe)).map(Action::Execute),
        );
    }

    /// Whether no older message is in flight between the same two.
    fn can_deliver(&self, state: &SystemState, under_way: InFlightPut) -> bool {
        let ends = |number| {
            let message = self.messages.value(number);
            (message.from, message.to)
        };
        let older =
            |other: &InFlightPut| other.age > under_way.age && ends(other.message) == ends(under_way.message);
        !state.in_flight.iter().any(older)
    }

    fn can_execute(&self, state: &SystemState, pe: Rank) -> bool {
        let Some(operation) = self.automaton(pe).next(state.nodes[pe]) else { return false };
        match operation {
            MemoryOp::Wait { cell, until } => until.matches(self.value(state, pe, cell)),
            MemoryOp::Poll { pe: of, cell, until } => {
                self.can_get(state, pe, of) && until.matches(self.value(state, of, cell))
            }
            MemoryOp::Get { pe: of, .. } => self.can_get(state, pe, of),
            MemoryOp::Quiet => !self.in_flight(state).any(|message| message.from == pe),
            _ => true,
        }
    }

    fn can_get(&self, state: &SystemState, pe: Rank, of: Rank) -> bool {
        let own = |message: MemoryMessage| message.from == pe && message.to == of;
        !self.mode.ordered_get || !self.in_flight(state).any(own)
    }

    fn in_flight(&self, state: &SystemState) -> impl Iterator<Item = MemoryMessage> {
        state.in_flight.iter().map(|under_way| self.messages.value(under_way.message))
    }

    fn value(&self, state: &SystemState, pe: Rank, cell: usize) -> i64 {
        self.values.value(state.cells[pe * self.cells + cell])
    }

    fn set(&mut self, state: &mut SystemState, pe: Rank, cell: usize, value: i64) -> Result<(), SearchAbort> {
        state.cells[pe * self.cells + cell] = self.values.intern(value)?;
        Ok(())
    }

    /// One step, and in the coarse granularity the steps that follow immediately.
    pub(super) fn step(
        &mut self,
        state: &mut SystemState,
        action: Action,
        mut events: Option<&mut Vec<TraceStep>>,
    ) -> Result<Option<BarrierViolation>, SearchAbort> {
        let mut next = Some(action);
        while let Some(action) = next {
            let (event, violation) = match action {
                Action::Execute(pe) => self.execute(state, pe)?,
                Action::Deliver(at) => (self.deliver(state, at)?, None),
            };
            if let Some(events) = events.as_deref_mut() {
                events.push(event);
            }
            if violation.is_some() {
                return Ok(violation);
            }
            next = if self.granularity == Granularity::Coarse { self.invisible_action(state) } else { None };
        }
        Ok(None)
    }

    fn invisible_action(&self, state: &SystemState) -> Option<Action> {
        let act = (0..self.configuration.size).find(|&pe| self.is_invisible(state, pe)).map(Action::Execute);
        act.or_else(|| {
            let arrives = |&at: &usize| {
                let MemoryMessage { to, cell, .. } = self.messages.value(state.in_flight[at].message);
                self.counters.is_counter(to, cell) && self.can_deliver(state, state.in_flight[at])
            };
            (0..state.in_flight.len()).find(arrives).map(Action::Deliver)
        })
    }

    fn is_invisible(&self, state: &SystemState, pe: Rank) -> bool {
        let automaton = self.automaton(pe);
        if automaton.position(state.nodes[pe]).1 {
            return false;
        }
        let on_its_way = self.mode.delivery != Delivery::Immediate;
        let at_once = match automaton.next(state.nodes[pe]) {
            Some(MemoryOp::Put { pe: to, cell, .. }) => on_its_way || self.counters.is_counter(to, cell),
            Some(MemoryOp::Add { pe: to, cell, .. }) => on_its_way || self.counters.is_counter(to, cell),
            Some(MemoryOp::Store { cell, .. } | MemoryOp::Load { cell } | MemoryOp::Wait { cell, .. }) => {
                self.counters.is_counter(pe, cell)
            }
            Some(MemoryOp::Poll { pe: of, cell, .. }) => self.counters.is_counter(of, cell),
            Some(MemoryOp::Fence | MemoryOp::Quiet) => true,
            _ => false,
        };
        at_once && self.can_execute(state, pe)
    }

    fn deliver(&mut self, state: &mut SystemState, at: usize) -> Result<TraceStep, SearchAbort> {
        let message = self.messages.value(state.in_flight.remove(at).message);
        let now = self.apply(state, message)?;
        Ok(TraceStep {
            pe: message.to,
            enters: None,
            action: TraceAction::Delivers { message, now },
            leaves: None,
        })
    }

    fn execute(
        &mut self,
        state: &mut SystemState,
        pe: Rank,
    ) -> Result<(TraceStep, Option<BarrierViolation>), SearchAbort> {
        let node = state.nodes[pe];
        let operation = self.automaton(pe).next(node).expect("it may act");
        let saw = self.perform(state, pe, operation)?;
        let result = match operation {
            MemoryOp::Wait { .. } | MemoryOp::Poll { .. } => 0,
            MemoryOp::Test { until, .. } => i64::from(saw.is_some_and(|value| until.matches(value))),
            _ => saw.unwrap_or_default(),
        };
        state.nodes[pe] = self.automata[self.automaton_of[pe]].successor(node, result)?;
        self.observe(pe)?;
        let automaton = self.automaton(pe);
        let ((call, first), (then, _)) = (automaton.position(node), automaton.position(state.nodes[pe]));
        let episode = automaton.calls[call].episode;
        let left = then != call;
        let what = TraceAction::Executes { operation, saw };
        let event =
            TraceStep { pe, enters: first.then_some(episode), action: what, leaves: left.then_some(episode) };
        let missing = if left { self.not_entered(state, pe, call) } else { vec![] };
        let violation =
            (!missing.is_empty()).then_some(BarrierViolation { episode, early_rank: pe, missing });
        Ok((event, violation))
    }

    /// The PEs that have not entered the episode that `pe` leaves.
    fn not_entered(&self, state: &SystemState, pe: Rank, call: usize) -> Vec<Rank> {
        let outside = |&(other, its_call): &(Rank, Option<usize>)| {
            let (at, first) = self.automaton(other).position(state.nodes[other]);
            its_call.is_none_or(|its_call| at < its_call || (at == its_call && first)).then_some(other)
        };
        self.peers[pe][call].iter().filter_map(outside).collect()
    }

    /// The PEs that are not done, and their conditions.
    pub(super) fn blocked(&self, state: &SystemState) -> Vec<BlockedPe> {
        let waiting = |pe: Rank| {
            let (automaton, node) = (self.automaton(pe), state.nodes[pe]);
            let operation = automaton.next(node)?;
            let value = match operation {
                MemoryOp::Wait { cell, .. } => Some(self.value(state, pe, cell)),
                MemoryOp::Poll { pe, cell, .. } => Some(self.value(state, pe, cell)),
                _ => None,
            };
            Some(BlockedPe {
                pe,
                episode: automaton.calls[automaton.position(node).0].episode,
                operation,
                value,
            })
        };
        (0..self.configuration.size).filter_map(waiting).collect()
    }
}
