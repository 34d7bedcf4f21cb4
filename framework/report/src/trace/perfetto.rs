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
use wb_record::trace_analysis::{EventRef, MatchedMessage, WaitStateKind};

use super::{TraceView, sentences};

/// The whole file.
pub(super) fn json(view: &TraceView<'_>) -> String {
    let ranks = view.timeline.ranks.iter().enumerate();
    let mut events = vec![];
    for (rank, trace) in ranks {
        events.push(json!({"ph": "M", "pid": 0, "tid": rank, "name": "thread_name", "args": {"name": format!("rank {rank}")}}));
        events.push(json!({"ph": "M", "pid": 0, "tid": rank, "name": "thread_sort_index", "args": {"sort_index": rank}}));
        // A slice begins before those that it holds.
        events.extend(
            trace.stages.iter().map(|stage| {
                slice(view, rank, &stage.name, "stage", stage.begin_ns, stage.end_ns, json!({}))
            }),
        );
    }
    for place in view.timeline.event_refs() {
        events.push(call(view, place));
        events.extend(waiting(view, place));
    }
    for (number, message) in view.analysis.matching.messages.iter().enumerate() {
        events.extend(flow(view, number, message));
    }
    let trace = view.trace;
    let about = json!({"task": trace.subject.task, "workload": trace.workload.name, "at": trace.at, "left_out": view.truncation.missing_calls});
    json!({"displayTimeUnit": "ns", "otherData": about, "traceEvents": events}).to_string()
}

fn slice(
    view: &TraceView<'_>,
    rank: usize,
    name: &str,
    kind: &str,
    begin: u64,
    end: u64,
    args: Value,
) -> Value {
    let (at, took) = (microseconds(begin - view.analysis.origin), microseconds(end - begin));
    json!({"ph": "X", "pid": 0, "tid": rank, "name": name, "cat": kind, "ts": at, "dur": took, "args": args})
}

fn call(view: &TraceView<'_>, place: EventRef) -> Value {
    let (event, call) = (view.timeline.event(place), view.timeline.call(place));
    let communicator = &view.timeline.ranks[place.rank].communicators[event.communicator as usize];
    let args = json!({
        "at": sentences::call_site(call),
        "communicator": communicator.name,
        "stage": view.timeline.stage(place),
        "act": event.act,
    });
    slice(view, place.rank, &call.verb, "call", event.begin_ns, event.end_ns, args)
}

fn waiting(view: &TraceView<'_>, place: EventRef) -> Option<Value> {
    let wait = view.analysis.waits.at(place)?;
    let begin = view.timeline.event(place).begin_ns;
    let name = match wait.cause {
        WaitStateKind::LateSender => "late sender",
        WaitStateKind::LateReceiver => "late receiver",
        WaitStateKind::Collective => "wait at collective",
    };
    Some(slice(
        view,
        place.rank,
        name,
        "wait",
        begin,
        begin + wait.ns,
        json!({"for_rank": wait.ended_by.rank}),
    ))
}

/// Both ends lie inside their slices: a flow is bound to the slice that it begins or ends in.
fn flow(view: &TraceView<'_>, number: usize, message: &MatchedMessage) -> [Value; 2] {
    let (sent, receive) = (view.timeline.event(message.send), view.timeline.event(message.received));
    let last = receive.end_ns.saturating_sub(1).max(receive.begin_ns);
    let end = |ph: &str, place: EventRef, at: u64| {
        let at = microseconds(at - view.analysis.origin);
        json!({"ph": ph, "bp": "e", "pid": 0, "tid": place.rank, "id": number, "name": "message", "cat": "message", "ts": at})
    };
    [end("s", message.send, sent.begin_ns), end("f", message.received, last)]
}

fn microseconds(ns: u64) -> f64 {
    ns as f64 / 1000.0
}
