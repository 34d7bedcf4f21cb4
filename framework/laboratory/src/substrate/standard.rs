//! What threads of one process bring along: Rust's own barrier, and the host's barrier on a stream that other threads
//! serve.
use std::sync::{
    Barrier as StdBarrier, Mutex, OnceLock,
    atomic::{AtomicBool, AtomicI64},
};

use wb_ascend::{Machine, Npu, OnStream};

use wb_collectives::catalogue::{Entry, Substrate};
use wb_comm::{Barrier, Error, Result};
use wb_record::{Backend, BarrierForm};

use super::{Carrier, is_native, no_form, plain};
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
            "host_stream" => Ok(Box::new(on_stream(bench)?)),
            "std_barrier" => Ok(Box::new(OfStd(shared(bench.setting.size)))),
            _ => Err(no_form(form)),
        }
    }
}

/// The barrier of this process's threads; a process is one job of one size.
fn shared(size: usize) -> &'static StdBarrier {
    static SHARED: OnceLock<StdBarrier> = OnceLock::new();
    SHARED.get_or_init(|| StdBarrier::new(size))
}

/// Every rank is the host of a PE with one core.
fn on_stream(bench: &Bench<'_>) -> Result<OnStream> {
    static STOP: AtomicBool = AtomicBool::new(false);
    let (machine, pe) = (Machine::of(bench.setting.size, 1), bench.transport.rank());
    let between = between(&machine, pe);
    let npu = Npu::new(machine, pe, between, &STOP).and_then(OnStream::new);
    npu.map_err(|error| Error::Setup(error.text()))
}

/// Memory between the PEs, another one for each barrier that they build: the old one holds the counts of the last.
fn between(machine: &Machine, pe: usize) -> &'static [AtomicI64] {
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
struct OfStd(&'static StdBarrier);

impl Barrier for OfStd {
    #[inline]
    fn wait(&mut self) -> Result<()> {
        self.0.wait();
        Ok(())
    }
}
