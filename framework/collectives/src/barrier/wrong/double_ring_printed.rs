//! Double ring as a source text prints it: both receives are for `rank > 0`, and rank 0 has none.
//!
//! Rank 0 never waits, so it leaves before anybody else has entered: with 2 ranks it knows of nobody. Two messages to it
//! are left over, and the synchronous one of rank P - 1 never ends. See `double_ring` for what rank 0 must do.
use wb_comm::{Result, Signal};

use crate::catalogue::{Entry, Family, Form, Promise, Text};

/// See the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DoubleRingPrinted;

impl crate::Pattern for DoubleRingPrinted {
    fn episode<S: Signal>(&self, s: &mut S) -> Result<()> {
        let (r, p) = (s.rank(), s.size());
        let (left, right) = ((r + p - 1) % p, (r + 1) % p);
        let others = (r > 0).then_some(left);
        if p == 1 {
            return Ok(());
        }
        others.map_or(Ok(()), |left| s.hear(left, 0))?;
        s.tell(right, 0)?;
        others.map_or(Ok(()), |left| s.hear(left, 0))?;
        s.tell_synchronously(right, 0)
    }
}

/// In the catalogue.
pub static ENTRIES: &[Entry] = &[Entry {
    name: "double_ring_printed",
    family: Family::Wrong,
    source: "an analysis of Open MPI's barriers, double ring",
    section: "8, row 1",
    summary: Text {
        en: "double ring in which rank 0 hears nothing: it leaves at once",
        ru: "двойное кольцо, в котором ранг 0 никого не слушает: он уходит сразу",
    },
    promise: Promise::RENDEZVOUS,
    cost: None,
    form: Form::Pattern(|_| Ok(Box::new(DoubleRingPrinted))),
}];
