//! The replay of all ranks' transcripts: their calls are repeated, on ranks that see each other.
//!
//! Every rank of the replay makes the calls of one transcript, without payload and without its code. A call that
//! completed does so here too: a wildcard receive takes the same message, a collective waits for no rank. A call that
//! did not complete is really made, so a rank that waited then waits now. Ranks of one process know what they wait for
//! and who sent each message from which line, so all backends share one diagnosis.
//!
//! It makes no statement about a rank that was computing when it was ended, and none when a transcript is missing.
use std::{any::Any, collections::BTreeMap, sync::Arc, time::Duration};

use wb_comm::{
    BlockedCall, Code, Finding, Rank, ThreadRanks,
    diagnosis::drop_near_misses_if_buffering,
    job::{JobOutcome, RankTermination},
};

use crate::{
    evidence::{RankOutcome, RankReport},
    replay::{
        call_trace::{
            call_action::{CallAction, TracedOp},
            trace::{CallRecord, CallStatus, CallTrace},
        },
        replay_rank::ReplayState,
    },
};

/// The time limit: a deadlock is detected immediately, and calls take microseconds.
const LIMIT: Duration = Duration::from_millis(500);

/// Ranks as threads that buffer messages up to a number of bytes.
pub(crate) type ReplayThreads = fn(usize) -> Box<dyn ThreadRanks>;

/// The findings from the transcripts of all ranks of a run; empty as well when they cannot be determined.
pub(crate) fn findings(
    ranks: usize,
    entries: &BTreeMap<Rank, RankReport>,
    buffering: ReplayThreads,
) -> Vec<Finding> {
    let Some(input) = ReplayInput::from_reports(ranks, entries) else { return vec![] };
    let threads = buffering(input.max_buffered_bytes());
    input.findings(&*threads)
}

/// The findings if no message had been buffered, and every collective had waited for all its ranks: MPI promises
/// neither, and where no rank could have continued, the program relies on it. A rank that is blocked in a wildcard
/// receive might have taken another message then; there is no finding about such a run.
pub(crate) fn unbuffered(
    ranks: usize,
    entries: &BTreeMap<Rank, RankReport>,
    buffering: ReplayThreads,
) -> Vec<Finding> {
    let Some(input) = ReplayInput::from_reports(ranks, entries) else { return vec![] };
    let (found, _) = input.run(&*buffering(0), true);
    drop_near_misses_if_buffering(found).into_iter().filter(|finding| is_waiting_code(finding.code)).collect()
}

/// The transcripts, and how they end.
struct ReplayInput {
    traces: Vec<CallTrace>,
    have_all_returned: bool,
}

impl ReplayInput {
    fn from_reports(ranks: usize, entries: &BTreeMap<Rank, RankReport>) -> Option<Self> {
        let entries: Vec<_> = (0..ranks).map(|rank| entries.get(&rank)).collect::<Option<_>>()?;
        let read = |entry: &&RankReport| CallTrace::parse(entry.trace.as_deref()?);
        let traces: Vec<_> = entries.iter().map(read).collect::<Option<_>>()?;
        let is_in_open_call =
            |trace: &CallTrace| trace.calls.last().is_some_and(|record| record.status == CallStatus::Open);
        let known = |(entry, trace): (&&RankReport, &CallTrace)| {
            entry.outcome != RankOutcome::Unresponsive || is_in_open_call(trace)
        };
        let have_all_returned = entries
            .iter()
            .all(|entry| matches!(entry.outcome, RankOutcome::Returned | RankOutcome::Rejected));
        entries.iter().zip(&traces).all(known).then_some(Self { traces, have_all_returned })
    }

    /// The longest message of which the library may have kept a copy, as far as known: shorter than one that it has
    /// not.
    fn max_buffered_bytes(&self) -> usize {
        self.traces
            .iter()
            .flat_map(blocked_send_sizes)
            .min()
            .map_or(usize::MAX, |bytes| bytes.saturating_sub(1))
    }

