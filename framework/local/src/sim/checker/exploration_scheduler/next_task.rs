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
            let delivery = &mut state.delivery;
            delivery.runnable.append(&mut delivery.choosing);
            delivery.runnable.append(&mut delivery.pollers);
            delivery.runnable.append(&mut delivery.retrying_pollers);
            return delivery.runnable.pop_first().map(NextTask::Rank);
        }
        match state.delivery.reduction {
            Reduction::Full => next_lazy(state),
            Reduction::None => next_eager(state),
        }
    }

    fn resumed(&mut self, _rank: Rank) {}

    fn must_suspend_poll(&mut self, rank: Rank, observed: ObservedState) -> bool {
        if self.reduction == Reduction::None {
            self.runnable.insert(rank);
            return true;
        }
        // A rank that polls for ever must get the error of a livelock.
        if self.has_polled_without_result[rank] || self.is_livelocked() {
            self.retrying_pollers.insert(rank);
            return true;
        }
        let poll = |now| Transition::for_all(TransitionKind::Poll { rank, now }, 0);
        let later = self.can_change() && self.choices.choose(vec![poll(false), poll(true)]) == 0;
        if later {
            // A poll of its own part of a window has the same result later, unless an event changes that part.
            if observed != ObservedState::Mailbox {
                self.deferred_polls[rank] =
                    Some(DeferredPoll { observed, choice: self.choices.add_to_sleep_set() });
            }
            self.pollers.insert(rank);
        }
        later
    }

    fn poll_failed(&mut self, rank: Rank) {
        *self.ticks.get_mut() += self.fruitless_polls.add_poll(POLL_TICKS);
        self.has_polled_without_result[rank] = true;
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
        if let Some(event) = state.delivery.due_events.pop_front() {
            return Some(state.delivery.next_event(event));
        }
        if let Some(rank) = state.delivery.runnable.pop_first() {
            return Some(state.delivery.next_rank(rank));
        }
        let receives = matching_receives(state);
        if let Some((at, message, receive)) = receives.iter().find(|(.., receive)| receive.has_named_source) {
            state.delivery.choices.wake_dependent(&[message.from, message.to]);
            deliver(state, *at, *receive);
        } else if !state.delivery.accesses.is_empty() {
            choose_access(state);
        } else if let Some(rank) = state.delivery.pollers.pop_first() {
            serve_poll(state, rank);
        } else if !receives.is_empty() || !state.delivery.choosing.is_empty() {
            choose_receive(state, &receives);
        } else if let Some(rank) = state.delivery.retrying_pollers.pop_first() {
            serve_poll(state, rank);
        } else {
            let delivery = &mut state.delivery;
            delivery.due_events.extend(delivery.messages.drain(..).map(|in_flight| in_flight.event));
            if delivery.due_events.is_empty() {
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
    receives: &[(usize, InFlightMessage, MatchingReceive)],
) {
    let buffered = state.delivery.buffering == Buffering::Unlimited;
    let waiting = partial_buffering::bufferable_messages(state);
    let options = receives.iter().map(|(at, message, receive)| {
        let InFlightMessage { from, to, site, .. } = *message;
        let kind = TransitionKind::Receive { to, receive: receive.site, from, sent: site };
        let ranks = if buffered { [to, to] } else { [from, to] };
        Transition::for_ranks(kind, state.delivery.messages[*at].number, ranks)
    });
    let keep = |(at, message): &(usize, InFlightMessage)| {
        let kind = TransitionKind::BufferSend { from: message.from, sent: message.site };
        Transition::for_ranks(kind, state.delivery.messages[*at].number, [message.from; 2])
    };
    let choosing: Vec<Rank> = state.delivery.choosing.iter().copied().collect();
    let run = |rank: &Rank| Transition::for_ranks(TransitionKind::Continue { rank: *rank }, 0, [*rank; 2]);
    let options = options.chain(waiting.iter().map(keep)).chain(choosing.iter().map(run)).collect();
    let taken = state.delivery.choices.choose(options);
    if let Some((at, _, receive)) = receives.get(taken) {
        deliver(state, *at, *receive);
    } else if let Some((at, _)) = waiting.get(taken - receives.len()) {
        partial_buffering::buffer_message(state, *at);
    } else if let Some(rank) = choosing.get(taken - receives.len() - waiting.len()) {
        state.delivery.choosing.remove(rank);
        state.delivery.runnable.insert(*rank);
    }
}

/// The messages that a receive matches, with their indices in `messages`; only the first of those that one receive
/// matches from one sender.
fn matching_receives(
    state: &JobState<ExplorationScheduler>,
) -> Vec<(usize, InFlightMessage, MatchingReceive)> {
    let messages = &state.delivery.messages;
    let is_first = |at: usize, message: &InFlightMessage, receive: &MatchingReceive| {
        !messages[..at]
            .iter()
            .any(|earlier| route(state, earlier) == Some(message.route()) && receive.matches(&earlier.event))
    };
    let taken = messages.iter().enumerate().filter_map(|(at, in_flight)| {
        let (message, receive) =
            (state.in_flight_message(&in_flight.event)?, state.matching_receive(&in_flight.event)?);
        is_first(at, &message, &receive).then_some((at, message, receive))
    });
    taken.collect()
}

/// The communicator and the endpoints of a message in flight.
fn route(state: &JobState<ExplorationScheduler>, in_flight: &InFlight) -> Option<[usize; 3]> {
    state.in_flight_message(&in_flight.event).map(|message| message.route())
}

/// Delivers the message at index `at`. A probe leaves it in the mailbox, so earlier messages of the same sender are
/// delivered first: later receives must not find them in another order.
fn deliver(state: &mut JobState<ExplorationScheduler>, at: usize, receive: MatchingReceive) {
    let messages = &state.delivery.messages;
    let earlier =
        |before: &usize| receive.is_probe && route(state, &messages[*before]) == route(state, &messages[at]);
    let mut all: Vec<usize> = (0..at).filter(earlier).chain([at]).collect();
    let delivery = &mut state.delivery;
    let mut taken: Vec<Event> = Vec::new();
    while let Some(at) = all.pop() {
        taken.push(delivery.messages.remove(at).event);
    }
    delivery.due_events.extend(taken.into_iter().rev());
}

/// Serves a poll: delivers all messages to the rank, those of one chosen sender before all others.
fn serve_poll(state: &mut JobState<ExplorationScheduler>, rank: Rank) {
    if state.delivery.deferred_polls[rank].take().is_some() {
        state.delivery.runnable.insert(rank);
        return;
    }
    let mine = |state: &JobState<ExplorationScheduler>, at: usize| {
        state.in_flight_message(&state.delivery.messages[at].event).filter(|message| message.to == rank)
    };
    let candidates: Vec<(usize, InFlightMessage)> =
        (0..state.delivery.messages.len()).filter_map(|at| Some((at, mine(state, at)?))).collect();
    let senders: BTreeSet<Rank> = candidates.iter().map(|(_, message)| message.from).collect();
    let senders: Vec<Rank> = senders.into_iter().collect();
    let options = senders
        .iter()
        .map(|from| Transition::for_all(TransitionKind::DeliverToPoll { rank, from: *from }, 0))
        .collect();
    let delivery = &mut state.delivery;
    if !senders.is_empty() {
        let first = senders[delivery.choices.choose(options)];
        delivery.choices.wake_all();
        let (before, after): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|(_, message)| message.from == first);
        let order: Vec<usize> = before.iter().chain(&after).map(|(at, _)| *at).collect();
        let mut slots: Vec<Option<InFlight>> = delivery.messages.drain(..).map(Some).collect();
        delivery
            .due_events
            .extend(order.into_iter().filter_map(|at| slots[at].take()).map(|in_flight| in_flight.event));
        delivery.messages = slots.into_iter().flatten().collect();
    }
    delivery.runnable.insert(rank);
}

/// The next task where every possible step is an option.
fn next_eager(state: &mut JobState<ExplorationScheduler>) -> Option<NextTask> {
    let mut ways = Vec::new();
    let mut firsts = Vec::new();
    for (at, in_flight) in state.delivery.messages.iter().enumerate() {
        let way = route(state, in_flight);
        if !ways.contains(&way) {
            ways.push(way);
            firsts.push(at);
        }
    }
    let delivery = &mut state.delivery;
    let ranks: Vec<Rank> = delivery.runnable.iter().copied().collect();
    let all = ranks.len() + firsts.len() + delivery.accesses.len();
    if all == 0 {
        return None;
    }
    let step = |number| Transition::for_all(TransitionKind::Step, number as u64);
    let taken = delivery.choices.choose((0..all).map(step).collect());
    if let Some(rank) = ranks.get(taken) {
        delivery.runnable.remove(rank);
        return Some(NextTask::Rank(*rank));
    }
    let taken = taken - ranks.len();
    let event = match firsts.get(taken) {
        Some(at) => delivery.messages.remove(*at).event,
        None => delivery.accesses.remove(taken - firsts.len()).event,
    };
    Some(delivery.next_event(event))
}
