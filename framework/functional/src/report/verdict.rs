//! What came of a test on each backend, as it is counted, recorded and reported.
use std::{
    io::Write,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use wb_comm::LibraryInfo;
use wb_messages::{Lang, WIDTH, functional as text, wrap};
use wb_record::{Backend, FunctionalRecord, RankWait, TestOutcome};
use wb_runner::version_number::version_number;

use crate::{
    evaluation::{ArrivalOrders, FailureKind, FailureReport, TestVerdict},
    report::{records, summary, test_report},
    test::{ErasedTest, TestRun},
};

/// The name of a backend in a report: threads, virtual time, or a library's name and version.
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

    /// Do all ranks share this process?
    pub(crate) fn is_in_one_process(&self) -> bool {
        [Self::threads(), Self::virtual_time()].contains(self)
    }

    /// Ranks as processes of a job of `library`.
    pub(crate) fn processes(library: &LibraryInfo) -> Self {
        match version_number(library) {
            Some(version) => Self(format!("{} {version}", library.implementation)),
            None => Self(library.implementation.clone()),
        }
    }
}

/// The outcome of a test on a backend at a number of ranks.
#[derive(Clone, Debug)]
pub(crate) struct BackendOutcome {
    pub(crate) backend: BackendLabel,
    pub(crate) ranks: usize,
    /// The failure; `None` when the test passed.
    pub(crate) failure: Option<FailureReport>,
    /// In which order messages were received.
    pub(crate) arrival_orders: ArrivalOrders,
}

/// Counts and records the verdicts on a test at one number of ranks.
pub(crate) fn count(
    case: &ErasedTest,
    kind: Backend,
    backend: &BackendLabel,
    runs: usize,
    ranks: usize,
    judged: TestVerdict,
) -> BackendOutcome {
    let TestVerdict { passed, failure: finding, duration: took, arrival_orders } = judged;
    let finding = finding.map(|finding| with_load(finding, backend, ranks));
    let missing = runs.saturating_sub(passed).max(usize::from(finding.is_some()));
    match finding.as_ref().map(FailureReport::outcome) {
        Some(TestOutcome::Skip) => summary::left_out(backend, ranks, missing),
        _ => summary::ran(backend, ranks, passed, missing),
    }
    let outcome = finding.as_ref().map_or(TestOutcome::Pass, FailureReport::outcome);
    let reason = finding.as_ref().map(|finding| finding.headline.clone());
    let waits = finding.as_ref().map(|finding| finding.waits.clone()).unwrap_or_default();
    record(case, (kind, ranks), outcome, (reason, waits), took);
    BackendOutcome { backend: backend.clone(), ranks, failure: finding, arrival_orders }
}

/// Appends a verdict to the records.
fn record(
    case: &ErasedTest,
    (backend, ranks): (Backend, usize),
    verdict: TestOutcome,
    (reason, waits): (Option<String>, Vec<RankWait>),
    took: Duration,
) {
    let ErasedTest { name, version, is_graded: graded, .. } = case;
    let (test, version, ranks) = (name.clone(), *version, u32::try_from(ranks).unwrap_or(u32::MAX));
    let (seconds, graded) = (took.as_secs_f64(), *graded);
    let verdict = FunctionalRecord { test, version, ranks, backend, verdict, reason, seconds, graded, waits };
    records::append(case.backends, verdict);
}

/// The failure, with the load first where ranks that shared cores reached a limit. Of ranks whose calls still complete this is said where
/// many share a core: otherwise a loop is the likelier cause.
pub(crate) fn with_load(failure: FailureReport, backend: &BackendLabel, ranks: usize) -> FailureReport {
    let least = if failure.kind == FailureKind::Calling { 4 } else { 1 };
    let cores =
        summary::oversubscribed_cores(backend, ranks).filter(|cores| failure.busy_ranks > least * cores);
    let Some(cores) = cores.filter(|_| failure.outcome() == TestOutcome::Limit) else { return failure };
    let lang = Lang::from_environment();
    let headline = text::oversubscribed(lang, ranks, cores, &failure.headline);
    FailureReport { headline, hint: text::hint_oversubscribed(lang, cores, &failure.hint), ..failure }
}

