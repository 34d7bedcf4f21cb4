//! Ascend's level 1 in hardware, SyncAll, as a sense-reversing counter (the centralised barrier of Mellor-Crummey and
//! Scott 1991).
//!
//! Every PE adds 1 to core 0's count. The PE that makes it n sets it back to 0 and then publishes the episode's sense,
//! 1 and 0 in turn; the others wait for that. *First the count, then the sense*: in the other order a fast core's next
//! arrival is lost. The sense changes *immediately*: if a put were still in flight when its sender arrives again, the
//! sender would find the old sense, which is the one for which it waits.
//!
//! n additions on one cell and 1 store that n - 1 read; 2 hops. Memory O(1). Safe back to back: the sense cannot change
//! twice before every PE has arrived again.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{BarrierCost, BarrierEntry, Family, Guarantee, Implementation};

const COUNT: usize = 0;
const SENSE: usize = 1;

/// The sense-reversing central counter that models Ascend's SyncAll among the cores of a PE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoreSyncAll;

impl crate::barriers::BarrierProgram for CoreSyncAll {
    fn cells(&self, _size: usize) -> usize {
        2
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let (n, sense) = (m.size() as i64, epoch % 2);
        if n == 1 {
            return Ok(());
        }
        if m.fetch_add(0, COUNT, 1)? < n - 1 {
            return m.poll(0, SENSE, Until::Equal(sense));
        }
        m.swap(0, COUNT, 0)?;
        m.swap(0, SENSE, sense).map(drop)
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "core_sync_all",
    family: Family::Ascend,
    source: "Ascend SHMEM, core level (SyncAll); Mellor-Crummey and Scott 1991",
    section: "3.1",
    summary: Text {
        en: "sense-reversing counter: the last core resets it, then turns the sense",
        ru: "счётчик с обращением признака: последнее ядро сбрасывает его и переключает признак",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost {
        messages: if p > 1 { p + 1 } else { 0 },
        rounds: None,
        hops: Some(if p > 1 { 2 } else { 0 }),
    }),
    implementation: Implementation::Program(|_| Ok(Box::new(CoreSyncAll))),
}];
