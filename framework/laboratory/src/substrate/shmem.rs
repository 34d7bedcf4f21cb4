//! The barriers of an OpenSHMEM library, in the same job as MPI's: on Open MPI both come from one installation.
//!
//! The library is started by the first form that needs it, after all others have their own; a job with it starts without
//! randomised addresses and ends without exit handlers, since this library crashes otherwise.
use wb_collectives::catalogue::{Entry, Substrate};
use wb_comm::{Error, Result, text};
use wb_oshmem::{BarrierAll, Shmem, SyncAll};
use wb_record::{Backend, BarrierForm};

use super::{Carrier, is_native, no_form, plain};
use crate::{bench::Bench, visit::Subject};

/// See the module.
pub(super) struct OpenShmem;

impl Carrier for OpenShmem {
    fn substrate(&self) -> Substrate {
        Substrate::Shmem
    }

    fn forms(&self, entry: &Entry) -> Vec<BarrierForm> {
        let runs = is_native(entry, Substrate::Shmem);
        runs.then(|| plain(entry, Substrate::Shmem, Backend::Mpi)).into_iter().collect()
    }

    fn build<'g>(&self, form: &BarrierForm, bench: &Bench<'g>) -> Result<Box<dyn Subject + 'g>> {
        let shmem = Shmem::shared()?;
        if (shmem.pe(), shmem.size()) != (bench.rank(), bench.setting.size) {
            return Err(Error::Setup(text::shmem::other_ranks(
                shmem.pe(),
                shmem.size(),
                bench.rank(),
                bench.setting.size,
            )));
        }
        match form.variant.as_str() {
            "shmem_barrier_all" => Ok(Box::new(BarrierAll(shmem))),
            "shmem_sync_all" => Ok(Box::new(SyncAll(shmem))),
            _ => Err(no_form(form)),
        }
    }
}
