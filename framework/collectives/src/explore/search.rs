//! The search: from each state every step that is possible, breadth first.
//!
//! In the coarse grain, steps that nobody else can see follow at once upon the step before: to issue a put or an add
//! (it may arrive as late as one likes), a fence, a quiet whose turn has come. That leaves out no fault: they commute with
//! everything others do, and to leave an episode sooner only makes leaving more dangerous. An episode's first step is
//! never taken so, because it enters.
use wb_comm::Rank;

use super::{
    Delivery, Episode, Event, Finding, Message, Mode, Operation, Scene, Waiting, What,
    automaton::{Automaton, Stop},
    state::{Numbered, Seen, State, UnderWay},
};

/// How much one step is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Grain {
    /// Invisible operations together with the one before.
    Coarse,
    /// One operation, or one arrival.
    Fine,
}

/// Searches at most `limit` states.
pub(super) fn search(scene: &Scene, mode: Mode, limit: usize, grain: Grain) -> wb_comm::Result<Finding> {
    let mut machine = Machine::new(scene, mode, grain);
    let mut seen = Seen::new(scene.size, scene.size * machine.cells);
    match machine.run(&mut seen, limit) {
        Ok(finding) => Ok(finding),
        Err(Stop::Full) => Ok(Finding::Limit { states: seen.len() }),
        Err(Stop::Failed(error)) => Err(error),
    }
}

#[derive(Clone, Copy)]
enum Action {
    /// A PE makes its next operation.
    Act(Rank),
    /// A message under way, by its place in the list, arrives.
    Arrive(usize),
}

struct Violation {
    episode: Episode,
    left: Rank,
    missing: Vec<Rank>,
}

/// Where the others take part in an episode: PE and the number of its call, if there is one.
type Peers = Vec<(Rank, Option<usize>)>;

struct Machine<'s> {
    scene: &'s Scene,
    mode: Mode,
    grain: Grain,
    /// Of each PE.
    cells: usize,
    automata: Vec<Automaton<'s>>,
    /// For each PE and call.
    peers: Vec<Vec<Peers>>,
    values: Numbered<i64>,
    messages: Numbered<Message>,
}

impl<'s> Machine<'s> {
    fn new(scene: &'s Scene, mode: Mode, grain: Grain) -> Self {
        let automata: Vec<_> = (0..scene.size).map(|pe| Automaton::new(scene, pe)).collect();
        let call_of = |pe: Rank, episode| automata[pe].calls.iter().position(|call| call.episode == episode);
        let peers_of = |pe: Rank, episode: Episode| {
            let others = scene.groups[episode.group].members.iter().filter(|&&other| other != pe);
            others.map(|&other| (other, call_of(other, episode))).collect()
        };
        let peers = automata
            .iter()
            .enumerate()
            .map(|(pe, automaton)| automaton.calls.iter().map(|call| peers_of(pe, call.episode)).collect());
        let end = |group: &super::Group| {
            let cells = group.programs.iter().map(|program| program.cells(group.members.len()));
            group.first_cell + cells.max().unwrap_or_default()
        };
        Self {
            peers: peers.collect(),
            scene,
            mode,
            grain,
            cells: scene.groups.iter().map(end).max().unwrap_or_default(),
            automata,
            values: Numbered::new(),
            messages: Numbered::new(),
        }
    }

    fn run(&mut self, seen: &mut Seen, limit: usize) -> Result<Finding, Stop> {
        seen.insert(&self.beginning()?, 0);
        let (mut from, mut to, mut actions) = (State::default(), State::default(), vec![]);
        let mut at = 0;
        while at < seen.len() {
            if seen.len() > limit {
                return Ok(Finding::Limit { states: seen.len() });
            }
            seen.read(at, &mut from);
            self.actions(&from, &mut actions);
            if actions.is_empty() && !self.is_end(&from) {
                return self.deadlock(seen, at, &from);
            }
            for &action in &actions {
                to.clone_from(&from);
                if let Some(violation) = self.step(&mut to, action, None)? {
                    return self.violation(seen, at, action, violation);
                }
                seen.insert(&to, at);
            }
            at += 1;
        }
        Ok(Finding::Safe { states: seen.len() })
    }

    fn beginning(&mut self) -> Result<State, Stop> {
        let mut initial = vec![0; self.cells];
        for group in &self.scene.groups {
            for program in &group.programs {
                let end = group.first_cell + program.cells(group.members.len());
                initial[group.first_cell..end].fill(program.initial());
            }
        }
        let mut state = State::default();
        for automaton in &mut self.automata {
            state.nodes.push(automaton.beginning(0)?);
            for &value in &initial {
                state.cells.push(self.values.number(value)?);
            }
        }
        Ok(state)
    }

