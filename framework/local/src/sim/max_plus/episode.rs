//! The result of an episode: when ranks entered and exited, or why it does not end.
use std::fmt;

use wb_comm::{MessageTag, Rank, Text, text::simulation};

/// Why a recording is not a program that ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordingError {
    /// Ranks wait for messages that are never sent.
    Deadlock {
        /// How many ranks.
        ranks: usize,
        /// The lowest of them.
        rank: Rank,
        /// The rank that it waits for.
        peer: Rank,
        /// The tag that it waits for.
        tag: MessageTag,
    },
    /// One episode begins before the other ends, and messages of both wait for the same NICs.
    EpisodesOverlap,
    /// A message is not received.
    UnreceivedMessage {
        /// The sender.
        from: Rank,
        /// The receiver.
        to: Rank,
        /// The tag of the message.
        tag: MessageTag,
    },
    /// A message is longer than the receive's buffer.
    Truncated {
        /// The sender.
        from: Rank,
        /// The receiver.
        to: Rank,
        /// The message's size.
        bytes: usize,
        /// The buffer's size.
        capacity: usize,
    },
}

impl RecordingError {
    /// The error as a text that is rendered where it is shown.
    pub fn text(&self) -> Text {
        match self {
            Self::Deadlock { ranks, rank, peer, tag } => simulation::stuck(*ranks, *rank, *peer, tag.tag),
            Self::EpisodesOverlap => simulation::overlaps(),
            Self::UnreceivedMessage { from, to, tag } => simulation::stray(*from, *to, tag.tag),
            Self::Truncated { from, to, bytes, capacity } => {
                simulation::truncated(*bytes, *from, *capacity, *to)
            }
        }
    }
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl std::error::Error for RecordingError {}

/// When ranks entered and exited, nanoseconds, by rank; for a repeated recording, in its last repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpisodeTimes {
    /// When each entered.
    pub entries: Vec<u64>,
    /// When each exited.
    pub exits: Vec<u64>,
}

impl EpisodeTimes {
    /// From the last entry to the last exit: the cost of the episode. (If an algorithm lets ranks exit early, all may
    /// exit before the last entry; then the cost is 0.)
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
