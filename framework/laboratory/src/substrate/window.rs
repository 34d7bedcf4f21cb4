//! Windows of MPI: barriers of their synchronisation alone, and patterns and programs that use remote atomics.
use wb_algorithms::barriers::{
    BarrierEntry, Implementation, Substrate, adapters::MemoryBarrier, catalogue,
    compiled_plan::SignalEncoding, rma,
};
use wb_comm::{RemoteMemory, Result, WindowKind};
use wb_record::BarrierForm;

use super::{BuiltForm, by_name, form_of, native_forms, no_form};
use crate::{
    bench::{BarrierBench, site},
    visit::DynBarrier,
};

pub(super) fn forms(entry: &BarrierEntry, substrate: Substrate) -> Vec<BarrierForm> {
    let plain = form_of(entry, substrate);
    match entry.implementation {
        Implementation::Pattern(_) => {
            let form =
                |style: SignalEncoding| BarrierForm { style: Some(style.name().into()), ..plain.clone() };
            SignalEncoding::ALL.map(form).into()
        }
        Implementation::Program(_) => vec![plain],
        Implementation::Native(_) => native_forms(entry, substrate),
    }
}

pub(super) fn build<'g>(form: &BarrierForm, bench: &BarrierBench<'g>) -> BuiltForm<'g> {
    let entry = catalogue::find(&form.variant)?;
    let style = match &form.style {
        Some(style) => {
            by_name(&SignalEncoding::ALL, SignalEncoding::name, Some(style)).ok_or_else(|| no_form(form))?
        }
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
