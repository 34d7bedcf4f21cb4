//! The calls of a rank, in order: recorded while it runs, and written for the others when it has ended.
//!
//! Real MPI knows neither the line that sent a message nor its type, and compares no two calls of a collective. But
//! every rank can record its own calls, and all transcripts together show the sender and receiver of each message, the
//! callers of each collective, and the last position of every rank: the replay combines them. No part of it is sent
//! over the network, and only functional runs write transcripts.
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use serde::{Deserialize, Serialize};
use wb_comm::{BlockedCall, CallLocation, CallSite, Rank, Result, SourceLocation, Verb};
use wb_process::job_status::RankStatus;

use crate::replay::call_trace::call_action::CallAction;

/// The maximum number of recorded calls; a rank with more calls has no transcript.
const MAX_CALLS: usize = 1 << 16;

/// The maximum number of calls that are written for a rank that returned: a short trace costs nothing, a long one is
/// needed only after a failure.
const MAX_RETURNED_CALLS: usize = 1 << 10;

/// The status of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum CallStatus {
    /// The call has not ended.
    Open,
    /// The call succeeded.
    Done,
    /// The call returned an error.
    Refused,
}

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CallRecord {
    /// Its position in the source.
    pub(crate) site: CallSite,
    /// The communicator or the window's handle: its number, in the order of creation on this rank; 0 is the world.
    pub(crate) on: usize,
    pub(crate) action: CallAction,
    pub(crate) status: CallStatus,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CallTrace {
    pub(crate) calls: Vec<CallRecord>,
    /// Further calls were not recorded.
    pub(crate) is_truncated: bool,
}

/// A transcript that a rank writes and its watchdog may read.
#[derive(Clone, Debug, Default)]
pub(crate) struct TraceBuffer(Arc<Mutex<TraceState>>);

#[derive(Debug, Default)]
struct TraceState {
    trace: CallTrace,
    /// The number of communicators and windows that were created.
    handles: usize,
    requests: usize,
    /// The numbers of calls that have begun, also of those that are not recorded, and of fruitless polls.
    activity: CallCounts,
    /// The last call, if it has polled without success; a rank that waits by polling is blocked in it.
    fruitless_poll: Option<CallRecord>,
    /// When the last call began or ended; fruitless polls of one call are one.
    changed: Option<Instant>,
}

/// The number of calls that a rank has made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CallCounts {
    /// Calls that are not fruitless polls.
    pub(crate) calls: u64,
    /// Fruitless polls.
    pub(crate) polls: u64,
}

/// The position of a recorded call; `None` when the transcript is full.
pub(crate) type CallId = Option<usize>;

