//! The scheduler of the exploration: it has no time, and a [`SleepSetScheduler`] makes the choices.
//!
//! Events that cannot change a result are processed immediately: messages of the library's own collectives,
//! acknowledgements, answers. Users' messages, accesses to other ranks' parts of a window and lock requests stay in
//! flight until no rank can run. Then they are processed in this order: messages to receives that name their source;
//! accesses; polling ranks; a choice among the messages that wildcard receives can match; ranks that polled without
//! success; messages that no receive matches.
mod access_choice;
mod next_task;
mod partial_buffering;

use std::{
    cell::Cell,
    collections::{BTreeSet, VecDeque},
    ops::Range,
};

use wb_comm::{CallSite, Rank, exploration::Buffering};

use super::{
    sleep_sets::SleepSetScheduler,
    transition::{Transition, TransitionKind},
};
use crate::{
    fabric::{DeliveryModel, Event, ObservedState, RmaNotice, SendProtocol},
    sim::scheduler::{FruitlessPolls, NextTask},
};

/// The number of times that each rank may poll without success while no event happens, before its polls take longer steps.
const MAX_FRUITLESS_POLLS: u64 = 1_000;

/// The ticks of a poll or a reading of the clock: a task that waits for some milliseconds does so some thousand times.
const POLL_TICKS: u64 = 1_000;

/// The reduction of the search: which redundant schedules it leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Choices only where the result is open, as late as possible; independent choices in one order.
    Full,
    /// No reduction: every possible next step is a choice, also the running of a rank. For comparison only.
    None,
}

/// An event in flight with its number, given in the order of sending.
#[derive(Debug)]
struct InFlight {
    number: u64,
    event: Event,
}

/// A poll that waits for later events.
#[derive(Clone, Copy, Debug)]
struct DeferredPoll {
    observed: ObservedState,
    /// The choice whose other option is to poll immediately.
    choice: usize,
}

/// The scheduler of one run of the exploration; see the module.
#[derive(Debug)]
pub(crate) struct ExplorationScheduler {
    buffering: Buffering,
    /// The number of messages that the library has buffered beyond what the buffering mode requires.
    buffered: usize,
    reduction: Reduction,
    pub(crate) choices: SleepSetScheduler,
    /// The ranks that can run.
    runnable: BTreeSet<Rank>,
    /// The ranks that can continue with any of several completed operations.
    choosing: BTreeSet<Rank>,
    /// The ranks that poll and are served once no rank can run.
    pollers: BTreeSet<Rank>,
    /// The ranks that poll again although their last poll failed and no event has happened since.
    retrying_pollers: BTreeSet<Rank>,
    /// The deferred poll of each rank, where an immediate poll might have had another result.
    deferred_polls: Vec<Option<DeferredPoll>>,
    /// For each rank, whether its last poll has failed, with no event since.
    has_polled_without_result: Vec<bool>,
    /// Events that are processed before any choice.
    due_events: VecDeque<Event>,
    /// Users' messages in flight; those of one sender to one receiver in the order of sending.
    messages: Vec<InFlight>,
    /// Accesses and lock requests in flight.
    accesses: Vec<InFlight>,
    /// The number of events that have been sent.
    sent: u64,
    fruitless_polls: FruitlessPolls,
    /// The value of the clocks. There is no time: they move on when one is read, and with polls.
    ticks: Cell<u64>,
}

impl ExplorationScheduler {
    /// A scheduler of `size` ranks, all of which can run.
    pub(crate) fn new(
        size: usize,
        buffering: Buffering,
        reduction: Reduction,
        chooser: SleepSetScheduler,
    ) -> Self {
        Self {
            buffering,
            buffered: 0,
            reduction,
            choices: chooser,
            runnable: (0..size).collect(),
            choosing: BTreeSet::new(),
            pollers: BTreeSet::new(),
            retrying_pollers: BTreeSet::new(),
            deferred_polls: vec![None; size],
            has_polled_without_result: vec![false; size],
            due_events: VecDeque::new(),
            messages: Vec::new(),
            accesses: Vec::new(),
            sent: 0,
            fruitless_polls: FruitlessPolls::new(size, MAX_FRUITLESS_POLLS),
            ticks: Cell::new(0),
        }
    }

