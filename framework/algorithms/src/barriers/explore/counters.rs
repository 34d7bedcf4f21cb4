//! Counters: cells of which a PE tests only whether they have risen far enough.
//!
//! Steps at such a cell commute with all others: an addition that arrives, a store of its owner, or one of its only
//! writer's puts in order disables no step of a PE, and a wait that may end still may later. So these steps follow
//! immediately after the step before, and barriers that count have few states. A cell is a counter
//!
//! - if it is only *added* to, upwards, and each wait is for a least value (or for one that is not 0, and it is never
//!   below). Its owner may take 1 back after each of its own waits for more than 0, provided that no other PE looks, and
//!   that it is [quiet](wb_comm::Memory::quiet) before it looks again: then a semaphore's value is never below 0, and
//!   what is taken back is seen by no PE on its way;
//! - or if only its owner *stores* it, or only one PE *puts* into it with puts that arrive in order (each way is a
//!   channel, or there is a fence between two), the values rise, and no wait admits one of them but not a later one.
//!
//! That a cell is a counter is *assumed* until an operation contradicts it; then the search restarts without this
//! assumption. No operation can hide behind a wrong assumption: take a shortest run to one that was never seen. All its
//! other operations were seen, so the assumptions hold for them, and the steps taken immediately commute in it: the
//! search has made the same run in another order, and has seen the last operation too.
use std::collections::BTreeSet;

use wb_comm::{CellIndex, Rank, Until};

use super::{MemoryOp, automaton::PeObservation};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellKind {
    /// No PE writes it.
    Silent,
    /// A cell to which any PE adds; its owner may subtract.
    Added,
    /// A cell that its owner alone stores, and may load.
    Stored,
    /// A cell into which this PE alone puts, in order.
    Put(Rank),
    /// None of these.
    Plain,
}

/// One cell.
#[derive(Clone, Debug)]
struct CellInfo {
    kind: CellKind,
    initial: i64,
    /// Its initial value, and the values that are stored or put there.
    values: BTreeSet<i64>,
    /// The conditions of waits.
    untils: Vec<Until>,
    /// Whether others read it.
    is_polled: bool,
    /// Whether its owner subtracts from it.
    is_decremented: bool,
}

impl CellInfo {
    /// A wait that may end now may also end after all later steps here.
    fn is_stable(&self, until: Until) -> bool {
        match (self.kind, until) {
            (_, Until::AtLeast(_)) => true,
            (CellKind::Added, Until::NotEqual(0)) => self.initial >= 0,
            (CellKind::Added, _) => false,
            _ => !self
                .values
                .iter()
                .skip_while(|&&value| !until.matches(value))
                .any(|&value| !until.matches(value)),
        }
    }

    fn is_counter(&self) -> bool {
        let semaphore = self.initial >= 0 && !self.is_polled;
        self.kind != CellKind::Plain
            && (!self.is_decremented || semaphore)
            && self.untils.iter().all(|&until| self.is_stable(until))
    }
}

/// The assumptions about all cells.
#[derive(Clone, Debug)]
pub(super) struct Counters {
    cell_info: Vec<CellInfo>,
    cells: usize,
    puts_in_order: bool,
}

/// An assumption was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WrongAssumption;

impl Counters {
    /// The cells of `pes` PEs, with these values at first.
    pub(super) fn new(pes: usize, initial: &[i64], puts_in_order: bool) -> Self {
        let silent = |&initial: &i64| CellInfo {
            kind: CellKind::Silent,
            initial,
            values: BTreeSet::from([initial]),
            untils: vec![],
            is_polled: false,
            is_decremented: false,
        };
        let known = (0..pes).flat_map(|_| initial.iter().map(silent)).collect();
        Self { cell_info: known, cells: initial.len(), puts_in_order }
    }

    pub(super) fn is_counter(&self, pe: Rank, cell: CellIndex) -> bool {
        self.cell_info[pe * self.cells + cell].kind != CellKind::Plain
    }

    /// A new observation about the behaviour of `pe`.
    pub(super) fn observe(&mut self, pe: Rank, fact: PeObservation) -> Result<(), WrongAssumption> {
        match fact {
            PeObservation::Unfinished { cell } => self.mark_plain(pe, cell),
            PeObservation::Executes { operation, fenced, guarded } => {
                self.record_operation(pe, operation, fenced, guarded)
            }
        }
    }

    fn record_operation(
        &mut self,
        pe: Rank,
        operation: MemoryOp,
        fenced: bool,
        guarded: bool,
    ) -> Result<(), WrongAssumption> {
        match operation {
            MemoryOp::Wait { cell, until } => self.record_wait(pe, cell, until, false),
            MemoryOp::Poll { pe: of, cell, until } => self.record_wait(of, cell, until, of != pe),
            MemoryOp::Fence | MemoryOp::Quiet | MemoryOp::Nothing => Ok(()),
            MemoryOp::Add { pe: to, cell, by } if by > 0 => {
                self.record_write(to, cell, CellKind::Added, None)
            }
            MemoryOp::Add { pe: to, cell, by: -1 } if to == pe && guarded => self.record_decrement(pe, cell),
            MemoryOp::Put { pe: to, cell, value } if fenced || self.puts_in_order => {
                self.record_write(to, cell, CellKind::Put(pe), Some(value))
            }
            // The owner finds a cell that only it stores as it has left it.
            MemoryOp::Store { cell, value } => self.record_write(pe, cell, CellKind::Stored, Some(value)),
            MemoryOp::Load { cell } => self.record_write(pe, cell, CellKind::Stored, None),
            MemoryOp::Test { cell, .. } => self.mark_plain(pe, cell),
            MemoryOp::Put { pe, cell, .. }
            | MemoryOp::Add { pe, cell, .. }
            | MemoryOp::Get { pe, cell }
            | MemoryOp::FetchAdd { pe, cell, .. }
            | MemoryOp::Swap { pe, cell, .. }
            | MemoryOp::CompareSwap { pe, cell, .. } => self.mark_plain(pe, cell),
        }
    }

