//! The next operation of a program: runs it again from the start, with the results so far.
//!
//! A program keeps nothing between episodes, so within one the results of its operations *are* its state. [`next`]
//! answers the operations from that log; the first one beyond it is the program's next operation, and an error returns
//! control.
use std::fmt;

use wb_comm::{CellIndex, Error, Memory, Rank, Result, Until};

use super::BarrierGroup;

/// The next operation of a PE; PEs and cells are numbered as in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the verbs of `Memory`, and their arguments")]
pub enum MemoryOp {
    Load {
        cell: CellIndex,
    },
    Store {
        cell: CellIndex,
        value: i64,
    },
    Put {
        pe: Rank,
        cell: CellIndex,
        value: i64,
    },
    Add {
        pe: Rank,
        cell: CellIndex,
        by: i64,
    },
    Get {
        pe: Rank,
        cell: CellIndex,
    },
    FetchAdd {
        pe: Rank,
        cell: CellIndex,
        by: i64,
    },
    Swap {
        pe: Rank,
        cell: CellIndex,
        value: i64,
    },
    CompareSwap {
        pe: Rank,
        cell: CellIndex,
        expected: i64,
        value: i64,
    },
    Wait {
        cell: CellIndex,
        until: Until,
    },
    Poll {
        pe: Rank,
        cell: CellIndex,
        until: Until,
    },
    Test {
        cell: CellIndex,
        until: Until,
    },
    Fence,
    Quiet,
    /// An episode without any operation, as a whole.
    Nothing,
}

impl fmt::Display for MemoryOp {
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

/// The next operation of rank `index` of `group` in `epoch` after the results `results`; `None`: it leaves.
pub(super) fn next_operation(
    group: &BarrierGroup,
    index: usize,
    epoch: i64,
    results: &[i64],
) -> Result<Option<MemoryOp>> {
    let program = &group.programs[index];
    let cells = program.cells(group.ranks.len());
    let mut replay = Replay { group, index, cells, results, position: 0, next: None };
    let outcome = program.run_on_memory(&mut replay, epoch);
    assert_eq!(replay.position, results.len(), "a program does not do the same twice");
    match replay.next {
        Some(next) => Ok(Some(next)),
        None => outcome.map(|()| None),
    }
}

struct Replay<'a> {
    group: &'a BarrierGroup,
    index: usize,
    cells: usize,
    results: &'a [i64],
    position: usize,
    next: Option<MemoryOp>,
}

impl Replay<'_> {
    fn cell(&self, cell: CellIndex) -> CellIndex {
        assert!(cell < self.cells, "cell {cell} of {}", self.cells);
        self.group.first_cell + cell
    }

    fn next_result(&mut self, operation: MemoryOp) -> Result<i64> {
        if let Some(&result) = self.results.get(self.position) {
            self.position += 1;
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
    fn load(&mut self, cell: CellIndex) -> Result<i64> {
        self.next_result(MemoryOp::Load { cell: self.cell(cell) })
    }
    fn store(&mut self, cell: CellIndex, value: i64) -> Result<()> {
        self.next_result(MemoryOp::Store { cell: self.cell(cell), value }).map(drop)
    }
    fn put(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<()> {
        self.next_result(MemoryOp::Put { pe: self.group.ranks[pe], cell: self.cell(cell), value }).map(drop)
    }
    fn add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<()> {
        self.next_result(MemoryOp::Add { pe: self.group.ranks[pe], cell: self.cell(cell), by }).map(drop)
    }
    fn get(&mut self, pe: Rank, cell: CellIndex) -> Result<i64> {
        self.next_result(MemoryOp::Get { pe: self.group.ranks[pe], cell: self.cell(cell) })
    }
    fn fetch_add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<i64> {
        self.next_result(MemoryOp::FetchAdd { pe: self.group.ranks[pe], cell: self.cell(cell), by })
    }
    fn swap(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<i64> {
        self.next_result(MemoryOp::Swap { pe: self.group.ranks[pe], cell: self.cell(cell), value })
    }
    fn compare_swap(&mut self, pe: Rank, cell: CellIndex, expected: i64, value: i64) -> Result<i64> {
        let (pe, cell) = (self.group.ranks[pe], self.cell(cell));
        self.next_result(MemoryOp::CompareSwap { pe, cell, expected, value })
    }
    fn wait(&mut self, cell: CellIndex, until: Until) -> Result<()> {
        self.next_result(MemoryOp::Wait { cell: self.cell(cell), until }).map(drop)
    }
    fn poll(&mut self, pe: Rank, cell: CellIndex, until: Until) -> Result<()> {
        let (pe, cell) = (self.group.ranks[pe], self.cell(cell));
        self.next_result(MemoryOp::Poll { pe, cell, until }).map(drop)
    }
    fn test(&mut self, cell: CellIndex, until: Until) -> Result<bool> {
        self.next_result(MemoryOp::Test { cell: self.cell(cell), until }).map(|result| result != 0)
    }
    fn fence(&mut self) -> Result<()> {
        self.next_result(MemoryOp::Fence).map(drop)
    }
    fn quiet(&mut self) -> Result<()> {
        self.next_result(MemoryOp::Quiet).map(drop)
    }
}
