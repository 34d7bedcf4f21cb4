//! Cells that only ever grow, and of which one asks only whether they have grown far enough.
//!
//! What happens at such a cell commutes with everything else: an addition that arrives, a store of its owner, or one of
//! its only writer's puts in order takes away nobody's leave to go on, and a wait that may end still may later. So these steps follow at once upon the step
//! before, and barriers that count have few states. That a cell is one is *assumed* until an operation says otherwise;
//! then the search begins anew, knowing better.
use wb_comm::{Cell, Rank, Until};

use super::Operation;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Nobody writes it.
    Silent,
    /// It is added to, by anybody, and only upwards.
    Added,
    /// Its owner alone stores it, and may load it.
    Stored,
    /// This PE alone puts into it, and its puts arrive in order.
    Put(Rank),
    /// None of these.
    Plain,
}

/// What is assumed of every cell.
#[derive(Clone, Debug)]
pub(super) struct Counters {
    kinds: Vec<Kind>,
    cells: usize,
    puts_in_order: bool,
}

/// An assumption was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrong;

impl Counters {
    pub(super) fn new(pes: usize, cells: usize, puts_in_order: bool) -> Self {
        Self { kinds: vec![Kind::Silent; pes * cells], cells, puts_in_order }
    }

    pub(super) fn is(&self, pe: Rank, cell: Cell) -> bool {
        self.kinds[pe * self.cells + cell] != Kind::Plain
    }

    /// An operation of `pe` has come to light.
    pub(super) fn learn(&mut self, pe: Rank, operation: Operation) -> Result<(), Wrong> {
        match operation {
            Operation::Wait { until: Until::AtLeast(_), .. }
            | Operation::Poll { until: Until::AtLeast(_), .. }
            | Operation::Fence
            | Operation::Quiet
            | Operation::Nothing => Ok(()),
            Operation::Add { pe: to, cell, by } if by > 0 => self.becomes(to, cell, Kind::Added),
            Operation::Put { pe: to, cell, .. } if self.puts_in_order => {
                self.becomes(to, cell, Kind::Put(pe))
            }
            // What only its owner stores, the owner finds as it has left it.
            Operation::Store { cell, .. } | Operation::Load { cell } => self.becomes(pe, cell, Kind::Stored),
            Operation::Wait { cell, .. } | Operation::Test { cell, .. } => self.is_plain(pe, cell),
            Operation::Poll { pe, cell, .. }
            | Operation::Put { pe, cell, .. }
            | Operation::Add { pe, cell, .. }
            | Operation::Get { pe, cell }
            | Operation::FetchAdd { pe, cell, .. }
            | Operation::Swap { pe, cell, .. }
            | Operation::CompareSwap { pe, cell, .. } => self.is_plain(pe, cell),
        }
    }

    /// A store or put has made the cell smaller, or something else speaks against it.
    pub(super) fn is_plain(&mut self, pe: Rank, cell: Cell) -> Result<(), Wrong> {
        self.becomes(pe, cell, Kind::Plain)
    }

    fn becomes(&mut self, pe: Rank, cell: Cell, kind: Kind) -> Result<(), Wrong> {
        let known = &mut self.kinds[pe * self.cells + cell];
        match *known {
            Kind::Plain => Ok(()),
            Kind::Silent if kind != Kind::Plain => {
                *known = kind;
                Ok(())
            }
            same if same == kind => Ok(()),
            _ => {
                *known = Kind::Plain;
                Err(Wrong)
            }
        }
    }
}
