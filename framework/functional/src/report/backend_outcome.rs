//! What came of a test on one backend, and how reports name the backend.
use wb_comm::LibraryInfo;
use wb_messages::{Lang, functional as text};
use wb_runner::version_number::version_number;

use crate::judge::{failure_report::FailureReport, test_verdict::ArrivalOrders};

/// What ranks were, in a report: threads, virtual time, or a library's name and version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BackendLabel(pub(crate) String);

impl BackendLabel {
    /// Ranks as threads.
    pub(crate) fn threads() -> Self {
        Self(text::threads(Lang::from_environment()))
    }

    /// Ranks that take turns in virtual time.
    pub(crate) fn virtual_time() -> Self {
        Self(text::virtual_time(Lang::from_environment()))
    }

    /// Ranks as processes of a job of `library`.
    pub(crate) fn processes(library: &LibraryInfo) -> Self {
        match version_number(library) {
            Some(version) => Self(format!("{} {version}", library.implementation)),
            None => Self(library.implementation.clone()),
        }
    }
}

/// What came of a test on a backend at a number of ranks.
#[derive(Clone, Debug)]
pub(crate) struct BackendOutcome {
    pub(crate) backend: BackendLabel,
    pub(crate) ranks: usize,
    /// What was found; `None` when it passed.
    pub(crate) failure: Option<FailureReport>,
    /// In which order messages were received.
    pub(crate) arrival_orders: ArrivalOrders,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_named_with_its_number() {
        let library = |flavour: &str, version: &str| LibraryInfo {
            implementation: flavour.into(),
            version: version.into(),
            ..LibraryInfo::default()
        };
        let open = library("Open MPI", "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4");
        assert_eq!(BackendLabel::processes(&open).0, "Open MPI 4.1.4");
        assert_eq!(BackendLabel::processes(&library("MPICH", "MPICH Version: 4.0.2")).0, "MPICH 4.0.2");
        assert_eq!(BackendLabel::processes(&library("Other", "of its own")).0, "Other");
    }
}
