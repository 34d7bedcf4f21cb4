//! What a rank of the user's own job does with a test: all of them run it, rank 0 alone tells.
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use wb_messages::{Lang, functional as text};
use wb_record::TestOutcome;

use super::{
    backend_job::BackendJobId,
    erased_test::{self, ErasedTest},
    evidence::TestEvidence,
    failure_report::FailureReport,
    judge,
    rank_report::RankReport,
    rank_worker::{EXIT_FAILED, RankWorker},
    rendezvous::{Rendezvous, SyncError},
    report::{self, BackendLabel, BackendOutcome},
    summary,
    test_case::{RunId, TestCase},
    test_run::TestRun,
    unterminated, verdict,
};

/// Runs a test on the ranks that there are; on rank 0 it returns when the test passes.
///
/// The other ranks come to the same verdict from the same evidence, but may not fail: a launcher ends a job when one of
/// its ranks ends with an error. So they only remember that rank 0 does not come to further checks of the test.
pub(super) fn run(member: &RankWorker, case: &ErasedTest) {
    let _turn = member.test_lock();
    let test = erased_test::test_of(&case.name);
    if failed_tests().contains(test) {
        return;
    }
    let backend = case.backends.processes.map(|processes| BackendLabel::processes(&processes.library()));
    let backend = backend.expect("only a program with processes joins a job");
    let (mut outcomes, mut fails, mut any) = (vec![], false, false);
    for (ranks, trials) in &case.test_runs {
        if *ranks > member.size {
            if member.rank == 0 {
                summary::skipped(&backend.0, *ranks, member.size, trials.len());
            }
            continue;
        }
        any = true;
        let judged =
            erased_test::evaluate(*ranks, trials, &run_one(member, &backend, &case.name, *ranks, trials));
        fails |= judged.failure.is_some();
        if member.rank == 0 {
            let id = BackendJobId::Processes(*ranks);
            outcomes.push(verdict::count(case, id, &backend, trials.len(), *ranks, judged));
        }
    }
    match (member.rank, any) {
        (0, true) => verdict::report(case, &outcomes),
        (0, false) => verdict::nothing_tested(case, Some(member.size)),
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
    trials: &[Arc<dyn TestRun>],
) -> TestEvidence {
    member.run(name, ranks, trials).unwrap_or_else(|lost| {
        if member.rank == 0 {
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

/// The farewell of rank 0: what it says when a run ends the job.
pub(super) fn report_and_end(backend: &BackendLabel, board: &Rendezvous, question: &TestCase) {
    let lang = Lang::from_environment();
    let id = &question.id;
    let evidence = board.evidence().unwrap_or_default();
    let run = evidence.tests.get(&(id.test.clone(), id.ranks)).and_then(|case| case.runs.get(&id.input));
    let finding = run.and_then(|run| judge::judge(question, run));
    let finding = finding.unwrap_or_else(|| {
        FailureReport::new(TestOutcome::Crash, text::no_verdict(lang), text::hint_no_record(lang))
    });
    summary::ran(backend, id.ranks, id.input, 1);
    let outcome = BackendOutcome { backend: backend.clone(), ranks: id.ranks, failure: Some(finding) };
    verdict::report_all(&report::render(&id.test, &[outcome]));
}

/// What a rank says that does not end after its test, which rank 0 may have told as passed.
pub(super) fn report_unterminated(backend: &BackendLabel, id: &RunId, entry: &RankReport) {
    let finding = unterminated::finding(&[entry], Lang::from_environment());
    let outcome = BackendOutcome { backend: backend.clone(), ranks: id.ranks, failure: finding };
    verdict::report_all(&report::render(&id.test, &[outcome]));
}

/// Why the ranks do not agree, for people.
pub(super) fn describe_sync_error(lost: &SyncError) -> String {
    let lang = Lang::from_environment();
    match lost {
        SyncError::StepMismatch { rank, theirs, mine } => text::out_of_step(lang, rank, theirs, mine),
        other => text::cannot_join(lang, other),
    }
}
