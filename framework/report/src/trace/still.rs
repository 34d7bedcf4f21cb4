//! The space-time diagram as a still picture, for print and for browsers without scripts: a row for each rank, time to the right.
use std::cmp::Reverse;

use maud::{Markup, html};
use wb_messages::{Lang, report::trace as text};
use wb_record::trace_analysis::{CollectiveMatch, EventRef, MatchedMessage};

use super::{TraceView, parts};
use crate::{
    chart::{Scale, px},
    format,
};

/// Calls, messages and collectives that the picture shows; beyond, the longest are taken.
const MAX_CALLS: usize = 1500;
const MAX_MESSAGES: usize = 500;
const MAX_COLLECTIVES: usize = 200;
const MAX_SEGMENTS: usize = 2000;

/// Pixels.
const TOP: f64 = 30.0;
const ROW_HEIGHT: f64 = 44.0;
const BAR: f64 = 20.0;
const STAGE: f64 = 5.0;

/// The picture and what it does not show.
pub(super) struct StillDiagram<'a> {
    view: &'a TraceView<'a>,
    lang: Lang,
    calls: Vec<EventRef>,
    messages: Vec<&'a MatchedMessage>,
    pub(super) calls_left_out: usize,
    pub(super) messages_left_out: usize,
}

impl<'a> StillDiagram<'a> {
    pub(super) fn new(view: &'a TraceView<'a>, lang: Lang) -> Self {
        let length = |place: &EventRef| {
            let event = view.timeline.event(*place);
            event.end_ns - event.begin_ns
        };
        let flight = |message: &&MatchedMessage| {
            let sent = view.timeline.event(message.send).begin_ns;
            view.timeline.event(message.received).end_ns.saturating_sub(sent)
        };
        let (calls, calls_left_out) = longest(view.timeline.event_refs(), MAX_CALLS, length);
        let (messages, messages_left_out) =
            longest(view.analysis.matching.messages.iter(), MAX_MESSAGES, flight);
        Self { view, lang, calls, messages, calls_left_out, messages_left_out }
    }

    fn height(&self) -> f64 {
        TOP + ROW_HEIGHT * self.view.ranks() as f64 + 6.0
    }

    /// The names of the rows, beside the picture.
    pub(super) fn names(&self) -> Markup {
        html! {
            svg.names width="84" height=(self.height()) aria-hidden="true" {
                @for rank in 0..self.view.ranks() {
                    text x="78" y=(px(row_y(rank) + BAR * 0.72)) text-anchor="end" { (text::rank(self.lang)) " " (rank) }
                }
            }
        }
    }

    /// The picture.
    pub(super) fn render(&self) -> Markup {
        let (view, lang) = (self.view, self.lang);
        let (calls, messages) = (self.calls.len(), self.messages.len());
        html! {
            svg #still width="100%" height=(self.height()) role="img" xmlns="http://www.w3.org/2000/svg" {
                title { (text::diagram(lang)) }
                desc { (text::alt(lang, view.ranks(), calls, messages)) }
                defs { marker #arrow-tip viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse" { path d="M0 0.6 8 4 0 7.4z" {} } }
                (self.axis())
                @for collective in view.analysis.matching.collectives.iter().take(MAX_COLLECTIVES) { (self.band(collective)) }
                @for rank in 0..view.ranks() { (self.rank_row(rank)) }
                @for place in &self.calls { (self.call(*place)) }
                @for message in &self.messages { (self.arrow(message)) }
                (self.path())
            }
        }
    }

    fn axis(&self) -> Markup {
        let total = self.view.analysis.total() as f64;
        let scale = Scale::linear(0.0, total);
        html! {
            g.axis {
                @for tick in scale.ticks().into_iter().filter(|tick| *tick <= total) {
                    @let x = per_cent(tick / total.max(1.0));
                    line x1=(x) x2=(x) y1=(px(TOP - 8.0)) y2=(px(self.height())) {}
                    text x=(x) y=(px(TOP - 13.0)) text-anchor=(if tick > 0.0 { "middle" } else { "start" }) { (format::tick(&format::time(self.lang, tick))) }
                }
            }
        }
    }

    /// A rank from its beginning to its end, with its stages above.
    fn rank_row(&self, rank: usize) -> Markup {
        let trace = &self.view.timeline.ranks[rank];
        let y = row_y(rank);
        html! {
            (self.bar("t-compute", trace.begin_ns, trace.end_ns, y, BAR))
            @for stage in &trace.stages {
                @let end = stage.end_ns.min(trace.end_ns).max(stage.begin_ns);
                (self.bar(&format!("st-{}", stage.name), stage.begin_ns, end, y - STAGE - 2.0, STAGE))
            }
        }
    }

