//! Wrong: Ascend's pull that waits for equality.
//!
//! A peer that has been seen by all others continues and raises its flag to the next epoch; a PE that reads it later waits
//! for a value that is gone. Right: `npu_pull`, which accepts the next epoch too.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{BarrierEntry, Family, Guarantee, Implementation};

const FLAG: usize = 0;

/// A wrong pull barrier: it waits until a flag equals the epoch, not until it has reached it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PullExact;

impl crate::barriers::BarrierProgram for PullExact {
    fn cells(&self, _size: usize) -> usize {
        1
    }

    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let (r, p) = (m.rank(), m.size());
        m.store(FLAG, epoch)?;
        (0..p).filter(|&pe| pe != r).try_for_each(|pe| m.poll(pe, FLAG, Until::Equal(epoch)))
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "pull_exact",
    family: Family::Wrong,
    source: "Ascend SHMEM, NPU level, version 3 with equality",
    section: "3.2",
    summary: Text {
        en: "every rank waits until the flag of each equals this epoch",
        ru: "каждый ждёт, пока флаг каждого равен именно этой эпохе",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| Ok(Box::new(PullExact))),
}];
