//! What a barrier can run on: one file each, which says what forms there are and builds one.
//!
//! Whatever is listed for a size is measured or recorded as refused; nothing is left out in silence. Building is
//! collective: all ranks build the same forms in the same order.
use wb_collectives::{
    catalogue::{self, Entry, Substrate},
    select,
};
use wb_comm::{Error, Result, text};
use wb_record::{Backend, BarrierForm};

use crate::{bench::Bench, planted, visit::Subject};

mod cells;
mod messages;
mod mpi;
mod shmem;
mod standard;
mod tcp;
mod window;

/// A kind of substrate.
pub(crate) trait Carrier: Sync {
    /// Its name in forms.
    fn substrate(&self) -> Substrate;

    /// The forms of `entry` on it.
    fn forms(&self, entry: &Entry) -> Vec<BarrierForm>;

    /// Collective: one form, ready to run.
    fn build<'g>(&self, form: &BarrierForm, bench: &Bench<'g>) -> Result<Box<dyn Subject + 'g>>;
}

/// All of them.
const CARRIERS: [&dyn Carrier; 7] = [
    &messages::Messages,
    &cells::OnCells,
    &window::OnWindow,
    &mpi::Library,
    &standard::Std,
    &tcp::ControlNetwork,
    &shmem::OpenShmem,
];

/// Names of the substrates that can be asked for.
pub(crate) fn names() -> Vec<&'static str> {
    CARRIERS.iter().map(|carrier| carrier.substrate().name()).collect()
}

/// Every form there is, whatever the size.
pub(crate) fn forms() -> Vec<BarrierForm> {
    let entries = catalogue::all();
    let of_catalogue =
        CARRIERS.iter().flat_map(|carrier| entries.iter().flat_map(|entry| carrier.forms(entry)));
    let beside = cells::bare_handshake().into_iter().chain(automatic()).chain(planted::forms());
    beside.chain(of_catalogue).collect()
}

/// What the selector takes when it is not told: it is measured under its own name.
fn automatic() -> impl Iterator<Item = BarrierForm> {
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

/// The form that the selector takes on the substrate of `form`.
fn selected(form: &BarrierForm, bench: &Bench<'_>) -> Result<BarrierForm> {
    let substrate =
        by_name(&Substrate::ALL, Substrate::name, Some(&form.substrate)).ok_or_else(|| no_form(form))?;
    let choice = select::select(None, &bench.setting, substrate)?;
    let memory = substrate != Substrate::Messages;
    Ok(BarrierForm {
        variant: choice.entry.name.into(),
        style: memory.then(|| choice.style.name().into()),
        spacing: memory.then(|| choice.spacing.name().into()),
        ..form.clone()
    })
}

/// Collective: one form, ready to run.
pub(crate) fn build<'g>(form: &BarrierForm, bench: &Bench<'g>) -> Result<Box<dyn Subject + 'g>> {
    if form.variant == select::AUTO {
        return build(&selected(form, bench)?, bench);
    }
    if let Some(planted) = planted::build(form, bench) {
        return planted;
    }
    let carrier = CARRIERS.iter().find(|carrier| carrier.substrate().name() == form.substrate);
    carrier.ok_or_else(|| no_form(form))?.build(form, bench)
}

/// `entry` on the substrate, in its only form.
fn plain(entry: &Entry, substrate: Substrate, ranks_are: Backend) -> BarrierForm {
    BarrierForm {
        variant: entry.name.into(),
        family: entry.family.name().into(),
        substrate: substrate.name().into(),
        style: None,
        spacing: None,
        forced: None,
        ranks_are,
    }
}

/// Is the entry a native of this substrate?
fn is_native(entry: &Entry, substrate: Substrate) -> bool {
    matches!(entry.form, catalogue::Form::Native(substrates) if substrates.contains(&substrate))
}

/// A value of a form's field, by its name.
fn by_name<T: Copy>(all: &[T], name: fn(T) -> &'static str, wanted: Option<&str>) -> Option<T> {
    all.iter().copied().find(|&value| Some(name(value)) == wanted)
}

/// Does the form need an OpenSHMEM library?
pub(crate) fn is_shmem(form: &BarrierForm) -> bool {
    form.substrate == Substrate::Shmem.name()
}

/// For a form that the catalogue has and no substrate here can call.
fn no_form(form: &BarrierForm) -> Error {
    Error::Setup(text::barrier::no_form(&form.variant, &form.substrate))
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
            let native = matches!(entry.form, catalogue::Form::Native(_));
            assert!(native || forms.iter().any(|form| form.variant == entry.name), "{}", entry.name);
        }
    }
}