/// Counts and records a test of a version that is switched off.
pub(crate) fn disabled(case: &ErasedTest) {
    let lang = Lang::from_environment();
    let version = case.version.name();
    let reason = text::version_disabled(lang, version);
    let libraries = case.backends.processes.map(wb_comm::ProcessRanks::library);
    let real = libraries.map(|library| (Backend::Mpi, BackendLabel::processes(&library)));
    let shared =
        [(Backend::Threads, BackendLabel::threads()), (Backend::VirtualTime, BackendLabel::virtual_time())];
    let shared = shared.into_iter().filter(|_| wb_process::launcher_rank().is_none());
    for (backend, name) in shared.chain(real) {
        for (ranks, test_runs) in &case.test_runs {
            summary::disabled(&name, version, test_runs.len());
            record(
                case,
                (backend, *ranks),
                TestOutcome::Skip,
                (Some(reason.clone()), vec![]),
                Duration::ZERO,
            );
        }
    }
    let skipped = format!("\n{} {}\n  {reason}", text::skip(lang), case.name);
    eprintln!("{}", wb_text::escape::terminal(&skipped));
}

/// The reports so far: libtest holds them back until its end, which may never come.
static REPORTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Reports what failed of a test, and lets it fail then.
pub(crate) fn report(case: &ErasedTest, outcomes: &[BackendOutcome]) {
    if outcomes.iter().all(|outcome| outcome.failure.is_none()) {
        return;
    }
    let report = test_report::render(&case.name, outcomes);
    REPORTS.lock().unwrap_or_else(PoisonError::into_inner).push(report.clone());
    test_report::fail(&report)
}

/// Lets a test fail none of whose numbers of ranks can be had.
pub(crate) fn nothing_tested(case: &ErasedTest, available: Option<usize>) -> ! {
    let lang = Lang::from_environment();
    let skipped = |(ranks, _): &(usize, Vec<Arc<dyn TestRun>>)| {
        format!("    {}\n", text::too_few_ranks(lang, ranks, available.unwrap_or_default()))
    };
    let skips: String = case.test_runs.iter().map(skipped).collect();
    test_report::fail(&format!(
        "\n{} {}\n  {}\n{skips}",
        text::fail(lang),
        case.name,
        text::nothing_tested(lang)
    ))
}

/// The reports so far, a last one, and the counts: before a process leaves without libtest's end.
pub(crate) fn report_all(last: &str) {
    let reports = std::mem::take(&mut *REPORTS.lock().unwrap_or_else(PoisonError::into_inner)).concat();
    let ends = wrap(&text::job_ends_here(Lang::from_environment()), "  ", "    ", WIDTH);
    let output = format!("{reports}{last}{ends}");
    let _nowhere_to_say =
        writeln!(wb_process::before_main::real_stderr(), "{}", wb_text::escape::terminal(&output));
    summary::print();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_skipped_is_no_pass_and_what_fails_is_no_skip() {
        let counted = |name: &str, passed: usize, kind: Option<FailureKind>| {
            let backend = BackendLabel(name.into());
            let (backends, version) = (workbench::in_one_process(), wb_record::Version::Mpi);
            let case =
                ErasedTest { backends, name: "t".into(), version, is_graded: false, test_runs: vec![] };
            let finding = kind.map(|kind| FailureReport::new(kind, "why".into(), "there".into()));
            let judged = TestVerdict { passed, failure: finding, ..TestVerdict::default() };
            let outcome = count(&case, Backend::Threads, &backend, 3, 2, judged);
            assert_eq!(outcome.failure.map(|finding| finding.kind), kind);
            summary::counts(&backend)
        };
        assert_eq!(counted("skipped", 0, Some(FailureKind::NotRun)), (0, 0, 3));
        assert_eq!(counted("passed", 3, None), (3, 0, 0));
        for kind in
            [FailureKind::Finding, FailureKind::Deadlock, FailureKind::OverLimit, FailureKind::NoRecord]
        {
            assert_eq!(counted(&format!("{kind:?}"), 1, Some(kind)), (1, 2, 0));
        }
    }

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
