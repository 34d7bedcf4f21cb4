//! The MPI library's own barriers.
use wb_barriers::{BarrierEntry, Substrate};
use wb_comm::{Barrier, Collectives, Error, Result, text};
use wb_record::{Backend, BarrierForm};

use crate::substrate::substrate_forms::{SubstrateForms, default_form, is_native, no_form};
use crate::{
    bench::{BarrierBench, site},
    visit::ErasedBarrier,
};

/// The forms of this substrate.
pub(super) struct MpiForms;

impl SubstrateForms for MpiForms {
    fn substrate(&self) -> Substrate {
        Substrate::Mpi
    }

    fn forms(&self, entry: &BarrierEntry) -> Vec<BarrierForm> {
        let runs = is_native(entry, Substrate::Mpi);
        runs.then(|| default_form(entry, Substrate::Mpi, Backend::Mpi)).into_iter().collect()
    }

    fn build<'g>(&self, form: &BarrierForm, bench: &BarrierBench<'g>) -> Result<Box<dyn ErasedBarrier + 'g>> {
        let library = || {
            let backend = bench.transport.backend();
            let none = || Error::Setup(text::barrier::not_in_backend(&form.variant, backend));
            bench.duplicate()?.native_collectives().ok_or_else(none)
        };
        match form.variant.as_str() {
            "mpi_barrier" => Ok(Box::new(Blocking(library()?))),
            "mpi_ibarrier" => Ok(Box::new(NonBlocking(library()?))),
            _ => Err(no_form(form)),
        }
    }
}

/// `MPI_Barrier`.
struct Blocking<'g>(&'g dyn Collectives);

impl Barrier for Blocking<'_> {
    #[inline]
    fn wait(&mut self) -> Result<()> {
        self.0.barrier(site())
    }
}

/// `MPI_Ibarrier` and `MPI_Wait`.
struct NonBlocking<'g>(&'g dyn Collectives);

impl Barrier for NonBlocking<'_> {
    #[inline]
    fn wait(&mut self) -> Result<()> {
        self.0.ibarrier_and_wait(site())
    }
}
