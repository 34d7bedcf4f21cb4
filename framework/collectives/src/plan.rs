//! A pattern's plan: who tells whom, written down without running anything.
//!
//! A pattern looks at nothing but its rank and the size, so one recorded episode is all of them. The plan is what is
//! proved, counted, drawn and executed; on every substrate it is the same steps.
use wb_comm::{Error, Rank, Result, Signal, Slot, text};

use crate::Pattern;

/// One step of one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlanStep {
    /// Tell `to` on `slot`.
    Signal {
        /// The peer.
        to: Rank,
        /// Which of the signals between the two.
        slot: Slot,
        /// See [`Signal::signal_synchronously`].
        synchronous: bool,
    },
    /// Hear from `from` on `slot`.
    Wait {
        /// The peer.
        from: Rank,
        /// Which of the signals between the two.
        slot: Slot,
    },
}

/// The steps of one rank in one episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Whose.
    pub rank: Rank,
    /// Among how many.
    pub size: usize,
    /// In this order.
    pub steps: Vec<PlanStep>,
}

impl Plan {
    /// The part of `rank` in a group of `size`.
    ///
    /// A pattern that comes to no end is written down as far as [`is_endless`](Self::is_endless) needs.
    ///
    /// # Errors
    /// Where the pattern is not defined for the size.
    pub fn from_pattern<P: Pattern + ?Sized>(pattern: &P, rank: Rank, size: usize) -> Result<Self> {
        let mut recorder = PlanRecorder(Self { rank, size, steps: vec![] });
        match pattern.episode(&mut recorder) {
            Err(why) if !recorder.0.is_endless() => Err(why),
            _ => Ok(recorder.0),
        }
    }

    /// Does it take more steps than any barrier needs? With everybody to everybody it is 2 (P - 1).
    pub fn is_endless(&self) -> bool {
        self.steps.len() > 1000 + 16 * self.size
    }
}

/// Writes down what a pattern says; every signal is heard at once.
struct PlanRecorder(Plan);

impl PlanRecorder {
    fn push(&mut self, step: PlanStep) -> Result<()> {
        self.0.steps.push(step);
        if self.0.is_endless() {
            return Err(Error::Setup(text::barrier::endless()));
        }
        Ok(())
    }
}

impl Signal for PlanRecorder {
    fn rank(&self) -> Rank {
        self.0.rank
    }

    fn size(&self) -> usize {
        self.0.size
    }

    fn signal(&mut self, to: Rank, slot: Slot) -> Result<()> {
        self.push(PlanStep::Signal { to, slot, synchronous: false })
    }

    fn signal_synchronously(&mut self, to: Rank, slot: Slot) -> Result<()> {
        self.push(PlanStep::Signal { to, slot, synchronous: true })
    }

    fn wait_signal(&mut self, from: Rank, slot: Slot) -> Result<()> {
        self.push(PlanStep::Wait { from, slot })
    }
}
