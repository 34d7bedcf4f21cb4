//! The barriers of an OpenSHMEM library, in the same job as MPI's; on Open MPI both belong to one installation.
//!
//! The first form that needs the library starts it, after all other forms are built. A job with it starts without
//! address space randomisation and ends without exit handlers, since this library crashes otherwise.
use wb_barriers::{BarrierEntry, Substrate};
use wb_comm::{Error, Result, text};
use wb_oshmem::{BarrierAll, ShmemLibrary, SyncAll};
use wb_record::{Backend, BarrierForm};

use crate::substrate::substrate_forms::{SubstrateForms, default_form, is_native, no_form, one_host};
use crate::{bench::BarrierBench, visit::ErasedBarrier};

/// The forms of this substrate.
pub(super) struct ShmemForms;

impl SubstrateForms for ShmemForms {
    fn substrate(&self) -> Substrate {
        Substrate::Shmem
    }

    fn forms(&self, entry: &BarrierEntry) -> Vec<BarrierForm> {
        let runs = is_native(entry, Substrate::Shmem);
        runs.then(|| default_form(entry, Substrate::Shmem, Backend::Mpi)).into_iter().collect()
    }

    fn build<'g>(&self, form: &BarrierForm, bench: &BarrierBench<'g>) -> Result<Box<dyn ErasedBarrier + 'g>> {
        one_host(bench)?;
        let shmem = ShmemLibrary::shared()?;
        if (shmem.pe(), shmem.size()) != (bench.rank(), bench.group.size) {
            return Err(Error::Setup(text::shmem::other_ranks(
                shmem.pe(),
                shmem.size(),
                bench.rank(),
                bench.group.size,
            )));
        }
        match form.variant.as_str() {
            "shmem_barrier_all" => Ok(Box::new(BarrierAll(shmem))),
            "shmem_sync_all" => Ok(Box::new(SyncAll(shmem))),
            _ => Err(no_form(form)),
        }
    }
}
