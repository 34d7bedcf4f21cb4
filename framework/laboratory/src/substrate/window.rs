//! Windows of MPI: barriers of their synchronisation alone, and patterns and programs that use remote atomics.
use wb_barriers::{
    BarrierEntry, Implementation, Substrate, adapters::MemoryBarrier, catalogue,
    compiled_plan::SignalEncoding, rma,
};
use wb_comm::{RemoteMemory, Result, WindowKind};
use wb_record::{Backend, BarrierForm};

use crate::substrate::substrate_forms::{SubstrateForms, by_name, default_form, is_native, no_form};
use crate::{
    bench::{BarrierBench, site},
    visit::{DynBarrier, ErasedBarrier},
};

/// The forms of this substrate.
pub(super) struct WindowForms;

impl SubstrateForms for WindowForms {
    fn substrate(&self) -> Substrate {
        Substrate::Window
    }

    fn forms(&self, entry: &BarrierEntry) -> Vec<BarrierForm> {
        let plain = default_form(entry, Substrate::Window, Backend::Mpi);
        match entry.implementation {
            Implementation::Pattern(_) => {
                let form =
                    |style: SignalEncoding| BarrierForm { style: Some(style.name().into()), ..plain.clone() };
                SignalEncoding::ALL.map(form).into()
            }
            Implementation::Program(_) => vec![plain],
            Implementation::Native(_) if is_native(entry, Substrate::Window) => vec![plain],
            Implementation::Native(_) => vec![],
        }
    }

    fn build<'g>(&self, form: &BarrierForm, bench: &BarrierBench<'g>) -> Result<Box<dyn ErasedBarrier + 'g>> {
        let entry = catalogue::find(&form.variant)?;
        let style = match &form.style {
            Some(style) => by_name(&SignalEncoding::ALL, SignalEncoding::name, Some(style))
                .ok_or_else(|| no_form(form))?,
            None => SignalEncoding::Add,
        };
        let Some(program) = entry.in_memory(bench.rank(), &bench.group, style) else {
            let count = rma::window_count(&form.variant, bench.group.size);
            let windows = (0..count).map(|_| bench.window(WindowKind::Allocate, 1)).collect::<Result<_>>()?;
            let native = rma::by_name(&form.variant, windows, site());
            return Ok(Box::new(DynBarrier(native.ok_or_else(|| no_form(form))??)));
        };
        let program = program?;
        let count = program.cells(bench.group.size).max(1);
        let window = bench.locked_window(count, program.initial())?;
        Ok(Box::new(MemoryBarrier::new(program, RemoteMemory::new(window, site()))))
    }
}
