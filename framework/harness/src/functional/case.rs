//! A test with its types erased, and the verdict on it at one number of ranks.
use std::{cell::RefCell, collections::BTreeMap, sync::Arc, thread, time::Duration};

use wb_messages::{Lang, functional as text};
use wb_record::{Verdict, Version};

use super::{
    evidence::{CaseEvidence, RunEvidence},
    finding::Finding,
    judge,
    question::RunId,
    trial::Trial,
};
use crate::Backends;

/// See the module.
pub(super) struct Case {
    pub(super) backends: Backends,
    /// The test's path; a second check of the same test has a number behind it.
    pub(super) name: String,
    /// The version under test.
    pub(super) version: Version,
    /// The runs, by numbers of ranks.
    pub(super) trials: Vec<(usize, Vec<Arc<dyn Trial>>)>,
}

/// The name of the check that this thread comes to: libtest names the thread after the test.
pub(super) fn next_name() -> String {
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

/// The test that a check belongs to: see [`next_name`].
pub(super) fn test_of(check: &str) -> &str {
    check.split_once('#').map_or(check, |(test, _)| test)
}

/// The identity of a test at a number of ranks, in a journal.
pub(super) fn id(name: &str, ranks: usize) -> RunId {
    RunId { case: name.to_owned(), ranks, input: 0 }
}

/// The verdict on a test at one number of ranks.
#[derive(Debug)]
pub(super) struct Verdicts {
    /// Runs that passed.
    pub(super) passed: usize,
    /// Why the rest did not.
    pub(super) finding: Option<Finding>,
    /// What the runs took, all together.
    pub(super) took: Duration,
}

impl Verdicts {
    /// Nothing passed, for this reason.
    pub(super) fn none(finding: Finding) -> Self {
        Self { passed: 0, finding: Some(finding), took: Duration::ZERO }
    }
}

/// Judges what `evidence` says of `trials`.
pub(super) fn judge(ranks: usize, trials: &[Arc<dyn Trial>], evidence: &CaseEvidence) -> Verdicts {
    let lang = Lang::of_environment();
    let none = |headline, hint| Verdicts::none(Finding::new(Verdict::Fail, headline, hint));
    if trials.is_empty() {
        return none(text::no_inputs(lang, ranks), text::hint_test(lang));
    }
    if evidence.inputs != trials.len() {
        let headline = text::other_inputs(lang, evidence.inputs, trials.len());
        return none(headline, text::hint_test(lang));
    }
    let took = evidence.runs.values().map(RunEvidence::took).sum();
    for (passed, trial) in trials.iter().enumerate() {
        let unseen = RunEvidence::default();
        let run = evidence.runs.get(&passed).unwrap_or(&unseen);
        if let Some(finding) = judge::run(trial.question(), run) {
            return Verdicts { passed, finding: Some(finding), took };
        }
    }
    if is_silent(ranks, trials, evidence) {
        return none(text::silent(lang), text::hint_silent(lang));
    }
    Verdicts { passed: trials.len(), finding: None, took }
}

/// Does a parallel version communicate nothing, whatever the input?
fn is_silent(ranks: usize, trials: &[Arc<dyn Trial>], evidence: &CaseEvidence) -> bool {
    let refused = |trial: &Arc<dyn Trial>| trial.question().expected.refusal.is_some();
    let mut entries = evidence.runs.values().flat_map(|run| run.entries.values());
    ranks > 1 && !trials.iter().all(refused) && entries.all(|entry| entry.counts.is_silent())
}
