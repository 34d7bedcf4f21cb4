//! One run of everybody's plan, as far as it goes, with what each signal's sender knew.
//!
//! Signals lie in one arena; between two ranks and on one slot they are heard in the order in which they were told. Who
//! has something for whom is a table of P x P and not a map: everybody to everybody is P x P signals.
use std::num::NonZeroU32;

use wb_comm::{Rank, Slot};

use super::{Message, Refutation, Stuck};
use crate::{
    catalogue::Cost,
    plan::{Plan, Step},
};

/// A signal on its way: what its sender knew, and when it can be there.
struct Signal {
    /// Where in `snapshots` it begins.
    known: usize,
    /// Unit times, one port to send and one to receive per rank.
    round: usize,
    /// Dependent messages so far.
    hop: usize,
    from: Rank,
    to: Rank,
    slot: Slot,
    /// When it was taken.
    heard: Option<usize>,
    /// The next one between the same two that is not yet heard.
    next: Link,
}

/// The number of a signal.
type Link = Option<NonZeroU32>;

/// The first signal has number 1: then no number is as small as any.
fn link(at: usize) -> Link {
    let number = u32::try_from(at + 1).expect("fewer signals than fit a u32");
    NonZeroU32::new(number)
}

fn at(number: NonZeroU32) -> usize {
    number.get() as usize - 1
}

/// A rank in the middle of its plan.
struct Member<'p> {
    plan: &'p Plan,
    at: usize,
    known: Box<[u64]>,
    /// The snapshot of `known`, if it has not grown since.
    snapshot: Option<usize>,
    /// The synchronous signal that must be heard before it goes on.
    waits_for: Option<usize>,
    round: usize,
    hop: usize,
    sent: usize,
    received: usize,
    /// What was heard since the last tell.
    unsettled: Vec<usize>,
}

struct Network<'p> {
    members: Vec<Member<'p>>,
    signals: Vec<Signal>,
    snapshots: Vec<u64>,
    /// For hearer and teller the first signal that is not yet heard.
    wires: Vec<Link>,
    /// Who may be able to go on.
    runnable: Vec<Rank>,
}

/// Runs until nobody can go on, and judges.
pub(super) fn run(plans: &[Plan]) -> Result<Cost, Refutation> {
    let network = finished(plans);
    network.judge()?;
    let rounds = network.members.iter().map(|member| member.round).max();
    let hops = network.members.iter().map(|member| member.hop).max();
    Ok(Cost { messages: network.signals.len(), rounds, hops })
}

/// Runs until nobody can go on, and tells what was signalled.
pub(super) fn schedule(plans: &[Plan]) -> Vec<Message> {
    let message = |signal: Signal| Message {
        from: signal.from,
        to: signal.to,
        slot: signal.slot,
        told: signal.round - 1,
        heard: signal.heard,
    };
    finished(plans).signals.into_iter().map(message).collect()
}

fn finished(plans: &[Plan]) -> Network<'_> {
    let words = plans.len().div_ceil(64);
    let mut network = Network {
        members: plans.iter().map(|plan| Member::new(plan, words)).collect(),
        signals: vec![],
        snapshots: vec![],
        wires: vec![None; plans.len() * plans.len()],
        runnable: (0..plans.len()).rev().collect(),
    };
    while let Some(rank) = network.runnable.pop() {
        while network.step(rank) {}
    }
    (0..plans.len()).for_each(|rank| network.settle(rank));
    network
}

