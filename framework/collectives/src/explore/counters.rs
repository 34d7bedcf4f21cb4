//! Cells of which one asks only whether they have risen far enough.
//!
//! What happens at such a cell commutes with everything else: an addition that arrives, a store of its owner, or one of
//! its only writer's puts in order takes away nobody's leave to go on, and a wait that may end still may later. So these
//! steps follow at once upon the step before, and barriers that count have few states. A cell is one
//!
//! - if it is only *added* to, upwards, and each wait is for a least value (or for one that is not 0, and it is never
//!   below). Its owner may take 1 back after each of its own waits for more than 0, provided that nobody else looks, and
//!   that it is [quiet](wb_comm::Memory::quiet) before it looks again: then a semaphore's value is never below 0, and
//!   what is taken back is seen by nobody on its way;
//! - or if only its owner *stores* it, or only one PE *puts* into it with puts that arrive in order (each way is a
//!   channel, or there is a fence between two), the values rise, and no wait admits one of them but not a later one.
//!
//! That a cell is one is *assumed* until an operation says otherwise; then the search begins anew, knowing better. No
//! operation can hide behind a wrong assumption: take a shortest run to one that was never seen. All its other operations
//! were seen, so what was assumed holds of them, and the steps taken at once commute in it: the search has made the same
//! run in another order, and has seen the last operation too.
use std::collections::BTreeSet;

use wb_comm::{Cell, Rank, Until};

use super::{Operation, automaton::Fact};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Nobody writes it.
    Silent,
    /// It is added to, by anybody; its owner may take back.
    Added,
    /// Its owner alone stores it, and may load it.
    Stored,
    /// This PE alone puts into it, and its puts arrive in order.
    Put(Rank),
    /// None of these.
    Plain,
}

/// One cell.
#[derive(Clone, Debug)]
struct Known {
    kind: Kind,
    initial: i64,
    /// What it holds at first, and what is stored or put there.
    values: BTreeSet<i64>,
    /// What is waited for.
    untils: Vec<Until>,
    /// Do others look?
    watched: bool,
    /// Does its owner take back?
    taken: bool,
}

impl Known {
    /// A wait that may end, may end as well after all that can still happen here.
    fn admits_for_ever(&self, until: Until) -> bool {
        match (self.kind, until) {
            (_, Until::AtLeast(_)) => true,
            (Kind::Added, Until::NotEqual(0)) => self.initial >= 0,
            (Kind::Added, _) => false,
            _ => !self
                .values
                .iter()
                .skip_while(|&&value| !until.admits(value))
                .any(|&value| !until.admits(value)),
        }
    }

    fn is_counter(&self) -> bool {
        let semaphore = self.initial >= 0 && !self.watched;
        self.kind != Kind::Plain
            && (!self.taken || semaphore)
            && self.untils.iter().all(|&until| self.admits_for_ever(until))
    }
}

/// What is assumed of every cell.
#[derive(Clone, Debug)]
pub(super) struct Counters {
    known: Vec<Known>,
    cells: usize,
    puts_in_order: bool,
}

/// An assumption was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrong;

impl Counters {
    /// Of `pes` PEs, each with cells that hold these values at first.
    pub(super) fn new(pes: usize, initial: &[i64], puts_in_order: bool) -> Self {
        let silent = |&initial: &i64| Known {
            kind: Kind::Silent,
            initial,
            values: BTreeSet::from([initial]),
            untils: vec![],
            watched: false,
            taken: false,
        };
        let known = (0..pes).flat_map(|_| initial.iter().map(silent)).collect();
        Self { known, cells: initial.len(), puts_in_order }
    }

    pub(super) fn is(&self, pe: Rank, cell: Cell) -> bool {
        self.known[pe * self.cells + cell].kind != Kind::Plain
    }

    /// Something about what `pe` does has come to light.
    pub(super) fn learn(&mut self, pe: Rank, fact: Fact) -> Result<(), Wrong> {
        match fact {
            Fact::Unfinished { cell } => self.is_plain(pe, cell),
            Fact::Does { operation, fenced, guarded } => self.done(pe, operation, fenced, guarded),
        }
    }

