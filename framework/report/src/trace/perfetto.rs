//! Chrome's trace-event format (JSON object form), which Perfetto and `chrome://tracing` open.
//!
//! | in the trace | in the file |
//! |---|---|
//! | a rank | a thread of one process, with its name |
//! | a stage, a call | a complete event (`X`) |
//! | waiting in a call | a complete event inside it |
//! | a message | a flow (`s`, `f`) from its send to its receive |
//!
//! Times are microseconds with three decimals: nothing of a nanosecond is lost.
use serde_json::{Value, json};
use wb_trace::{EventRef, MatchedMessage, WaitStateKind};

use super::{TraceView, sentences};

/// The whole file.
pub(super) fn json(story: &TraceView<'_>) -> String {
    let lanes = story.timeline.ranks.iter().enumerate();
    let mut events = vec![];
    for (rank, lane) in lanes {
        events.push(json!({"ph": "M", "pid": 0, "tid": rank, "name": "thread_name", "args": {"name": format!("rank {rank}")}}));
        events.push(json!({"ph": "M", "pid": 0, "tid": rank, "name": "thread_sort_index", "args": {"sort_index": rank}}));
        // A slice begins before those that it holds.
        events.extend(
            lane.stages.iter().map(|stage| {
                slice(story, rank, &stage.name, "stage", stage.begin_ns, stage.end_ns, json!({}))
            }),
        );
    }
    for place in story.timeline.event_refs() {
        events.push(call(story, place));
        events.extend(waiting(story, place));
    }
    for (number, message) in story.analysis.matching.messages.iter().enumerate() {
        events.extend(flow(story, number, message));
    }
    let trace = story.trace;
    let about = json!({"task": trace.subject.task, "workload": trace.workload.name, "at": trace.at, "left_out": story.truncation.missing_calls});
    json!({"displayTimeUnit": "ns", "otherData": about, "traceEvents": events}).to_string()
}

fn slice(
    story: &TraceView<'_>,
    rank: usize,
    name: &str,
    kind: &str,
    begin: u64,
    end: u64,
    args: Value,
) -> Value {
    let (at, took) = (microseconds(begin - story.analysis.origin), microseconds(end - begin));
    json!({"ph": "X", "pid": 0, "tid": rank, "name": name, "cat": kind, "ts": at, "dur": took, "args": args})
}

fn call(story: &TraceView<'_>, place: EventRef) -> Value {
    let (event, call) = (story.timeline.event(place), story.timeline.call(place));
    let communicator = &story.timeline.ranks[place.rank].communicators[event.communicator as usize];
    let args = json!({
        "at": sentences::call_site(call),
        "communicator": communicator.name,
        "stage": story.timeline.stage(place),
        "act": event.act,
    });
    slice(story, place.rank, &call.verb, "call", event.begin_ns, event.end_ns, args)
}

fn waiting(story: &TraceView<'_>, place: EventRef) -> Option<Value> {
    let wait = story.analysis.waits.at(place)?;
    let begin = story.timeline.event(place).begin_ns;
    let name = match wait.cause {
        WaitStateKind::LateSender => "late sender",
        WaitStateKind::LateReceiver => "late receiver",
        WaitStateKind::Collective => "wait at collective",
    };
    Some(slice(
        story,
        place.rank,
        name,
        "wait",
        begin,
        begin + wait.ns,
        json!({"for_rank": wait.ended_by.rank}),
    ))
}

/// Both ends lie inside their slices: a flow is bound to the slice that it begins or ends in.
fn flow(story: &TraceView<'_>, number: usize, message: &MatchedMessage) -> [Value; 2] {
    let (sent, came) = (story.timeline.event(message.send), story.timeline.event(message.received));
    let last = came.end_ns.saturating_sub(1).max(came.begin_ns);
    let end = |ph: &str, place: EventRef, at: u64| {
        let at = microseconds(at - story.analysis.origin);
        json!({"ph": ph, "bp": "e", "pid": 0, "tid": place.rank, "id": number, "name": "message", "cat": "message", "ts": at})
    };
    [end("s", message.send, sent.begin_ns), end("f", message.received, last)]
}

fn microseconds(ns: u64) -> f64 {
    ns as f64 / 1000.0
}
