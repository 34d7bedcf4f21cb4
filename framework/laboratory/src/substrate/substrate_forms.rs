//! The forms of barriers on one substrate, and what all substrates need to list and to build them.
use wb_barriers::{BarrierEntry, Substrate};
use wb_comm::{Error, Result, text};
use wb_record::{Backend, BarrierForm};

use crate::{bench::BarrierBench, visit::ErasedBarrier};

/// A kind of substrate.
pub(crate) trait SubstrateForms: Sync {
    /// Its name in forms.
    fn substrate(&self) -> Substrate;

    /// The forms of `entry` on it.
    fn forms(&self, entry: &BarrierEntry) -> Vec<BarrierForm>;

    /// Collective: builds one form.
    fn build<'g>(&self, form: &BarrierForm, bench: &BarrierBench<'g>) -> Result<Box<dyn ErasedBarrier + 'g>>;
}

/// `entry` on the substrate, in its only form.
pub(crate) fn default_form(entry: &BarrierEntry, substrate: Substrate, ranks_are: Backend) -> BarrierForm {
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

/// Whether the entry is native to this substrate.
pub(crate) fn is_native(entry: &BarrierEntry, substrate: Substrate) -> bool {
    matches!(entry.implementation, wb_barriers::Implementation::Native(substrates) if substrates.contains(&substrate))
}

/// A value of a form's field, by its name.
pub(crate) fn by_name<T: Copy>(all: &[T], name: fn(T) -> &'static str, wanted: Option<&str>) -> Option<T> {
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
