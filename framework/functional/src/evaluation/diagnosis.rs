//! The mistakes of a known kind that a run has shown: from what its ranks noted, what was left, and what the replay found; and the texts of
//! those that a backend finds although all ranks return.
use std::collections::{BTreeMap, BTreeSet};

use wb_comm::{BlockedCall, Code, Finding, Rank, diagnosis::diagnose};
use wb_messages::{Lang, backend_finding as backend_text};

use crate::evidence::{RankOutcome, RankReport, RunEvidence};

/// Whether it is a mistake of two calls that do not match.
fn is_mismatch(code: Code) -> bool {
    use Code::*;
    matches!(
        code,
        CollectiveOrder
            | CollectiveRoot
            | CollectiveCount
            | CollectiveType
            | CollectiveOperation
            | CollectiveTopology
            | Truncated
            | Type
    )
}

/// The details and the lines of a finding, without the lines that the details name.
pub(crate) fn details_once(finding: &Finding, lang: Lang) -> Vec<String> {
    let details: Vec<_> = finding.details.iter().map(|detail| detail.render(lang)).collect();
    let named = details.concat();
    let places = finding.locations.iter().map(|place| place.text().render(lang));
    let places = places.filter(|place| !named.contains(place)).map(|place| format!("  {place}"));
    details.iter().cloned().chain(places).collect()
}

/// The causes for which ranks wait: what the backend found; for processes, what follows from the calls in which they are.
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
    let has_returned =
        |entry: &&RankReport| matches!(entry.outcome, RankOutcome::Returned | RankOutcome::Rejected);
    let ended: Vec<_> = entries().filter(has_returned).map(|entry| entry.rank).collect();
    diagnose(&blocked, &ended, vec![])
}

/// The ranks of a cycle of calls each of which waits for one other rank, from the lowest on, in the order of the waits; empty if there is none.
pub(crate) fn cycle_of_waits<'a>(blocked: impl Iterator<Item = &'a BlockedCall>) -> Vec<Rank> {
    let next: BTreeMap<Rank, Rank> = blocked
        .filter_map(|call| match call.waits_for[..] {
            [awaited] => Some((call.rank, awaited)),
            _ => None,
        })
        .collect();
    let around = |&first: &Rank| {
        let path = std::iter::successors(Some(first), |rank| next.get(rank).copied()).take(next.len() + 1);
        let mut cycle: Vec<_> = path.collect();
        let end = cycle.iter().skip(1).position(|rank| *rank == first)?;
        cycle.truncate(end + 1);
        Some(cycle)
    };
    next.keys().find_map(around).unwrap_or_default()
}

/// All mistakes of a known kind that a run has shown. What a call itself has reported explains what else is found.
pub(crate) fn all_causes(evidence: &RunEvidence) -> Vec<Finding> {
    let reported: BTreeSet<_> = evidence.reports.values().filter_map(|entry| entry.finding.clone()).collect();
    if reported.is_empty() {
        return waiting_causes(evidence);
    }
    let both_sides = |finding: Finding| {
        let is_same = |it: &&Finding| (it.code, it.rank) == (finding.code, finding.rank);
        evidence.leaks.replayed.iter().find(is_same).cloned().unwrap_or(finding)
    };
    reported.into_iter().map(both_sides).collect()
}

/// Calls of different ranks that are not parts of one collective, or of one message. Where ranks share a process, the call
/// itself reports it; for processes the replay does.
pub(crate) fn mismatch_causes(evidence: &RunEvidence) -> Vec<Finding> {
    let reported = evidence.reports.values().filter_map(|entry| entry.finding.clone());
    let all: BTreeSet<_> = reported.chain(evidence.leaks.replayed.iter().cloned()).collect();
    all.into_iter().filter(|finding| is_mismatch(finding.code) && finding.locations.len() > 1).collect()
}

/// The headline, of the number of findings, and the hint.
pub(crate) type Texts = (fn(Lang, usize) -> String, fn(Lang) -> String);

/// The texts of a code; `None` if a call returns it as its error, or if it is a part of another report.
pub(crate) fn backend_texts(code: Code) -> Option<Texts> {
    use Code::*;
    Some(match code {
        CollectiveIncomplete => (backend_text::unjoined, backend_text::hint_unjoined),
        WindowRace => (backend_text::races, backend_text::hint_races),
        FileRace => (backend_text::file_races, backend_text::hint_file_races),
        UnreceivedMessage => (backend_text::leftovers, backend_text::hint_leftovers),
        RequestLeak => (backend_text::requests_left, backend_text::hint_requests_left),
        WindowLeak => (backend_text::windows_left, backend_text::hint_windows_left),
        FileLeak => (backend_text::files_left, backend_text::hint_files_left),
        // Why ranks wait.
        Deadlock | PartnerEnded | NearMiss => return None,
        // Found by `cargo wb check` only.
        BufferDependence | WildcardRace | ArrivalOrder => return None,
        // Errors of calls.
        Truncated | Rank | Tag | Count | Operation | RootBuffer | Range | PersistentState | Layout
        | FileOpen | FileAccess | CommunicatorArgument | CollectiveOrder | CollectiveRoot
        | CollectiveCount | CollectiveType | CollectiveOperation | CollectiveTopology | CollectiveFile
        | Type | Covered | AccessDisjoint | ExposureDisjoint | Overlap | FenceAlone | FenceCandidate
        | LockOrPost | Conflict | Paired | Free | Matched | Assertions | AttachedBuffer | NotReady
        | NotAssociative => return None,
    })
}

#[cfg(test)]
mod tests {
    use wb_comm::{CallSite, Verb};

    use super::*;

    #[test]
    fn a_cycle_is_found_behind_ranks_that_only_wait_for_it() {
        let cycle = |waits: &[(Rank, &[Rank])]| {
            let call = |(rank, waits_for): &(Rank, &[Rank])| BlockedCall {
                waits_for: waits_for.to_vec(),
                ..BlockedCall::new(*rank, CallSite::caller(Verb::Recv))
            };
            cycle_of_waits(waits.iter().map(call).collect::<Vec<_>>().iter())
        };
        assert_eq!(cycle(&[(0, &[1]), (1, &[3]), (2, &[1]), (3, &[2])]), [1, 3, 2]);
        assert_eq!(cycle(&[(0, &[1]), (1, &[0])]), [0, 1]);
        assert_eq!(
            cycle(&[(0, &[1]), (1, &[0, 2]), (2, &[0])]),
            [0; 0],
            "rank 1 may continue without rank 0"
        );
        assert_eq!(cycle(&[(0, &[1]), (1, &[2])]), [0; 0]);
    }
}
