//! Forms outside the catalogue: a test adds them to the real ones, and the laboratory must report them as faulty.
use std::sync::OnceLock;

use wb_algorithms::barriers::Substrate;
use wb_comm::{Barrier, Result, Transport};
use wb_record::{Backend, BarrierForm};

use crate::{
    bench::BarrierBench,
    substrate::plain_form,
    visit::{DynBarrier, ErasedBarrier},
};

/// A barrier of processes with a name that is not in the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct InjectedFault {
    /// The name of the fault.
    pub name: &'static str,
    /// Collective: builds it on a communicator that nothing else uses.
    pub barrier: for<'t> fn(&'t dyn Transport) -> Result<Box<dyn Barrier + 't>>,
}

static INJECTED: OnceLock<&'static [InjectedFault]> = OnceLock::new();

/// Adds these to the forms of this process.
pub(crate) fn inject(planted: &'static [InjectedFault]) {
    assert!(INJECTED.set(planted).is_ok(), "a process has one laboratory");
}

fn all() -> impl Iterator<Item = &'static InjectedFault> {
    INJECTED.get().into_iter().flat_map(|planted| planted.iter())
}

/// The added forms.
pub(crate) fn forms() -> impl Iterator<Item = BarrierForm> {
    all().map(|planted| plain_form(planted.name, "planted", Substrate::Messages, Backend::Mpi))
}

/// Collective: builds the form, if it is an added one.
pub(crate) fn build<'g>(
    form: &BarrierForm,
    bench: &BarrierBench<'g>,
) -> Option<Result<Box<dyn ErasedBarrier + 'g>>> {
    let planted = all().find(|planted| planted.name == form.variant)?;
    let barrier = bench.duplicate().and_then(|channel| (planted.barrier)(channel));
    Some(barrier.map(|barrier| Box::new(DynBarrier(barrier)) as Box<dyn ErasedBarrier + 'g>))
}
