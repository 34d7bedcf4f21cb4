//! The machine that is explored: what each PE may do next, what may arrive, and what that does.
//!
//! In the coarse grain, steps that nobody else can see follow at once upon the step before: to issue a put or an add
//! (it may arrive as late as one likes), a fence, a quiet whose turn has come, and what concerns [counters](super::counters).
//! That leaves out no fault: they commute with everything others do, and to leave an episode sooner only makes leaving
//! more dangerous. An episode's first step is never taken so, because it enters. And PEs that are
//! [alike](super::alike) are sorted. A test holds both grains against each other.
use wb_comm::Rank;

use super::{
    Delivery, Episode, Event, Message, Mode, Operation, Scene, Waiting, What,
    alike::Alike,
    automaton::{Automaton, Stop},
    counters::{Counters, Wrong},
    state::{Numbered, State, UnderWay},
};

/// How much one step is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Grain {
    /// Invisible operations together with the one before.
    Coarse,
    /// One operation, or one arrival.
    Fine,
}

/// What can happen next.
#[derive(Clone, Copy)]
pub(super) enum Action {
    /// A PE makes its next operation.
    Act(Rank),
    /// A message under way, by its place in the list, arrives.
    Arrive(usize),
}

/// Somebody has left too early.
pub(super) struct Violation {
    pub(super) episode: Episode,
    pub(super) left: Rank,
    pub(super) missing: Vec<Rank>,
}

/// Where the others take part in an episode: PE and the number of its call, if there is one.
type Peers = Vec<(Rank, Option<usize>)>;

impl From<Wrong> for Stop {
    fn from(Wrong: Wrong) -> Self {
        Self::Wrong
    }
}

/// See the module.
pub(super) struct Machine<'s> {
    scene: &'s Scene,
    mode: Mode,
    grain: Grain,
    /// Of each PE.
    cells: usize,
    /// One for all PEs that are alike.
    automata: Vec<Automaton<'s>>,
    /// For each PE the number of its automaton.
    behaves: Vec<usize>,
    /// For each PE and call.
    peers: Vec<Vec<Peers>>,
    values: Numbered<i64>,
    messages: Numbered<Message>,
    counters: &'s mut Counters,
}

impl<'s> Machine<'s> {
    pub(super) fn new(
        scene: &'s Scene,
        mode: Mode,
        grain: Grain,
        alike: &Alike,
        counters: &'s mut Counters,
    ) -> Self {
        let automata: Vec<_> =
            alike.classes().iter().map(|class| Automaton::new(scene, class.clone())).collect();
        let of = |pe| automata.iter().position(|automaton| automaton.pes.contains(&pe));
        let behaves: Vec<_> = (0..scene.size).filter_map(of).collect();
        let calls_of = |pe: Rank| &automata[behaves[pe]].calls;
        let call_of = |pe, episode| calls_of(pe).iter().position(|call| call.episode == episode);
        let peers_of = |pe: Rank, episode: Episode| {
            let members = &scene.groups[episode.group].members;
            let others = members.iter().filter(|&&other| other != pe && members.contains(&pe));
            others.map(|&other| (other, call_of(other, episode))).collect()
        };
        let peers = |pe| calls_of(pe).iter().map(|call| peers_of(pe, call.episode)).collect();
        Self {
            peers: (0..scene.size).map(peers).collect(),
            scene,
            mode,
            grain,
            cells: scene.cells(),
            counters,
            automata,
            behaves,
            values: Numbered::new(),
            messages: Numbered::new(),
        }
    }

    pub(super) fn beginning(&mut self) -> Result<State, Stop> {
        let initial = self.scene.initial();
        let mut state = State::default();
        for pe in 0..self.scene.size {
            let node = self.automata[self.behaves[pe]].beginning(0)?;
            state.nodes.push(node);
            self.learn(pe)?;
            for &value in &initial {
                state.cells.push(self.values.number(value)?);
            }
        }
        Ok(state)
    }

