//! Selects the next task of an exploration.
use std::collections::BTreeSet;

use wb_comm::{Error, Rank, exploration::Buffering};

use super::{
    DeferredPoll, ExplorationScheduler, InFlight, POLL_TICKS, Reduction, access_choice, partial_buffering,
};
use crate::{
    fabric::{Event, InFlightMessage, JobState, MatchingReceive, ObservedState},
    sim::{
        checker::transition::{Transition, TransitionKind},
        scheduler::{NextTask, Scheduler},
    },
};

impl Scheduler for ExplorationScheduler {
    const NAME: &'static str = "check";

    fn next_task(state: &mut JobState<Self>) -> Option<NextTask> {
        if state.delivery.choices.is_aborted() && state.failure().is_none() {
            state.fail(Error::Interrupted { reason: wb_comm::text::setup::broken_off() });
        }
        if state.failure().is_some() {
            let pace = &mut state.delivery;
            pace.runnable.append(&mut pace.choosing);
            pace.runnable.append(&mut pace.pollers);
            pace.runnable.append(&mut pace.retrying_pollers);
            return pace.runnable.pop_first().map(NextTask::Rank);
        }
        match state.delivery.reduction {
            Reduction::Full => next_lazy(state),
            Reduction::None => next_eager(state),
        }
    }

    fn resumed(&mut self, _rank: Rank) {}

    fn must_suspend_poll(&mut self, rank: Rank, sight: ObservedState) -> bool {
        if self.reduction == Reduction::None {
            self.runnable.insert(rank);
            return true;
        }
        // A rank that polls for ever must get the error of a livelock.
        if self.has_polled_in_vain[rank] || self.is_livelocked() {
            self.retrying_pollers.insert(rank);
            return true;
        }
        let look = |now| Transition::for_all(TransitionKind::Poll { rank, now }, 0);
        let later = self.can_change() && self.choices.choose(vec![look(false), look(true)]) == 0;
        if later {
            // A poll of its own part of a window has the same result later, unless an event changes that part.
            if sight != ObservedState::Mailbox {
                self.deferred_polls[rank] =
                    Some(DeferredPoll { observed: sight, choice: self.choices.add_to_sleep_set() });
            }
            self.pollers.insert(rank);
        }
        later
    }

    fn poll_failed(&mut self, rank: Rank) {
        *self.ticks.get_mut() += self.fruitless_polls.add_poll(POLL_TICKS);
        self.has_polled_in_vain[rank] = true;
        self.runnable.insert(rank);
    }

    fn read_clock(&mut self, _rank: Rank) -> u64 {
        *self.ticks.get_mut() += self.fruitless_polls.add_clock_reading(POLL_TICKS);
        self.ticks.get()
    }

    fn is_livelocked(&self) -> bool {
        self.fruitless_polls.is_livelocked()
    }

    fn work(&mut self, _rank: Rank, _flops: u64, _bytes: u64) -> u64 {
        0
    }
}

/// The next task where every choice is delayed as long as possible.
fn next_lazy(state: &mut JobState<ExplorationScheduler>) -> Option<NextTask> {
    loop {
        if let Some(what) = state.delivery.due_events.pop_front() {
            return Some(state.delivery.next_event(what));
        }
        if let Some(rank) = state.delivery.runnable.pop_first() {
            return Some(state.delivery.next_rank(rank));
        }
        let takers = matching_receives(state);
        if let Some((at, letter, taker)) = takers.iter().find(|(.., taker)| taker.has_named_source) {
            state.delivery.choices.wake_dependent(&[letter.from, letter.to]);
            deliver(state, *at, *taker);
        } else if !state.delivery.accesses.is_empty() {
            choose_access(state);
        } else if let Some(rank) = state.delivery.pollers.pop_first() {
            serve_poll(state, rank);
        } else if !takers.is_empty() || !state.delivery.choosing.is_empty() {
            choose_receive(state, &takers);
        } else if let Some(rank) = state.delivery.retrying_pollers.pop_first() {
            serve_poll(state, rank);
        } else {
            let pace = &mut state.delivery;
            pace.due_events.extend(pace.messages.drain(..).map(|under| under.event));
            if pace.due_events.is_empty() {
                return None;
            }
        }
        if state.delivery.choices.is_aborted() {
            return ExplorationScheduler::next_task(state);
        }
    }
}

/// Chooses which of the conflicting accesses takes place.
fn choose_access(state: &mut JobState<ExplorationScheduler>) {
    let class = access_choice::contested_accesses(state);
    let options = class
        .iter()
        .map(|at| access_choice::access_transition(state, &state.delivery.accesses[*at]))
        .collect();
    let delivery = &mut state.delivery;
    let taken = delivery.choices.choose(options);
    let event = delivery.accesses.remove(class[taken]).event;
    delivery.due_events.push_back(event);
}

