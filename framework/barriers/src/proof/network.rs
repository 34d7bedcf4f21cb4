//! One run of every rank's plan, as far as possible, with the knowledge of each signal's sender.
//!
//! Signals lie in one arena; between two ranks and on one slot they are received in the order in which they were signalled. Who
//! has something for whom is a table of P x P and not a map: an all-to-all exchange has P x P signals.
use std::num::NonZeroU32;

use wb_comm::Rank;

use super::{PatternRefutation, TimedSignal, WaitingRank};
use crate::{BarrierCost, Plan, PlanStep, Slot};

/// A signal on its way: what its sender knew, and when it can be there.
struct InFlightSignal {
    /// Where in `snapshots` it begins.
    knowledge: usize,
    /// Unit times, one port to send and one to receive per rank.
    round: usize,
    /// Dependent messages so far.
    hop: usize,
    from: Rank,
    to: Rank,
    slot: Slot,
    /// When it was taken.
    received_at: Option<usize>,
    /// The next one between the same two that is not yet received.
    next: SignalIndex,
}

/// The number of a signal.
type SignalIndex = Option<NonZeroU32>;

/// The first signal has number 1: then no number is as small as any.
fn index_of(at: usize) -> SignalIndex {
    let number = u32::try_from(at + 1).expect("fewer signals than fit a u32");
    NonZeroU32::new(number)
}

fn position_of(number: NonZeroU32) -> usize {
    number.get() as usize - 1
}

/// A rank in the middle of its plan.
struct PlanProgress<'p> {
    plan: &'p Plan,
    step: usize,
    knowledge: Box<[u64]>,
    /// The snapshot of `known`, if it has not grown since.
    snapshot: Option<usize>,
    /// The synchronous signal that must be received before it continues.
    waits_for: Option<usize>,
    round: usize,
    hop: usize,
    sent: usize,
    received: usize,
    /// What was received since the last signal.
    unforwarded: Vec<usize>,
}

struct Network<'p> {
    members: Vec<PlanProgress<'p>>,
    signals: Vec<InFlightSignal>,
    snapshots: Vec<u64>,
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
    let message = |signal: InFlightSignal| TimedSignal {
        from: signal.from,
        to: signal.to,
        slot: signal.slot,
        sent_at: signal.round - 1,
        received_at: signal.received_at,
    };
    run_to_end(plans).signals.into_iter().map(message).collect()
}

fn run_to_end(plans: &[Plan]) -> Network<'_> {
    let words = plans.len().div_ceil(64);
    let mut network = Network {
        members: plans.iter().map(|plan| PlanProgress::new(plan, words)).collect(),
        signals: vec![],
        snapshots: vec![],
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
            if self.signals[signal].received_at.is_none() {
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
        member.unforwarded.sort_unstable_by_key(|&number| self.signals[number].round);
        for number in member.unforwarded.drain(..) {
            let signal = &mut self.signals[number];
            member.received = signal.round.max(member.received + 1);
            signal.received_at = Some(member.received);
        }
        member.round = member.round.max(member.received);
    }

    fn signal(&mut self, rank: Rank, to: Rank, slot: Slot, synchronous: bool) {
        self.forward_knowledge(rank);
        let (number, member) = (self.signals.len(), &mut self.members[rank]);
        self.signals.push(member.signal(to, slot, &mut self.snapshots));
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
        while let Some(number) = on.filter(|number| self.signals[position_of(*number)].slot != slot) {
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
        signal.received_at = Some(signal.round);
        self.members[rank].receive(signal, number, &self.snapshots);
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
        if let Some((member, unheard_of)) = ignorant.next() {
            return Err(PatternRefutation::EarlyExit {
                rank: member.plan.rank,
                steps: member.step,
                unheard_of,
            });
        }
        let stuck: Vec<_> = self.members.iter().filter_map(PlanProgress::blocked).collect();
        if !stuck.is_empty() {
            return Err(PatternRefutation::Deadlock(stuck));
        }
        let ends = |wire: usize| (wire % self.members.len(), wire / self.members.len());
        let strays = self.queues.iter().enumerate().filter_map(|(wire, first)| Some((ends(wire), (*first)?)));
        match strays.min() {
            Some(((from, to), first)) => Err(PatternRefutation::UnmatchedSignals {
                from,
                to,
                slot: self.signals[position_of(first)].slot,
            }),
            None => Ok(()),
        }
    }
}

impl<'p> PlanProgress<'p> {
    fn new(plan: &'p Plan, words: usize) -> Self {
        let mut known = vec![0; words].into_boxed_slice();
        known[plan.rank / 64] |= 1 << (plan.rank % 64);
        let (snapshot, waits_for) = (None, None);
        let (round, hop, sent, received, unsettled) = (0, 0, 0, 0, vec![]);
        Self {
            plan,
            step: 0,
            knowledge: known,
            snapshot,
            waits_for,
            round,
            hop,
            sent,
            received,
            unforwarded: unsettled,
        }
    }

    /// A port sends one signal in a unit time.
    fn signal(&mut self, to: Rank, slot: Slot, snapshots: &mut Vec<u64>) -> InFlightSignal {
        self.sent = self.sent.max(self.round) + 1;
        let known = *self.snapshot.get_or_insert_with(|| {
            snapshots.extend_from_slice(&self.knowledge);
            snapshots.len() - self.knowledge.len()
        });
        InFlightSignal {
            knowledge: known,
            round: self.sent,
            hop: self.hop + 1,
            from: self.plan.rank,
            to,
            slot,
            received_at: None,
            next: None,
        }
    }

    fn receive(&mut self, signal: &InFlightSignal, number: usize, snapshots: &[u64]) {
        for (mine, theirs) in self.knowledge.iter_mut().zip(&snapshots[signal.knowledge..]) {
            *mine |= theirs;
        }
        self.snapshot = None;
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