    fn done(&mut self, pe: Rank, operation: Operation, fenced: bool, guarded: bool) -> Result<(), Wrong> {
        match operation {
            Operation::Wait { cell, until } => self.asked(pe, cell, until, false),
            Operation::Poll { pe: of, cell, until } => self.asked(of, cell, until, of != pe),
            Operation::Fence | Operation::Quiet | Operation::Nothing => Ok(()),
            Operation::Add { pe: to, cell, by } if by > 0 => self.written(to, cell, Kind::Added, None),
            Operation::Add { pe: to, cell, by: -1 } if to == pe && guarded => self.taken(pe, cell),
            Operation::Put { pe: to, cell, value } if fenced || self.puts_in_order => {
                self.written(to, cell, Kind::Put(pe), Some(value))
            }
            // What only its owner stores, the owner finds as it has left it.
            Operation::Store { cell, value } => self.written(pe, cell, Kind::Stored, Some(value)),
            Operation::Load { cell } => self.written(pe, cell, Kind::Stored, None),
            Operation::Test { cell, .. } => self.is_plain(pe, cell),
            Operation::Put { pe, cell, .. }
            | Operation::Add { pe, cell, .. }
            | Operation::Get { pe, cell }
            | Operation::FetchAdd { pe, cell, .. }
            | Operation::Swap { pe, cell, .. }
            | Operation::CompareSwap { pe, cell, .. } => self.is_plain(pe, cell),
        }
    }

    /// A store or put has made the cell smaller, or something else speaks against it.
    pub(super) fn is_plain(&mut self, pe: Rank, cell: Cell) -> Result<(), Wrong> {
        self.becomes(pe, cell, |known| known.kind = Kind::Plain)
    }

    fn asked(&mut self, pe: Rank, cell: Cell, until: Until, by_another: bool) -> Result<(), Wrong> {
        self.becomes(pe, cell, |known| {
            known.untils.push(until);
            known.watched |= by_another;
        })
    }

    fn taken(&mut self, pe: Rank, cell: Cell) -> Result<(), Wrong> {
        self.written(pe, cell, Kind::Added, None)?;
        self.becomes(pe, cell, |known| known.taken = true)
    }

    fn written(&mut self, pe: Rank, cell: Cell, kind: Kind, value: Option<i64>) -> Result<(), Wrong> {
        self.becomes(pe, cell, |known| {
            known.values.extend(value);
            known.kind = if known.kind == Kind::Silent || known.kind == kind { kind } else { Kind::Plain };
        })
    }

    /// After a change: is it a counter still?
    fn becomes(&mut self, pe: Rank, cell: Cell, change: impl FnOnce(&mut Known)) -> Result<(), Wrong> {
        let known = &mut self.known[pe * self.cells + cell];
        if known.kind == Kind::Plain {
            return Ok(());
        }
        change(known);
        if known.is_counter() {
            return Ok(());
        }
        known.kind = Kind::Plain;
        Err(Wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counters() -> Counters {
        Counters::new(2, &[0], false)
    }

    fn does(operation: Operation) -> Fact {
        Fact::Does { operation, fenced: false, guarded: false }
    }

    fn wait(until: Until) -> Fact {
        does(Operation::Wait { cell: 0, until })
    }

    fn put(value: i64) -> Fact {
        let operation = Operation::Put { pe: 0, cell: 0, value };
        Fact::Does { operation, fenced: true, guarded: false }
    }

    fn take(guarded: bool) -> Fact {
        Fact::Does { operation: Operation::Add { pe: 0, cell: 0, by: -1 }, fenced: false, guarded }
    }

    #[test]
    fn a_wait_must_admit_all_that_may_still_be_put() {
        let mut counters = counters();
        assert_eq!(counters.learn(0, wait(Until::Either(1, 2))), Ok(()));
        assert_eq!([1, 2].map(|value| counters.learn(1, put(value))), [Ok(()); 2]);
        assert_eq!(counters.learn(1, put(3)), Err(Wrong), "3 ends what 1 and 2 admit");
        assert!(!counters.is(0, 0) && counters.is(1, 0));
        assert_eq!(counters.learn(1, put(4)), Ok(()), "it is known");
    }

    #[test]
    fn puts_without_a_fence_and_puts_of_two_are_no_counter() {
        let unfenced = does(Operation::Put { pe: 0, cell: 0, value: 1 });
        assert_eq!(counters().learn(1, unfenced), Err(Wrong));
        let mut counters = counters();
        assert_eq!([1, 0].map(|pe| counters.learn(pe, put(1))), [Ok(()), Err(Wrong)]);
    }

    #[test]
    fn only_a_pe_that_has_waited_takes_back_and_nobody_else_looks() {
        assert_eq!(counters().learn(0, take(false)), Err(Wrong));
        assert_eq!(counters().learn(1, take(true)), Err(Wrong), "it is not its own");
        let mut counters = counters();
        let facts = [wait(Until::NotEqual(0)), take(true), wait(Until::AtLeast(1))];
        assert_eq!(facts.map(|fact| counters.learn(0, fact)), [Ok(()); 3]);
        let mut watched = counters.clone();
        let poll = does(Operation::Poll { pe: 0, cell: 0, until: Until::AtLeast(1) });
        assert_eq!(watched.learn(1, poll), Err(Wrong));
        assert_eq!(counters.learn(0, Fact::Unfinished { cell: 0 }), Err(Wrong));
    }
}