/// Chooses the message that a wildcard receive gets, a message that the library buffers, or a rank that continues with one of its
/// completed operations; which one it is chooses the rank when it runs.
fn choose_receive(
    state: &mut JobState<ExplorationScheduler>,
    takers: &[(usize, InFlightMessage, MatchingReceive)],
) {
    let buffered = state.delivery.buffering == Buffering::Unlimited;
    let waiting = partial_buffering::bufferable_messages(state);
    let options = takers.iter().map(|(at, letter, taker)| {
        let InFlightMessage { from, to, site, .. } = *letter;
        let what = TransitionKind::Receive { to, receive: taker.site, from, sent: site };
        let touched = if buffered { [to, to] } else { [from, to] };
        Transition::for_ranks(what, state.delivery.messages[*at].number, touched)
    });
    let keep = |(at, letter): &(usize, InFlightMessage)| {
        let what = TransitionKind::BufferSend { from: letter.from, sent: letter.site };
        Transition::for_ranks(what, state.delivery.messages[*at].number, [letter.from; 2])
    };
    let choosing: Vec<Rank> = state.delivery.choosing.iter().copied().collect();
    let run = |rank: &Rank| Transition::for_ranks(TransitionKind::Continue { rank: *rank }, 0, [*rank; 2]);
    let options = options.chain(waiting.iter().map(keep)).chain(choosing.iter().map(run)).collect();
    let taken = state.delivery.choices.choose(options);
    if let Some((at, _, taker)) = takers.get(taken) {
        deliver(state, *at, *taker);
    } else if let Some((at, _)) = waiting.get(taken - takers.len()) {
        partial_buffering::buffer_message(state, *at);
    } else if let Some(rank) = choosing.get(taken - takers.len() - waiting.len()) {
        state.delivery.choosing.remove(rank);
        state.delivery.runnable.insert(*rank);
    }
}

/// The messages that a receive matches, with their indices in `messages`; only the first of those that one receive
/// matches from one sender.
fn matching_receives(
    state: &JobState<ExplorationScheduler>,
) -> Vec<(usize, InFlightMessage, MatchingReceive)> {
    let mail = &state.delivery.messages;
    let is_first = |at: usize, letter: &InFlightMessage, taker: &MatchingReceive| {
        !mail[..at]
            .iter()
            .any(|earlier| route(state, earlier) == Some(letter.route()) && taker.matches(&earlier.event))
    };
    let taken = mail.iter().enumerate().filter_map(|(at, under)| {
        let (letter, taker) = (state.in_flight_message(&under.event)?, state.matching_receive(&under.event)?);
        is_first(at, &letter, &taker).then_some((at, letter, taker))
    });
    taken.collect()
}

/// The communicator and the endpoints of a message in flight.
fn route(state: &JobState<ExplorationScheduler>, under: &InFlight) -> Option<[usize; 3]> {
    state.in_flight_message(&under.event).map(|letter| letter.route())
}

/// Delivers the message at index `at`. A probe leaves it in the mailbox, so earlier messages of the same sender are
/// delivered first: later receives must not find them in another order.
fn deliver(state: &mut JobState<ExplorationScheduler>, at: usize, taker: MatchingReceive) {
    let mail = &state.delivery.messages;
    let earlier = |before: &usize| taker.is_probe && route(state, &mail[*before]) == route(state, &mail[at]);
    let mut all: Vec<usize> = (0..at).filter(earlier).chain([at]).collect();
    let pace = &mut state.delivery;
    let mut taken: Vec<Event> = Vec::new();
    while let Some(at) = all.pop() {
        taken.push(pace.messages.remove(at).event);
    }
    pace.due_events.extend(taken.into_iter().rev());
}

/// Serves a poll: delivers all messages to the rank, those of one chosen sender before all others.
fn serve_poll(state: &mut JobState<ExplorationScheduler>, rank: Rank) {
    if state.delivery.deferred_polls[rank].take().is_some() {
        state.delivery.runnable.insert(rank);
        return;
    }
    let mine = |state: &JobState<ExplorationScheduler>, at: usize| {
        state.in_flight_message(&state.delivery.messages[at].event).filter(|letter| letter.to == rank)
    };
    let letters: Vec<(usize, InFlightMessage)> =
        (0..state.delivery.messages.len()).filter_map(|at| Some((at, mine(state, at)?))).collect();
    let senders: BTreeSet<Rank> = letters.iter().map(|(_, letter)| letter.from).collect();
    let senders: Vec<Rank> = senders.into_iter().collect();
    let options = senders
        .iter()
        .map(|from| Transition::for_all(TransitionKind::DeliverToPoll { rank, from: *from }, 0))
        .collect();
    let pace = &mut state.delivery;
    if !senders.is_empty() {
        let first = senders[pace.choices.choose(options)];
        pace.choices.wake_all();
        let (before, after): (Vec<_>, Vec<_>) =
            letters.into_iter().partition(|(_, letter)| letter.from == first);
        let order: Vec<usize> = before.iter().chain(&after).map(|(at, _)| *at).collect();
        let mut slots: Vec<Option<InFlight>> = pace.messages.drain(..).map(Some).collect();
        pace.due_events.extend(order.into_iter().filter_map(|at| slots[at].take()).map(|under| under.event));
        pace.messages = slots.into_iter().flatten().collect();
    }
    pace.runnable.insert(rank);
}

/// The next task where every possible step is an option.
fn next_eager(state: &mut JobState<ExplorationScheduler>) -> Option<NextTask> {
    let mut ways = Vec::new();
    let mut firsts = Vec::new();
    for (at, under) in state.delivery.messages.iter().enumerate() {
        let way = route(state, under);
        if !ways.contains(&way) {
            ways.push(way);
            firsts.push(at);
        }
    }
    let pace = &mut state.delivery;
    let ranks: Vec<Rank> = pace.runnable.iter().copied().collect();
    let all = ranks.len() + firsts.len() + pace.accesses.len();
    if all == 0 {
        return None;
    }
    let step = |number| Transition::for_all(TransitionKind::Step, number as u64);
    let taken = pace.choices.choose((0..all).map(step).collect());
    if let Some(rank) = ranks.get(taken) {
        pace.runnable.remove(rank);
        return Some(NextTask::Rank(*rank));
    }
    let taken = taken - ranks.len();
    let what = match firsts.get(taken) {
        Some(at) => pace.messages.remove(*at).event,
        None => pace.accesses.remove(taken - firsts.len()).event,
    };
    Some(pace.next_event(what))
}
