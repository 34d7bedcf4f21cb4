//! The tooltips of calls, arrows, bands and stages.
use wb_messages::{Lang, report::trace as text};
use wb_record::{
    Envelope, EventKind, StageSpan,
    trace_analysis::{CollectiveMatch, EventRef, MatchedMessage},
};

use super::{TraceView, parts, sentences};
use crate::format;

pub(super) fn call(view: &TraceView<'_>, place: EventRef, lang: Lang) -> String {
    let (event, call) = (view.timeline.event(place), view.timeline.call(place));
    let communicator = &view.timeline.ranks[place.rank].communicators[event.communicator as usize].name;
    let what = describe_event(&event.act, lang).map_or_else(String::new, |what| format!(" {what}"));
    let mut lines = vec![format!("{}{what}", call.verb)];
    if communicator != "world" {
        lines.push(text::tip_in(lang, communicator));
    }
    let stage = view.timeline.stage(place).map_or_else(String::new, |stage| format!(" · {stage}"));
    lines.push(format!("{}{stage}", sentences::call_site(call)));
    lines.push(span(view, event.begin_ns, event.end_ns, lang));
    if let Some(wait) = view.analysis.waits.at(place) {
        let cause = (parts::part_of_cause(wait.cause).name)(lang);
        lines.push(text::tip_waited(lang, format::time(lang, wait.ns as f64), cause, wait.ended_by.rank));
    }
    format!("{} {}: {}", text::rank(lang), place.rank, lines.join("\n"))
}

fn span(view: &TraceView<'_>, begin: u64, end: u64, lang: Lang) -> String {
    let origin = view.analysis.origin;
    let [from, to, took] =
        [begin - origin, end - origin, end - begin].map(|ns| format::time(lang, ns as f64));
    text::tip_time(lang, from, to, took)
}

fn describe_event(act: &EventKind, lang: Lang) -> Option<String> {
    let bytes = |n: u64| format::bytes(lang, n);
    let out = |to: &Envelope| text::tip_send(lang, to.peer, to.tag, bytes(to.bytes));
    let into = |from: &Envelope| text::tip_receive(lang, from.peer, from.tag, bytes(from.bytes));
    let request = |number: &u32| text::tip_request(lang, number);
    Some(match act {
        EventKind::Local => return None,
        EventKind::Send { to, .. } => out(to),
        EventKind::Receive { from } => into(from),
        EventKind::Exchange { to, from } => format!("{}; {}", out(to), into(from)),
        EventKind::StartSend { to, request: number } => format!("{} ({})", out(to), request(number)),
        EventKind::StartReceive { request: number }
        | EventKind::FinishSend { request: number }
        | EventKind::FinishCollective { request: number } => request(number),
        EventKind::StartCollective { sequence, bytes: n, request: number, .. } => {
            format!("{} ({})", text::tip_collective(lang, sequence, bytes(*n)), request(number))
        }
        EventKind::FinishReceive { request: number, from } => format!("{} ({})", into(from), request(number)),
        EventKind::Collective { sequence, bytes: n, .. } => text::tip_collective(lang, sequence, bytes(*n)),
        EventKind::Access { target, bytes: n } => text::tip_access(lang, target, bytes(*n)),
        EventKind::File { bytes: n, is_write: false } => text::tip_read(lang, bytes(*n)),
        EventKind::File { bytes: n, is_write: true } => text::tip_written(lang, bytes(*n)),
        EventKind::Post { peers }
        | EventKind::Start { peers }
        | EventKind::Complete { peers }
        | EventKind::Wait { peers } => {
            let peers: Vec<String> = peers.iter().map(u32::to_string).collect();
            text::tip_peers(lang, peers.join(", "))
        }
    })
}

/// An arrow.
pub(super) fn message(view: &TraceView<'_>, message: &MatchedMessage, lang: Lang) -> String {
    let sent = view.timeline.event(message.send).begin_ns;
    let received_at = view.timeline.event(message.received).end_ns;
    let took = format::time(lang, received_at.saturating_sub(sent) as f64);
    let (from, to) = (message.send.rank, message.received.rank);
    match message.tag {
        Some(tag) => text::tip_message(lang, from, to, tag, format::bytes(lang, message.bytes), took),
        None => text::tip_signal(lang, from, to, took),
    }
}

/// A band.
pub(super) fn collective(view: &TraceView<'_>, collective: &CollectiveMatch, lang: Lang) -> String {
    let begins = || collective.members.iter().map(|member| view.timeline.event(member.entered).begin_ns);
    let spread = begins().max().unwrap_or(0) - begins().min().unwrap_or(0);
    let Some(first) = collective.members.first().map(|member| member.entered) else { return String::new() };
    let event = view.timeline.event(first);
    let communicator = &view.timeline.ranks[first.rank].communicators[event.communicator as usize].name;
    let (EventKind::Collective { sequence, .. } | EventKind::StartCollective { sequence, .. }) = event.act
    else {
        return String::new();
    };
    let spread = format::time(lang, spread as f64);
    text::tip_collective_band(lang, &view.timeline.call(first).verb, communicator, sequence, spread)
}

pub(super) fn stage(stage: &StageSpan, lang: Lang) -> String {
    text::tip_stage(lang, &stage.name, format::time(lang, (stage.end_ns - stage.begin_ns) as f64))
}
