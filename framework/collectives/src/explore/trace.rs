//! A run, to be read: who did what, what arrived, who waits at the end.
use std::fmt;

use wb_comm::{Cell, Rank};

use super::{Episode, Operation};

/// What is put or added, on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Message {
    /// Whose.
    pub from: Rank,
    /// To whom.
    pub to: Rank,
    /// Into which cell.
    pub cell: Cell,
    /// Added, not put?
    pub adds: bool,
    /// What.
    pub value: i64,
}

/// One step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Who acts; for an arrival, where.
    pub pe: Rank,
    /// The episode that this step enters.
    pub enters: Option<Episode>,
    /// What happens.
    pub what: What,
    /// The episode that this step leaves.
    pub leaves: Option<Episode>,
}

/// What happens in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A PE does something.
    Does {
        /// What.
        operation: Operation,
        /// The value that it saw, if it looked at one.
        saw: Option<i64>,
    },
    /// What was put or added takes effect.
    Arrives {
        /// What.
        message: Message,
        /// The cell's value then.
        now: i64,
    },
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PE {}: ", self.pe)?;
        if let Some(episode) = self.enters {
            write!(f, "enters {episode}: ")?;
        }
        match self.what {
            What::Does { operation, saw: None } => write!(f, "{operation}")?,
            What::Does { operation, saw: Some(value) } => write!(f, "{operation} sees {value}")?,
            What::Arrives { message, now } => {
                let verb = if message.adds { "add" } else { "put" };
                write!(f, "{verb} of PE {} arrives: [{}] = {now}", message.from, message.cell)?;
            }
        }
        match self.leaves {
            Some(episode) => write!(f, ": leaves {episode}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Episode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.group {
            0 => write!(f, "{}", self.number),
            group => write!(f, "{} of group {group}", self.number),
        }
    }
}

/// A PE that cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Which.
    pub pe: Rank,
    /// In which episode.
    pub episode: Episode,
    /// For what: a wait or a poll.
    pub operation: Operation,
    /// What the cell holds instead; `None` for a wait of another kind.
    pub value: Option<i64>,
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PE {} in episode {}: {}", self.pe, self.episode, self.operation)?;
        match self.value {
            Some(value) => write!(f, ", which is {value}"),
            None => Ok(()),
        }
    }
}
