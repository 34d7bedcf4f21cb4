//! The control network: a key-value store that rank 0 serves over TCP on this machine.
use std::time::Duration;

use wb_collectives::catalogue::{Entry, Substrate};
use wb_comm::Result;
use wb_control::Hosted;
use wb_record::{Backend, BarrierForm};

use super::{Carrier, is_native, no_form, plain};
use crate::{
    bench::{Bench, site},
    visit::Subject,
};

/// How long a member waits in a barrier; shorter than the laboratory's own limit, so that it can say who is missing.
const PATIENCE: Duration = Duration::from_secs(4);

/// See the module.
pub(super) struct ControlNetwork;

impl Carrier for ControlNetwork {
    fn substrate(&self) -> Substrate {
        Substrate::Tcp
    }

    fn forms(&self, entry: &Entry) -> Vec<BarrierForm> {
        let runs = is_native(entry, Substrate::Tcp);
        runs.then(|| plain(entry, Substrate::Tcp, Backend::Mpi)).into_iter().collect()
    }

    fn build<'g>(&self, form: &BarrierForm, bench: &Bench<'g>) -> Result<Box<dyn Subject + 'g>> {
        match form.variant.as_str() {
            "control_kv" => Ok(Box::new(Hosted::start(bench.channel()?, PATIENCE, site())?)),
            _ => Err(no_form(form)),
        }
    }
}
