//! The barriers of the MPI library.
use wb_comm::Text;

use crate::barriers::{BarrierEntry, Family, Guarantee, Implementation, Substrate};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    BarrierEntry {
        name: "mpi_barrier",
        family: Family::Native,
        source: "MPI 3.1, 5.3: MPI_Barrier",
        section: "1.9",
        summary: Text {
            en: "the library's own barrier", ru: "собственный барьер библиотеки"
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: None,
        implementation: Implementation::Native(&[Substrate::Mpi]),
    },
    BarrierEntry {
        name: "mpi_ibarrier",
        family: Family::Native,
        source: "MPI 3.1, 5.12.1: MPI_Ibarrier, then MPI_Wait",
        section: "1.9",
        summary: Text {
            en: "the library's own non-blocking barrier, waited for immediately",
            ru: "собственный неблокирующий барьер библиотеки с немедленным ожиданием",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: None,
        implementation: Implementation::Native(&[Substrate::Mpi]),
    },
];
