//! Which operations on a window are complete, that is, when a fetched value may be read.
//!
//! A backend issues a [`CompletionTicket`] for every fetching operation and reports at each synchronisation which
//! tickets are complete. This is separate from the backends so that "too early" is the same error on all of them.
use std::{cell::Cell, rc::Rc};

use crate::{Error, Rank, Result, text::window};

/// The operations of one rank on one window.
///
/// ```
/// use wb_comm::CompletionTracker;
/// let completion = CompletionTracker::new(2);
/// let ticket = completion.ticket(1);
/// completion.complete(Some(0));
/// assert!(ticket.check().is_err());
/// completion.complete(Some(1));
/// assert!(ticket.check().is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct CompletionTracker(Rc<Counters>);

#[derive(Debug)]
struct Counters {
    /// The number of tickets issued so far.
    issued: Cell<u64>,
    /// For each target, the last ticket of those that are complete.
    complete: Box<[Cell<u64>]>,
}

/// The ticket of one operation.
#[derive(Clone, Debug)]
pub struct CompletionTicket {
    number: u64,
    target: Rank,
    counters: Rc<Counters>,
}

impl CompletionTracker {
    /// The tickets of a window of `size` ranks.
    pub fn new(size: usize) -> Self {
        Self(Rc::new(Counters { issued: Cell::new(0), complete: vec![Cell::new(0); size].into() }))
    }

    /// A ticket for an operation on `target` that begins now.
    pub fn ticket(&self, target: Rank) -> CompletionTicket {
        let number = self.0.issued.get() + 1;
        self.0.issued.set(number);
        CompletionTicket { number, target, counters: Rc::clone(&self.0) }
    }

    /// All operations so far on `target` are complete; `None`: on all ranks.
    pub fn complete(&self, target: Option<Rank>) {
        let now = self.0.issued.get();
        match target {
            Some(target) => self.0.complete[target].set(now),
            None => self.0.complete.iter().for_each(|complete| complete.set(now)),
        }
    }
}

impl CompletionTicket {
    /// Whether the operation is complete.
    pub fn is_complete(&self) -> bool {
        self.counters.complete[self.target].get() >= self.number
    }

    /// [`is_complete`](Self::is_complete), as a result.
    ///
    /// # Errors
    /// [`Error::Setup`] if the operation is not complete yet.
    pub fn check(&self) -> Result<()> {
        if self.is_complete() {
            return Ok(());
        }
        Err(Error::Setup(window::not_fetched(self.target)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_synchronisation_completes_what_was_before_it_and_nothing_after() {
        let completion = CompletionTracker::new(3);
        let (zero, two) = (completion.ticket(0), completion.ticket(2));
        completion.complete(Some(2));
        let later = completion.ticket(2);
        assert!(!zero.is_complete() && two.is_complete() && !later.is_complete());
        let error = later.check().expect_err("too early").to_string();
        assert!(error.starts_with("what was fetched from rank 2 is not there yet"), "{error}");
        completion.complete(None);
        assert!(zero.is_complete() && later.is_complete());
    }
}
