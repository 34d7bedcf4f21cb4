//! The pace of a search: there is no time, only what is next, and who decides is a chooser.
//!
//! What makes no difference happens at once: our own collectives' messages, acknowledgements, answers. Users' messages,
//! accesses to other ranks' parts and requests for locks stay under way until nobody can run. Then, in this order: what
//! goes to a receive that names its source; accesses; ranks that look; a choice among all that receives from any source
//! can take; ranks that have looked in vain; at last what nobody takes.
mod access_choice;
mod partial_buffering;

use std::{
    cell::Cell,
    collections::{BTreeSet, VecDeque},
};

use wb_comm::{Error, Rank, exploration::Buffering};
use wb_fabric::{
    DeliveryModel, Event, InFlightMessage, JobState, MatchingReceive, ObservedState, RmaNotice, SendProtocol,
};

use super::{
    sleep_sets::SleepSetScheduler,
    transition::{Transition, TransitionKind},
};
use crate::scheduler::{NextTask, Scheduler};

/// So often in a row may each rank look in vain, while nothing comes about, before nobody believes any more that looking
/// helps...
const MAX_FRUITLESS_POLLS: u64 = 1_000;

/// ... and a look at memory of one's own, which may well be reading it, is this part of one.
const LOCAL_POLLS_PER_POLL: u64 = 500;

/// How much of what makes no difference is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Choices only where something is open, and as late as possible; independent ones in one order.
    Full,
    /// Nothing: whatever can be next is a choice, running a rank too. Only to hold the other one against it.
    None,
}

/// Something under way with its number, which is that of its leaving.
#[derive(Debug)]
struct InFlight {
    number: u64,
    event: Event,
}

