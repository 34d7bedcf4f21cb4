//! The proof that a pattern is a barrier, for one size and every schedule, from its plan alone.
//!
//! Every `hear` names its source and no pattern looks at data: the participants form a Kahn process network, whose
//! outcome does not depend on who runs when. So one pass decides for all interleavings. Each signal carries the set of
//! ranks that its sender knows to have entered; when nobody can go on, three things must hold: nobody still waits, every
//! rank knows of every other, and no signal is left over. Rounds and hops are counted in the same pass.
//!
//! What remains is that a substrate carries signals rightly, which is checked once per substrate.
use std::{
    collections::{HashMap, VecDeque},
    fmt,
};

use wb_comm::{Rank, Slot};

use crate::{
    catalogue::Cost,
    plan::{Plan, Step},
};

/// Why a pattern is no barrier at a size: the smallest thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// These ranks wait for ever.
    Deadlock(Vec<Stuck>),
    /// `rank` leaves without having heard, directly or not, that `unheard_of` has entered.
    Ignorance {
        /// Who leaves.
        rank: Rank,
        /// Of whom it does not know.
        unheard_of: Rank,
    },
    /// Nobody hears these signals; the next episode would take them for its own.
    Stray {
        /// Who tells.
        from: Rank,
        /// Who is told.
        to: Rank,
        /// Which signal.
        slot: Slot,
    },
}

/// A rank that waits for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// Who.
    pub rank: Rank,
    /// At which step of its plan, counted from 0.
    pub step: usize,
    /// For whom.
    pub from: Rank,
    /// For which signal.
    pub slot: Slot,
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deadlock(stuck) => {
                f.write_str("deadlock")?;
                stuck.iter().try_for_each(|Stuck { rank, step, from, slot }| {
                    write!(f, "\n  rank {rank}, step {step}: waits for signal {slot} of rank {from}")
                })
            }
            Self::Ignorance { rank, unheard_of } => {
                write!(f, "rank {rank} leaves without having heard of rank {unheard_of}")
            }
            Self::Stray { from, to, slot } => {
                write!(f, "nobody hears signal {slot} of rank {from} to rank {to}")
            }
        }
    }
}

/// A signal on its way: what its sender knew, and when it can be there.
struct Signal {
    known: Box<[u64]>,
    /// Unit times, one port to send and one to receive per rank.
    round: usize,
    /// Dependent messages so far.
    hop: usize,
}

/// A rank in the middle of its plan.
struct Member<'p> {
    plan: &'p Plan,
    at: usize,
    known: Box<[u64]>,
    round: usize,
    hop: usize,
    sent: usize,
    received: usize,
}

/// Runs everybody's plan once, with knowledge.
///
/// # Errors
/// What is wrong with it.
pub fn prove(plans: &[Plan]) -> Result<Cost, Refutation> {
    let words = plans.len().div_ceil(64);
    let mut members: Vec<_> = plans.iter().map(|plan| Member::new(plan, words)).collect();
    let mut wires: HashMap<(Rank, Rank, Slot), VecDeque<Signal>> = HashMap::new();
    let mut messages = 0;
    let mut runnable: VecDeque<Rank> = (0..plans.len()).collect();
    while let Some(rank) = runnable.pop_front() {
        while let Some(&step) = members[rank].plan.steps.get(members[rank].at) {
            match step {
                Step::Tell { to, slot, .. } => {
                    messages += 1;
                    let signal = members[rank].tell();
                    wires.entry((rank, to, slot)).or_default().push_back(signal);
                    runnable.push_back(to);
                }
                Step::Hear { from, slot } => {
                    let wire = wires.get_mut(&(from, rank, slot));
                    let Some(signal) = wire.and_then(VecDeque::pop_front) else { break };
                    members[rank].hear(&signal);
                }
            }
            members[rank].at += 1;
        }
    }
    judge(&members, &wires)?;
    let rounds = members.iter().map(|member| member.round).max();
    let hops = members.iter().map(|member| member.hop).max();
    Ok(Cost { messages, rounds, hops })
}

fn judge(
    members: &[Member<'_>],
    wires: &HashMap<(Rank, Rank, Slot), VecDeque<Signal>>,
) -> Result<(), Refutation> {
    let stuck: Vec<_> = members.iter().filter_map(Member::stuck).collect();
    if !stuck.is_empty() {
        return Err(Refutation::Deadlock(stuck));
    }
    for member in members {
        let knows = |rank: Rank| member.known[rank / 64] >> (rank % 64) & 1 == 1;
        if let Some(unheard_of) = (0..members.len()).find(|&rank| !knows(rank)) {
            return Err(Refutation::Ignorance { rank: member.plan.rank, unheard_of });
        }
    }
    let left = wires.iter().filter(|(_, wire)| !wire.is_empty()).map(|(&key, _)| key).min();
    left.map_or(Ok(()), |(from, to, slot)| Err(Refutation::Stray { from, to, slot }))
}

impl<'p> Member<'p> {
    fn new(plan: &'p Plan, words: usize) -> Self {
        let mut known = vec![0; words].into_boxed_slice();
        known[plan.rank / 64] |= 1 << (plan.rank % 64);
        Self { plan, at: 0, known, round: 0, hop: 0, sent: 0, received: 0 }
    }

    /// A port sends one signal in a unit time.
    fn tell(&mut self) -> Signal {
        self.sent = self.sent.max(self.round) + 1;
        Signal { known: self.known.clone(), round: self.sent, hop: self.hop + 1 }
    }

    /// A port receives one signal in a unit time.
    fn hear(&mut self, signal: &Signal) {
        for (mine, theirs) in self.known.iter_mut().zip(&signal.known) {
            *mine |= theirs;
        }
        self.received = signal.round.max(self.received + 1);
        self.round = self.round.max(self.received);
        self.hop = self.hop.max(signal.hop);
    }

    fn stuck(&self) -> Option<Stuck> {
        match self.plan.steps.get(self.at)? {
            &Step::Hear { from, slot } => Some(Stuck { rank: self.plan.rank, step: self.at, from, slot }),
            Step::Tell { .. } => None,
        }
    }
}
