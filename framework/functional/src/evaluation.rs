//! Verdicts, pure functions of the evidence: on a run, and here on a test at one number of ranks.
use std::{sync::Arc, time::Duration};

use wb_messages::{Lang, functional as text};

use run_verdict::judge;

use crate::{
    evidence::{RunEvidence, TestEvidence},
    test::TestRun,
};

pub(crate) mod diagnosis;
pub(crate) mod failure_report;
pub(crate) mod lost_ranks;
pub(crate) mod outputs;
pub(crate) mod run_verdict;

pub(crate) use failure_report::{FailureKind, FailureReport};

#[derive(Debug, Default)]
pub(crate) struct TestVerdict {
    /// Runs that passed.
    pub(crate) passed: usize,
    /// The reason why the rest did not pass.
    pub(crate) failure: Option<FailureReport>,
    /// The time of all runs together.
    pub(crate) duration: Duration,
    /// The order in which messages were received, for each input.
    pub(crate) arrival_orders: ArrivalOrders,
}

/// For each input, the order in which each rank received messages; `None` unless all ranks returned.
pub(crate) type ArrivalOrders = Vec<Option<Vec<u64>>>;

impl TestVerdict {
    /// The verdict that nothing passed, for this reason.
    pub(crate) fn failed(finding: FailureReport) -> Self {
        Self { failure: Some(finding), ..Self::default() }
    }
}

/// The verdict on `test_runs`, from what `evidence` says of them.
pub(crate) fn evaluate(ranks: usize, test_runs: &[Arc<dyn TestRun>], evidence: &TestEvidence) -> TestVerdict {
    let lang = Lang::from_environment();
    let none = |kind, headline, hint| TestVerdict::failed(FailureReport::new(kind, headline, hint));
    if test_runs.is_empty() {
        return none(FailureKind::NoInputs, text::no_inputs(lang, ranks), text::hint_test(lang));
    }
    if evidence.cases.len() != test_runs.len() {
        let headline = text::other_inputs(lang, evidence.cases.len(), test_runs.len());
        return none(FailureKind::OtherInputs, headline, text::hint_test(lang));
    }
    let duration = evidence.runs.values().map(RunEvidence::duration).sum();
    let order = |input| evidence.runs.get(&input).and_then(RunEvidence::arrival_order);
    let arrival_orders = (0..test_runs.len()).map(order).collect();
    for (passed, test_run) in test_runs.iter().enumerate() {
        let unseen = RunEvidence::default();
        let run = evidence.runs.get(&passed).unwrap_or(&unseen);
        if let Some(finding) = judge(test_run.test_case(), run) {
            return TestVerdict { passed, failure: Some(finding), duration, arrival_orders };
        }
    }
    if is_silent(ranks, test_runs, evidence) {
        return none(FailureKind::Silent, text::silent(lang), text::hint_silent(lang));
    }
    TestVerdict { passed: test_runs.len(), failure: None, duration, arrival_orders }
}

/// Whether no rank of a parallel version receives data, whatever the input. Barriers alone communicate nothing.
fn is_silent(ranks: usize, test_runs: &[Arc<dyn TestRun>], evidence: &TestEvidence) -> bool {
    let refused = |test_run: &Arc<dyn TestRun>| test_run.test_case().expected.refusal.is_some();
    let mut entries = evidence.runs.values().flat_map(|run| run.reports.range(..ranks));
    ranks > 1 && !test_runs.iter().all(refused) && entries.all(|(_, entry)| !entry.has_received)
}
