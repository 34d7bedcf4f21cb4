//! What comes of an episode: when ranks came and went, or why it does not end.
use std::fmt;

use wb_comm::{Label, Rank, Text, text::simulation};

/// Why a recording is no program that ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Ranks wait for what never comes.
    Stuck {
        /// How many.
        ranks: usize,
        /// The lowest of them.
        rank: Rank,
        /// Whom it waits for.
        peer: Rank,
        /// And for what.
        label: Label,
    },
    /// One episode begins before the other is over, and messages of both wait for the same cards.
    Overlaps,
    /// Nobody receives a message.
    Stray {
        /// The sender.
        from: Rank,
        /// To whom.
        to: Rank,
        /// What it is called.
        label: Label,
    },
    /// A message is longer than the receive's buffer.
    Truncated {
        /// The sender.
        from: Rank,
        /// The receiver.
        to: Rank,
        /// The message's size.
        bytes: usize,
        /// The buffer's.
        room: usize,
    },
}

impl Fault {
    /// As a value that is rendered where it is shown.
    pub fn text(&self) -> Text {
        match self {
            Self::Stuck { ranks, rank, peer, label } => simulation::stuck(*ranks, *rank, *peer, label.tag),
            Self::Overlaps => simulation::overlaps(),
            Self::Stray { from, to, label } => simulation::stray(*from, *to, label.tag),
            Self::Truncated { from, to, bytes, room } => simulation::truncated(*bytes, *from, *room, *to),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl std::error::Error for Fault {}

/// When ranks came and went, nanoseconds, by rank; of a recording that is repeated, in its last repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// When each began.
    pub entries: Vec<u64>,
    /// When each was done.
    pub exits: Vec<u64>,
}

impl Outcome {
    /// From the last entry to the last exit: what the episode costs. (An algorithm that lets ranks go early can be done
    /// before the last has come; then it costs nothing.)
    pub fn cost(&self) -> u64 {
        self.last_exit().saturating_sub(self.last_entry())
    }

    /// The last entry.
    pub fn last_entry(&self) -> u64 {
        self.entries.iter().copied().max().unwrap_or(0)
    }

    /// The first exit.
    pub fn first_exit(&self) -> u64 {
        self.exits.iter().copied().min().unwrap_or(0)
    }

    /// The last exit.
    pub fn last_exit(&self) -> u64 {
        self.exits.iter().copied().max().unwrap_or(0)
    }

    /// The mean exit, rounded down.
    pub fn mean_exit(&self) -> u64 {
        let sum: u128 = self.exits.iter().copied().map(u128::from).sum();
        (sum / (self.exits.len() as u128).max(1)) as u64
    }
}
