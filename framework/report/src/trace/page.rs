//! The page of a trace: one file, nothing fetched; the script zooms and shows the tooltips.
use maud::{Markup, PreEscaped, html};
use wb_messages::{Lang, report::trace as text};
use wb_record::trace_analysis::tallies;

use super::{
    TraceSummary, TraceView, bars,
    diagram::Diagram,
    parts::{PARTS, part_of_cause, shares},
    sentences,
    summary::swatch,
};
use crate::{
    document::{BlockGroup, Document, Medium, Table, code, left, right},
    format, labels,
    standalone_page::standalone_page,
};

const STYLE: &str = concat!(include_str!("parts.css"), include_str!("style.css"));
const SCRIPT: &str = include_str!("script.js");

const MAX_TABLE_CALLS: usize = 12;

/// The whole page.
pub(super) fn page(view: &TraceView<'_>, lang: Lang) -> String {
    let heading = text::heading(lang, labels::title(lang, &view.trace.subject), view.ranks());
    let mut page = Document::new(Medium::Page);
    page.group(BlockGroup::Header, |header| {
        header.heading(1, heading.as_str());
        header.lead(sentences::lead(view, lang));
        sentences::remarks(view, lang).into_iter().for_each(|remark| header.alarm(remark));
    });
    page.section("why", |section| {
        let summary = TraceSummary::from_view(view, lang);
        section.heading(2, text::bottleneck_heading(lang));
        summary.paragraph(section);
        summary.estimates(section, lang);
    });
    page.section("", |section| diagram(section, view, lang));
    page.section("", |section| parts(section, view, lang));
    calls(&mut page, view, lang);
    page.section("", |section| {
        section.heading(2, text::method_heading(lang));
        section.paragraph(sentences::method(view, lang));
    });
    let body = html! { main { (page.to_markup()) } script { (PreEscaped(SCRIPT)) } };
    standalone_page(lang, &heading, STYLE, &body)
}

fn diagram(section: &mut Document, view: &TraceView<'_>, lang: Lang) {
    let diagram = Diagram::new(view, lang);
    section.heading(2, text::diagram(lang));
    if diagram.calls_left_out + diagram.messages_left_out > 0 {
        section.alarm(text::not_drawn(lang, diagram.calls_left_out, diagram.messages_left_out));
    }
    section.markup(html! {
        (legend(lang))
        p.zoom { label { (text::zoom(lang)) " " input #zoom type="range" min="0" max="10" step="0.25" value="0"; } }
        div.space { (diagram.names()) div.lanes { (diagram.render()) } }
        pre #info aria-live="polite" { (text::hover(lang)) }
    });
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

fn parts(section: &mut Document, view: &TraceView<'_>, lang: Lang) {
    section.heading(2, text::parts(lang));
    section.markup(html! { figure.parts { (bars::bars(view, lang)) } });
    let columns = PARTS.iter().map(|part| right(swatch(part.class) + (part.name)(lang)));
    let mut table = Table::new([left(text::rank(lang))].into_iter().chain(columns));
    let time = |ns: u64| if ns > 0 { format::time(lang, ns as f64) } else { format::dash() };
    for (rank, parts) in view.analysis.parts.iter().enumerate() {
        table.row([rank.to_string()].into_iter().chain(parts.array().map(time)));
    }
    let shares = shares(view.analysis.sum_parts()).into_iter().map(|(_, share)| format::percent(lang, share));
    table.row([text::mean(lang)].into_iter().chain(shares));
    section.table(table);
}

fn calls(page: &mut Document, view: &TraceView<'_>, lang: Lang) {
    let mut table = Table::new([
        left(text::column_call(lang)),
        left(text::column_place(lang)),
        left(text::column_stage(lang)),
        right(text::column_times(lang)),
        right(text::column_time(lang)),
        right(text::column_waiting(lang)),
        left(text::column_cause(lang)),
    ]);
    for tally in tallies(&view.timeline, &view.analysis.waits).iter().take(MAX_TABLE_CALLS) {
        table.row([
            code(&tally.call.verb),
            code(sentences::call_site(tally.call)),
            tally.stage.unwrap_or("—").into(),
            tally.count.to_string().into(),
            format::time(lang, tally.ns as f64).into(),
            format::time(lang, tally.waiting() as f64).into(),
            tally.cause().map_or_else(format::dash, |cause| (part_of_cause(cause).name)(lang)).into(),
        ]);
    }
    if !table.is_empty() {
        page.section("", |section| {
            section.heading(2, text::calls(lang));
            section.table(table);
        });
    }
}
