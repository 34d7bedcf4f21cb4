//! Ascend's level 2, version 3: every PE raises a flag of its own and reads every other PE's, K readers at a time.
//!
//! k = min(8, size, vector cores); core j < k reads PEs j, j + k, j + 2k, ... The own flag is stored *first*, by the
//! core whose share it is: stored at its own number it would follow the reads of the flags before it, a chain through
//! all PEs. A flag counts when it is the epoch or the next one: a peer may already be in the next barrier, and a PE
//! that waits for equality then waits for ever (`wrong/pull_exact`).
//!
//! P stores, at least P (P - 1) remote reads; 1 store and ceil((P - 1) / k) reads one after the other. Memory: one line a
//! PE. No order of delivery is needed, nothing is put.
use wb_comm::{Memory, Result, Text};

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, Guarantee, Implementation,
    ascend::{CoreContext, NpuBarrier, OneCore, at_epoch_or_next},
};

/// The most cores of a PE that read.
const READERS: usize = 8;

const FLAG: usize = 0;

/// The pull barrier among PEs: each stores its own flag, and up to 8 of its cores read those of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NpuPull;

impl NpuBarrier for NpuPull {
    fn cells(&self, _pes: usize) -> usize {
        1
    }

    #[inline]
    fn episode<L: CoreContext>(&self, core: &mut L, epoch: i64) -> Result<()> {
        let (vector_core, vector_cores) = (core.vector_core(), core.vector_cores());
        let mut m = core.pe_memory();
        let (me, size) = (m.rank(), m.size());
        let readers = READERS.min(size).min(vector_cores);
        let Some(vector_core) = vector_core.filter(|vector_core| *vector_core < readers) else {
            return Ok(());
        };
        if me % readers == vector_core {
            m.store(FLAG, epoch)?;
        }
        let mut others = (vector_core..size).step_by(readers).filter(|pe| *pe != me);
        others.try_for_each(|pe| m.poll(pe, FLAG, at_epoch_or_next(epoch)))
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "npu_pull",
    family: Family::Ascend,
    source: "Ascend SHMEM, NPU level, version 3 (centralised pull)",
    section: "3.2",
    summary: Text {
        en: "raise the own flag, then read every other PE's",
        ru: "поднять свой флаг, затем прочитать флаги всех остальных",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost { messages: if p > 1 { p } else { 0 }, rounds: None, hops: None }),
    implementation: Implementation::Program(|_| Ok(Box::new(OneCore(NpuPull)))),
}];
