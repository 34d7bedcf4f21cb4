//! A run in readable form: the operations, the arrivals, and the waiting PEs at the end.
use std::fmt;

use wb_comm::{CellIndex, Rank, Text, text::proof as text};

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

impl TraceStep {
    /// The step as one line, in both languages.
    pub fn text(&self) -> Text {
        let action = match self.action {
            TraceAction::Executes { operation, saw: None } => operation.to_string().into(),
            TraceAction::Executes { operation, saw: Some(value) } => text::sees(operation.to_string(), value),
            TraceAction::Delivers { message: MemoryMessage { is_add, from, cell, .. }, now } => {
                text::arrives(if is_add { "add" } else { "put" }, from, cell, now)
            }
        };
        let action = match self.leaves {
            Some(episode) => text::leaves(action, episode.text()),
            None => action,
        };
        let action = match self.enters {
            Some(episode) => text::enters(episode.text(), action),
            None => action,
        };
        text::of_pe(self.pe, action)
    }
}

impl fmt::Display for TraceStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl Episode {
    fn text(self) -> Text {
        match self.group {
            0 => self.number.into(),
            group => text::of_group(self.number, group),
        }
    }
}

/// A PE that cannot continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockedPe {
    /// The PE.
    pub pe: Rank,
    /// The episode of the waiting PE.
    pub episode: Episode,
    /// The operation in which it waits: a wait or a poll.
    pub operation: MemoryOp,
    /// The present value of the cell; `None` for a wait of another kind.
    pub value: Option<i64>,
}

impl BlockedPe {
    /// The PE and its condition, in both languages.
    pub fn text(&self) -> Text {
        let condition = text::blocked_pe(self.pe, self.episode.text(), self.operation.to_string());
        match self.value {
            Some(value) => text::with_value(condition, value),
            None => condition,
        }
    }
}
