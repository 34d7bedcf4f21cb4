//! Windows of MPI: what their synchronisation alone makes.
use wb_collectives::{
    catalogue::{Entry, Substrate},
    rma,
};
use wb_comm::{Result, WindowKind};
use wb_record::{Backend, BarrierForm};

use super::{Boxed, Carrier, is_native, plain, unknown};
use crate::{
    bench::{Bench, site},
    visit::Subject,
};

/// See the module.
pub(super) struct OnWindow;

impl Carrier for OnWindow {
    fn substrate(&self) -> Substrate {
        Substrate::Window
    }

    fn forms(&self, entry: &Entry) -> Vec<BarrierForm> {
        let runs = is_native(entry, Substrate::Window);
        runs.then(|| plain(entry, Substrate::Window, Backend::Mpi)).into_iter().collect()
    }

    fn build<'g>(&self, form: &BarrierForm, bench: &Bench<'g>) -> Result<Box<dyn Subject + 'g>> {
        let window = bench.window(WindowKind::Allocate, 1)?;
        let native = rma::by_name(&form.variant, window, site());
        Ok(Box::new(Boxed(native.ok_or_else(|| unknown(&form.variant))??)))
    }
}