impl TraceBuffer {
    fn lock(&self) -> MutexGuard<'_, TraceState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn begin(&self, site: CallSite, on: usize, act: CallAction) -> CallId {
        let mut state = self.lock();
        state.activity.calls += 1;
        state.fruitless_poll = None;
        state.changed = Some(Instant::now());
        let CallTrace { calls, is_truncated: cut } = &mut state.trace;
        *cut |= calls.len() == MAX_CALLS;
        (!*cut).then(|| {
            calls.push(CallRecord { site, on, action: act, status: CallStatus::Open });
            calls.len() - 1
        })
    }

    /// The call has ended; `learnt` adds the information that is known now.
    pub(crate) fn end(&self, note: CallId, well: bool, learnt: impl FnOnce(&mut CallAction)) {
        let mut writing = self.lock();
        writing.changed = Some(Instant::now());
        let Some(record) = note.and_then(|note| writing.trace.calls.get_mut(note)) else { return };
        record.status = if well { CallStatus::Done } else { CallStatus::Refused };
        learnt(&mut record.action);
    }

    /// The call continues after all.
    pub(crate) fn reopen(&self, note: CallId) {
        let mut writing = self.lock();
        if let Some(record) = note.and_then(|note| writing.trace.calls.get_mut(note)) {
            record.status = CallStatus::Open;
        }
    }

    /// Records a call around its execution.
    pub(crate) fn record<R, E>(
        &self,
        site: CallSite,
        on: usize,
        act: CallAction,
        call: impl FnOnce() -> std::result::Result<R, E>,
    ) -> std::result::Result<R, E> {
        let note = self.begin(site, on, act);
        let result = call();
        self.end(note, result.is_ok(), |_| {});
        result
    }

    /// A call polls; `action` is what a rank waits for that repeats it until it succeeds.
    pub(crate) fn poll<R>(
        &self,
        (site, on): (CallSite, usize),
        action: impl FnOnce() -> CallAction,
        call: impl FnOnce() -> Result<R>,
        has_failed: impl FnOnce(&R) -> bool,
    ) -> Result<R> {
        let result = call();
        let mut state = self.lock();
        if result.as_ref().is_ok_and(has_failed) {
            state.activity.polls += 1;
            if state.fruitless_poll.as_ref().is_none_or(|polled| polled.site != site) {
                state.changed = Some(Instant::now());
            }
            state.fruitless_poll = Some(CallRecord { site, on, action: action(), status: CallStatus::Open });
        } else {
            state.activity.calls += 1;
            state.fruitless_poll = None;
            state.changed = Some(Instant::now());
        }
        result
    }

    /// The number of calls that the rank has made so far.
    pub(crate) fn counts(&self) -> CallCounts {
        self.lock().activity
    }

    /// What the calls so far show of `rank`, from another thread.
    pub(crate) fn rank_status(&self, rank: Rank) -> RankStatus {
        let state = self.lock();
        let CallTrace { calls, is_truncated } = &state.trace;
        RankStatus {
            rank,
            call: state.fruitless_poll.as_ref().map(|polled| state.trace.describe(rank, polled)),
            last_call: calls.last().filter(|_| !is_truncated).map(|call| CallLocation::new(rank, call.site)),
            since: state.changed.map(|changed| changed.elapsed()),
            sent_bytes: (!is_truncated).then(|| calls.iter().map(|call| call.action.sent_bytes()).sum()),
            ..RankStatus::default()
        }
    }

    /// Records that the rank polls without end: it is blocked in its last poll. Returns that call; `None` if the last
    /// call was another one.
    pub(crate) fn block_in_poll(&self, rank: Rank) -> Option<BlockedCall> {
        let mut state = self.lock();
        let polled = state.fruitless_poll.take()?;
        let call = state.trace.describe(rank, &polled);
        state.trace.calls.push(polled);
        Some(call)
    }

    /// A number for a communicator or window.
    pub(crate) fn next_handle(&self) -> usize {
        let mut writing = self.lock();
        writing.handles += 1;
        writing.handles
    }

    /// A number for a request.
    pub(crate) fn next_request(&self) -> usize {
        let mut writing = self.lock();
        writing.requests += 1;
        writing.requests
    }

    /// The transcript as text for a journal; `None` when it is too long. The limit is lower for a rank that returned.
    pub(crate) fn encode(&self, failed: bool) -> Option<Arc<str>> {
        let writing = self.lock();
        let CallTrace { calls, is_truncated: cut } = &writing.trace;
        let worth_it = !*cut && (failed || calls.len() <= MAX_RETURNED_CALLS);
        worth_it.then(|| writing.trace.to_text())
    }
}

impl CallTrace {
    /// The call as one in which `rank` of the job is blocked.
    fn describe(&self, rank: Rank, polled: &CallRecord) -> BlockedCall {
        let started = match polled.action {
            CallAction::Wait { request, .. } => {
                self.calls.iter().find_map(|call| Some((call.starts(request)?, call.site)))
            }
            _ => None,
        };
        let operation = match &polled.action {
            CallAction::Probe(operation) => Some(operation),
            _ => started.map(|(operation, _)| operation),
        };
        let started_at = started.map(|(_, site)| CallLocation::new(rank, site));
        let call = BlockedCall { started_at, ..BlockedCall::new(rank, polled.site) };
        let Some(operation) = operation else { return call };
        let (peer, tag) = (Some(operation.source()), operation.accepts().tag);
        // The numbers of ranks are those of the job on its first communicator only.
        let waits_for = operation.peer.filter(|_| polled.on == 0).into_iter().collect();
        BlockedCall { peer, tag, waits_for, ..call }
    }

    /// The text form for a journal.
    pub(crate) fn to_text(&self) -> Arc<str> {
        EncodedTrace::from_calls(&self.calls).to_text()
    }