    /// A store or put has made the cell smaller, or another operation contradicts the assumption.
    pub(super) fn mark_plain(&mut self, pe: Rank, cell: CellIndex) -> Result<(), WrongAssumption> {
        self.update(pe, cell, |known| known.kind = CellKind::Plain)
    }

    fn record_wait(
        &mut self,
        pe: Rank,
        cell: CellIndex,
        until: Until,
        by_another: bool,
    ) -> Result<(), WrongAssumption> {
        self.update(pe, cell, |known| {
            known.untils.push(until);
            known.is_polled |= by_another;
        })
    }

    fn record_decrement(&mut self, pe: Rank, cell: CellIndex) -> Result<(), WrongAssumption> {
        self.record_write(pe, cell, CellKind::Added, None)?;
        self.update(pe, cell, |known| known.is_decremented = true)
    }

    fn record_write(
        &mut self,
        pe: Rank,
        cell: CellIndex,
        kind: CellKind,
        value: Option<i64>,
    ) -> Result<(), WrongAssumption> {
        self.update(pe, cell, |known| {
            known.values.extend(value);
            known.kind =
                if known.kind == CellKind::Silent || known.kind == kind { kind } else { CellKind::Plain };
        })
    }

    /// Checks after a change that it is still a counter.
    fn update(
        &mut self,
        pe: Rank,
        cell: CellIndex,
        change: impl FnOnce(&mut CellInfo),
    ) -> Result<(), WrongAssumption> {
        let known = &mut self.cell_info[pe * self.cells + cell];
        if known.kind == CellKind::Plain {
            return Ok(());
        }
        change(known);
        if known.is_counter() {
            return Ok(());
        }
        known.kind = CellKind::Plain;
        Err(WrongAssumption)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counters() -> Counters {
        Counters::new(2, &[0], false)
    }

    fn executes(operation: MemoryOp) -> PeObservation {
        PeObservation::Executes { operation, fenced: false, guarded: false }
    }

    fn wait(until: Until) -> PeObservation {
        executes(MemoryOp::Wait { cell: 0, until })
    }

    fn put(value: i64) -> PeObservation {
        let operation = MemoryOp::Put { pe: 0, cell: 0, value };
        PeObservation::Executes { operation, fenced: true, guarded: false }
    }

    fn take(guarded: bool) -> PeObservation {
        PeObservation::Executes {
            operation: MemoryOp::Add { pe: 0, cell: 0, by: -1 },
            fenced: false,
            guarded,
        }
    }

    #[test]
    fn a_wait_must_admit_all_that_may_still_be_put() {
        let mut counters = counters();
        assert_eq!(counters.observe(0, wait(Until::Either(1, 2))), Ok(()));
        assert_eq!([1, 2].map(|value| counters.observe(1, put(value))), [Ok(()); 2]);
        assert_eq!(counters.observe(1, put(3)), Err(WrongAssumption), "3 ends what 1 and 2 admit");
        assert!(!counters.is_counter(0, 0) && counters.is_counter(1, 0));
        assert_eq!(counters.observe(1, put(4)), Ok(()), "it is known");
    }

    #[test]
    fn puts_without_a_fence_and_puts_of_two_are_no_counter() {
        let unfenced = executes(MemoryOp::Put { pe: 0, cell: 0, value: 1 });
        assert_eq!(counters().observe(1, unfenced), Err(WrongAssumption));
        let mut counters = counters();
        assert_eq!([1, 0].map(|pe| counters.observe(pe, put(1))), [Ok(()), Err(WrongAssumption)]);
    }

    #[test]
    fn only_a_pe_that_has_waited_takes_back_and_nobody_else_looks() {
        assert_eq!(counters().observe(0, take(false)), Err(WrongAssumption));
        assert_eq!(counters().observe(1, take(true)), Err(WrongAssumption), "it is not its own");
        let mut counters = counters();
        let facts = [wait(Until::NotEqual(0)), take(true), wait(Until::AtLeast(1))];
        assert_eq!(facts.map(|fact| counters.observe(0, fact)), [Ok(()); 3]);
        let mut watched = counters.clone();
        let poll = executes(MemoryOp::Poll { pe: 0, cell: 0, until: Until::AtLeast(1) });
        assert_eq!(watched.observe(1, poll), Err(WrongAssumption));
        assert_eq!(counters.observe(0, PeObservation::Unfinished { cell: 0 }), Err(WrongAssumption));
    }
}
