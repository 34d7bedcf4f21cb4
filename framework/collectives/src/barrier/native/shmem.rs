//! What an OpenSHMEM library brings along.
//!
//! Open MPI's hands both on to MPI's barrier unless told otherwise (`OMPI_MCA_scoll=basic`), the first after a
//! `shmem_quiet`; so beside `mpi_barrier` these rows show what the wrapping costs.
use crate::catalogue::{Entry, Family, Form, Promise, Substrate, Text};

/// In the catalogue.
pub static ENTRIES: &[Entry] = &[
    Entry {
        name: "shmem_barrier_all",
        family: Family::Native,
        source: "OpenSHMEM 1.4, 9.9.1: shmem_barrier_all",
        section: "2",
        summary: Text {
            en: "the OpenSHMEM library's own barrier: all puts are complete",
            ru: "собственный барьер библиотеки OpenSHMEM: все записи завершены",
        },
        promise: Promise::COMPLETION,
        cost: None,
        form: Form::Native(&[Substrate::Shmem]),
    },
    Entry {
        name: "shmem_sync_all",
        family: Family::Native,
        source: "OpenSHMEM 1.4, 9.9.3: shmem_sync_all",
        section: "2",
        summary: Text {
            en: "the OpenSHMEM library's own rendezvous: nothing is said of puts",
            ru: "собственная встреча библиотеки OpenSHMEM: о записях ничего не сказано",
        },
        promise: Promise::RENDEZVOUS,
        cost: None,
        form: Form::Native(&[Substrate::Shmem]),
    },
];
