//! What Rust's standard library brings along, for threads of one process.
use std::sync::{Barrier as StdBarrier, OnceLock};

use wb_collectives::catalogue::{Entry, Substrate};
use wb_comm::{Barrier, Result};
use wb_record::{Backend, BarrierForm};

use super::{Carrier, is_native, plain, unknown};
use crate::{bench::Bench, visit::Subject};

/// See the module.
pub(super) struct Std;

impl Carrier for Std {
    fn substrate(&self) -> Substrate {
        Substrate::Std
    }

    fn forms(&self, entry: &Entry) -> Vec<BarrierForm> {
        let runs = is_native(entry, Substrate::Std);
        runs.then(|| plain(entry, Substrate::Std, Backend::Threads)).into_iter().collect()
    }

    fn build<'g>(&self, form: &BarrierForm, bench: &Bench<'g>) -> Result<Box<dyn Subject + 'g>> {
        match form.variant.as_str() {
            "std_barrier" => Ok(Box::new(OfStd(shared(bench.setting.size)))),
            other => Err(unknown(other)),
        }
    }
}

/// The barrier of this process's threads; a process is one job of one size.
fn shared(size: usize) -> &'static StdBarrier {
    static SHARED: OnceLock<StdBarrier> = OnceLock::new();
    SHARED.get_or_init(|| StdBarrier::new(size))
}

/// `std::sync::Barrier`.
struct OfStd(&'static StdBarrier);

impl Barrier for OfStd {
    #[inline]
    fn wait(&mut self) -> Result<()> {
        self.0.wait();
        Ok(())
    }
}
