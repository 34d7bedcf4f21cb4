//! A run, to be read: who did what, what arrived, who waits at the end.
use std::fmt;

use wb_comm::{CellIndex, Rank};

use super::{Episode, MemoryOp};

/// What is put or added, on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemoryMessage {
    /// Whose.
    pub from: Rank,
    /// To whom.
    pub to: Rank,
    /// Into which cell.
    pub cell: CellIndex,
    /// Added, not put?
    pub is_add: bool,
    /// What.
    pub value: i64,
}

/// One step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// Who acts; for an arrival, where.
    pub pe: Rank,
    /// The episode that this step enters.
    pub enters: Option<Episode>,
    /// What happens.
    pub action: TraceAction,
    /// The episode that this step leaves.
    pub leaves: Option<Episode>,
}

/// What happens in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceAction {
    /// A PE does something.
    Executes {
        /// What.
        operation: MemoryOp,
        /// The value that it saw, if it looked at one.
        saw: Option<i64>,
    },
    /// What was put or added takes effect.
    Delivers {
        /// What.
        message: MemoryMessage,
        /// The cell's value then.
        now: i64,
    },
}

impl fmt::Display for TraceStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PE {}: ", self.pe)?;
        if let Some(episode) = self.enters {
            write!(f, "enters {episode}: ")?;
        }
        match self.action {
            TraceAction::Executes { operation, saw: None } => write!(f, "{operation}")?,
            TraceAction::Executes { operation, saw: Some(value) } => write!(f, "{operation} sees {value}")?,
            TraceAction::Delivers { message, now } => {
                let verb = if message.is_add { "add" } else { "put" };
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

/// A PE that cannot continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockedPe {
    /// Which.
    pub pe: Rank,
    /// In which episode.
    pub episode: Episode,
    /// For what: a wait or a poll.
    pub operation: MemoryOp,
    /// What the cell holds instead; `None` for a wait of another kind.
    pub value: Option<i64>,
}

impl fmt::Display for BlockedPe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PE {} in episode {}: {}", self.pe, self.episode, self.operation)?;
        match self.value {
            Some(value) => write!(f, ", which is {value}"),
            None => Ok(()),
        }
    }
}