    fn in_flight(&mut self, event: Event) -> InFlight {
        self.sent += 1;
        InFlight { number: self.sent, event }
    }

    /// Processes an event: ranks whose last poll failed may poll again.
    fn next_event(&mut self, event: Event) -> NextTask {
        self.fruitless_polls.reset();
        self.has_polled_without_result.fill(false);
        self.pollers.append(&mut self.retrying_pollers);
        self.wake_pollers(&event);
        NextTask::Event(event)
    }

    /// Wakes the other options of deferred polls whose result the event changes.
    fn wake_pollers(&mut self, event: &Event) {
        for poll in self.deferred_polls.iter().flatten().filter(|poll| poll.observed.is_changed_by(event)) {
            self.choices.wake_alternatives(poll.choice);
        }
    }

    fn next_rank(&mut self, rank: Rank) -> NextTask {
        self.choices.wake_dependent(&[rank]);
        NextTask::Rank(rank)
    }

    /// Whether any event can change the result of a later poll.
    fn can_change(&self) -> bool {
        !(self.runnable.is_empty()
            && self.choosing.is_empty()
            && self.pollers.is_empty()
            && self.messages.is_empty()
            && self.accesses.is_empty()
            && self.due_events.is_empty())
    }
}

impl DeliveryModel for ExplorationScheduler {
    const TIMED: bool = true;

    fn wake(&mut self, rank: Rank) {
        self.runnable.insert(rank);
    }

    fn wake_to_choose(&mut self, rank: Rank) {
        let set = if self.can_choose_messages() { &mut self.choosing } else { &mut self.runnable };
        set.insert(rank);
    }

    fn choose_completions(
        &mut self,
        rank: Rank,
        call: CallSite,
        started: &[CallSite],
        one: bool,
    ) -> Range<usize> {
        let mut choose = |started: &[CallSite]| {
            let option = |(at, started): (usize, &CallSite)| {
                let kind = TransitionKind::Complete { rank, call, started: *started };
                Transition::for_ranks(kind, at as u64, [rank; 2])
            };
            self.choices.choose(started.iter().enumerate().map(option).collect())
        };
        let first = choose(started);
        let last = if one { first } else { first + choose(&started[first..]) };
        first..last + 1
    }

    fn is_idle(&self) -> bool {
        self.messages.is_empty() && self.accesses.is_empty() && self.due_events.is_empty()
    }

    fn local_time(&self, _rank: Rank) -> u64 {
        self.ticks.set(self.ticks.get() + 1);
        self.ticks.get()
    }

    fn send_protocol(&self, _from: Rank, _to: Rank, _bytes: usize, synchronous: bool) -> SendProtocol {
        if synchronous || self.buffering != Buffering::Unlimited {
            SendProtocol::Synchronous
        } else {
            SendProtocol::Eager
        }
    }

    fn send(&mut self, _: Rank, to: Rank, _: usize, _: SendProtocol, event: Event) -> Option<Event> {
        let in_flight = self.in_flight(event);
        match &in_flight.event {
            Event::MessageArrival { message, .. } if message.is_user_message() => {
                self.messages.push(in_flight);
            }
            Event::Notice { notice: RmaNotice::LockRequest(..), .. } => self.accesses.push(in_flight),
            Event::Notice { .. } => {
                // The notice is processed immediately.
                self.choices.wake_dependent(&[to]);
                self.wake_pollers(&in_flight.event);
                return Some(in_flight.event);
            }
            _ => return Some(in_flight.event),
        }
        None
    }

    fn access(&mut self, _: Rank, _: Rank, _: usize, _: bool, event: Event) -> Option<Event> {
        let in_flight = self.in_flight(event);
        self.accesses.push(in_flight);
        None
    }

    fn poll_local(&mut self, _rank: Rank) {
        *self.ticks.get_mut() += self.fruitless_polls.add_local_poll(POLL_TICKS);
    }

    fn can_choose_messages(&self) -> bool {
        self.reduction == Reduction::Full
    }

    fn requeue_messages(&mut self, messages: Vec<Event>) {
        if messages.is_empty() {
            return;
        }
        self.choices.wake_all();
        let recalled: Vec<_> = messages.into_iter().map(|event| self.in_flight(event)).collect();
        self.messages.splice(0..0, recalled);
    }
}