    fn call(&self, place: EventRef) -> Markup {
        let event = self.view.timeline.event(place);
        let (y, begin) = (row_y(place.rank), event.begin_ns);
        let wait = self.view.analysis.waits.at(place);
        html! {
            (self.bar("t-transfer", begin, event.end_ns, y, BAR))
            @if let Some(wait) = wait { (self.bar(parts::part_of_cause(wait.cause).class, begin, begin + wait.ns, y, BAR)) }
        }
    }

    fn bar(&self, class: &str, begin: u64, end: u64, y: f64, height: f64) -> Markup {
        let width = (end - begin) as f64 / self.view.analysis.total().max(1) as f64;
        html! { rect class=(class) x=(self.x(begin)) y=(px(y)) width=(per_cent(width)) height=(px(height)) {} }
    }

    /// The arrow of a message from its send to its receive.
    fn arrow(&self, message: &MatchedMessage) -> Markup {
        let sent = self.view.timeline.event(message.send).begin_ns;
        let received_at = self.view.timeline.event(message.received).end_ns;
        let (from, to) = (message.send.rank, message.received.rank);
        let (y1, y2) =
            if from < to { (row_y(from) + BAR, row_y(to)) } else { (row_y(from), row_y(to) + BAR) };
        let class = if message.tag.is_some() { "arrow" } else { "arrow signal" };
        html! {
            line class=(class) x1=(self.x(sent)) y1=(px(y1)) x2=(self.x(received_at)) y2=(px(y2)) marker-end="url(#arrow-tip)" {}
        }
    }

    /// The band of a collective from the last entry to the last exit, over all ranks that take part, with the entry of each.
    fn band(&self, collective: &CollectiveMatch) -> Markup {
        let event = |place: EventRef| self.view.timeline.event(place);
        let begins = collective.members.iter().map(|member| event(member.entered).begin_ns);
        let ends = collective.members.iter().map(|member| event(member.entered).end_ns);
        let (Some(entered), Some(left)) = (begins.max(), ends.max()) else { return html! {} };
        if collective.members.len() < 2 {
            return html! {};
        }
        let ranks = || collective.members.iter().map(|member| member.entered.rank);
        let (first, last) = (ranks().min().unwrap_or(0), ranks().max().unwrap_or(0));
        let mut entries: Vec<EventRef> = collective.members.iter().map(|member| member.entered).collect();
        entries.sort_unstable();
        html! {
            g.band {
                (self.bar("", entered, left.max(entered), row_y(first) - 4.0, row_y(last) - row_y(first) + BAR + 8.0))
                @for pair in entries.windows(2) {
                    line x1=(self.x(event(pair[0]).begin_ns)) y1=(px(row_y(pair[0].rank) + BAR)) x2=(self.x(event(pair[1]).begin_ns)) y2=(px(row_y(pair[1].rank))) {}
                }
            }
        }
    }

    fn path(&self) -> Markup {
        let segments = &self.view.analysis.critical_path.segments;
        // The whole path or none: a part of it would look like a shorter path.
        if segments.len() > MAX_SEGMENTS {
            return html! {};
        }
        let y = |rank: usize| px(row_y(rank) + BAR + 4.0);
        html! {
            g.critical {
                @for segment in segments {
                    line x1=(self.x(segment.begin)) y1=(y(segment.rank)) x2=(self.x(segment.end)) y2=(y(segment.rank)) {}
                }
                @for pair in segments.windows(2) {
                    line.jump x1=(self.x(pair[1].begin)) y1=(y(pair[0].rank)) x2=(self.x(pair[1].begin)) y2=(y(pair[1].rank)) {}
                }
            }
        }
    }

    fn x(&self, at: u64) -> String {
        let analysis = &self.view.analysis;
        per_cent((at - analysis.origin) as f64 / analysis.total().max(1) as f64)
    }
}

/// The `most` longest of these, in their order, and how many that leaves out.
fn longest<T>(all: impl Iterator<Item = T>, most: usize, length: impl Fn(&T) -> u64) -> (Vec<T>, usize) {
    let mut all: Vec<(usize, T)> = all.enumerate().collect();
    let left_out = all.len().saturating_sub(most);
    if left_out > 0 {
        all.sort_by_key(|(_, one)| Reverse(length(one)));
        all.truncate(most);
        all.sort_by_key(|(number, _)| *number);
    }
    (all.into_iter().map(|(_, one)| one).collect(), left_out)
}

fn row_y(rank: usize) -> f64 {
    TOP + ROW_HEIGHT * rank as f64 + STAGE + 6.0
}

fn per_cent(share: f64) -> String {
    format!("{:.4}%", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_stay_in_their_order_and_the_others_are_counted() {
        let lengths = [5, 1, 9, 3, 7];
        assert_eq!(longest(lengths.into_iter(), 3, |l| *l), (vec![5, 9, 7], 2));
        assert_eq!(longest(lengths.into_iter(), 5, |l| *l), (lengths.to_vec(), 0));
    }
}
