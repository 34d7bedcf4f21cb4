//! Forms outside the catalogue: a test adds them to the real ones, and the laboratory must report them as faulty.
use std::sync::OnceLock;

use wb_algorithms::barriers::Substrate;
use wb_comm::{Barrier, Result, Transport, ViewMut};
use wb_record::{Backend, BarrierForm};

use crate::{
    bench::BarrierBench,
    substrate::plain_form,
    visit::{DynBarrier, ErasedBarrier},
};

/// A fault with a name that is not in the catalogue.
#[derive(Clone, Copy, Debug)]
pub enum InjectedFault {
    /// A barrier of processes.
    Barrier {
        /// The name of the fault.
        name: &'static str,
        /// Collective: builds it on a communicator that nothing else uses.
        barrier: WrongBarrier,
    },
    /// A broadcast from rank 0.
    Broadcast {
        /// The name of the fault.
        name: &'static str,
        /// Runs it on the data of this rank.
        run: WrongBroadcast,
    },
}

/// Builds a barrier.
pub(crate) type WrongBarrier = for<'t> fn(&'t dyn Transport) -> Result<Box<dyn Barrier + 't>>;

/// A broadcast over messages that does not.
pub(crate) type WrongBroadcast = fn(&dyn Transport, ViewMut<'_>) -> Result<()>;

static INJECTED: OnceLock<&'static [InjectedFault]> = OnceLock::new();

/// Adds these to the forms of this process.
pub(crate) fn inject(planted: &'static [InjectedFault]) {
    assert!(INJECTED.set(planted).is_ok(), "a process has one laboratory");
}

fn all() -> impl Iterator<Item = &'static InjectedFault> {
    INJECTED.get().into_iter().flat_map(|planted| planted.iter())
}

fn barriers() -> impl Iterator<Item = (&'static str, WrongBarrier)> {
    all().filter_map(|planted| match planted {
        InjectedFault::Barrier { name, barrier } => Some((*name, *barrier)),
        InjectedFault::Broadcast { .. } => None,
    })
}

/// The added broadcasts.
pub(crate) fn broadcasts() -> impl Iterator<Item = (&'static str, WrongBroadcast)> {
    all().filter_map(|planted| match planted {
        InjectedFault::Broadcast { name, run } => Some((*name, *run)),
        InjectedFault::Barrier { .. } => None,
    })
}

/// The added forms of barriers.
pub(crate) fn forms() -> impl Iterator<Item = BarrierForm> {
    barriers().map(|(name, _)| plain_form(name, "planted", Substrate::Messages, Backend::Mpi))
}

/// Collective: builds the form, if it is an added barrier.
pub(crate) fn build<'g>(
    form: &BarrierForm,
    bench: &BarrierBench<'g>,
) -> Option<Result<Box<dyn ErasedBarrier + 'g>>> {
    let (_, build) = barriers().find(|(name, _)| *name == form.variant)?;
    let barrier = bench.duplicate().and_then(build);
    Some(barrier.map(|barrier| Box::new(DynBarrier(barrier)) as Box<dyn ErasedBarrier + 'g>))
}
