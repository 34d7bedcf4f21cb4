//! All to all: everybody tells everybody, and hears everybody.
//!
//! Source: Ascend shmem's v3, "centralised pull": run by pulling, a rank stores into its own flag once and then reads
//! everybody else's. In Open MPI's RMA it is post, start, complete, wait with everybody.
//!
//! Tell (r + d) mod P for d = 1..P-1, then hear (r - d) mod P for d = 1..P-1: pairwise, so that not all read the same
//! flag at a time.
//!
//! Messages P (P - 1), rounds P - 1, 1 hop: nothing is faster where a signal is cheap and waiting dear. One's own flag
//! comes *first*: who stores it when its turn comes in the order of ranks makes a chain of P hops of it, which is still
//! a barrier. Safe back to back.
use wb_comm::{Result, Signal};

use crate::catalogue::{Cost, Entry, Family, Form, Promise, Text};

/// See the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllToAll;

impl crate::Pattern for AllToAll {
    fn episode<S: Signal>(&self, s: &mut S) -> Result<()> {
        let (r, p) = (s.rank(), s.size());
        (1..p).try_for_each(|d| s.tell((r + d) % p, 0))?;
        (1..p).try_for_each(|d| s.hear((r + p - d) % p, 0))
    }
}

/// In the catalogue.
pub static ENTRIES: &[Entry] = &[Entry {
    name: "all_to_all",
    family: Family::Ascend,
    source: "Ascend shmem, NPU level v3 (pull)",
    section: "3.2",
    summary: Text {
        en: "everybody tells everybody: one store, then everybody else's flag is read",
        ru: "каждый сообщает каждому: одна запись, затем чтение флагов всех остальных",
    },
    promise: Promise::RENDEZVOUS,
    cost: Some(|p| Cost { messages: p * (p - 1), rounds: Some(p - 1), hops: Some(usize::from(p > 1)) }),
    form: Form::Pattern(|_| Ok(Box::new(AllToAll))),
}];
