//! The data of the page: columns of integers as JSON, compressed (zlib) and in base64.
//!
//! A column of many numbers contains the difference of each to the one before, so that most have few digits. Times are nanoseconds from the
//! first moment of the first rank. Events are numbered over all ranks, rank by rank. `script/data.js` reads it.
use std::{
    collections::{BTreeMap, HashMap},
    hash::Hash,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Serialize;
use wb_messages::{Lang, number, report::trace_page as page};
use wb_record::{
    CollectiveShape, EventKind, SourceCall,
    trace_analysis::{CollectiveMatch, EventRef, InsideMessage, matching::CallLink},
};

use super::{Sources, TraceView, describe::describe_event, parts::PARTS, sentences, words};
/// Lines of the source above and below that of a call.
const CONTEXT: usize = 3;

/// Messages inside of collectives that a page contains.
const MAX_INSIDE: usize = 100_000;

/// See the module; fields are in the order in which they are read.
#[derive(Serialize)]
struct PageData<'a> {
    words: BTreeMap<&'static str, String>,
    mark: &'static str,
    total: u64,
    parts: Vec<String>,
    /// Begin and end of each rank.
    ranks: Vec<[u64; 2]>,
    stages: Vec<&'a str>,
    /// Rank, stage, begin and end.
    spans: Vec<[u64; 4]>,
    communicators: Vec<&'a str>,
    sites: Vec<Site<'a>>,
    notes: Vec<String>,
    events: Events,
    messages: Messages,
    tags: Vec<Option<i32>>,
    waits: Waits,
    collectives: Vec<Collective<'a>>,
    /// The critical path: rank, begin and end of each segment.
    path: Vec<[u64; 3]>,
    what_if: Vec<(String, Vec<u64>)>,
}

/// A call of the source.
#[derive(Serialize)]
struct Site<'a> {
    verb: &'a str,
    place: String,
    line: u32,
    /// The number of the first line below, and lines of the source.
    first: usize,
    lines: Vec<&'a str>,
}

/// One entry per event. The stage and the note count from 1; 0 is none.
#[derive(Default, Serialize)]
struct Events {
    count: Vec<usize>,
    begin: Column,
    length: Vec<u64>,
    site: Vec<usize>,
    communicator: Vec<usize>,
    stage: Vec<usize>,
    note: Vec<usize>,
}

/// One entry per message, in the order of the events that return with them.
#[derive(Default, Serialize)]
struct Messages {
    received: Column,
    sent: Column,
    /// How many events before `received` the receive was posted, and how many after `sent` the send was finished.
    posted: Vec<usize>,
    finished: Vec<usize>,
    tag: Vec<usize>,
    bytes: Vec<u64>,
}

/// One entry per event that waited.
#[derive(Default, Serialize)]
struct Waits {
    event: Column,
    part: Vec<usize>,
    ns: Vec<u64>,
    ended_by: Column,
}

#[derive(Serialize)]
struct Collective<'a> {
    /// The number among the collective calls of its communicator.
    sequence: u32,
    /// The events that enter it, and those that return with it complete.
    entered: Vec<usize>,
    left: Vec<usize>,
    /// Of a neighbourhood collective: each entry, and the event that needs it.
    edges: Vec<[usize; 2]>,
    /// The algorithm inside, if it is known.
    algorithm: &'a str,
    /// Whether the page has its messages: it has room for some collectives only.
    is_open: bool,
    /// The messages inside: sender, receiver, when they were sent and received, bytes, round.
    inside: Vec<[u64; 6]>,
}

/// A column of differences.
#[derive(Default, Serialize)]
#[serde(transparent)]
struct Column {
    differences: Vec<i64>,
    #[serde(skip)]
    last: i64,
}

impl Column {
    fn push(&mut self, value: u64) {
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        self.differences.push(value - self.last);
        self.last = value;
    }
}

/// Different values in the order of their first use.
struct Interner<T>(HashMap<T, usize>, Vec<T>);

impl<T: Clone + Eq + Hash> Interner<T> {
    fn new() -> Self {
        Self(HashMap::new(), vec![])
    }

    fn number(&mut self, value: T) -> usize {
        *self.0.entry(value).or_insert_with_key(|value| {
            self.1.push(value.clone());
            self.1.len() - 1
        })
    }
}

/// The data as text of the alphabet of base64.
pub(super) fn encode(view: &TraceView<'_>, sources: &Sources, lang: Lang) -> String {
    let json = serde_json::to_vec(&page_data(view, sources, lang)).expect("keys are strings");
    STANDARD.encode(miniz_oxide::deflate::compress_to_vec_zlib(&json, 6))
}

/// The number of each event among all.
struct EventNumbers(Vec<usize>);

