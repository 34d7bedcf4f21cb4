//! The one report of a failed test.
use std::panic::resume_unwind;

use wb_comm::Library;
use wb_messages::{Lang, functional as text};

use super::finding::{self, Finding};
use crate::backends;

/// What ranks were, in a report: threads, virtual time, or a library's name and version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Backend(pub(super) String);

impl Backend {
    /// Ranks as threads.
    pub(super) fn threads() -> Self {
        Self(text::threads(Lang::of_environment()))
    }

    /// Ranks that take turns in virtual time.
    pub(super) fn virtual_time() -> Self {
        Self(text::virtual_time(Lang::of_environment()))
    }

    /// Ranks as processes of a job of `library`.
    pub(super) fn processes(library: &Library) -> Self {
        match backends::version_number(library) {
            Some(version) => Self(format!("{} {version}", library.flavour)),
            None => Self(library.flavour.clone()),
        }
    }
}

/// A finding, and where it was made.
#[derive(Clone, Debug)]
pub(super) struct Failed {
    pub(super) backend: Backend,
    pub(super) ranks: usize,
    pub(super) finding: Finding,
}

/// The report of a test that failed: the first failure on each backend in full, unless it is the very one of another
/// backend, and the rest by their places.
pub(super) fn text(test: &str, failed: &[Failed]) -> String {
    let lang = Lang::of_environment();
    let mut report = String::new();
    let mut told: Vec<&Finding> = vec![];
    let mut backends: Vec<&Backend> = vec![];
    let mut others: Vec<(&Finding, Vec<String>)> = vec![];
    for Failed { backend, ranks, finding } in failed {
        let place = text::on_ranks(lang, &backend.0, ranks);
        let first = !backends.contains(&backend);
        backends.push(backend);
        if first && !told.contains(&finding) {
            told.push(finding);
            report += &format!("\n{} {test} [{place}]\n{finding}", finding::word(finding.verdict));
        } else if let Some((_, places)) = others.iter_mut().find(|(other, _)| alike(other, finding)) {
            places.push(place);
        } else {
            others.push((finding, vec![place]));
        }
    }
    for (finding, places) in others {
        let (word, places) = (finding::word(finding.verdict), places.join("; "));
        let known = told.iter().any(|told| alike(told, finding));
        let headline = if known { String::new() } else { format!(": {}", finding.headline) };
        report += &format!("  {}\n", text::also(lang, word, places, headline));
    }
    report
}

/// Do both say the same in their first lines?
fn alike(one: &Finding, other: &Finding) -> bool {
    (one.verdict, &one.headline) == (other.verdict, &other.headline)
}

/// Shows a report as the output of the running test, and lets the test fail without a word more.
pub(super) fn fail(report: &str) -> ! {
    eprint!("{report}");
    resume_unwind(Box::new("the report is above"))
}

#[cfg(test)]
mod tests {
    use wb_record::Verdict;

    use super::*;

    #[test]
    fn every_backend_is_told_once() {
        let failed = |backend: &str, ranks, headline: &str| Failed {
            backend: Backend(backend.into()),
            ranks,
            finding: Finding::new(Verdict::Fail, headline.into(), "there".into()),
        };
        let all = [
            failed("a", 2, "first"),
            failed("a", 3, "second"),
            failed("a", 4, "second"),
            failed("b", 2, "first"),
            failed("c", 2, "third"),
        ];
        let report = text("t::case_1", &all);
        assert!(report.contains("t::case_1 [a, P = 2]\n  first\n"), "{report}");
        assert!(report.contains("[c, P = 2]\n  third\n"), "{report}");
        assert!(report.contains("also FAIL [a, P = 3; a, P = 4]: second\n"), "{report}");
        assert!(report.contains("also FAIL [b, P = 2]\n"), "{report}");
    }

    #[test]
    fn a_library_is_named_with_its_number() {
        let library = |flavour: &str, version: &str| Library {
            flavour: flavour.into(),
            version: version.into(),
            launchers: vec![],
        };
        let open = library("Open MPI", "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4");
        assert_eq!(Backend::processes(&open).0, "Open MPI 4.1.4");
        assert_eq!(Backend::processes(&library("MPICH", "MPICH Version: 4.0.2")).0, "MPICH 4.0.2");
        assert_eq!(Backend::processes(&library("Other", "of its own")).0, "Other");
    }
}
