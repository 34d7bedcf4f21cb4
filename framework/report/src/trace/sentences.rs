//! Why it is not faster: the sentences of the page and of the terminal.
use std::collections::BTreeMap;

use wb_messages::{Lang, report::trace as text};
use wb_record::{
    Backend, ComparedClock, HostPlacement, SourceCall, Trace,
    trace_analysis::{CallTally, Overlap, tallies},
};

use super::{
    RunStage, TraceView,
    parts::{TimePart, shares},
};
use crate::format;

/// Losses below this share of the time are not worth a word.
const MIN_LOSS_SHARE: f64 = 0.005;

/// A loss below this share of the time, or work of one rank alone below this share of the run, needs no advice.
const MIN_ADVICE_SHARE: f64 = 0.05;

/// A rank that computes less than this share of what the busiest one computes has no part of the work.
const MAX_IDLE_SHARE: f64 = 0.01;

/// Overlap that hides less than this share needs advice.
const MIN_HIDDEN_SHARE: f64 = 0.5;

/// The place of a call: the last two parts of its file, and the line.
pub(super) fn call_site(call: &SourceCall) -> String {
    let parts: Vec<&str> = call.file.rsplit('/').take(2).collect();
    let file: Vec<&str> = parts.into_iter().rev().collect();
    match call.line {
        // Without debug information the place is a function.
        0 => file.join("/"),
        line => format!("{}:{line}", file.join("/")),
    }
}

/// How the trace was taken, and what the parts are.
pub(super) fn method(view: &TraceView<'_>, lang: Lang) -> String {
    let is_task = view.trace.ranks.iter().any(|rank| !rank.stages.is_empty());
    let taken = if is_task { text::method_of_task(lang) } else { text::method_of_program(lang) };
    format!("{taken} {}", text::method(lang))
}

/// The library, or the threads.
pub(super) fn backend(view: &TraceView<'_>, lang: Lang) -> String {
    if let Some(machine) = &view.trace.simulated {
        return text::simulated(lang, machine);
    }
    let passing = &view.trace.environment.message_passing;
    let named: Vec<&str> =
        [&passing.library, &passing.version].into_iter().flatten().map(String::as_str).collect();
    match passing.backend {
        Backend::Threads => text::on_threads(lang),
        other if named.is_empty() => other.name().to_owned(),
        _ => named.join(" "),
    }
}

