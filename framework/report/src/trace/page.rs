//! The page of a trace: one file, nothing fetched; the script zooms and shows the tooltips.
use maud::{Markup, PreEscaped, html};
use wb_messages::{Lang, report::trace as text};
use wb_trace::tallies;

use super::{
    TraceSummary, TraceView, bars,
    diagram::Diagram,
    parts::{PARTS, part_of_cause, shares},
    sentences,
};
use crate::{
    format, labels,
    standalone_page::{code_spans, standalone_page},
};

const STYLE: &str = concat!(include_str!("parts.css"), include_str!("style.css"));
const SCRIPT: &str = include_str!("script.js");

const MAX_TABLE_CALLS: usize = 12;

/// The whole page.
pub(super) fn page(view: &TraceView<'_>, lang: Lang) -> String {
    let heading = text::heading(lang, labels::title(lang, &view.trace.subject), view.ranks());
    let body = html! {
        main {
            header {
                h1 { (heading) }
                p.lead { (sentences::lead(view, lang)) }
                @for remark in sentences::remarks(view, lang) { p.alarm { (remark) } }
            }
            (bottleneck_section(view, lang))
            (diagram(view, lang))
            (parts(view, lang))
            (calls(view, lang))
            section { h2 { (text::method_heading(lang)) } p { (text::method(lang)) } }
        }
        script { (PreEscaped(SCRIPT)) }
    };
    standalone_page(lang, &heading, STYLE, &body)
}

fn bottleneck_section(view: &TraceView<'_>, lang: Lang) -> Markup {
    let summary = TraceSummary::from_view(view, lang);
    html! { section.why { h2 { (text::bottleneck_heading(lang)) } (render_sentences(&summary, lang)) } }
}

/// The paragraph, the estimates and their basis.
pub(crate) fn render_sentences(summary: &TraceSummary, lang: Lang) -> Markup {
    html! {
        p { @for sentence in &summary.paragraph { (code_spans(sentence)) " " } }
        p { (text::estimates(lang)) }
        ul { @for line in &summary.estimates { li { (line) } } }
        @for sentence in &summary.basis { p.note { (sentence) } }
    }
}

fn diagram(view: &TraceView<'_>, lang: Lang) -> Markup {
    let diagram = Diagram::new(view, lang);
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
    // Computing alone has the colour of computing in the picture, and an absent rank has none.
    let shown = PARTS.iter().filter(|part| !["t-serial", "t-imbalance"].contains(&part.class));
    html! {
        ul.legend {
            @for part in shown { li { span.swatch.(part.class) {} ((part.name)(lang)) } }
            li { span.swatch.band {} (text::collective_band(lang)) }
            li { span.swatch.critical {} (text::critical_path(lang)) }
            @for stage in ["validation", "preprocessing", "run", "postprocessing"] { li { span.swatch.thin.(format!("st-{stage}")) {} code { (stage) } } }
        }
    }
}

fn parts(view: &TraceView<'_>, lang: Lang) -> Markup {
    html! {
        section {
            h2 { (text::parts(lang)) }
            figure.parts { (bars::bars(view, lang)) }
            div.scroll { table.results {
                thead { tr { th.text { (text::rank(lang)) } @for part in &PARTS { th { span.swatch.(part.class) {} ((part.name)(lang)) } } } }
                tbody {
                    @for (rank, parts) in view.analysis.parts.iter().enumerate() { tr {
                        th.text scope="row" { (rank) }
                        @for ns in parts.array() { td { @if ns > 0 { (format::time(lang, ns as f64)) } @else { "—" } } }
                    } }
                    tr { th.text scope="row" { (text::mean(lang)) } @for (_, share) in shares(view.analysis.sum_parts()) { td { (format::percent(lang, share)) } } }
                }
            } }
        }
    }
}

fn calls(view: &TraceView<'_>, lang: Lang) -> Markup {
    let tallies = tallies(&view.timeline, &view.analysis.waits);
    html! {
        @if !tallies.is_empty() {
            section {
                h2 { (text::calls(lang)) }
                div.scroll { table.results {
                    thead { tr {
                        th.text { (text::column_call(lang)) } th.text { (text::column_place(lang)) } th.text { (text::column_stage(lang)) }
                        th { (text::column_times(lang)) } th { (text::column_time(lang)) } th { (text::column_waiting(lang)) } th.text { (text::column_cause(lang)) }
                    } }
                    tbody { @for tally in tallies.iter().take(MAX_TABLE_CALLS) { tr {
                        th.text scope="row" { code { (tally.call.verb) } }
                        td.text { code { (sentences::call_site(tally.call)) } }
                        td.text { (tally.stage.unwrap_or("—")) }
                        td { (tally.count) }
                        td { (format::time(lang, tally.ns as f64)) }
                        td { (format::time(lang, tally.waiting() as f64)) }
                        td.text { (tally.cause().map_or_else(format::dash, |cause| (part_of_cause(cause).name)(lang))) }
                    } } }
                } }
            }
        }
    }
}
