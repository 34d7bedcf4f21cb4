//! The barriers of threads of one process: Rust's own barrier, and the host's barrier on a stream that other threads
//! serve.
use std::sync::{
    Barrier as StdBarrier, Mutex, OnceLock,
    atomic::{AtomicBool, AtomicI64},
};

use wb_ascend::{AscendMachine, Npu, StreamBarrier};

use wb_barriers::{BarrierEntry, Substrate};
use wb_comm::{Barrier, Error, Result};
use wb_record::{Backend, BarrierForm};

use crate::substrate::substrate_forms::{SubstrateForms, default_form, is_native, no_form};
use crate::{bench::BarrierBench, visit::ErasedBarrier};

/// The forms of this substrate.
pub(super) struct StdForms;

impl SubstrateForms for StdForms {
    fn substrate(&self) -> Substrate {
        Substrate::Std
    }

    fn forms(&self, entry: &BarrierEntry) -> Vec<BarrierForm> {
        let runs = is_native(entry, Substrate::Std);
        runs.then(|| default_form(entry, Substrate::Std, Backend::Threads)).into_iter().collect()
    }

    fn build<'g>(&self, form: &BarrierForm, bench: &BarrierBench<'g>) -> Result<Box<dyn ErasedBarrier + 'g>> {
        match form.variant.as_str() {
            "host_stream" => Ok(Box::new(on_stream(bench)?)),
            "std_barrier" => Ok(Box::new(StdThreadBarrier(shared_barrier(bench.group.size)))),
            _ => Err(no_form(form)),
        }
    }
}

/// The barrier of this process's threads; a process is one job of one size.
fn shared_barrier(size: usize) -> &'static StdBarrier {
    static SHARED: OnceLock<StdBarrier> = OnceLock::new();
    SHARED.get_or_init(|| StdBarrier::new(size))
}

/// Every rank is the host of a PE with one core.
fn on_stream(bench: &BarrierBench<'_>) -> Result<StreamBarrier> {
    static STOP: AtomicBool = AtomicBool::new(false);
    let (machine, pe) = (AscendMachine::new(bench.group.size, 1), bench.transport.rank());
    let between = inter_pe_memory(&machine, pe);
    let npu = Npu::new(machine, pe, between, &STOP).and_then(StreamBarrier::new);
    npu.map_err(|error| Error::Setup(error.text()))
}

/// Memory between the PEs. Each barrier gets new memory, because the old memory holds the counts of the last barrier.
fn inter_pe_memory(machine: &AscendMachine, pe: usize) -> &'static [AtomicI64] {
    static ALL: Mutex<Vec<&'static [AtomicI64]>> = Mutex::new(vec![]);
    static BUILT: Mutex<Vec<usize>> = Mutex::new(vec![]);
    let mut built = BUILT.lock().expect("nobody panics here");
    built.resize(machine.pes, 0);
    built[pe] += 1;
    let mut all = ALL.lock().expect("nobody panics here");
    if all.len() < built[pe] {
        all.push((0..Npu::required(machine)).map(|_| AtomicI64::new(0)).collect::<Vec<_>>().leak());
    }
    all[built[pe] - 1]
}

/// `std::sync::Barrier`.
struct StdThreadBarrier(&'static StdBarrier);

impl Barrier for StdThreadBarrier {
    #[inline]
    fn wait(&mut self) -> Result<()> {
        self.0.wait();
        Ok(())
    }
}