impl EventNumbers {
    fn new(view: &TraceView<'_>) -> Self {
        let lengths = view.timeline.ranks.iter().map(|rank| rank.events.len());
        Self(lengths.scan(0, |next, length| Some(std::mem::replace(next, *next + length))).collect())
    }

    fn of(&self, place: EventRef) -> usize {
        self.0[place.rank] + place.event
    }
}

/// The texts to which events refer by their numbers.
struct Texts<'a> {
    stages: Interner<&'a str>,
    communicators: Interner<&'a str>,
    sites: Interner<&'a SourceCall>,
    notes: Interner<String>,
}

fn page_data<'a>(view: &TraceView<'a>, sources: &'a Sources, lang: Lang) -> PageData<'a> {
    let numbers = EventNumbers::new(view);
    let since = |ns: u64| ns.saturating_sub(view.analysis.origin);
    let (stages, communicators, sites, notes) =
        (Interner::new(), Interner::new(), Interner::new(), Interner::new());
    let mut texts = Texts { stages, communicators, sites, notes };
    let spans = spans(view, &mut texts);
    let events = events(view, &mut texts, lang);
    let mut tags = Interner::new();
    let what_if =
        [page::if_zero_latency, page::if_infinite_bandwidth, page::if_free_communication, page::if_balanced];
    let ends = view.analysis.what_if.rank_ends.iter();
    let collectives = view.analysis.matching.collectives.iter();
    let mut collectives: Vec<_> = collectives.map(|one| collective(view, &numbers, one)).collect();
    open(view, &mut collectives);
    PageData {
        words: words::words(lang),
        mark: number::decimal_mark(lang),
        total: view.analysis.total(),
        parts: PARTS.iter().map(|part| (part.name)(lang)).collect(),
        ranks: view.timeline.ranks.iter().map(|rank| [since(rank.begin_ns), since(rank.end_ns)]).collect(),
        spans,
        events,
        messages: messages(view, &numbers, &mut tags),
        tags: tags.1,
        waits: waits(view, &numbers),
        collectives,
        path: path(view),
        what_if: what_if
            .iter()
            .zip(ends)
            .filter_map(|(name, ends)| Some((name(lang), ends.clone()?)))
            .collect(),
        stages: texts.stages.1,
        communicators: texts.communicators.1,
        sites: texts.sites.1.into_iter().map(|call| site(call, sources)).collect(),
        notes: texts.notes.1,
    }
}

fn spans<'a>(view: &TraceView<'a>, texts: &mut Texts<'a>) -> Vec<[u64; 4]> {
    let since = |ns: u64| ns.saturating_sub(view.analysis.origin);
    let mut spans = vec![];
    for (rank, trace) in view.timeline.ranks.iter().enumerate() {
        for stage in &trace.stages {
            let end = stage.end_ns.min(trace.end_ns).max(stage.begin_ns);
            let number = texts.stages.number(stage.name.as_str()) as u64;
            spans.push([rank as u64, number, since(stage.begin_ns), since(end)]);
        }
    }
    spans
}

fn events<'a>(view: &TraceView<'a>, texts: &mut Texts<'a>, lang: Lang) -> Events {
    let ranks = view.timeline.ranks;
    let mut events =
        Events { count: ranks.iter().map(|rank| rank.events.len()).collect(), ..Events::default() };
    for place in view.timeline.event_refs() {
        let event = view.timeline.event(place);
        let communicator = &ranks[place.rank].communicators[event.communicator as usize];
        events.begin.push(event.begin_ns.saturating_sub(view.analysis.origin));
        events.length.push(event.end_ns - event.begin_ns);
        events.site.push(texts.sites.number(view.timeline.call(place)));
        events.communicator.push(texts.communicators.number(communicator.name.as_str()));
        events.stage.push(view.timeline.stage(place).map_or(0, |stage| 1 + texts.stages.number(stage)));
        let note = if has_message(view, place) { None } else { describe_event(&event.act, lang) };
        events.note.push(note.map_or(0, |note| 1 + texts.notes.number(note)));
    }
    events
}

/// Whether the messages of a call describe it.
fn has_message(view: &TraceView<'_>, place: EventRef) -> bool {
    let links = view.analysis.matching.links(place);
    links.iter().any(|link| matches!(link, CallLink::Receives(_) | CallLink::Sends(_)))
}

fn messages(view: &TraceView<'_>, numbers: &EventNumbers, tags: &mut Interner<Option<i32>>) -> Messages {
    let mut all: Vec<_> = view.analysis.matching.messages.iter().collect();
    all.sort_by_key(|message| (message.received, message.send));
    let mut messages = Messages::default();
    for message in all {
        messages.received.push(numbers.of(message.received) as u64);
        messages.sent.push(numbers.of(message.send) as u64);
        messages.posted.push(message.received.event - message.posted.event);
        messages.finished.push(message.finished.map_or(0, |finished| finished.event - message.send.event));
        messages.tag.push(tags.number(message.tag));
        messages.bytes.push(message.bytes);
    }
    messages
}

