//! The backends that a run is asked for: `cargo wb watch` runs those of one process first, and then real MPI.
use std::env;

use wb_messages::{Lang, functional as text};
use wb_record::Backend;
use wb_runner::Backends;

/// The environment variable with the names of the backends to run, separated by commas. Without it all of them run.
pub(crate) const BACKENDS_VARIABLE: &str = "WB_TEST_BACKENDS";

/// The selected backends of those that this program is linked with.
///
/// # Errors
/// A name that is not one of them.
pub(crate) fn selected_backends(linked: Backends) -> Result<Vec<Backend>, String> {
    parse(env::var(BACKENDS_VARIABLE).ok().as_deref(), linked.processes.is_some())
}

fn parse(list: Option<&str>, has_mpi: bool) -> Result<Vec<Backend>, String> {
    let mpi = has_mpi.then_some(Backend::Mpi);
    let all: Vec<_> = [Backend::Threads, Backend::VirtualTime].into_iter().chain(mpi).collect();
    let Some(list) = list else { return Ok(all) };
    let allowed = all.iter().map(|backend| backend.name()).collect::<Vec<_>>().join(", ");
    let find = |name: &str| {
        let found = all.iter().copied().find(|backend| backend.name() == name);
        let lang = Lang::from_environment();
        found.ok_or_else(|| text::unknown_backend(lang, BACKENDS_VARIABLE, list, name, &allowed))
    };
    list.split(',').map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_selects_its_backends_and_a_misprint_is_refused() {
        assert_eq!(parse(None, true), Ok(vec![Backend::Threads, Backend::VirtualTime, Backend::Mpi]));
        assert_eq!(parse(Some("mpi"), true), Ok(vec![Backend::Mpi]));
        let both = Ok(vec![Backend::Threads, Backend::VirtualTime]);
        assert_eq!((parse(Some("threads,virtual-time"), true), parse(None, false)), (both.clone(), both));
        let refused = parse(Some("threads,mpi"), false).expect_err("it is not linked");
        let expected = "WB_TEST_BACKENDS=threads,mpi: `mpi` is not a backend of this program; its backends are: threads, virtual-time";
        assert_eq!(refused, expected);
        assert!(parse(Some(""), true).is_err(), "a run of no backend would pass");
    }
}
