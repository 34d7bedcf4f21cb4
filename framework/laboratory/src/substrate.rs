//! The substrates of barriers: one file each, which lists the forms and builds one.
//!
//! Every form that is listed for a size is measured or recorded as refused; none is omitted silently. Building is
//! collective: all ranks build the same forms in the same order.
use wb_barriers::{GroupConfig, MessageCounts, Plan, Substrate, adapters::MessageBarrier, catalogue, select};
use wb_comm::{Barrier, Result, Transport};
use wb_record::{Backend, BarrierForm, EpisodeMessages};

use counting_transport::CountingTransport;
use substrate_forms::{SubstrateForms, by_name, no_form};

use crate::{
    bench::{BarrierBench, site},
    injected_faults,
    visit::ErasedBarrier,
};

mod cells;
mod counting_transport;
mod messages;
mod mpi;
mod shmem;
mod standard;
mod substrate_forms;
mod tcp;
mod window;

const SUBSTRATES: [&dyn SubstrateForms; 7] = [
    &messages::MessageForms,
    &cells::CellForms,
    &window::WindowForms,
    &mpi::MpiForms,
    &standard::StdForms,
    &tcp::ControlNetworkForms,
    &shmem::ShmemForms,
];

/// Names of the substrates that can be selected.
pub(crate) fn names() -> Vec<&'static str> {
    SUBSTRATES.iter().map(|carrier| carrier.substrate().name()).collect()
}

/// Every form, at any size.
pub(crate) fn forms() -> Vec<BarrierForm> {
    let entries = catalogue::all();
    let of_catalogue =
        SUBSTRATES.iter().flat_map(|carrier| entries.iter().flat_map(|entry| carrier.forms(entry)));
    let beside = cells::bare_handshake().into_iter().chain(auto_forms()).chain(injected_faults::forms());
    beside.chain(of_catalogue).collect()
}

/// The selector's default choices, which are measured under a separate name.
fn auto_forms() -> impl Iterator<Item = BarrierForm> {
    let chosen = [Substrate::Messages, Substrate::Cells, Substrate::Window];
    chosen.into_iter().map(|substrate| BarrierForm {
        variant: select::AUTO.into(),
        family: "selection".into(),
        substrate: substrate.name().into(),
        style: None,
        spacing: None,
        forced: None,
        ranks_are: Backend::Mpi,
    })
}

/// The form that the selector chooses on the substrate of `form`.
fn selected(form: &BarrierForm, group: &GroupConfig) -> Result<BarrierForm> {
    let substrate =
        by_name(&Substrate::ALL, Substrate::name, Some(&form.substrate)).ok_or_else(|| no_form(form))?;
    let choice = select::select(None, group, substrate)?;
    let memory = substrate != Substrate::Messages;
    Ok(BarrierForm {
        variant: choice.barrier.name.into(),
        style: memory.then(|| choice.encoding.name().into()),
        spacing: memory.then(|| choice.spacing.name().into()),
        ..form.clone()
    })
}

/// Collective: builds one form.
pub(crate) fn build<'g>(form: &BarrierForm, bench: &BarrierBench<'g>) -> Result<Box<dyn ErasedBarrier + 'g>> {
    if form.variant == select::AUTO {
        return build(&selected(form, &bench.group)?, bench);
    }
    if let Some(planted) = injected_faults::build(form, bench) {
        return planted;
    }
    let carrier = SUBSTRATES.iter().find(|carrier| carrier.substrate().name() == form.substrate);
    carrier.ok_or_else(|| no_form(form))?.build(form, bench)
}

/// The plans of a pattern over messages; `None` for all other forms.
fn message_plans(form: &BarrierForm, group: &GroupConfig) -> Option<Result<Vec<Plan>>> {
    if form.substrate != Substrate::Messages.name() {
        return None;
    }
    if form.variant == select::AUTO {
        return selected(form, group)
            .map_or_else(|error| Some(Err(error)), |form| message_plans(&form, group));
    }
    catalogue::find(&form.variant).ok()?.plans(group)
}

/// The messages of one episode by the plans of a pattern over messages; `None` for all other forms.
pub(crate) fn planned_messages(form: &BarrierForm, group: &GroupConfig) -> Option<EpisodeMessages> {
    let plans = message_plans(form, group)?.ok()?;
    let MessageCounts { within_node, between_nodes } = MessageCounts::of_plans(&plans, &group.nodes);
    Some(EpisodeMessages { within_node, between_nodes })
}

/// Collective: runs one episode of a pattern over messages and counts what this rank sends; `None` for all other forms.
pub(crate) fn count_messages(
    form: &BarrierForm,
    bench: &BarrierBench<'_>,
) -> Result<Option<EpisodeMessages>> {
    let Some(plans) = message_plans(form, &bench.group) else { return Ok(None) };
    let counting = CountingTransport::new(bench.transport.dup(site())?, &bench.group.nodes);
    MessageBarrier::from_plans(&plans?, &counting as &dyn Transport, site()).wait()?;
    let MessageCounts { within_node, between_nodes } = counting.sent();
    Ok(Some(EpisodeMessages { within_node, between_nodes }))
}

/// Whether the form needs an OpenSHMEM library.
pub(crate) fn is_shmem(form: &BarrierForm) -> bool {
    form.substrate == Substrate::Shmem.name()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_form_is_another_one() {
        let forms = forms();
        let different: HashSet<_> = forms.iter().collect();
        assert_eq!(different.len(), forms.len());
    }

    #[test]
    fn every_pattern_and_program_has_forms() {
        let forms = forms();
        for entry in catalogue::all() {
            let native = matches!(entry.implementation, wb_barriers::Implementation::Native(_));
            assert!(native || forms.iter().any(|form| form.variant == entry.name), "{}", entry.name);
        }
    }
}
