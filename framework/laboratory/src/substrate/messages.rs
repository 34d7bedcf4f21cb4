//! Patterns as zero-byte messages, each on a communicator of its own.
use wb_barriers::{BarrierEntry, Implementation, Substrate, adapters::MessageBarrier, catalogue};
use wb_comm::Result;
use wb_record::{Backend, BarrierForm};

use crate::substrate::substrate_forms::{SubstrateForms, default_form, no_form};
use crate::{
    bench::{BarrierBench, site},
    visit::ErasedBarrier,
};

/// The forms of this substrate.
pub(super) struct MessageForms;

impl SubstrateForms for MessageForms {
    fn substrate(&self) -> Substrate {
        Substrate::Messages
    }

    fn forms(&self, entry: &BarrierEntry) -> Vec<BarrierForm> {
        let runs = matches!(entry.implementation, Implementation::Pattern(_));
        runs.then(|| default_form(entry, Substrate::Messages, Backend::Mpi)).into_iter().collect()
    }

    fn build<'g>(&self, form: &BarrierForm, bench: &BarrierBench<'g>) -> Result<Box<dyn ErasedBarrier + 'g>> {
        let entry = catalogue::find(&form.variant)?;
        let plans = entry.plans(&bench.group);
        let plans = plans.ok_or_else(|| no_form(form))??;
        Ok(Box::new(MessageBarrier::from_plans(&plans, bench.duplicate()?, site())))
    }
}
