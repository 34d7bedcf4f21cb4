//! The substrates of barriers: the forms on each, and their construction.
//!
//! Every form that is listed for a size is measured or recorded as refused; none is omitted silently. Building is
//! collective: all ranks build the same forms in the same order.
use wb_algorithms::barriers::{BarrierEntry, GroupConfig, Implementation, Substrate, catalogue, select};
use wb_comm::{Error, Result, text};
use wb_record::{Backend, BarrierForm};

use crate::{bench::BarrierBench, calls, injected_faults, visit::ErasedBarrier};

mod cells;
mod messages;
mod native;
mod window;

pub(crate) use cells::BareHandshake;
pub(crate) use messages::{count_messages, planned_messages};

/// A form that is built.
pub(crate) type BuiltForm<'g> = Result<Box<dyn ErasedBarrier + 'g>>;

/// The forms of barriers on one substrate.
struct SubstrateForms {
    substrate: Substrate,
    /// The forms of an entry of the catalogue on it.
    forms: fn(&BarrierEntry, Substrate) -> Vec<BarrierForm>,
    /// Collective: builds one form.
    build: for<'g> fn(&BarrierForm, &BarrierBench<'g>) -> BuiltForm<'g>,
}

const SUBSTRATES: [SubstrateForms; 7] = [
    SubstrateForms { substrate: Substrate::Messages, forms: messages::forms, build: messages::build },
    SubstrateForms { substrate: Substrate::Cells, forms: cells::forms, build: cells::build },
    SubstrateForms { substrate: Substrate::Window, forms: window::forms, build: window::build },
    SubstrateForms { substrate: Substrate::Mpi, forms: native_forms, build: native::build_mpi },
    SubstrateForms { substrate: Substrate::Std, forms: native_forms, build: native::build_std },
    SubstrateForms { substrate: Substrate::Tcp, forms: native_forms, build: native::build_tcp },
    SubstrateForms { substrate: Substrate::Shmem, forms: native_forms, build: native::build_shmem },
];

/// Names of the substrates that can be selected.
pub(crate) fn names() -> Vec<&'static str> {
    SUBSTRATES.iter().map(|row| row.substrate.name()).collect()
}

/// Every form, at any size.
pub(crate) fn forms() -> Vec<BarrierForm> {
    let entries = catalogue::all();
    let of_substrate = |row: &SubstrateForms| -> Vec<_> {
        entries.iter().flat_map(|entry| (row.forms)(entry, row.substrate)).collect()
    };
    let beside = cells::bare_handshake().into_iter().chain(auto_forms()).chain(injected_faults::forms());
    beside.chain(SUBSTRATES.iter().flat_map(of_substrate)).collect()
}

/// The selector's default choices, which are measured under a separate name.
fn auto_forms() -> impl Iterator<Item = BarrierForm> {
    let chosen = [Substrate::Messages, Substrate::Cells, Substrate::Window];
    chosen.into_iter().map(|substrate| plain_form(select::AUTO, "selection", substrate, Backend::Mpi))
}

/// A barrier in its only form on the substrate.
pub(crate) fn plain_form(
    variant: &str,
    family: &str,
    substrate: Substrate,
    ranks_are: Backend,
) -> BarrierForm {
    BarrierForm {
        variant: variant.into(),
        family: family.into(),
        substrate: substrate.name().into(),
        style: None,
        spacing: None,
        forced: None,
        verb: None,
        bytes: None,
        ranks_are,
    }
}

/// `entry` between processes on the substrate, in its only form.
fn form_of(entry: &BarrierEntry, substrate: Substrate) -> BarrierForm {
    plain_form(entry.name, entry.family.name(), substrate, Backend::Mpi)
}

/// The only form of an entry that is native to the substrate.
fn native_forms(entry: &BarrierEntry, substrate: Substrate) -> Vec<BarrierForm> {
    let is_native = matches!(entry.implementation, Implementation::Native(all) if all.contains(&substrate));
    let ranks_are = if substrate == Substrate::Std { Backend::Threads } else { Backend::Mpi };
    let form = || BarrierForm { ranks_are, ..form_of(entry, substrate) };
    is_native.then(form).into_iter().collect()
}

/// A value of a form's field, by its name.
fn by_name<T: Copy>(all: &[T], name: fn(T) -> &'static str, wanted: Option<&str>) -> Option<T> {
    all.iter().copied().find(|&value| Some(name(value)) == wanted)
}

/// Refuses a form that needs the memory of one host where the ranks are on several. All ranks decide the same.
pub(crate) fn one_host(bench: &BarrierBench<'_>) -> Result<()> {
    match bench.group.is_single_node() {
        true => Ok(()),
        false => Err(Error::Setup(text::barrier::several_hosts())),
    }
}

/// The error for a form that the catalogue has and no substrate here can call.
pub(crate) fn no_form(form: &BarrierForm) -> Error {
    Error::Setup(text::barrier::no_form(&form.variant, &form.substrate))
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
pub(crate) fn build<'g>(form: &BarrierForm, bench: &BarrierBench<'g>) -> BuiltForm<'g> {
    if form.verb.is_some() {
        return calls::build(form, bench);
    }
    if form.variant == select::AUTO {
        return build(&selected(form, &bench.group)?, bench);
    }
    if let Some(planted) = injected_faults::build(form, bench) {
        return planted;
    }
    let row = SUBSTRATES.iter().find(|row| row.substrate.name() == form.substrate);
    (row.ok_or_else(|| no_form(form))?.build)(form, bench)
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
            let native = matches!(entry.implementation, Implementation::Native(_));
            assert!(native || forms.iter().any(|form| form.variant == entry.name), "{}", entry.name);
        }
    }
}
