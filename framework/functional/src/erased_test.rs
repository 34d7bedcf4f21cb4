//! A test with its types erased, and the verdict on it at one number of ranks.
use std::{cell::RefCell, collections::BTreeMap, sync::Arc, thread, time::Duration};

use wb_messages::{Lang, functional as text};
use wb_record::{TestOutcome, Version};
use wb_worker::Backends;

use super::{
    evidence::{RunEvidence, TestEvidence},
    failure_report::FailureReport,
    judge,
    test_case::RunId,
    test_run::TestRun,
};

/// See the module.
pub(super) struct ErasedTest {
    pub(super) backends: Backends,
    /// The test's path; a second check of the same test has a number behind it.
    pub(super) name: String,
    /// The version under test.
    pub(super) version: Version,
    /// The runs, by numbers of ranks.
    pub(super) test_runs: Vec<(usize, Vec<Arc<dyn TestRun>>)>,
}

/// The name of the check that this thread comes to: libtest names the thread after the test.
pub(super) fn next_check_name() -> String {
    thread_local! {
        static CHECKS: RefCell<BTreeMap<String, usize>> = const { RefCell::new(BTreeMap::new()) };
    }
    let test = thread::current().name().unwrap_or("main").to_owned();
    let number = CHECKS.with_borrow_mut(|checks| {
        let number = checks.entry(test.clone()).or_default();
        *number += 1;
        *number
    });
    if number == 1 { test } else { format!("{test}#{number}") }
}

/// The version that a task of type `T`, tested on these numbers of ranks, is: tasks call their versions `Seq` and `Mpi`;
/// what has another name and is tested on one rank only is taken for a sequential one.
pub(super) fn version_of<T>(ranks: &[usize]) -> Version {
    let path = std::any::type_name::<T>().split('<').next().unwrap_or_default();
    match path.rsplit("::").next() {
        Some("Seq") => Version::Seq,
        Some("Mpi") => Version::Mpi,
        _ if ranks.iter().all(|&ranks| ranks == 1) => Version::Seq,
        _ => Version::Mpi,
    }
}

/// The test that a check belongs to: see [`next_check_name`].
pub(super) fn test_of(check: &str) -> &str {
    check.split_once('#').map_or(check, |(test, _)| test)
}

/// The identity of a test at a number of ranks, in a journal.
pub(super) fn run_id(name: &str, ranks: usize) -> RunId {
    RunId { test: name.to_owned(), ranks, input: 0 }
}

/// The verdict on a test at one number of ranks.
#[derive(Debug)]
pub(super) struct TestVerdict {
    /// Runs that passed.
    pub(super) passed: usize,
    /// Why the rest did not.
    pub(super) failure: Option<FailureReport>,
    /// What the runs took, all together.
    pub(super) duration: Duration,
}

impl TestVerdict {
    /// Nothing passed, for this reason.
    pub(super) fn failed(finding: FailureReport) -> Self {
        Self { passed: 0, failure: Some(finding), duration: Duration::ZERO }
    }
}

/// Judges what `evidence` says of `trials`.
pub(super) fn evaluate(ranks: usize, trials: &[Arc<dyn TestRun>], evidence: &TestEvidence) -> TestVerdict {
    let lang = Lang::from_environment();
    let none = |headline, hint| TestVerdict::failed(FailureReport::new(TestOutcome::Fail, headline, hint));
    if trials.is_empty() {
        return none(text::no_inputs(lang, ranks), text::hint_test(lang));
    }
    if evidence.inputs != trials.len() {
        let headline = text::other_inputs(lang, evidence.inputs, trials.len());
        return none(headline, text::hint_test(lang));
    }
    let took = evidence.runs.values().map(RunEvidence::duration).sum();
    for (passed, trial) in trials.iter().enumerate() {
        let unseen = RunEvidence::default();
        let run = evidence.runs.get(&passed).unwrap_or(&unseen);
        if let Some(finding) = judge::judge(trial.test_case(), run) {
            return TestVerdict { passed, failure: Some(finding), duration: took };
        }
    }
    if is_silent(ranks, trials, evidence) {
        return none(text::silent(lang), text::hint_silent(lang));
    }
    TestVerdict { passed: trials.len(), failure: None, duration: took }
}

/// Does a parallel version communicate nothing, whatever the input?
fn is_silent(ranks: usize, trials: &[Arc<dyn TestRun>], evidence: &TestEvidence) -> bool {
    let refused = |trial: &Arc<dyn TestRun>| trial.test_case().expected.refusal.is_some();
    let mut entries = evidence.runs.values().flat_map(|run| run.reports.values());
    ranks > 1 && !trials.iter().all(refused) && entries.all(|entry| entry.counts.is_silent())
}
