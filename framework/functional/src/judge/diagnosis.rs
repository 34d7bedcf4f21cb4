//! The mistakes of a known kind that a run has shown: from what its ranks noted, what was left, and what the replay found.
use std::collections::BTreeSet;

use wb_comm::{Code, Error, Finding};
use wb_diagnosis::diagnose;
use wb_messages::Lang;

use crate::evidence::{
    RunEvidence,
    rank_report::{RankOutcome, RankReport},
};

/// Is it a mistake of two calls that do not go together?
fn is_mismatch(code: Code) -> bool {
    use Code::{
        CollectiveCount, CollectiveOperation, CollectiveOrder, CollectiveRoot, CollectiveTopology,
        CollectiveType, Truncated, Type,
    };
    let of_collective = matches!(
        code,
        CollectiveOrder
            | CollectiveRoot
            | CollectiveCount
            | CollectiveType
            | CollectiveOperation
            | CollectiveTopology
    );
    of_collective || matches!(code, Truncated | Type)
}

/// Its details and its lines, without the lines that the details name.
pub(crate) fn details_once(finding: &Finding, lang: Lang) -> Vec<String> {
    let details: Vec<_> = finding.details.iter().map(|detail| detail.render(lang)).collect();
    let named = details.concat();
    let places = finding.locations.iter().map(|place| place.text().render(lang));
    let places = places.filter(|place| !named.contains(place)).map(|place| format!("  {place}"));
    details.iter().cloned().chain(places).collect()
}

/// An error of a verb in the user's language, without its code.
pub(crate) fn describe_error(error: &Error, lang: Lang) -> String {
    error.text().render(lang)
}

/// Why ranks wait: what the backend found out; of processes what follows from where each stands.
pub(crate) fn waiting_causes(evidence: &RunEvidence) -> Vec<Finding> {
    if evidence.ongoing_calls().is_some() {
        return vec![];
    }
    let found = evidence.leaks.all();
    // A replay of all calls knows more than the calls in which ranks were seen, each at another moment.
    let is_replayed = evidence.reports.values().all(|entry| entry.trace.is_some());
    if is_replayed || !found.is_empty() {
        return found;
    }
    let entries = || evidence.reports.values();
    let blocked: Vec<_> = entries().filter_map(|entry| entry.blocked_in.clone()).collect();
    let over = |entry: &&RankReport| matches!(entry.outcome, RankOutcome::Returned | RankOutcome::Rejected);
    let ended: Vec<_> = entries().filter(over).map(|entry| entry.rank).collect();
    diagnose(&blocked, &ended, vec![])
}

/// All mistakes of a known kind that a run has shown. What a call itself has reported explains what else is found.
pub(crate) fn all_causes(evidence: &RunEvidence) -> Vec<Finding> {
    let reported: BTreeSet<_> = evidence.reports.values().filter_map(|entry| entry.finding.clone()).collect();
    if reported.is_empty() {
        return waiting_causes(evidence);
    }
    let both_sides = |finding: &Finding| {
        let replayed = evidence.leaks.replayed.iter();
        replayed
            .clone()
            .find(|replayed| (replayed.code, replayed.rank) == (finding.code, finding.rank))
            .cloned()
    };
    reported.into_iter().map(|finding| both_sides(&finding).unwrap_or(finding)).collect()
}

/// Calls of different ranks that are not parts of one collective, or of one message. Where ranks share a process, the call
/// itself reports it; for processes the replay does.
pub(crate) fn mismatch_causes(evidence: &RunEvidence) -> Vec<Finding> {
    let reported = evidence.reports.values().filter_map(|entry| entry.finding.clone());
    let all: BTreeSet<_> = reported.chain(evidence.leaks.replayed.iter().cloned()).collect();
    all.into_iter().filter(|finding| is_mismatch(finding.code) && finding.locations.len() > 1).collect()
}