    /// The findings, except those that contradict that all ranks returned: the library does not make ranks wait there.
    /// A collective that others never called is not a contradiction, and neither are calls that are not parts of one
    /// collective.
    fn findings(self, threads: &dyn ThreadRanks) -> Vec<Finding> {
        let have_all_returned = self.have_all_returned;
        let (mut found, blocked) = self.run(threads, false);
        let is_contradiction = |code| {
            have_all_returned
                && is_waiting_code(code)
                && code != Code::CollectiveOrder
                && (code != Code::CollectiveIncomplete || is_blocked_outside_collectives(&blocked))
        };
        found.retain(|finding| !is_contradiction(finding.code));
        found
    }

    /// The findings, and the positions of the ranks.
    fn run(self, threads: &dyn ThreadRanks, synchronizing: bool) -> (Vec<Finding>, Vec<BlockedCall>) {
        let ranks = self.traces.len();
        let state = Arc::new(ReplayState::new(self.traces, synchronizing));
        let JobOutcome { ranks: ended, blocked, findings, timed_out, .. } =
            threads.run(ranks, Some(LIMIT), state.job());
        let refused = refused_calls(ended);
        let found = match refused {
            Some(refused) if !refused.is_empty() => refused,
            // A rank continued that did not then, to an unknown place. Requests that were dropped may be the reason.
            _ if timed_out || state.has_progressed() => {
                findings.into_iter().filter(|found| found.code == Code::RequestLeak).collect()
            }
            Some(_)
                if synchronizing && blocked.iter().any(|call| state.is_blocked_in_wildcard(call.rank)) =>
            {
                vec![]
            }
            Some(_) => findings,
            None => vec![],
        };
        (found, blocked)
    }
}

/// The mistakes for which calls were refused; none when a rank did not return.
fn refused_calls(ended: Vec<RankTermination>) -> Option<Vec<Finding>> {
    let mut found: Vec<Finding> = vec![];
    for ended in ended {
        let RankTermination::Returned(value) = ended else { return None };
        let refused =
            <Box<dyn Any + Send>>::downcast::<Option<Finding>>(value).expect("the job returns this");
        found.extend(refused.filter(|finding| !found.contains(finding)));
    }
    Some(found)
}

/// Whether a rank is blocked in a call that is not collective.
fn is_blocked_outside_collectives(blocked: &[BlockedCall]) -> bool {
    blocked.iter().any(|call| !call.verb.is_collective())
}

/// Whether the code is about ranks that cannot continue.
fn is_waiting_code(code: Code) -> bool {
    use Code::{
        BufferDependence, CollectiveIncomplete, CollectiveOrder, Deadlock, Matched, NearMiss, PartnerEnded,
    };
    let of_collective = matches!(code, CollectiveIncomplete | CollectiveOrder);
    of_collective || matches!(code, Deadlock | PartnerEnded | NearMiss | BufferDependence | Matched)
}

/// The sizes of the standard sends in which a rank is blocked.
fn blocked_send_sizes(trace: &CallTrace) -> Vec<usize> {
    let Some(CallRecord { action: act, status: CallStatus::Open, .. }) = trace.calls.last() else {
        return vec![];
    };
    let operations: Vec<&TracedOp> = match act {
        CallAction::Round(operations) => operations.iter().collect(),
        CallAction::Wait { request, .. } => {
            trace.calls.iter().filter_map(|record| record.starts(*request)).collect()
        }
        _ => vec![],
    };
    operations.into_iter().filter(|operation| operation.is_send).map(TracedOp::bytes).collect()
}

impl CallRecord {
    /// The operation, if it is the one of this request.
    pub(crate) fn starts(&self, number: usize) -> Option<&TracedOp> {
        match &self.action {
            CallAction::Start { request, operation } if *request == number => Some(operation),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
