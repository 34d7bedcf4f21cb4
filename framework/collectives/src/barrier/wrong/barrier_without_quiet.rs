//! Wrong: OpenSHMEM's barrier without the quiet at its beginning, which is a sync only.
//!
//! An episode is how a barrier is used: put a datum to the neighbour, meet, look at what the other neighbour has put.
//! The meeting is right, and everybody has entered; but what was put before may still be under way. Who finds an old datum
//! waits for ever, so that it shows. Puts that arrive at once hide it, as a library does whose puts happen to be quick.
//! Right: quiet, then meet.
use wb_comm::{Memory, Result, Until};

use crate::{
    Part, Program,
    barrier::program::central_counter::CentralCounter,
    catalogue::{Entry, Family, Form, Promise, Text},
};

/// See the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DataBeforeBarrier<const QUIET: bool>;

const DATUM: usize = 0;
const MEETING: usize = 1;

impl<const QUIET: bool> Program for DataBeforeBarrier<QUIET> {
    fn cells(&self, size: usize) -> usize {
        MEETING + CentralCounter.cells(size)
    }

    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let (me, all) = (m.rank(), (0..m.size()).collect::<Vec<_>>());
        m.put((me + 1) % all.len(), DATUM, epoch)?;
        if QUIET {
            m.quiet()?;
        }
        CentralCounter.episode(&mut Part::new(m, &all, me, MEETING), epoch)?;
        // A fast neighbour may be one episode ahead.
        let old = m.load(DATUM)? < epoch;
        if old { m.wait(DATUM, Until::Equal(-1)) } else { Ok(()) }
    }
}

/// In the catalogue.
pub static ENTRIES: &[Entry] = &[Entry {
    name: "barrier_without_quiet",
    family: Family::Wrong,
    source: "source text on OpenSHMEM, shmem_barrier and shmem_barrier_all",
    section: "8, row 7",
    summary: Text {
        en: "a barrier that does not complete what was put before it",
        ru: "барьер, который не завершает сделанных до него записей",
    },
    promise: Promise::RENDEZVOUS,
    cost: None,
    form: Form::Program(|_| Ok(Box::new(DataBeforeBarrier::<false>))),
}];
