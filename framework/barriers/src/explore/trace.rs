//! A run in readable form: the operations, the arrivals, and the waiting PEs at the end.
use std::fmt;

use wb_comm::{CellIndex, Rank};

use super::{Episode, MemoryOp};

/// A put or an addition in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemoryMessage {
    /// The sender.
    pub from: Rank,
    /// The target PE.
    pub to: Rank,
    /// The cell.
    pub cell: CellIndex,
    /// Added, not put?
    pub is_add: bool,
    /// The value.
    pub value: i64,
}

/// One step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The acting PE; for an arrival, its target.
    pub pe: Rank,
    /// The episode that this step enters.
    pub enters: Option<Episode>,
    /// The action.
    pub action: TraceAction,
    /// The episode that this step leaves.
    pub leaves: Option<Episode>,
}

/// The action of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceAction {
    /// A PE executes an operation.
    Executes {
        /// The operation.
        operation: MemoryOp,
        /// The value that it read, if any.
        saw: Option<i64>,
    },
    /// A put or an addition takes effect.
    Delivers {
        /// The put or addition.
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
    /// The PE.
    pub pe: Rank,
    /// Its episode.
    pub episode: Episode,
    /// Its condition: a wait or a poll.
    pub operation: MemoryOp,
    /// The present value of the cell; `None` for a wait of another kind.
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
