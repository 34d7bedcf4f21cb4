//! The barriers of an OpenSHMEM library.
//!
//! Open MPI's library forwards both to MPI's barrier unless configured otherwise (`OMPI_MCA_scoll=basic`), the first
//! after a `shmem_quiet`; so beside `mpi_barrier` these rows show the cost of the wrapper.
use wb_comm::Text;

use crate::barriers::{BarrierEntry, Family, Guarantee, Implementation, Substrate};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    BarrierEntry {
        name: "shmem_barrier_all",
        family: Family::Native,
        source: "OpenSHMEM 1.4, 9.9.1: shmem_barrier_all",
        section: "2",
        summary: Text {
            en: "the OpenSHMEM library's own barrier: all puts are complete",
            ru: "собственный барьер библиотеки OpenSHMEM: все записи завершены",
        },
        guarantee: Guarantee::COMPLETION,
        cost: None,
        implementation: Implementation::Native(&[Substrate::Shmem]),
    },
    BarrierEntry {
        name: "shmem_sync_all",
        family: Family::Native,
        source: "OpenSHMEM 1.4, 9.9.3: shmem_sync_all",
        section: "2",
        summary: Text {
            en: "the OpenSHMEM library's own rendezvous: nothing is said of puts",
            ru: "собственная встреча библиотеки OpenSHMEM: о записях ничего не сказано",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: None,
        implementation: Implementation::Native(&[Substrate::Shmem]),
    },
];
