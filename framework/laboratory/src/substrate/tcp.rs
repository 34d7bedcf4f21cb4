//! The control network: a key-value store that rank 0 serves over TCP on this machine.
use std::time::Duration;

use wb_barriers::{BarrierEntry, Substrate};
use wb_comm::Result;
use wb_control::HostedBarrier;
use wb_record::{Backend, BarrierForm};

use crate::substrate::substrate_forms::{SubstrateForms, default_form, is_native, no_form};
use crate::{
    bench::{BarrierBench, site},
    visit::ErasedBarrier,
};

/// How long a member waits in a barrier; shorter than the laboratory's own limit, so that it can name the missing
/// member.
const WAIT_TIMEOUT: Duration = Duration::from_secs(4);

/// The forms of this substrate.
pub(super) struct ControlNetworkForms;

impl SubstrateForms for ControlNetworkForms {
    fn substrate(&self) -> Substrate {
        Substrate::Tcp
    }

    fn forms(&self, entry: &BarrierEntry) -> Vec<BarrierForm> {
        let runs = is_native(entry, Substrate::Tcp);
        runs.then(|| default_form(entry, Substrate::Tcp, Backend::Mpi)).into_iter().collect()
    }

    fn build<'g>(&self, form: &BarrierForm, bench: &BarrierBench<'g>) -> Result<Box<dyn ErasedBarrier + 'g>> {
        match form.variant.as_str() {
            "control_kv" => Ok(Box::new(HostedBarrier::start(bench.duplicate()?, WAIT_TIMEOUT, site())?)),
            _ => Err(no_form(form)),
        }
    }
}