    fn is_end(&self, state: &State) -> bool {
        state.nodes.iter().zip(&self.automata).all(|(&node, automaton)| automaton.next(node).is_none())
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
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
        let Some(operation) = self.automata[pe].next(state.nodes[pe]) else { return false };
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
    fn step(
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
            next = (0..self.scene.size).find(|&pe| self.follows_at_once(state, pe)).map(Action::Act);
        }
        Ok(None)
    }

    fn follows_at_once(&self, state: &State, pe: Rank) -> bool {
        if self.grain == Grain::Fine || self.automata[pe].place(state.nodes[pe]).1 {
            return false;
        }
        match self.automata[pe].next(state.nodes[pe]) {
            Some(Operation::Put { .. } | Operation::Add { .. }) => self.mode.delivery != Delivery::Immediate,
            Some(Operation::Fence) => true,
            Some(Operation::Quiet) => self.may_act(state, pe),
            _ => false,
        }
    }

    fn arrive(&mut self, state: &mut State, at: usize) -> Result<Event, Stop> {
        let message = self.messages.value(state.net.remove(at).message);
        let now = self.take_effect(state, message)?;
        Ok(Event { pe: message.to, enters: None, what: What::Arrives { message, now }, leaves: None })
    }

    fn take_effect(&mut self, state: &mut State, message: Message) -> Result<i64, Stop> {
        let Message { to, cell, adds, value, .. } = message;
        let now = if adds { self.value(state, to, cell) + value } else { value };
        self.set(state, to, cell, now)?;
        Ok(now)
    }

    fn act(&mut self, state: &mut State, pe: Rank) -> Result<(Event, Option<Violation>), Stop> {
        let node = state.nodes[pe];
        let operation = self.automata[pe].next(node).expect("it may act");
        let saw = self.perform(state, pe, operation)?;
        let result = match operation {
            Operation::Wait { .. } | Operation::Poll { .. } => 0,
            Operation::Test { until, .. } => i64::from(saw.is_some_and(|value| until.admits(value))),
            _ => saw.unwrap_or_default(),
        };
        let automaton = &mut self.automata[pe];
        state.nodes[pe] = automaton.after(node, result)?;
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
            let (at, first) = self.automata[other].place(state.nodes[other]);
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
            Operation::Store { cell, value } => return self.set(state, pe, cell, value).map(|()| None),
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

    fn deadlock(&mut self, seen: &mut Seen, at: usize, state: &State) -> Result<Finding, Stop> {
        let waiting = (0..self.scene.size).filter_map(|pe| {
            let node = state.nodes[pe];
            let operation = self.automata[pe].next(node)?;
            let value = match operation {
                Operation::Wait { cell, .. } => Some(self.value(state, pe, cell)),
                Operation::Poll { pe, cell, .. } => Some(self.value(state, pe, cell)),
                _ => None,
            };
            let episode = self.automata[pe].calls[self.automata[pe].place(node).0].episode;
            Some(Waiting { pe, episode, operation, value })
        });
        let waiting = waiting.collect();
        Ok(Finding::Deadlock { waiting, trace: self.trace(seen, at)? })
    }

    fn violation(
        &mut self,
        seen: &mut Seen,
        at: usize,
        last: Action,
        violation: Violation,
    ) -> Result<Finding, Stop> {
        let mut trace = self.trace(seen, at)?;
        let mut state = State::default();
        seen.read(at, &mut state);
        self.step(&mut state, last, Some(&mut trace))?;
        let Violation { episode, left, missing } = violation;
        Ok(Finding::Violation { episode, left, missing, trace })
    }

    /// The steps from the beginning to a state: made again, because only the states were kept.
    fn trace(&mut self, seen: &mut Seen, to: usize) -> Result<Vec<Event>, Stop> {
        let (mut from, mut actions, mut trace) = (State::default(), vec![], vec![]);
        for pair in seen.path(to).windows(2) {
            seen.read(pair[0], &mut from);
            self.actions(&from, &mut actions);
            for &action in &actions {
                let (mut state, mut events) = (from.clone(), vec![]);
                self.step(&mut state, action, Some(&mut events))?;
                if seen.is(pair[1], &state) {
                    trace.append(&mut events);
                    break;
                }
            }
        }
        Ok(trace)
    }
}
