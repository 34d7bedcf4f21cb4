//! The proof that a pattern is a barrier, for one size and every schedule, from its plan alone.
//!
//! Every wait names its source and no pattern depends on data: the participants form a Kahn process network, whose
//! result does not depend on the schedule. A synchronous signal, which completes when it is received, does not change
//! that. So one pass decides for all interleavings. Each signal carries the set of ranks that its sender knows to have
//! entered. When no rank can continue, three things must hold: every rank that has left knows of every rank, no rank
//! still waits, and no signal is left over. Rounds and hops are counted in the same pass.
//!
//! The correct delivery of signals by a substrate remains to be checked, once per substrate. [`prove_all_sizes`] checks
//! all sizes and returns the smallest counterexample.
use std::fmt;

use wb_comm::{
    Rank, Text,
    text::{error, proof as text},
};

use crate::barriers::{BarrierCost, Plan, PlanStep, Slot};

pub mod all_sizes;
mod network;

pub use all_sizes::{Counterexample, ProofResult, prove_all_sizes};

/// The smallest violation because of which a pattern is not a barrier at a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternRefutation {
    /// A plan has no end.
    NonTerminating {
        /// Its rank.
        rank: Rank,
        /// The number of its recorded steps.
        steps: usize,
    },
    /// A step names a rank that does not exist.
    InvalidRank {
        /// The rank of the step.
        rank: Rank,
        /// The number of the step, counted from 0.
        step: usize,
        /// The rank that it names.
        peer: Rank,
    },
    /// `rank` leaves without knowing, directly or not, that `unknown` has entered.
    EarlyExit {
        /// The rank that leaves.
        rank: Rank,
        /// The number of its steps before.
        steps: usize,
        /// The first rank of which it does not know.
        unknown: Rank,
    },
    /// These ranks wait for ever.
    Deadlock(Vec<WaitingRank>),
    /// No rank waits for these signals; the next episode would take them for its own.
    UnmatchedSignals {
        /// The sender.
        from: Rank,
        /// The receiver.
        to: Rank,
        /// The slot.
        slot: Slot,
    },
}

/// A rank that waits for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingRank {
    /// The rank.
    pub rank: Rank,
    /// Its step, counted from 0.
    pub step: usize,
    /// The condition of the wait: a signal, or, for a synchronous signal, its reception.
    pub waits_for: PlanStep,
}

impl PatternRefutation {
    /// The name in `--json`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NonTerminating { .. } => "endless",
            Self::InvalidRank { .. } => "stranger",
            Self::EarlyExit { .. } => "ignorance",
            Self::Deadlock(_) => "deadlock",
            Self::UnmatchedSignals { .. } => "stray",
        }
    }

    /// The violation in both languages; a deadlock has a line for each waiting rank.
    pub fn text(&self) -> Text {
        match self {
            &Self::NonTerminating { rank, steps } => text::non_terminating(rank, steps),
            &Self::InvalidRank { rank, step, peer } => text::invalid_rank(rank, step, peer),
            &Self::EarlyExit { rank, steps, unknown } => text::early_exit(rank, steps, unknown),
            Self::Deadlock(stuck) => {
                let lines = stuck.iter().map(|stuck| error::indented(stuck.text()));
                lines.fold(text::deadlock(), error::lines)
            }
            &Self::UnmatchedSignals { from, to, slot } => text::unmatched_signal(slot, from, to),
        }
    }
}

impl WaitingRank {
    /// The condition of the wait, as one line.
    fn text(&self) -> Text {
        match self.waits_for {
            PlanStep::Wait { from, slot } => text::waits_for_signal(self.rank, self.step, from, slot),
            PlanStep::Signal { to, slot, .. } => text::waits_for_receiver(self.rank, self.step, to, slot),
        }
    }
}

impl fmt::Display for PatternRefutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

/// Runs every rank's plan once, with the sets of known ranks.
///
/// # Errors
/// The violation. A rank that leaves early precedes a deadlock, and the lowest rank precedes others.
pub fn prove(plans: &[Plan]) -> Result<BarrierCost, PatternRefutation> {
    plans.iter().try_for_each(well_formed)?;
    network::run(plans)
}

/// A signal of one run, in unit times with one port to send and one to receive per rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedSignal {
    /// The sender.
    pub from: Rank,
    /// The receiver.
    pub to: Rank,
    /// The slot.
    pub slot: Slot,
    /// When it is sent: 0 is the beginning.
    pub sent_at: usize,
    /// When it is received, if ever.
    pub received_at: Option<usize>,
}