    fn automaton(&self, pe: Rank) -> &Automaton<'s> {
        &self.automata[self.behaves[pe]]
    }

    fn learn(&mut self, pe: Rank) -> Result<(), Stop> {
        let automaton = &mut self.automata[self.behaves[pe]];
        for fact in automaton.fresh.drain(..) {
            self.counters.learn(pe, fact)?;
        }
        Ok(())
    }

    /// PEs that are alike change places, so that their nodes are sorted; `places`, if wanted, change with them.
    pub(super) fn sort(&self, state: &mut State, mut places: Option<&mut [Rank]>) {
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

    pub(super) fn is_end(&self, state: &State) -> bool {
        state.nodes.iter().enumerate().all(|(pe, &node)| self.automaton(pe).next(node).is_none())
    }

    pub(super) fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        actions.clear();
        for (at, under_way) in state.net.iter().enumerate() {
            let again = at > 0 && state.net[at - 1] == *under_way;
            if !again && self.may_arrive(state, *under_way) {
                actions.push(Action::Arrive(at));
            }
        }
        actions.extend((0..self.scene.size).filter(|&pe| self.may_act(state, pe)).map(Action::Act));
    }

    /// Nothing older is under way between the same two.
    fn may_arrive(&self, state: &State, under_way: UnderWay) -> bool {
        let ends = |number| {
            let message = self.messages.value(number);
            (message.from, message.to)
        };
        let older =
            |other: &UnderWay| other.age > under_way.age && ends(other.message) == ends(under_way.message);
        !state.net.iter().any(older)
    }

    fn may_act(&self, state: &State, pe: Rank) -> bool {
        let Some(operation) = self.automaton(pe).next(state.nodes[pe]) else { return false };
        match operation {
            Operation::Wait { cell, until } => until.admits(self.value(state, pe, cell)),
            Operation::Poll { pe: of, cell, until } => {
                self.may_get(state, pe, of) && until.admits(self.value(state, of, cell))
            }
            Operation::Get { pe: of, .. } => self.may_get(state, pe, of),
            Operation::Quiet => !self.on_the_way(state).any(|message| message.from == pe),
            _ => true,
        }
    }

    fn may_get(&self, state: &State, pe: Rank, of: Rank) -> bool {
        let own = |message: Message| message.from == pe && message.to == of;
        !self.mode.ordered_get || !self.on_the_way(state).any(own)
    }

    fn on_the_way(&self, state: &State) -> impl Iterator<Item = Message> {
        state.net.iter().map(|under_way| self.messages.value(under_way.message))
    }

    fn value(&self, state: &State, pe: Rank, cell: usize) -> i64 {
        self.values.value(state.cells[pe * self.cells + cell])
    }

    fn set(&mut self, state: &mut State, pe: Rank, cell: usize, value: i64) -> Result<(), Stop> {
        state.cells[pe * self.cells + cell] = self.values.number(value)?;
        Ok(())
    }

    /// One step, and in the coarse grain what follows at once.
    pub(super) fn step(
        &mut self,
        state: &mut State,
        action: Action,
        mut events: Option<&mut Vec<Event>>,
    ) -> Result<Option<Violation>, Stop> {
        let mut next = Some(action);
        while let Some(action) = next {
            let (event, violation) = match action {
                Action::Act(pe) => self.act(state, pe)?,
                Action::Arrive(at) => (self.arrive(state, at)?, None),
            };
            if let Some(events) = events.as_deref_mut() {
                events.push(event);
            }
            if violation.is_some() {
                return Ok(violation);
            }
            next = if self.grain == Grain::Coarse { self.follows_at_once(state) } else { None };
        }
        Ok(None)
    }

    fn follows_at_once(&self, state: &State) -> Option<Action> {
        let act = (0..self.scene.size).find(|&pe| self.acts_at_once(state, pe)).map(Action::Act);
        act.or_else(|| {
            let arrives = |&at: &usize| {
                let Message { to, cell, .. } = self.messages.value(state.net[at].message);
                self.counters.is(to, cell) && self.may_arrive(state, state.net[at])
            };
            (0..state.net.len()).find(arrives).map(Action::Arrive)
        })
    }

    fn acts_at_once(&self, state: &State, pe: Rank) -> bool {
        let automaton = self.automaton(pe);
        if automaton.place(state.nodes[pe]).1 {
            return false;
        }
        let on_its_way = self.mode.delivery != Delivery::Immediate;
        let at_once = match automaton.next(state.nodes[pe]) {
            Some(Operation::Put { pe: to, cell, .. }) => on_its_way || self.counters.is(to, cell),
            Some(Operation::Add { pe: to, cell, .. }) => on_its_way || self.counters.is(to, cell),
            Some(Operation::Store { cell, .. } | Operation::Load { cell } | Operation::Wait { cell, .. }) => {
                self.counters.is(pe, cell)
            }
            Some(Operation::Poll { pe: of, cell, .. }) => self.counters.is(of, cell),
            Some(Operation::Fence | Operation::Quiet) => true,
            _ => false,
        };
        at_once && self.may_act(state, pe)
    }

    fn arrive(&mut self, state: &mut State, at: usize) -> Result<Event, Stop> {
        let message = self.messages.value(state.net.remove(at).message);
        let now = self.take_effect(state, message)?;
        Ok(Event { pe: message.to, enters: None, what: What::Arrives { message, now }, leaves: None })
    }

    fn take_effect(&mut self, state: &mut State, message: Message) -> Result<i64, Stop> {
        let Message { to, cell, adds, value, .. } = message;
        let before = self.value(state, to, cell);
        let now = if adds { before + value } else { value };
        if now < before && !adds {
            self.counters.is_plain(to, cell)?;
        }
        self.set(state, to, cell, now)?;
        Ok(now)
    }

    fn act(&mut self, state: &mut State, pe: Rank) -> Result<(Event, Option<Violation>), Stop> {
        let node = state.nodes[pe];
        let operation = self.automaton(pe).next(node).expect("it may act");
        let saw = self.perform(state, pe, operation)?;
        let result = match operation {
            Operation::Wait { .. } | Operation::Poll { .. } => 0,
            Operation::Test { until, .. } => i64::from(saw.is_some_and(|value| until.admits(value))),
            _ => saw.unwrap_or_default(),
        };
        state.nodes[pe] = self.automata[self.behaves[pe]].after(node, result)?;
        self.learn(pe)?;
        let automaton = self.automaton(pe);
        let ((call, first), (then, _)) = (automaton.place(node), automaton.place(state.nodes[pe]));
        let episode = automaton.calls[call].episode;
        let left = then != call;
        let what = What::Does { operation, saw };
        let event = Event { pe, enters: first.then_some(episode), what, leaves: left.then_some(episode) };
        let missing = if left { self.missing(state, pe, call) } else { vec![] };
        let violation = (!missing.is_empty()).then_some(Violation { episode, left: pe, missing });
        Ok((event, violation))
    }

    /// Who has not entered the episode that `pe` leaves.
    fn missing(&self, state: &State, pe: Rank, call: usize) -> Vec<Rank> {
        let outside = |&(other, its_call): &(Rank, Option<usize>)| {
            let (at, first) = self.automaton(other).place(state.nodes[other]);
            its_call.is_none_or(|its_call| at < its_call || (at == its_call && first)).then_some(other)
        };
        self.peers[pe][call].iter().filter_map(outside).collect()
    }

    /// The operation's effect on the memory; the value that it saw.
    fn perform(&mut self, state: &mut State, pe: Rank, operation: Operation) -> Result<Option<i64>, Stop> {
        let saw = match operation {
            Operation::Load { cell } | Operation::Wait { cell, .. } | Operation::Test { cell, .. } => {
                self.value(state, pe, cell)
            }
            Operation::Get { pe, cell }
            | Operation::Poll { pe, cell, .. }
            | Operation::FetchAdd { pe, cell, .. }
            | Operation::Swap { pe, cell, .. }
            | Operation::CompareSwap { pe, cell, .. } => self.value(state, pe, cell),
            Operation::Store { cell, value } => {
                if value < self.value(state, pe, cell) {
                    self.counters.is_plain(pe, cell)?;
                }
                return self.set(state, pe, cell, value).map(|()| None);
            }
            Operation::Put { pe: to, cell, value } => {
                return self.issue(state, Message { from: pe, to, cell, adds: false, value });
            }
            Operation::Add { pe: to, cell, by } => {
                return self.issue(state, Message { from: pe, to, cell, adds: true, value: by });
            }
            Operation::Fence => {
                self.age(state, |message| message.from == pe);
                return Ok(None);
            }
            Operation::Quiet | Operation::Nothing => return Ok(None),
        };
        match operation {
            Operation::FetchAdd { pe, cell, by } => self.set(state, pe, cell, saw + by)?,
            Operation::Swap { pe, cell, value } => self.set(state, pe, cell, value)?,
            Operation::CompareSwap { pe, cell, expected, value } if saw == expected => {
                self.set(state, pe, cell, value)?;
            }
            _ => {}
        }
        Ok(Some(saw))
    }

    fn issue(&mut self, state: &mut State, message: Message) -> Result<Option<i64>, Stop> {
        match self.mode.delivery {
            Delivery::Immediate => return self.take_effect(state, message).map(|_| None),
            Delivery::Fifo => self.age(state, |other| (other.from, other.to) == (message.from, message.to)),
            Delivery::Unordered => {}
        }
        let under_way = UnderWay { message: self.messages.number(message)?, age: 0 };
        let at = state.net.partition_point(|other| *other < under_way);
        state.net.insert(at, under_way);
        Ok(None)
    }

    /// A fence for these: whatever comes later, comes later.
    fn age(&self, state: &mut State, these: impl Fn(Message) -> bool) {
        for under_way in &mut state.net {
            if these(self.messages.value(under_way.message)) {
                under_way.age += 1;
            }
        }
        state.net.sort_unstable();
    }

    /// Who is not done, and what it waits for.
    pub(super) fn waiting(&self, state: &State) -> Vec<Waiting> {
        let waiting = |pe: Rank| {
            let (automaton, node) = (self.automaton(pe), state.nodes[pe]);
            let operation = automaton.next(node)?;
            let value = match operation {
                Operation::Wait { cell, .. } => Some(self.value(state, pe, cell)),
                Operation::Poll { pe, cell, .. } => Some(self.value(state, pe, cell)),
                _ => None,
            };
            Some(Waiting { pe, episode: automaton.calls[automaton.place(node).0].episode, operation, value })
        };
        (0..self.scene.size).filter_map(waiting).collect()
    }
}
