//! A test in a rank of the user's own job: all ranks run it, and rank 0 alone reports.
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use wb_messages::{Lang, functional as text};
use wb_record::Backend;

use crate::{
    evidence::{TestEvidence, rank_report::RankReport},
    job_protocol::EXIT_FAILED,
    judge::{
        failure_kind::FailureKind, failure_report::FailureReport, run_verdict::judge, test_verdict,
        unterminated,
    },
    rank_side::{
        job_end::JobEndReporter,
        rank_worker::RankWorker,
        rendezvous::{Rendezvous, SyncError},
    },
    report::{
        backend_outcome::{BackendLabel, BackendOutcome},
        summary, test_report, verdict,
    },
    test::{
        erased_test::{self, ErasedTest},
        test_case::{RunId, TestCase},
        test_run::TestRun,
    },
};

/// Runs a test on the ranks that there are; on rank 0 it returns when the test passes.
///
/// The other ranks reach the same verdict from the same evidence, but may not fail: a launcher ends a job when one of
/// its ranks ends with an error. So they only remember that rank 0 does not reach further checks of the test.
pub(crate) fn run(member: &RankWorker, case: &ErasedTest) {
    let _turn = member.test_lock();
    let test = erased_test::test_of(&case.name);
    if failed_tests().contains(test) {
        return;
    }
    let backend = case.backends.processes.map(|processes| BackendLabel::processes(&processes.library()));
    let backend = backend.expect("only a program with processes joins a job");
    let (mut outcomes, mut fails, mut any) = (vec![], false, false);
    for (ranks, test_runs) in &case.test_runs {
        if *ranks > member.size() {
            if member.rank() == 0 {
                summary::skipped(&backend.0, *ranks, member.size(), test_runs.len());
            }
            continue;
        }
        any = true;
        let judged = test_verdict::evaluate(
            *ranks,
            test_runs,
            &run_one(member, &backend, &case.name, *ranks, test_runs),
        );
        fails |= judged.failure.is_some();
        if member.rank() == 0 {
            outcomes.push(verdict::count(case, Backend::Mpi, &backend, test_runs.len(), *ranks, judged));
        }
    }
    match (member.rank(), any) {
        (0, true) => verdict::report(case, &outcomes),
        (0, false) => verdict::nothing_tested(case, Some(member.size())),
        _ if fails || !any => drop(failed_tests().insert(test.to_owned())),
        _ => {}
    }
}

/// The tests that rank 0 has left with a failure.
fn failed_tests() -> MutexGuard<'static, BTreeSet<String>> {
    static FAILED_TESTS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    FAILED_TESTS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn run_one(
    member: &RankWorker,
    backend: &BackendLabel,
    name: &str,
    ranks: usize,
    test_runs: &[Arc<dyn TestRun>],
) -> TestEvidence {
    member.run(name, ranks, test_runs).unwrap_or_else(|lost| {
        if member.rank() == 0 {
            summary::ran(backend, ranks, 0, 1);
            verdict::report_all(&format!(
                "\n{} {name}\n  {}\n",
                text::crash(Lang::from_environment()),
                describe_sync_error(&lost)
            ));
        }
        wb_process::exit_now(EXIT_FAILED)
    })
}

/// Reports on a job of the user's own that ends early.
pub(crate) struct LaunchedJobReporter {
    /// The kind of the ranks.
    pub(crate) backend: BackendLabel,
}

impl JobEndReporter for LaunchedJobReporter {
    fn report_aborted(&self, rendezvous: &Rendezvous, test_case: &TestCase) {
        let lang = Lang::from_environment();
        let id = &test_case.id;
        let evidence = rendezvous.evidence().unwrap_or_default();
        let run = evidence.tests.get(&(id.test.clone(), id.ranks)).and_then(|test| test.runs.get(&id.input));
        let failure = run.and_then(|run| judge(test_case, run)).unwrap_or_else(|| {
            FailureReport::new(FailureKind::NoVerdict, text::no_verdict(lang), text::hint_no_record(lang))
        });
        summary::ran(&self.backend, id.ranks, id.input, 1);
        self.report_failure(id, Some(verdict::with_load(failure, &self.backend, id.ranks)));
    }

    fn report_unterminated(&self, id: &RunId, report: &RankReport) {
        self.report_failure(id, unterminated::finding(&[report], Lang::from_environment()));
    }
}

impl LaunchedJobReporter {
    fn report_failure(&self, id: &RunId, failure: Option<FailureReport>) {
        let (backend, arrival_orders) = (self.backend.clone(), vec![]);
        let outcome = BackendOutcome { backend, ranks: id.ranks, failure, arrival_orders };
        verdict::report_all(&test_report::render(&id.test, &[outcome]));
    }
}

/// Why the ranks do not agree, as a message.
pub(crate) fn describe_sync_error(lost: &SyncError) -> String {
    let lang = Lang::from_environment();
    match lost {
        SyncError::StepMismatch { rank, theirs, mine } => text::out_of_step(lang, rank, theirs, mine),
        other => text::cannot_join(lang, other),
    }
}
