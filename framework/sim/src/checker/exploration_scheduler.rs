//! The pace of a search: there is no time, only what is next, and who decides is a chooser.
//!
//! What makes no difference happens at once: our own collectives' messages, acknowledgements, answers. Users' messages,
//! accesses to other ranks' parts and requests for locks stay under way until nobody can run. Then, in this order: what
//! goes to a receive that names its source; accesses; ranks that look; a choice among all that receives from any source
//! can take; ranks that have looked in vain; at last what nobody takes.
mod access_choice;
mod next_task;
mod partial_buffering;

use std::{
    cell::Cell,
    collections::{BTreeSet, VecDeque},
};

use wb_comm::{Rank, exploration::Buffering};
use wb_fabric::{DeliveryModel, Event, ObservedState, RmaNotice, SendProtocol};

use super::sleep_sets::SleepSetScheduler;
use crate::scheduler::{FruitlessPolls, NextTask};

/// How often each rank may poll without success while nothing else happens, before the job counts as livelocked.
const MAX_FRUITLESS_POLLS: u64 = 1_000;

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
    fruitless_polls: FruitlessPolls,
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
            fruitless_polls: FruitlessPolls::new(size, MAX_FRUITLESS_POLLS),
            ticks: Cell::new(0),
        }
    }

    fn in_flight(&mut self, what: Event) -> InFlight {
        self.sent += 1;
        InFlight { number: self.sent, event: what }
    }

    /// Something comes about: who has looked in vain may look again.
    fn next_event(&mut self, what: Event) -> NextTask {
        self.fruitless_polls.reset();
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
        self.fruitless_polls.add_local_poll();
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
