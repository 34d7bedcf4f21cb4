//! Patterns as zero-byte messages, each on a communicator of its own.
use wb_collectives::{
    catalogue::{self, Entry, Form, Substrate},
    over::OverMessages,
};
use wb_comm::Result;
use wb_record::{Backend, BarrierForm};

use super::{Carrier, no_form, plain};
use crate::{
    bench::{Bench, site},
    visit::Subject,
};

/// See the module.
pub(super) struct Messages;

impl Carrier for Messages {
    fn substrate(&self) -> Substrate {
        Substrate::Messages
    }

    fn forms(&self, entry: &Entry) -> Vec<BarrierForm> {
        let runs = matches!(entry.form, Form::Pattern(_));
        runs.then(|| plain(entry, Substrate::Messages, Backend::Mpi)).into_iter().collect()
    }

    fn build<'g>(&self, form: &BarrierForm, bench: &Bench<'g>) -> Result<Box<dyn Subject + 'g>> {
        let entry = catalogue::find(&form.variant)?;
        let plans = entry.plans(&bench.setting);
        let plans = plans.ok_or_else(|| no_form(form))??;
        Ok(Box::new(OverMessages::of(&plans, bench.channel()?, site())))
    }
}