fn waits(view: &TraceView<'_>, numbers: &EventNumbers) -> Waits {
    let mut waits = Waits::default();
    for (place, wait) in view.analysis.waits.all() {
        waits.event.push(numbers.of(place) as u64);
        waits.part.push(
            PARTS.iter().position(|part| part.cause == Some(wait.cause)).expect("every cause is a part"),
        );
        waits.ns.push(wait.ns);
        waits.ended_by.push(numbers.of(wait.ended_by) as u64);
    }
    waits
}

fn collective<'a>(
    view: &TraceView<'a>,
    numbers: &EventNumbers,
    collective: &CollectiveMatch,
) -> Collective<'a> {
    let mut members = collective.members.clone();
    members.sort_unstable_by_key(|member| member.entered);
    let mut edges = vec![];
    if collective.shape == CollectiveShape::Neighbours {
        for caller in &members {
            let sources = collective.needed_by(&view.timeline, caller.entered);
            edges.extend(sources.map(|source| [source, caller].map(|member| numbers.of(member.entered))));
        }
    }
    let first = members.first().map(|member| &view.timeline.event(member.entered).act);
    let sequence = match first {
        Some(EventKind::Collective { sequence, .. } | EventKind::StartCollective { sequence, .. }) => {
            *sequence
        }
        _ => 0,
    };
    Collective {
        sequence,
        entered: members.iter().map(|member| numbers.of(member.entered)).collect(),
        left: members.iter().filter_map(|member| member.left).map(|left| numbers.of(left)).collect(),
        edges,
        algorithm: collective.algorithm(&view.timeline),
        is_open: false,
        inside: vec![],
    }
}

/// Opens collectives, as many as a page has room for.
fn open(view: &TraceView<'_>, collectives: &mut [Collective<'_>]) {
    let since = |ns: u64| ns.saturating_sub(view.analysis.origin);
    let mut left = MAX_INSIDE;
    for (shown, collective) in collectives.iter_mut().zip(&view.analysis.matching.collectives) {
        let inside = collective.inside(&view.timeline);
        left = left.saturating_sub(inside.len());
        if left == 0 {
            break;
        }
        let row = |message: &InsideMessage| {
            let InsideMessage { from, to, sent_ns, received_ns, bytes, round } = *message;
            [from as u64, to as u64, since(sent_ns), since(received_ns), bytes, round as u64]
        };
        shown.inside = inside.iter().map(row).collect();
        shown.is_open = true;
    }
}

fn path(view: &TraceView<'_>) -> Vec<[u64; 3]> {
    let since = |ns: u64| ns - view.analysis.origin;
    let segments = view.analysis.critical_path.segments.iter();
    segments.map(|segment| [segment.rank as u64, since(segment.begin), since(segment.end)]).collect()
}

/// A call with the lines around it, where the source is known.
fn site<'a>(call: &'a SourceCall, sources: &'a Sources) -> Site<'a> {
    let line = call.line as usize;
    let first = line.saturating_sub(CONTEXT).max(1);
    let source = sources.get(&call.file).filter(|_| line > 0);
    let lines = source.map_or("", String::as_str).lines().skip(first - 1).take(line + CONTEXT + 1 - first);
    Site {
        verb: &call.verb,
        place: sentences::call_site(call),
        line: call.line,
        first,
        lines: lines.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_differences_and_large_numbers_do_not_wrap() {
        let mut column = Column::default();
        [5, 7, 3, u64::MAX].into_iter().for_each(|value| column.push(value));
        assert_eq!(column.differences, [5, 2, -4, i64::MAX - 3]);
    }

    #[test]
    fn a_call_has_the_lines_around_it_and_none_of_another_file() {
        let text: String = (1..=9).map(|line| format!("line {line}\n")).collect();
        let sources = Sources::from([("src/a.rs".to_owned(), text)]);
        let call = |file: &str, line| SourceCall { verb: "send".into(), file: file.into(), line };
        for (line, first, expected) in [(5, 2, 2..=8), (1, 1, 1..=4), (9, 6, 6..=9)] {
            let call = call("src/a.rs", line);
            let site = site(&call, &sources);
            assert_eq!(
                (site.first, site.lines),
                (first, expected.map(|line| &sources["src/a.rs"][7 * line - 7..7 * line - 1]).collect())
            );
        }
        for unknown in [call("src/b.rs", 5), call("src/a.rs", 0), call("src/a.rs", u32::MAX)] {
            assert_eq!(site(&unknown, &sources).lines, [""; 0]);
        }
    }
}