    /// The counterpart of [`to_text`](Self::to_text).
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let EncodedTrace { files, calls } = serde_json::from_str(text).ok()?;
        let site = |(verb, file, line): EncodedSite| {
            let verb = *Verb::ALL.get(usize::from(verb))?;
            Some(CallSite { verb, location: SourceLocation::from_record(files.get(file)?, line) })
        };
        let record = |(called, made, on, act, status): EncodedCall| {
            let mut site_of_call = site(called)?;
            if let Some(made) = made {
                let CallSite { verb, location } = site(made)?;
                site_of_call.location = site_of_call.location.of_request(verb.name(), location);
            }
            Some(CallRecord { site: site_of_call, on, action: act, status })
        };
        Some(Self { calls: calls.into_iter().map(record).collect::<Option<_>>()?, is_truncated: false })
    }
}

/// Verb, file and line of a call.
type EncodedSite = (u8, usize, u32);

/// A call; for the start of a persistent request the one that made it; its object; its action; how it ended.
type EncodedCall = (EncodedSite, Option<EncodedSite>, usize, CallAction, CallStatus);

#[derive(Serialize, Deserialize)]
struct EncodedTrace {
    files: Vec<String>,
    calls: Vec<EncodedCall>,
}

impl EncodedTrace {
    fn from_calls(calls: &[CallRecord]) -> Self {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut files = vec![];
        let mut encode = |verb: Verb, location: SourceLocation| -> EncodedSite {
            let file = *numbers.entry(location.file()).or_insert_with_key(|file| {
                files.push((*file).to_owned());
                files.len() - 1
            });
            (verb as u8, file, location.line())
        };
        let line = |record: &CallRecord| {
            let CallRecord { site, on, action: act, status } = record;
            let made = site.location.made().and_then(|(verb, made)| Some((Verb::from_name(verb)?, made)));
            let made = made.map(|(verb, made)| encode(verb, made));
            (encode(site.verb, site.location), made, *on, act.clone(), *status)
        };
        let calls = calls.iter().map(line).collect();
        Self { files, calls }
    }

    fn to_text(&self) -> Arc<str> {
        serde_json::to_string(self).expect("numbers, texts and lists of them").into()
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::{Datatype, MessageTag, Rank, SendMode, Source, TagPattern};

    use super::*;
    use crate::replay::call_trace::call_action::TracedOp;

    fn act() -> CallAction {
        CallAction::Round(vec![TracedOp::send(
            1,
            MessageTag::user(3),
            (Datatype::F64, 5),
            SendMode::Standard,
        )])
    }

    #[test]
    fn a_transcript_survives_being_told() {
        let notes = TraceBuffer::default();
        let site = CallSite::caller(Verb::Send);
        let note = notes.begin(site, 0, act());
        notes.end(note, true, |_| {});
        let receive =
            TracedOp::receive(Source::Any, TagPattern::from(MessageTag::user(3)), (Datatype::F64, 5));
        let note = notes.begin(site, 2, CallAction::Start { request: 1, operation: receive });
        assert_eq!(note, Some(1));
        let encoded = notes.encode(false).expect("it is short");
        let read = CallTrace::parse(&encoded).expect("as it was written");
        let what = |record: &CallRecord| {
            (record.on, record.action.clone(), record.status, record.site.location.line(), record.site.verb)
        };
        let here = notes.lock().trace.calls.iter().map(what).collect::<Vec<_>>();
        assert_eq!(read.calls.iter().map(what).collect::<Vec<_>>(), here);
        assert_eq!(read.calls[0].site.location.file(), site.location.file());
    }

    #[test]
    fn a_long_transcript_is_told_of_ranks_that_failed_only_and_one_without_end_of_nobody() {
        let notes = TraceBuffer::default();
        let site = CallSite::caller(Verb::Send);
        assert!((0..=MAX_RETURNED_CALLS).all(|_| notes.begin(site, 0, act()).is_some()));
        assert!(notes.encode(false).is_none() && notes.encode(true).is_some());
        assert!((MAX_RETURNED_CALLS..MAX_CALLS).any(|_| notes.begin(site, 0, act()).is_none()), "it is full");
        assert!(notes.encode(true).is_none());
    }

    #[test]
    fn whom_a_receive_heard_is_learnt_when_it_is_over() {
        let notes = TraceBuffer::default();
        let any: (Rank, i32) = (4, 9);
        let receive = TracedOp::receive(Source::Any, MessageTag::user(0).into(), (Datatype::I32, 1));
        let note = notes.begin(CallSite::caller(Verb::Recv), 0, CallAction::Round(vec![receive]));
        notes.end(note, true, |act| act.set_match(0, any));
        let CallAction::Round(operations) = &notes.lock().trace.calls[0].action else { panic!("a round") };
        assert_eq!(operations[0].matched, Some(any));
    }
}
