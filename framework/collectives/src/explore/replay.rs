//! A program's next operation: run it again from the start, with the results it has got so far.
//!
//! A program keeps nothing between episodes, so within one the results that its verbs have returned *are* its state.
//! [`next`] answers the verbs from that log; the first verb beyond it is what the program wants to do next, and an error
//! gives the control back.
use std::fmt;

use wb_comm::{Cell, Error, Memory, Rank, Result, Until};

use super::Group;

/// What a PE does next; PEs and cells are numbered as in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the verbs of `Memory`, and their arguments")]
pub enum Operation {
    Load {
        cell: Cell,
    },
    Store {
        cell: Cell,
        value: i64,
    },
    Put {
        pe: Rank,
        cell: Cell,
        value: i64,
    },
    Add {
        pe: Rank,
        cell: Cell,
        by: i64,
    },
    Get {
        pe: Rank,
        cell: Cell,
    },
    FetchAdd {
        pe: Rank,
        cell: Cell,
        by: i64,
    },
    Swap {
        pe: Rank,
        cell: Cell,
        value: i64,
    },
    CompareSwap {
        pe: Rank,
        cell: Cell,
        expected: i64,
        value: i64,
    },
    Wait {
        cell: Cell,
        until: Until,
    },
    Poll {
        pe: Rank,
        cell: Cell,
        until: Until,
    },
    Test {
        cell: Cell,
        until: Until,
    },
    Fence,
    Quiet,
    /// An episode without any operation, as a whole.
    Nothing,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load { cell } => write!(f, "load [{cell}]"),
            Self::Store { cell, value } => write!(f, "store [{cell}] = {value}"),
            Self::Put { pe, cell, value } => write!(f, "put {pe}[{cell}] = {value}"),
            Self::Add { pe, cell, by } => write!(f, "add {pe}[{cell}] {by:+}"),
            Self::Get { pe, cell } => write!(f, "get {pe}[{cell}]"),
            Self::FetchAdd { pe, cell, by } => write!(f, "fetch_add {pe}[{cell}] {by:+}"),
            Self::Swap { pe, cell, value } => write!(f, "swap {pe}[{cell}] = {value}"),
            Self::CompareSwap { pe, cell, expected, value } => {
                write!(f, "compare_swap {pe}[{cell}] {expected} -> {value}")
            }
            Self::Wait { cell, until } => write!(f, "wait [{cell}] {until}"),
            Self::Poll { pe, cell, until } => write!(f, "poll {pe}[{cell}] {until}"),
            Self::Test { cell, until } => write!(f, "test [{cell}] {until}"),
            Self::Fence => f.write_str("fence"),
            Self::Quiet => f.write_str("quiet"),
            Self::Nothing => f.write_str("nothing"),
        }
    }
}

/// What rank `index` of `group` does in `epoch` after its verbs have returned `results`; `None`: it leaves.
pub(super) fn next(group: &Group, index: usize, epoch: i64, results: &[i64]) -> Result<Option<Operation>> {
    let program = &group.programs[index];
    let cells = program.cells(group.ranks.len());
    let mut replay = Replay { group, index, cells, results, at: 0, next: None };
    let outcome = program.on_memory(&mut replay, epoch);
    assert_eq!(replay.at, results.len(), "a program does not do the same twice");
    match replay.next {
        Some(next) => Ok(Some(next)),
        None => outcome.map(|()| None),
    }
}

struct Replay<'a> {
    group: &'a Group,
    index: usize,
    cells: usize,
    results: &'a [i64],
    at: usize,
    next: Option<Operation>,
}

impl Replay<'_> {
    fn cell(&self, cell: Cell) -> Cell {
        assert!(cell < self.cells, "cell {cell} of {}", self.cells);
        self.group.first_cell + cell
    }

    fn answer(&mut self, operation: Operation) -> Result<i64> {
        if let Some(&result) = self.results.get(self.at) {
            self.at += 1;
            return Ok(result);
        }
        self.next.get_or_insert(operation);
        Err(Error::Interrupted { reason: wb_comm::text::setup::broken_off() })
    }
}

impl Memory for Replay<'_> {
    fn rank(&self) -> Rank {
        self.index
    }
    fn size(&self) -> usize {
        self.group.ranks.len()
    }
    fn load(&mut self, cell: Cell) -> Result<i64> {
        self.answer(Operation::Load { cell: self.cell(cell) })
    }
    fn store(&mut self, cell: Cell, value: i64) -> Result<()> {
        self.answer(Operation::Store { cell: self.cell(cell), value }).map(drop)
    }
    fn put(&mut self, pe: Rank, cell: Cell, value: i64) -> Result<()> {
        self.answer(Operation::Put { pe: self.group.ranks[pe], cell: self.cell(cell), value }).map(drop)
    }
    fn add(&mut self, pe: Rank, cell: Cell, by: i64) -> Result<()> {
        self.answer(Operation::Add { pe: self.group.ranks[pe], cell: self.cell(cell), by }).map(drop)
    }
    fn get(&mut self, pe: Rank, cell: Cell) -> Result<i64> {
        self.answer(Operation::Get { pe: self.group.ranks[pe], cell: self.cell(cell) })
    }
    fn fetch_add(&mut self, pe: Rank, cell: Cell, by: i64) -> Result<i64> {
        self.answer(Operation::FetchAdd { pe: self.group.ranks[pe], cell: self.cell(cell), by })
    }
    fn swap(&mut self, pe: Rank, cell: Cell, value: i64) -> Result<i64> {
        self.answer(Operation::Swap { pe: self.group.ranks[pe], cell: self.cell(cell), value })
    }
    fn compare_swap(&mut self, pe: Rank, cell: Cell, expected: i64, value: i64) -> Result<i64> {
        let (pe, cell) = (self.group.ranks[pe], self.cell(cell));
        self.answer(Operation::CompareSwap { pe, cell, expected, value })
    }
    fn wait(&mut self, cell: Cell, until: Until) -> Result<()> {
        self.answer(Operation::Wait { cell: self.cell(cell), until }).map(drop)
    }
    fn poll(&mut self, pe: Rank, cell: Cell, until: Until) -> Result<()> {
        let (pe, cell) = (self.group.ranks[pe], self.cell(cell));
        self.answer(Operation::Poll { pe, cell, until }).map(drop)
    }
    fn test(&mut self, cell: Cell, until: Until) -> Result<bool> {
        self.answer(Operation::Test { cell: self.cell(cell), until }).map(|result| result != 0)
    }
    fn fence(&mut self) -> Result<()> {
        self.answer(Operation::Fence).map(drop)
    }
    fn quiet(&mut self) -> Result<()> {
        self.answer(Operation::Quiet).map(drop)
    }
}