/// Runs every rank's plan once and returns the times of its signals, also where the plans are not a barrier.
///
/// # Errors
/// A step without a peer, or plans without an end: such plans cannot be run.
pub fn schedule(plans: &[Plan]) -> Result<Vec<TimedSignal>, PatternRefutation> {
    plans.iter().try_for_each(well_formed)?;
    Ok(network::schedule(plans))
}

fn well_formed(plan: &Plan) -> Result<(), PatternRefutation> {
    if plan.is_endless() {
        return Err(PatternRefutation::NonTerminating { rank: plan.rank, steps: plan.steps.len() });
    }
    let peers = plan.steps.iter().map(|step| match *step {
        PlanStep::Signal { to: peer, .. } | PlanStep::Wait { from: peer, .. } => peer,
    });
    match peers.enumerate().find(|(_, peer)| *peer >= plan.size) {
        Some((step, peer)) => Err(PatternRefutation::InvalidRank { rank: plan.rank, step, peer }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plans(steps: &[&[PlanStep]]) -> Vec<Plan> {
        let plan = |(rank, steps): (Rank, &&[PlanStep])| Plan { rank, size: 2, steps: steps.to_vec() };
        steps.iter().enumerate().map(plan).collect()
    }

    const fn signal(to: Rank, synchronous: bool) -> PlanStep {
        PlanStep::Signal { to, slot: 0, synchronous }
    }

    const fn wait(from: Rank) -> PlanStep {
        PlanStep::Wait { from, slot: 0 }
    }

    #[test]
    fn a_synchronous_tell_is_over_when_it_is_heard() {
        let polite = plans(&[&[signal(1, true), wait(1)], &[wait(0), signal(0, true)]]);
        assert_eq!(prove(&polite), Ok(BarrierCost { messages: 2, rounds: Some(2), hops: Some(2) }));
        let both_first = plans(&[&[signal(1, true), wait(1)], &[signal(0, true), wait(0)]]);
        let Err(PatternRefutation::Deadlock(stuck)) = prove(&both_first) else { panic!("not refused") };
        assert_eq!(stuck[1].text().en, "rank 1, step 0: waits until rank 0 receives signal 0");
        let eager = plans(&[&[signal(1, false), wait(1)], &[signal(0, false), wait(0)]]);
        assert_eq!(prove(&eager), Ok(BarrierCost { messages: 2, rounds: Some(1), hops: Some(1) }));
    }

    /// Each rank signals all others and waits for all others, except that `dest` never knows of `source`.
    fn all_but_one(size: usize, dest: Rank, source: Rank) -> Vec<Plan> {
        let plan = |rank: Rank| {
            let others = (0..size).filter(move |other| *other != rank);
            let signals =
                others.clone().filter(|to| (rank, *to) != (source, dest)).map(|to| signal(to, false));
            let waits = others.filter(|from| (rank, *from) != (dest, source)).map(wait);
            Plan { rank, size, steps: signals.chain(waits).collect() }
        };
        (0..size).map(plan).collect()
    }

    /// The cases include rank 0, as the rank that does not know of another and as the one that no rank waits for, and
    /// both sides of a word of the sets.
    #[test]
    fn each_rank_has_to_know_of_each_other_one() {
        for size in [2, 3, 4, 63, 64, 65, 129] {
            let ends = [0, 1, 2, 3, 62, 63, 64, 65, 127, 128].into_iter().filter(move |rank| *rank < size);
            for (dest, source) in ends.clone().flat_map(|one| ends.clone().map(move |other| (one, other))) {
                if dest != source {
                    let steps = 2 * (size - 1) - 1;
                    let refuted = PatternRefutation::EarlyExit { rank: dest, steps, unknown: source };
                    assert_eq!(prove(&all_but_one(size, dest, source)), Err(refuted), "P = {size}");
                }
            }
        }
    }

    #[test]
    fn every_fault_has_its_name() {
        let left_over =
            plans(&[&[signal(1, false), signal(1, false), wait(1)], &[signal(0, false), wait(0)]]);
        assert_eq!(prove(&left_over), Err(PatternRefutation::UnmatchedSignals { from: 0, to: 1, slot: 0 }));
        let no_wait = plans(&[&[signal(1, false)], &[wait(0)]]);
        assert_eq!(prove(&no_wait), Err(PatternRefutation::EarlyExit { rank: 0, steps: 1, unknown: 1 }));
        let nobody = plans(&[&[wait(1)], &[signal(0, false), wait(2)]]);
        assert_eq!(prove(&nobody), Err(PatternRefutation::InvalidRank { rank: 1, step: 1, peer: 2 }));
    }
}
