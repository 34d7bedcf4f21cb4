//! The backends that a run is asked for: `cargo wb watch` runs those of one process first, and then real MPI.
use std::env;

use wb_messages::{Lang, functional as text};
use wb_record::Backend;

/// The environment variable with the names of the backends to run, separated by commas. Without it all of them run.
pub(crate) const BACKENDS_VARIABLE: &str = "WB_TEST_BACKENDS";

/// The selected backends.
///
/// # Errors
/// A name that is not a backend's.
pub(crate) fn selected_backends() -> Result<Vec<Backend>, String> {
    parse(env::var(BACKENDS_VARIABLE).ok().as_deref())
}

fn parse(list: Option<&str>) -> Result<Vec<Backend>, String> {
    let all = [Backend::Threads, Backend::VirtualTime, Backend::Mpi];
    let Some(list) = list else { return Ok(all.into()) };
    let find = |name: &str| {
        let found = all.into_iter().find(|backend| backend.name() == name);
        let allowed = || all.map(Backend::name).join(", ");
        found.ok_or_else(|| {
            text::unknown_backend(Lang::from_environment(), BACKENDS_VARIABLE, list, name, allowed())
        })
    };
    list.split(',').map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_selects_its_backends_and_a_misprint_is_refused() {
        assert_eq!(parse(None), Ok(vec![Backend::Threads, Backend::VirtualTime, Backend::Mpi]));
        assert_eq!(parse(Some("mpi")), Ok(vec![Backend::Mpi]));
        assert_eq!(parse(Some("threads,virtual-time")), Ok(vec![Backend::Threads, Backend::VirtualTime]));
        let refused = parse(Some("threads,mpich")).expect_err("there is no backend `mpich`");
        let expected = "WB_TEST_BACKENDS=threads,mpich: `mpich` is not a backend; the backends are: threads, virtual-time, mpi";
        assert_eq!(refused, expected);
        assert!(parse(Some("")).is_err(), "a run of no backend would pass");
    }
}
