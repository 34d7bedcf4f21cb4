//! One run of every rank's plan, as far as possible, with the knowledge of each signal's sender.
//!
//! Between two ranks and on one slot signals are received in the order in which they were signalled. Who has something for
//! whom is a table of P x P and not a map: an all-to-all exchange has P x P signals.
use std::{num::NonZeroU32, rc::Rc};

use wb_comm::Rank;

use super::{PatternRefutation, TimedSignal, WaitingRank};
use crate::barriers::{BarrierCost, Plan, PlanStep, Slot};

/// A signal of the run; its time of reception is known exactly only when its receiver signals next.
struct InFlightSignal {
    /// The knowledge of its sender.
    knowledge: Rc<[u64]>,
    /// Dependent messages so far.
    hop: usize,
    timed: TimedSignal,
    /// The next one between the same two that is not yet received.
    next: SignalIndex,
}

/// The number of a signal; the first has number 1.
type SignalIndex = Option<NonZeroU32>;

fn index_of(at: usize) -> SignalIndex {
    NonZeroU32::new(u32::try_from(at + 1).expect("fewer signals than fit a u32"))
}

fn position_of(number: NonZeroU32) -> usize {
    number.get() as usize - 1
}

/// A rank in the middle of its plan.
struct PlanProgress<'p> {
    plan: &'p Plan,
    step: usize,
    /// The ranks that it knows to have entered.
    knowledge: Rc<[u64]>,
    /// The synchronous signal that must be received before it continues.
    waits_for: Option<usize>,
    round: usize,
    hop: usize,
    sent: usize,
    received: usize,
    /// The signals received since the last one sent.
    unforwarded: Vec<usize>,
}

struct Network<'p> {
    members: Vec<PlanProgress<'p>>,
    signals: Vec<InFlightSignal>,
    /// For receiver and sender the first signal that is not yet received.
    queues: Vec<SignalIndex>,
    /// The ranks that may be able to continue.
    runnable: Vec<Rank>,
}

/// Runs until no rank can continue, and returns the verdict.
pub(super) fn run(plans: &[Plan]) -> Result<BarrierCost, PatternRefutation> {
    let network = run_to_end(plans);
    network.check_result()?;
    let rounds = network.members.iter().map(|member| member.round).max();
    let hops = network.members.iter().map(|member| member.hop).max();
    Ok(BarrierCost { messages: network.signals.len(), rounds, hops })
}

/// Runs until no rank can continue, and returns the signals.
pub(super) fn schedule(plans: &[Plan]) -> Vec<TimedSignal> {
    run_to_end(plans).signals.into_iter().map(|signal| signal.timed).collect()
}

fn run_to_end(plans: &[Plan]) -> Network<'_> {
    let words = plans.len().div_ceil(64);
    let mut network = Network {
        members: plans.iter().map(|plan| PlanProgress::new(plan, words)).collect(),
        signals: vec![],
        queues: vec![None; plans.len() * plans.len()],
        runnable: (0..plans.len()).rev().collect(),
    };
    while let Some(rank) = network.runnable.pop() {
        while network.step(rank) {}
    }
    (0..plans.len()).for_each(|rank| network.forward_knowledge(rank));
    network
}