/// What the run was.
pub(super) fn lead(view: &TraceView<'_>, lang: Lang) -> String {
    let trace = view.trace;
    let workload = format::workload(lang, &trace.workload);
    let lead = text::lead(lang, &trace.subject.task, workload, backend(view, lang), &trace.at);
    [Some(lead), hosts(view, lang), clock_error(view, lang)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The hosts of the ranks, where there are several.
fn hosts(view: &TraceView<'_>, lang: Lang) -> Option<String> {
    let placement = &view.trace.environment.placement;
    let of_host = |host: &HostPlacement| {
        let ranks: Vec<String> = host.ranks.iter().map(u32::to_string).collect();
        text::ranks_of_host(lang, &host.host, ranks.join(", "))
    };
    let all: Vec<String> = placement.iter().map(of_host).collect();
    (all.len() > 1).then(|| text::on_hosts(lang, all.join(", ")))
}

/// The bound of the error of times between hosts, where there are several clocks.
fn clock_error(view: &TraceView<'_>, lang: Lang) -> Option<String> {
    let clock = &view.trace.environment.clock;
    let error = clock.uncertainty_ns.filter(|_| clock.compared.len() > 1)?;
    Some(text::clock_error(lang, format::time(lang, error), clock.compared.len()))
}

/// What the comparison of the clocks, and the messages themselves, say against the times.
fn doubts_about_clocks(view: &TraceView<'_>, lang: Lang) -> Vec<String> {
    let stepped = view.trace.environment.clock.compared.iter().filter(|clock| clock.step_ns > 0.0);
    let step = |clock: &ComparedClock| text::clock_step(lang, &clock.host, format::time(lang, clock.step_ns));
    let mut doubts: Vec<String> = stepped.map(step).collect();
    let found = &view.analysis.violations;
    if !found.is_empty() {
        let most = format::time(lang, found.largest_ns as f64);
        doubts.push(text::arrived_early(lang, found.messages, found.collective_calls, most));
    }
    doubts
}

/// What must be known before the numbers are believed.
pub(super) fn remarks(view: &TraceView<'_>, lang: Lang) -> Vec<String> {
    let mut remarks = vec![];
    let cores = cores(view.trace);
    if view.ranks() > cores && view.trace.simulated.is_none() {
        remarks.push(text::oversubscribed(lang, view.ranks(), cores));
    }
    if let Some(from) = view.truncation.missing_since {
        let after = format::time(lang, (from - view.analysis.origin) as f64);
        remarks.push(text::truncated(lang, after, view.truncation.missing_calls));
    }
    let (sends, receives) = (view.analysis.matching.unreceived.len(), view.analysis.matching.unsent.len());
    if sends + receives > 0 {
        remarks.push(text::unmatched(lang, sends, receives));
    }
    remarks.extend(unrecorded(view.trace, lang));
    remarks.extend(unfinished(view.trace, lang));
    remarks.extend(doubts_about_clocks(view, lang));
    remarks
}

/// The functions that were called and are not in the trace.
fn unrecorded(trace: &Trace, lang: Lang) -> Option<String> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for calls in trace.ranks.iter().flat_map(|rank| &rank.unrecorded) {
        *counts.entry(&calls.function).or_default() += calls.count;
    }
    let functions = counts.into_iter().map(|(function, count)| match function {
        "" => text::calls_of_other_threads(lang, count),
        _ => text::unrecorded_calls(lang, function, count),
    });
    let functions: Vec<String> = functions.collect();
    (!functions.is_empty()).then(|| text::unrecorded(lang, functions.join(", ")))
}

/// The ranks whose recording has no end.
fn unfinished(trace: &Trace, lang: Lang) -> Option<String> {
    let ranks = trace.ranks.iter().enumerate().filter(|(_, trace)| trace.is_unfinished);
    let ranks: Vec<String> = ranks.map(|(rank, _)| rank.to_string()).collect();
    (!ranks.is_empty()).then(|| text::unfinished(lang, ranks.join(", ")))
}

/// The cores that the ranks share: those of all their hosts, where these are known.
fn cores(trace: &Trace) -> usize {
    let of_hosts: Option<u32> = trace.environment.placement.iter().map(|host| host.usable_cores).sum();
    let of_hosts = of_hosts.filter(|_| trace.environment.placement.len() > 1);
    of_hosts.unwrap_or(trace.environment.machine.usable_cores) as usize
}

/// One paragraph: the split, the largest loss and what to do about it, the critical path.
pub(super) fn paragraph(view: &TraceView<'_>, lang: Lang) -> Vec<String> {
    let (analysis, ranks) = (&view.analysis, view.ranks());
    let total = format::time(lang, analysis.total() as f64);
    let mut sentences = vec![if ranks == 1 {
        text::total_time_alone(lang, total)
    } else {
        text::total_time(lang, total, ranks)
    }];
    sentences.extend(run_stage(view, lang));
    let sum = analysis.sum_parts();
    let (share_computed, lost) = losses(view);
    let parts: Vec<String> = lost
        .iter()
        .map(|(part, x)| text::share_of(lang, format::percent(lang, *x), (part.name)(lang)))
        .collect();
    let Some(&(worst, most)) = largest(&lost) else {
        sentences.push(largest_loss(view, lang));
        sentences.extend(overlap(view, lang));
        return sentences;
    };
    let [computed, lost] = [share_computed, 1.0 - share_computed].map(|x| format::percent(lang, x));
    sentences.push(format!("{} {}.", text::shares(lang, computed, lost), parts.join(", ")));
    let alone = sum.serial as f64 / analysis.total().max(1) as f64;
    if alone >= MIN_ADVICE_SHARE {
        let serial = |rank: &usize| analysis.parts[*rank].serial;
        let most = (0..ranks).max_by_key(serial).expect("a rank");
        let share = format::percent(lang, alone);
        let single = match 10 * serial(&most) >= 9 * sum.serial {
            true => text::only_worker(lang, share, most),
            false => text::single_worker(lang, share),
        };
        sentences.push(format!("{single} {}", text::advice_serial(lang)));
    }
    sentences.extend(idle_ranks(view, lang));
    sentences.push(loss(view, worst, most, lang));
    sentences.extend(worst.advice.filter(|_| most >= MIN_ADVICE_SHARE).map(|advice| advice(lang)));
    sentences.extend(overlap(view, lang));
    let mut on: Vec<usize> = analysis.critical_path.segments.iter().map(|segment| segment.rank).collect();
    on.sort_unstable();
    on.dedup();
    let [compute, transfer] = [analysis.critical_path.compute, analysis.critical_path.transfer]
        .map(|ns| format::time(lang, ns as f64));
    sentences.push(text::path(lang, on.len(), compute, transfer));
    sentences
}

/// The share of computing, and the losses that are worth a word.
fn losses(view: &TraceView<'_>) -> (f64, Vec<(&'static TimePart, f64)>) {
    let mut shares = shares(view.analysis.sum_parts());
    let computed = shares[0].1 + shares[1].1;
    shares.drain(..2);
    shares.retain(|(_, share)| *share >= MIN_LOSS_SHARE);
    (computed, shares)
}

