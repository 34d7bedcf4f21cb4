//! Wrong where messages overtake: epochs that are put, on a memory that does not keep the order of puts.
//!
//! A fast PE's epoch b + 1 arrives before its epoch b, which then overwrites it; the waiter waits for at least b + 1 for
//! ever. Right: additions (`dissemination`), or ordered delivery, which `dissemination_epoch` asks for.
use wb_comm::{Memory, Result, Text};

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation,
    catalogue::program::dissemination_epoch::DisseminationEpoch,
};

/// [`DisseminationEpoch`] on a memory that does not keep the order of puts, where it is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnorderedEpochDissemination(DisseminationEpoch);

impl crate::barriers::BarrierProgram for UnorderedEpochDissemination {
    fn cells(&self, size: usize) -> usize {
        self.0.cells(size)
    }

    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        self.0.episode(m, epoch)
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "dissemination_epoch_unordered",
    family: Family::Wrong,
    source: "epoch flags over a network that reorders",
    section: "8, row 13",
    summary: Text {
        en: "an old epoch can arrive after a newer one and overwrite it",
        ru: "старый номер эпизода может прийти после нового и затереть его",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| Ok(Box::new(UnorderedEpochDissemination::default()))),
}];
