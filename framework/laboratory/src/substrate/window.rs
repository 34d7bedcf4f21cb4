//! Windows of MPI: what their synchronisation alone makes, and patterns and programs by remote atomics.
use wb_collectives::{
    catalogue::{self, Entry, Form, Substrate},
    over::OverMemory,
    rma,
    script::Style,
};
use wb_comm::{Remote, Result, WindowKind};
use wb_record::{Backend, BarrierForm};

use super::{Carrier, by_name, is_native, no_form, plain};
use crate::{
    bench::{Bench, site},
    visit::{Boxed, Subject},
};

/// See the module.
pub(super) struct OnWindow;

impl Carrier for OnWindow {
    fn substrate(&self) -> Substrate {
        Substrate::Window
    }

    fn forms(&self, entry: &Entry) -> Vec<BarrierForm> {
        let plain = plain(entry, Substrate::Window, Backend::Mpi);
        match entry.form {
            Form::Pattern(_) => {
                let form = |style: Style| BarrierForm { style: Some(style.name().into()), ..plain.clone() };
                Style::ALL.map(form).into()
            }
            Form::Program(_) => vec![plain],
            Form::Native(_) if is_native(entry, Substrate::Window) => vec![plain],
            Form::Native(_) => vec![],
        }
    }

    fn build<'g>(&self, form: &BarrierForm, bench: &Bench<'g>) -> Result<Box<dyn Subject + 'g>> {
        let entry = catalogue::find(&form.variant)?;
        let style = match &form.style {
            Some(style) => by_name(&Style::ALL, Style::name, Some(style)).ok_or_else(|| no_form(form))?,
            None => Style::Add,
        };
        let Some(program) = entry.in_memory(bench.rank(), &bench.setting, style) else {
            let window = bench.window(WindowKind::Allocate, 1)?;
            let native = rma::by_name(&form.variant, window, site());
            return Ok(Box::new(Boxed(native.ok_or_else(|| no_form(form))??)));
        };
        let program = program?;
        let count = program.cells(bench.setting.size).max(1);
        let window = bench.words(count, program.initial())?;
        Ok(Box::new(OverMemory::new(program, Remote::new(window, site()))))
    }
}
