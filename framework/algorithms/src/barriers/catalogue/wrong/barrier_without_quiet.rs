//! Wrong: OpenSHMEM's barrier without the quiet at its beginning, which is a sync only.
//!
//! An episode is a use of the barrier: PE 0 puts a datum to PE 1, all synchronise, PE 1 reads it, and stops if it finds
//! an old one. The rendezvous is right, and every rank has entered; but earlier puts may still be in flight. Puts that
//! arrive immediately hide it, as in a library with fast puts. Right: quiet, then the rendezvous.
use wb_comm::Text;

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, catalogue::program::central_counter::CentralCounter,
    explore::BarrierWithPut,
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "barrier_without_quiet",
    family: Family::Wrong,
    source: "source text on OpenSHMEM, shmem_barrier and shmem_barrier_all",
    section: "8, row 7",
    summary: Text {
        en: "a barrier that does not complete what was put before it",
        ru: "барьер, который не завершает сделанных до него записей",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| {
        Ok(Box::new(BarrierWithPut::new(Box::new(CentralCounter), 0, 1)))
    }),
}];