impl Network<'_> {
    /// Takes the next step of `rank`; tells whether that was possible.
    fn step(&mut self, rank: Rank) -> bool {
        let member = &mut self.members[rank];
        if let Some(signal) = member.waits_for {
            if self.signals[signal].heard.is_none() {
                return false;
            }
            member.waits_for = None;
            member.at += 1;
        }
        match member.plan.steps.get(member.at) {
            None => false,
            Some(&Step::Tell { to, slot, synchronous }) => {
                self.tell(rank, to, slot, synchronous);
                true
            }
            Some(&Step::Hear { from, slot }) => self.hear(rank, from, slot),
        }
    }

    /// Gives the signals that were heard since the last tell their times: the port takes them as they arrive, whatever
    /// order the plan names them in, as receives that are posted together do.
    fn settle(&mut self, rank: Rank) {
        let member = &mut self.members[rank];
        member.unsettled.sort_unstable_by_key(|&number| self.signals[number].round);
        for number in member.unsettled.drain(..) {
            let signal = &mut self.signals[number];
            member.received = signal.round.max(member.received + 1);
            signal.heard = Some(member.received);
        }
        member.round = member.round.max(member.received);
    }

    fn tell(&mut self, rank: Rank, to: Rank, slot: Slot, synchronous: bool) {
        self.settle(rank);
        let (number, member) = (self.signals.len(), &mut self.members[rank]);
        self.signals.push(member.tell(to, slot, &mut self.snapshots));
        if synchronous {
            member.waits_for = Some(number);
        } else {
            member.at += 1;
        }
        let mut end = &mut self.wires[to * self.members.len() + rank];
        while let Some(number) = *end {
            end = &mut self.signals[at(number)].next;
        }
        *end = link(number);
        self.wake(to);
    }

    fn hear(&mut self, rank: Rank, from: Rank, slot: Slot) -> bool {
        let wire = rank * self.members.len() + from;
        let (mut before, mut on) = (None, self.wires[wire]);
        while let Some(number) = on.filter(|number| self.signals[at(*number)].slot != slot) {
            (before, on) = (on, self.signals[at(number)].next);
        }
        let Some(number) = on.map(at) else { return false };
        let next = self.signals[number].next.take();
        match before.map(at) {
            Some(before) => self.signals[before].next = next,
            None => self.wires[wire] = next,
        }
        let signal = &mut self.signals[number];
        // When, is settled later.
        signal.heard = Some(signal.round);
        self.members[rank].hear(signal, number, &self.snapshots);
        self.members[rank].at += 1;
        if self.members[from].waits_for == Some(number) {
            self.wake(from);
        }
        true
    }

    /// Who is woken in the middle of its own steps finds nothing to do the second time.
    fn wake(&mut self, rank: Rank) {
        if self.runnable.last() != Some(&rank) {
            self.runnable.push(rank);
        }
    }

    fn judge(&self) -> Result<(), Refutation> {
        let left = self.members.iter().filter(|member| member.stuck().is_none());
        let mut ignorant = left.filter_map(|member| Some((member, member.ignorant_of(self.members.len())?)));
        if let Some((member, unheard_of)) = ignorant.next() {
            return Err(Refutation::Ignorance { rank: member.plan.rank, steps: member.at, unheard_of });
        }
        let stuck: Vec<_> = self.members.iter().filter_map(Member::stuck).collect();
        if !stuck.is_empty() {
            return Err(Refutation::Deadlock(stuck));
        }
        let ends = |wire: usize| (wire % self.members.len(), wire / self.members.len());
        let strays = self.wires.iter().enumerate().filter_map(|(wire, first)| Some((ends(wire), (*first)?)));
        match strays.min() {
            Some(((from, to), first)) => {
                Err(Refutation::Stray { from, to, slot: self.signals[at(first)].slot })
            }
            None => Ok(()),
        }
    }
}

impl<'p> Member<'p> {
    fn new(plan: &'p Plan, words: usize) -> Self {
        let mut known = vec![0; words].into_boxed_slice();
        known[plan.rank / 64] |= 1 << (plan.rank % 64);
        let (snapshot, waits_for) = (None, None);
        let (round, hop, sent, received, unsettled) = (0, 0, 0, 0, vec![]);
        Self { plan, at: 0, known, snapshot, waits_for, round, hop, sent, received, unsettled }
    }

    /// A port sends one signal in a unit time.
    fn tell(&mut self, to: Rank, slot: Slot, snapshots: &mut Vec<u64>) -> Signal {
        self.sent = self.sent.max(self.round) + 1;
        let known = *self.snapshot.get_or_insert_with(|| {
            snapshots.extend_from_slice(&self.known);
            snapshots.len() - self.known.len()
        });
        Signal {
            known,
            round: self.sent,
            hop: self.hop + 1,
            from: self.plan.rank,
            to,
            slot,
            heard: None,
            next: None,
        }
    }

    fn hear(&mut self, signal: &Signal, number: usize, snapshots: &[u64]) {
        for (mine, theirs) in self.known.iter_mut().zip(&snapshots[signal.known..]) {
            *mine |= theirs;
        }
        self.snapshot = None;
        self.unsettled.push(number);
        self.hop = self.hop.max(signal.hop);
    }

    fn ignorant_of(&self, size: usize) -> Option<Rank> {
        (0..size).find(|rank| self.known[rank / 64] >> (rank % 64) & 1 == 0)
    }

    fn stuck(&self) -> Option<Stuck> {
        let at = *self.plan.steps.get(self.at)?;
        Some(Stuck { rank: self.plan.rank, step: self.at, at })
    }
}
