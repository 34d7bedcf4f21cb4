//! What the MPI library brings along.
use crate::catalogue::{Entry, Family, Form, Promise, Substrate, Text};

/// In the catalogue.
pub static ENTRIES: &[Entry] = &[
    Entry {
        name: "mpi_barrier",
        family: Family::Native,
        source: "MPI 3.1, 5.3: MPI_Barrier",
        section: "1.9",
        summary: Text {
            en: "the library's own barrier", ru: "собственный барьер библиотеки"
        },
        promise: Promise::RENDEZVOUS,
        cost: None,
        form: Form::Native(&[Substrate::Mpi]),
    },
    Entry {
        name: "mpi_ibarrier",
        family: Family::Native,
        source: "MPI 3.1, 5.12.1: MPI_Ibarrier, then MPI_Wait",
        section: "1.9",
        summary: Text {
            en: "the library's own non-blocking barrier, waited for at once",
            ru: "собственный неблокирующий барьер библиотеки с немедленным ожиданием",
        },
        promise: Promise::RENDEZVOUS,
        cost: None,
        form: Form::Native(&[Substrate::Mpi]),
    },
];
