//! The page of a trace: one file, nothing fetched; the little script zooms and shows what is pointed at.
use maud::{Markup, PreEscaped, html};
use wb_messages::{Lang, report::trace as text};
use wb_trace::tallies;

use super::{
    Story, Told,
    diagram::Diagram,
    parts::{PARTS, of_cause, shares},
    words,
};
use crate::{
    chart::{Bar, Stack},
    format,
    html::{code_spans, sheet},
    wording,
};

/// The colours of the parts, on every page that shows them.
pub(crate) const COLOURS: &str = include_str!("parts.css");
const STYLE: &str = concat!(include_str!("parts.css"), include_str!("style.css"));
const SCRIPT: &str = include_str!("script.js");

/// Calls in the table.
const MOST_CALLS: usize = 12;

/// The whole page.
pub(super) fn page(story: &Story<'_>, lang: Lang) -> String {
    let heading = text::heading(lang, wording::title(lang, &story.trace.subject), story.ranks());
    let body = html! {
        main {
            header {
                h1 { (heading) }
                p.lead { (words::lead(story, lang)) }
                @for remark in words::remarks(story, lang) { p.alarm { (remark) } }
            }
            (why(story, lang))
            (diagram(story, lang))
            (parts(story, lang))
            (calls(story, lang))
            section { h2 { (text::method_heading(lang)) } p { (text::method(lang)) } }
        }
        script { (PreEscaped(SCRIPT)) }
    };
    sheet(lang, &heading, STYLE, &body)
}

fn why(story: &Story<'_>, lang: Lang) -> Markup {
    let told = Told::by(story, lang);
    html! { section.why { h2 { (text::why(lang)) } (sentences(&told, lang)) } }
}

/// The paragraph, what would have been, and what that rests on.
pub(crate) fn sentences(told: &Told, lang: Lang) -> Markup {
    html! {
        p { @for sentence in &told.paragraph { (code_spans(sentence)) " " } }
        p { (text::estimates(lang)) }
        ul { @for line in &told.estimates { li { (line) } } }
        @for sentence in &told.basis { p.note { (sentence) } }
    }
}

fn diagram(story: &Story<'_>, lang: Lang) -> Markup {
    let diagram = Diagram::of(story, lang);
    html! {
        section {
            h2 { (text::diagram(lang)) }
            @if diagram.calls_left_out + diagram.messages_left_out > 0 {
                p.alarm { (text::not_drawn(lang, diagram.calls_left_out, diagram.messages_left_out)) }
            }
            (legend(lang))
            p.zoom { label { (text::zoom(lang)) " " input #zoom type="range" min="0" max="10" step="0.25" value="0"; } }
            div.space { (diagram.names()) div.lanes { (diagram.render()) } }
            pre #info aria-live="polite" { (text::hover(lang)) }
        }
    }
}

fn legend(lang: Lang) -> Markup {
    // Alone or not, computing has one colour in the picture, and who is not there has none.
    let shown = PARTS.iter().filter(|part| !["t-serial", "t-imbalance"].contains(&part.class));
    html! {
        ul.legend {
            @for part in shown { li { span.swatch.(part.class) {} ((part.name)(lang)) } }
            li { span.swatch.band {} (text::band(lang)) }
            li { span.swatch.critical {} (text::critical_path(lang)) }
            @for stage in ["validation", "preprocessing", "run", "postprocessing"] { li { span.swatch.thin.(format!("st-{stage}")) {} code { (stage) } } }
        }
    }
}

/// The parts of every rank's time, a bar a rank.
pub(super) fn bars(story: &Story<'_>, lang: Lang) -> Markup {
    let total = story.analysis.total();
    let bar = |(rank, parts): (usize, &wb_trace::Parts)| Bar {
        label: format!("{} {rank}", text::rank(lang)),
        parts: PARTS
            .iter()
            .zip(parts.array())
            .map(|(part, ns)| {
                let name = (part.name)(lang);
                (ns as f64, format!("{name}: {}", format::time(lang, ns as f64)))
            })
            .collect(),
        total: format::time(lang, total as f64),
    };
    let stack = Stack {
        title: text::parts(lang),
        about: text::took(lang, format::time(lang, total as f64), story.ranks()),
        parts: PARTS.iter().map(|part| ((part.name)(lang), part.class)).collect(),
        bars: story.analysis.parts.iter().enumerate().map(bar).collect(),
    };
    stack.bars_only()
}

fn parts(story: &Story<'_>, lang: Lang) -> Markup {
    html! {
        section {
            h2 { (text::parts(lang)) }
            figure.parts { (bars(story, lang)) }
            div.scroll { table.results {
                thead { tr { th.text { (text::rank(lang)) } @for part in &PARTS { th { span.swatch.(part.class) {} ((part.name)(lang)) } } } }
                tbody {
                    @for (rank, parts) in story.analysis.parts.iter().enumerate() { tr {
                        th.text scope="row" { (rank) }
                        @for ns in parts.array() { td { @if ns > 0 { (format::time(lang, ns as f64)) } @else { "—" } } }
                    } }
                    tr { th.text scope="row" { (text::mean(lang)) } @for (_, share) in shares(story.analysis.sum()) { td { (format::percent(lang, share)) } } }
                }
            } }
        }
    }
}

fn calls(story: &Story<'_>, lang: Lang) -> Markup {
    let tallies = tallies(&story.timeline, &story.analysis.waits);
    html! {
        @if !tallies.is_empty() {
            section {
                h2 { (text::calls(lang)) }
                div.scroll { table.results {
                    thead { tr {
                        th.text { (text::column_call(lang)) } th.text { (text::column_place(lang)) } th.text { (text::column_stage(lang)) }
                        th { (text::column_times(lang)) } th { (text::column_time(lang)) } th { (text::column_waiting(lang)) } th.text { (text::column_cause(lang)) }
                    } }
                    tbody { @for tally in tallies.iter().take(MOST_CALLS) { tr {
                        th.text scope="row" { code { (tally.call.verb) } }
                        td.text { code { (words::place(tally.call)) } }
                        td.text { (tally.stage.unwrap_or("—")) }
                        td { (tally.times) }
                        td { (format::time(lang, tally.ns as f64)) }
                        td { (format::time(lang, tally.waiting() as f64)) }
                        td.text { (tally.cause().map_or_else(|| "—".to_owned(), |cause| (of_cause(cause).name)(lang))) }
                    } } }
                } }
            }
        }
    }
}