/// What a rank that looks later is after.
#[derive(Clone, Copy, Debug)]
struct DeferredPoll {
    observed: ObservedState,
    /// Looking at once is that choice's other possibility.
    choice: usize,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct ExplorationScheduler {
    buffering: Buffering,
    /// How many messages the library has kept that should have waited.
    buffered: usize,
    reduction: Reduction,
    pub(crate) choices: SleepSetScheduler,
    /// Who can run.
    runnable: BTreeSet<Rank>,
    /// Who looks, and will see what there is once nobody can run.
    pollers: BTreeSet<Rank>,
    /// Who looks though it has looked in vain since something last came about.
    retrying_pollers: BTreeSet<Rank>,
    /// By rank: what it looks at, where looking at once might have shown something else.
    deferred_polls: Vec<Option<DeferredPoll>>,
    /// By rank: has it looked in vain since something last came about?
    has_polled_in_vain: Vec<bool>,
    /// Comes about before anything else is decided.
    due_events: VecDeque<Event>,
    /// Users' messages; those of one sender to one receiver in the order of their sending.
    messages: Vec<InFlight>,
    /// Accesses and requests for locks.
    accesses: Vec<InFlight>,
    /// How much has left.
    sent: u64,
    /// How often in a row ranks have looked in vain, in glances.
    fruitless_polls: u64,
    /// What clocks show: how often anybody has looked at one.
    ticks: Cell<u64>,
}

impl ExplorationScheduler {
    /// For `size` ranks, who all can run.
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
            pollers: BTreeSet::new(),
            retrying_pollers: BTreeSet::new(),
            deferred_polls: vec![None; size],
            has_polled_in_vain: vec![false; size],
            due_events: VecDeque::new(),
            messages: Vec::new(),
            accesses: Vec::new(),
            sent: 0,
            fruitless_polls: 0,
            ticks: Cell::new(0),
        }
    }

    fn in_flight(&mut self, what: Event) -> InFlight {
        self.sent += 1;
        InFlight { number: self.sent, event: what }
    }

    /// Something comes about: who has looked in vain may look again.
    fn next_event(&mut self, what: Event) -> NextTask {
        self.fruitless_polls = 0;
        self.has_polled_in_vain.fill(false);
        self.pollers.append(&mut self.retrying_pollers);
        self.wake_pollers(&what);
        NextTask::Event(what)
    }

    /// Who looks later sees something else than at once, if this is what it looks at.
    fn wake_pollers(&mut self, what: &Event) {
        for look in self.deferred_polls.iter().flatten().filter(|look| look.observed.is_changed_by(what)) {
            self.choices.wake_alternatives(look.choice);
        }
    }

    fn next_rank(&mut self, rank: Rank) -> NextTask {
        self.choices.wake_dependent(&[rank]);
        NextTask::Rank(rank)
    }

    /// Is there anything that somebody who looks later could see?
    fn can_change(&self) -> bool {
        !(self.runnable.is_empty()
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

    fn send(&mut self, _: Rank, to: Rank, _: usize, _: SendProtocol, what: Event) -> Option<Event> {
        let under = self.in_flight(what);
        match &under.event {
            Event::MessageArrival { message, .. } if message.is_user_message() => self.messages.push(under),
            Event::Notice { notice: RmaNotice::LockRequest(..), .. } => self.accesses.push(under),
            Event::Notice { .. } => {
                // It is heard at once.
                self.choices.wake_dependent(&[to]);
                self.wake_pollers(&under.event);
                return Some(under.event);
            }
            _ => return Some(under.event),
        }
        None
    }

    fn access(&mut self, _: Rank, _: Rank, _: usize, _: bool, what: Event) -> Option<Event> {
        let under = self.in_flight(what);
        self.accesses.push(under);
        None
    }

    fn poll_local(&mut self, _rank: Rank) {
        self.fruitless_polls += 1;
    }

    fn can_choose_messages(&self) -> bool {
        self.reduction == Reduction::Full
    }

    fn requeue_messages(&mut self, messages: Vec<Event>) {
        if messages.is_empty() {
            return;
        }
        self.choices.wake_all();
        let recalled: Vec<_> = messages.into_iter().map(|what| self.in_flight(what)).collect();
        self.messages.splice(0..0, recalled);
    }
}

impl Scheduler for ExplorationScheduler {
    const NAME: &'static str = "check";

    fn next_task(state: &mut JobState<Self>) -> Option<NextTask> {
        if state.delivery.choices.is_aborted() && state.failure().is_none() {
            state.fail(Error::Interrupted { reason: wb_comm::text::setup::broken_off() });
        }
        if state.failure().is_some() {
            let pace = &mut state.delivery;
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
        // Whoever glances for ever must come to hear that it is hopeless.
        if self.has_polled_in_vain[rank] || self.is_livelocked() {
            self.retrying_pollers.insert(rank);
            return true;
        }
        let look = |now| Transition::for_all(TransitionKind::Poll { rank, now }, 0);
        let later = self.can_change() && self.choices.choose(vec![look(false), look(true)]) == 0;
        if later {
            // Of its own part of a window it sees the same as at once, unless somebody changes that meanwhile.
            if sight != ObservedState::Mailbox {
                self.deferred_polls[rank] =
                    Some(DeferredPoll { observed: sight, choice: self.choices.add_to_sleep_set() });
            }
            self.pollers.insert(rank);
        }
        later
    }

    fn poll_failed(&mut self, rank: Rank) {
        self.fruitless_polls += LOCAL_POLLS_PER_POLL;
        self.has_polled_in_vain[rank] = true;
        self.runnable.insert(rank);
    }

    fn is_livelocked(&self) -> bool {
        self.fruitless_polls
            > MAX_FRUITLESS_POLLS * LOCAL_POLLS_PER_POLL * self.has_polled_in_vain.len() as u64
    }

    fn work(&mut self, _rank: Rank, _flops: u64, _bytes: u64) -> u64 {
        0
    }
}

/// What is next where everything waits as long as it can.
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
            let class = access_choice::contested_accesses(state);
            let options = class
                .iter()
                .map(|at| access_choice::access_transition(state, &state.delivery.accesses[*at]))
                .collect();
            let pace = &mut state.delivery;
            let taken = pace.choices.choose(options);
            let what = pace.accesses.remove(class[taken]).event;
            pace.due_events.push_back(what);
        } else if let Some(rank) = state.delivery.pollers.pop_first() {
            serve_poll(state, rank);
        } else if !takers.is_empty() {
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
            let options = options.chain(waiting.iter().map(keep)).collect();
            let taken = state.delivery.choices.choose(options);
            match takers.get(taken) {
                Some((at, _, taker)) => deliver(state, *at, *taker),
                None => partial_buffering::buffer_message(state, waiting[taken - takers.len()].0),
            }
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

/// The messages that somebody takes, with their places in the mail; of those that one receive admits from one sender the
/// first.
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

/// Between whom a message goes, and where.
fn route(state: &JobState<ExplorationScheduler>, under: &InFlight) -> Option<[usize; 3]> {
    state.in_flight_message(&under.event).map(|letter| letter.route())
}

/// The message at that place of the mail arrives. A probe leaves it there, so what the same sender has sent before arrives
/// first: later receives must not find them in another order.
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

/// A rank that looks sees what is there; of its mail that of one sender, who is chosen, before that of all others.
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

/// What is next where everything that can be is a possibility.
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