fn largest<'a>(losses: &'a [(&'static TimePart, f64)]) -> Option<&'a (&'static TimePart, f64)> {
    losses.iter().max_by(|a, b| a.1.total_cmp(&b.1))
}

/// The largest loss and its call, or that there is hardly any.
pub(super) fn largest_loss(view: &TraceView<'_>, lang: Lang) -> String {
    let (computed, lost) = losses(view);
    match largest(&lost) {
        Some((part, share)) => loss(view, part, *share, lang),
        None => text::no_loss(lang, format::percent(lang, computed)),
    }
}

/// What is timed and graded: `run` alone.
fn run_stage(view: &TraceView<'_>, lang: Lang) -> Option<String> {
    let run = RunStage::from_trace(view.trace).filter(|run| run.ranks > 1)?;
    let share = format::percent(lang, run.computed_share());
    Some(text::run_stage(lang, format::time(lang, run.total_ns), share))
}

/// The ranks that compute almost nothing beside others that do: the program gives them no work.
fn idle_ranks(view: &TraceView<'_>, lang: Lang) -> Option<String> {
    let computed: Vec<u64> = view.analysis.parts.iter().map(|parts| parts.compute + parts.serial).collect();
    let busiest = *computed.iter().max()?;
    if (busiest as f64) < MIN_ADVICE_SHARE * view.analysis.total() as f64 {
        return None;
    }
    let is_idle = |rank: &usize| (computed[*rank] as f64) < MAX_IDLE_SHARE * busiest as f64;
    let idle: Vec<String> = (0..computed.len()).filter(is_idle).map(|rank| rank.to_string()).collect();
    (!idle.is_empty()).then(|| text::idle_ranks(lang, idle.join(", "), computed.len()))
}

/// How much of the started collective operations was hidden, where there are some.
fn overlap(view: &TraceView<'_>, lang: Lang) -> Vec<String> {
    let Some(overlap) = Overlap::of(&view.trace.ranks) else { return vec![] };
    let of_a_rank = |ns: u64| format::time(lang, ns as f64 / view.ranks() as f64);
    let [time, blocking] = [overlap.collectives_ns, overlap.blocking_collectives_ns].map(of_a_rank);
    let hidden = overlap.hidden();
    let sentences = text::overlap(lang, format::percent(lang, hidden), time, blocking);
    [Some(sentences), (hidden < MIN_HIDDEN_SHARE).then(|| text::advice_overlap(lang))]
        .into_iter()
        .flatten()
        .collect()
}

/// The largest loss and the call that has most of it.
fn loss(view: &TraceView<'_>, part: &TimePart, share: f64, lang: Lang) -> String {
    let (name, share) = ((part.name)(lang), format::percent(lang, share));
    let all = tallies(&view.timeline, &view.analysis.waits);
    let of_part = |tally: &CallTally<'_>| match part.cause {
        Some(cause) => tally.waited[cause as usize],
        None if part.class == "t-transfer" => tally.ns - tally.waiting(),
        None => 0,
    };
    match all.iter().max_by_key(|tally| of_part(tally)).filter(|tally| of_part(tally) > 0) {
        Some(tally) => text::largest_loss(lang, name, share, &tally.call.verb, call_site(tally.call)),
        None => text::largest_loss_unlocated(lang, name, share),
    }
}

/// What would have been, one line each, and what the estimates rest on.
pub(super) fn estimates(view: &TraceView<'_>, lang: Lang) -> (Vec<String>, Vec<String>) {
    let analysis = &view.analysis;
    let (what_if, total) = (&analysis.what_if, analysis.total().max(1) as f64);
    let line = |sentence: fn(Lang, String, String) -> String, ns: u64| {
        let change = 100.0 * (ns as f64 / total - 1.0);
        // A change that rounds to nothing has no sign.
        let change = if change.abs() < 0.05 {
            format::percent(lang, 0.0)
        } else {
            format::signed_percent(lang, change / 100.0)
        };
        sentence(lang, format::time(lang, ns as f64), change)
    };
    let mut lines = vec![];
    lines.extend(what_if.zero_latency.map(|ns| line(text::zero_latency, ns)));
    lines.extend(what_if.infinite_bandwidth.map(|ns| line(text::infinite_bandwidth, ns)));
    lines.push(line(text::free_communication, what_if.free_communication));
    lines.push(line(text::perfect_balance, what_if.perfect_balance));
    let blocking = Overlap::of(&view.trace.ranks);
    lines.extend(blocking.map(|overlap| line(text::no_overlap, overlap.blocking_elapsed_ns)));
    let mut basis = vec![];
    if let Some(model) = analysis.model {
        let latency = format::time(lang, model.latency_ns);
        basis.push(match model.bandwidth() {
            Some(bandwidth) => text::model(lang, latency, format::bandwidth(lang, bandwidth)),
            None => text::model_without_bandwidth(lang, latency),
        });
    } else if !analysis.matching.messages.is_empty() {
        basis.push(text::no_model(lang));
    }
    if (what_if.as_recorded as f64 / total - 1.0).abs() > 0.01 {
        basis.push(text::replay_differs(lang, format::time(lang, what_if.as_recorded as f64)));
    }
    (lines, basis)
}