impl Network<'_> {
    /// Takes the next step of `rank`; returns whether that was possible.
    fn step(&mut self, rank: Rank) -> bool {
        let member = &mut self.members[rank];
        if let Some(signal) = member.waits_for {
            if self.signals[signal].timed.received_at.is_none() {
                return false;
            }
            member.waits_for = None;
            member.step += 1;
        }
        match member.plan.steps.get(member.step) {
            None => false,
            Some(&PlanStep::Signal { to, slot, synchronous }) => {
                self.signal(rank, to, slot, synchronous);
                true
            }
            Some(&PlanStep::Wait { from, slot }) => self.receive(rank, from, slot),
        }
    }

    /// Gives the signals that were received since the last signal their times: the port takes them as they arrive, whatever
    /// order the plan names them in, as receives that are posted together do.
    fn forward_knowledge(&mut self, rank: Rank) {
        let member = &mut self.members[rank];
        member.unforwarded.sort_unstable_by_key(|&number| self.signals[number].timed.sent_at);
        for number in member.unforwarded.drain(..) {
            let signal = &mut self.signals[number].timed;
            member.received = signal.sent_at.max(member.received) + 1;
            signal.received_at = Some(member.received);
        }
        member.round = member.round.max(member.received);
    }

    fn signal(&mut self, rank: Rank, to: Rank, slot: Slot, synchronous: bool) {
        self.forward_knowledge(rank);
        let (number, member) = (self.signals.len(), &mut self.members[rank]);
        self.signals.push(member.signal(to, slot));
        if synchronous {
            member.waits_for = Some(number);
        } else {
            member.step += 1;
        }
        let mut end = &mut self.queues[to * self.members.len() + rank];
        while let Some(number) = *end {
            end = &mut self.signals[position_of(number)].next;
        }
        *end = index_of(number);
        self.wake(to);
    }

    fn receive(&mut self, rank: Rank, from: Rank, slot: Slot) -> bool {
        let wire = rank * self.members.len() + from;
        let (mut before, mut on) = (None, self.queues[wire]);
        while let Some(number) = on.filter(|number| self.signals[position_of(*number)].timed.slot != slot) {
            (before, on) = (on, self.signals[position_of(number)].next);
        }
        let Some(number) = on.map(position_of) else { return false };
        let next = self.signals[number].next.take();
        match before.map(position_of) {
            Some(before) => self.signals[before].next = next,
            None => self.queues[wire] = next,
        }
        let signal = &mut self.signals[number];
        // When, is settled later.
        signal.timed.received_at = Some(signal.timed.sent_at + 1);
        self.members[rank].receive(signal, number);
        self.members[rank].step += 1;
        if self.members[from].waits_for == Some(number) {
            self.wake(from);
        }
        true
    }

    /// A rank that is woken during its own steps has no step left the second time.
    fn wake(&mut self, rank: Rank) {
        if self.runnable.last() != Some(&rank) {
            self.runnable.push(rank);
        }
    }

    fn check_result(&self) -> Result<(), PatternRefutation> {
        let left = self.members.iter().filter(|member| member.blocked().is_none());
        let mut ignorant =
            left.filter_map(|member| Some((member, member.first_unknown(self.members.len())?)));
        if let Some((member, unknown)) = ignorant.next() {
            return Err(PatternRefutation::EarlyExit { rank: member.plan.rank, steps: member.step, unknown });
        }
        let stuck: Vec<_> = self.members.iter().filter_map(PlanProgress::blocked).collect();
        if !stuck.is_empty() {
            return Err(PatternRefutation::Deadlock(stuck));
        }
        let firsts = self.queues.iter().flatten().map(|first| self.signals[position_of(*first)].timed);
        match firsts.min_by_key(|signal| (signal.from, signal.to)) {
            Some(TimedSignal { from, to, slot, .. }) => {
                Err(PatternRefutation::UnmatchedSignals { from, to, slot })
            }
            None => Ok(()),
        }
    }
}

impl<'p> PlanProgress<'p> {
    fn new(plan: &'p Plan, words: usize) -> Self {
        let mut knowledge = vec![0; words];
        knowledge[plan.rank / 64] |= 1 << (plan.rank % 64);
        Self {
            plan,
            step: 0,
            knowledge: knowledge.into(),
            waits_for: None,
            round: 0,
            hop: 0,
            sent: 0,
            received: 0,
            unforwarded: vec![],
        }
    }

    /// A port sends one signal in a unit time.
    fn signal(&mut self, to: Rank, slot: Slot) -> InFlightSignal {
        self.sent = self.sent.max(self.round) + 1;
        let from = self.plan.rank;
        InFlightSignal {
            knowledge: Rc::clone(&self.knowledge),
            hop: self.hop + 1,
            timed: TimedSignal { from, to, slot, sent_at: self.sent - 1, received_at: None },
            next: None,
        }
    }

    fn receive(&mut self, signal: &InFlightSignal, number: usize) {
        for (mine, theirs) in Rc::make_mut(&mut self.knowledge).iter_mut().zip(&*signal.knowledge) {
            *mine |= theirs;
        }
        self.unforwarded.push(number);
        self.hop = self.hop.max(signal.hop);
    }

    fn first_unknown(&self, size: usize) -> Option<Rank> {
        (0..size).find(|rank| self.knowledge[rank / 64] >> (rank % 64) & 1 == 0)
    }

    fn blocked(&self) -> Option<WaitingRank> {
        let at = *self.plan.steps.get(self.step)?;
        Some(WaitingRank { rank: self.plan.rank, step: self.step, waits_for: at })
    }
}
