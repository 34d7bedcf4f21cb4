//! Verdicts as they are counted, recorded and reported.
use std::{
    env,
    fs::OpenOptions,
    io::Write,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use wb_messages::{Lang, WIDTH, functional as text, wrap};
use wb_record::{Backend, TestOutcome};

use crate::{
    judge::{failure_kind::FailureKind, failure_report::FailureReport, test_verdict::TestVerdict},
    report::{
        backend_outcome::{BackendLabel, BackendOutcome},
        records::{self, VerdictLine},
        summary, test_report,
    },
    test::{
        erased_test::{self, ErasedTest},
        test_run::TestRun,
    },
};

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
    records::append(
        case,
        &VerdictLine {
            ranks,
            backend: kind,
            verdict: finding.as_ref().map_or(TestOutcome::Pass, FailureReport::outcome),
            reason: finding.as_ref().map(|finding| finding.headline.as_str()),
            duration: took,
        },
    );
    BackendOutcome { backend: backend.clone(), ranks, failure: finding, arrival_orders }
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

/// The file to which tests of a version that is switched off are appended, a line each: libtest cannot say that it has
/// run nothing in them.
const DISABLED_VARIABLE: &str = "WB_DISABLED_TESTS";

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
        for (ranks, trials) in &case.test_runs {
            summary::disabled(&name, version, trials.len());
            let (reason, took) = (Some(reason.as_str()), Duration::ZERO);
            records::append(
                case,
                &VerdictLine { ranks: *ranks, backend, verdict: TestOutcome::Skip, reason, duration: took },
            );
        }
    }
    if let Some(file) = env::var_os(DISABLED_VARIABLE) {
        let line = format!(
            "{} {}\n",
            env::var("CARGO_PKG_NAME").unwrap_or_default(),
            erased_test::test_of(&case.name)
        );
        let opened = OpenOptions::new().append(true).create(true).open(&file);
        if let Err(error) = opened.and_then(|mut file| file.write_all(line.as_bytes())) {
            panic!("{DISABLED_VARIABLE}={}: {error}", file.display());
        }
    }
    let skipped = format!("\n{} {}\n  {reason}", text::skip(lang), case.name);
    eprintln!("{}", wb_escape::terminal(&skipped));
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
pub(crate) fn nothing_tested(case: &ErasedTest, available: Option<usize>) {
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
        writeln!(wb_process::before_main::real_stderr(), "{}", wb_escape::terminal(&output));
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
            let (duration, arrival_orders) = (Duration::ZERO, vec![]);
            let judged = TestVerdict { passed, failure: finding, duration, arrival_orders };
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
}
