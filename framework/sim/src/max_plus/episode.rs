//! What comes of an episode: when ranks came and went, or why it does not end.
use std::fmt;

use wb_comm::{MessageTag, Rank, Text, text::simulation};

/// Why a recording is no program that ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordingError {
    /// Ranks wait for what never comes.
    Deadlock {
        /// How many.
        ranks: usize,
        /// The lowest of them.
        rank: Rank,
        /// Whom it waits for.
        peer: Rank,
        /// And for what.
        tag: MessageTag,
    },
    /// One episode begins before the other is over, and messages of both wait for the same cards.
    EpisodesOverlap,
    /// Nobody receives a message.
    UnreceivedMessage {
        /// The sender.
        from: Rank,
        /// To whom.
        to: Rank,
        /// What it is called.
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
        /// The buffer's.
        capacity: usize,
    },
}

impl RecordingError {
    /// As a value that is rendered where it is shown.
    pub fn text(&self) -> Text {
        match self {
            Self::Deadlock { ranks, rank, peer, tag: label } => {
                simulation::stuck(*ranks, *rank, *peer, label.tag)
            }
            Self::EpisodesOverlap => simulation::overlaps(),
            Self::UnreceivedMessage { from, to, tag: label } => simulation::stray(*from, *to, label.tag),
            Self::Truncated { from, to, bytes, capacity: room } => {
                simulation::truncated(*bytes, *from, *room, *to)
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

/// When ranks came and went, nanoseconds, by rank; of a recording that is repeated, in its last repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpisodeTimes {
    /// When each began.
    pub entries: Vec<u64>,
    /// When each was done.
    pub exits: Vec<u64>,
}

impl EpisodeTimes {
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
