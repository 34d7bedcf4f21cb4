//! The page of a trace: one file, nothing fetched. The script draws the diagram and fills the matrix from the data in the page.
use maud::{Markup, PreEscaped, html};
use wb_messages::{
    Lang,
    report::{trace as text, trace_page as words},
};
use wb_record::{
    SourceCall,
    trace_analysis::{CollectiveMatch, tallies},
};

use super::{
    Sources, TraceSummary, TraceView, bars, data,
    parts::{PARTS, part_of_cause, shares},
    sentences,
    still::StillDiagram,
    summary::swatch,
};
use crate::{
    document::{BlockGroup, Document, Medium, Table, code, code_spans, left, right},
    format, labels,
    standalone_page::standalone_page,
};

const STYLE: &str = concat!(include_str!("parts.css"), include_str!("style.css"));
const SCRIPT: &str = concat!(
    include_str!("script/data.js"),
    include_str!("script/state.js"),
    include_str!("script/diagram.js"),
    include_str!("script/traffic.js"),
    include_str!("script/details.js"),
    include_str!("script/main.js"),
);

const MAX_TABLE_CALLS: usize = 12;

/// The whole page.
pub(super) fn page(view: &TraceView<'_>, sources: &Sources, lang: Lang) -> String {
    let heading = text::heading(lang, labels::title(lang, &view.trace.subject), view.ranks());
    let mut page = Document::new(Medium::Page);
    page.group(BlockGroup::Header, |header| {
        header.heading(1, heading.as_str());
        header.lead(sentences::lead(view, lang));
        sentences::remarks(view, lang).into_iter().for_each(|remark| header.alarm(remark));
    });
    let summary = TraceSummary::from_view(view, lang);
    page.section("why", |section| {
        section.heading(2, text::bottleneck_heading(lang));
        summary.paragraph(section);
        summary.estimates(section, lang);
    });
    page.section("", |section| diagram(section, view, lang));
    page.section("traffic", |section| traffic(section, summary, lang));
    page.section("", |section| parts(section, view, lang));
    calls(&mut page, view, lang);
    page.section("", |section| {
        section.heading(2, text::method_heading(lang));
        section.paragraph(sentences::method(view, lang));
    });
    let body = html! {
        main { (page.to_markup()) }
        script #data type="text/plain" { (PreEscaped(data::encode(view, sources, lang))) }
        script { (PreEscaped(SCRIPT)) }
    };
    standalone_page(lang, &heading, STYLE, &body)
}

fn diagram(section: &mut Document, view: &TraceView<'_>, lang: Lang) {
    let still = StillDiagram::new(view, lang);
    section.heading(2, text::diagram(lang));
    section.markup(html! {
        div data-script hidden {
            p.note { (code_spans(&words::about(lang)).markup()) }
            (controls(lang))
        }
        (legend(lang))
        div data-script hidden {
            p.clock { output #clock {} " · " span #drawn {} }
            div.space {
                div #labels {}
                div.lanes {
                    canvas #space tabindex="0" role="application" aria-label=(words::canvas(lang)) aria-describedby="keys" {}
                    div #tip hidden {}
                }
            }
            p #moment role="status" {}
            details { summary { (words::keys_heading(lang)) } p #keys { (code_spans(&words::keys(lang)).markup()) } }
            h3 { (words::details_heading(lang)) }
            div #info role="region" aria-live="polite" aria-label=(words::details_heading(lang)) {}
        }
        figure.still {
            figcaption { (words::still(lang)) }
            @if still.calls_left_out + still.messages_left_out > 0 {
                p.note { (text::not_drawn(lang, still.calls_left_out, still.messages_left_out)) }
            }
            div.space { (still.names()) div.lanes { (still.render()) } }
        }
    });
}

/// A button with a name of its own for those who do not see the sign on it.
fn button(command: &str, sign: &str, name: &str) -> Markup {
    html! { button type="button" data-command=(command) aria-label=(name) title=(name) { (sign) } }
}

/// A field of the script's form, whose first option is the empty value.
fn choice(name: &str, label: &str, first: &str) -> Markup {
    html! { label { (label) " " select name=(name) form="instrument" { option value="" selected { (first) } } } }
}

fn controls(lang: Lang) -> Markup {
    let all = words::all(lang);
    html! {
        form #instrument.controls autocomplete="off" {
            div role="group" aria-label=(words::time_controls(lang)) {
                (button("out", "−", &words::zoom_out(lang))) (button("in", "+", &words::zoom_in(lang)))
                (button("left", "←", &words::earlier(lang))) (button("right", "→", &words::later(lang)))
                button type="button" data-command="all" { (words::whole_run(lang)) }
                (button("back", "◂ |", &words::step_back(lang))) button #play type="button" data-command="play" { (words::play(lang)) }
                (button("forward", "| ▸", &words::step_forward(lang)))
                button type="button" data-command="none" { (words::clear(lang)) } button type="button" data-command="reset" { (words::reset(lang)) }
            }
            fieldset {
                legend { (words::layers(lang)) }
                label { input type="checkbox" name="path" checked; " " (text::critical_path(lang)) }
                label { input type="checkbox" name="late"; " " (words::late_senders(lang)) }
                (choice("whatif", &words::what_if(lang), &words::nothing(lang)))
            }
            fieldset {
                legend { (words::filters(lang)) }
                label { (words::of_ranks(lang)) " " input name="ranks" size="10" placeholder=(words::of_ranks_example(lang)); }
                (choice("verb", &words::of_verb(lang), &all))
                (choice("stage", &words::of_stage(lang), &all))
                (choice("communicator", &words::of_communicator(lang), &all))
                (choice("least", &words::size_from(lang), "0"))
                (choice("most", &words::size_to(lang), "∞"))
                (choice("fold", &words::fold(lang), &words::automatic(lang)))
            }
        }
    }
}

fn legend(lang: Lang) -> Markup {
    // Computing alone has the colour of computing in the picture, and an absent rank has none.
    let shown = PARTS.iter().filter(|part| !["t-serial", "t-imbalance"].contains(&part.class));
    html! {
        ul.legend {
            @for part in shown { li { span.swatch.(part.class) {} ((part.name)(lang)) } }
            li data-script hidden { span.swatch.excluded {} (words::excluded(lang)) }
            li { span.swatch.band {} (text::collective_band(lang)) }
            li { span.swatch.critical {} (text::critical_path(lang)) }
            li data-script hidden { span.swatch.point {} (words::under_way(lang)) }
            @for stage in ["validation", "preprocessing", "run", "postprocessing"] { li { span.swatch.thin.(format!("st-{stage}")) {} code { (stage) } } }
        }
    }
}

fn traffic(section: &mut Document, summary: TraceSummary, lang: Lang) {
    let choice = |name: &str, label: String, options: [(&str, String); 2]| {
        html! { label { (label) " " select name=(name) form="instrument" {
            @for (value, option) in options { option value=(value) selected[["messages", "linear"].contains(&value)] { (option) } }
        } } }
    };
    section.heading(2, words::matrix_heading(lang));
    section.markup(html! {
        div data-script hidden {
            p.note { (words::matrix_about(lang)) }
            p.controls {
                (choice("measure", words::measure(lang), [("messages", words::by_messages(lang)), ("bytes", words::by_bytes(lang))]))
                (choice("scale", words::scale(lang), [("linear", words::linear(lang)), ("log", words::logarithmic(lang))]))
            }
            p #matrix-sum role="status" {}
            div.scroll { table #matrix role="grid" aria-label=(words::matrix_heading(lang)) { thead {} tbody {} } }
            div #list {
                p {}
                div.scroll { table.results {
                    thead { tr {
                        th.text scope="col" { (words::column_message(lang)) }
                        @for column in [words::column_tag, words::column_bytes, words::column_sent, words::column_took] {
                            th scope="col" { (column(lang)) }
                        }
                        @for column in [words::column_send_line, words::column_receive_line] { th.text scope="col" { (column(lang)) } }
                    } }
                    tbody {}
                } }
            }
        }
    });
    section.group(BlockGroup::Section("still".to_owned()), |still| summary.matrix(still));
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

/// The algorithm of a collective call, where its rounds are recorded.
fn algorithm_of<'a>(view: &TraceView<'a>, call: &SourceCall) -> Option<&'a str> {
    let is_of_call = |made: &&CollectiveMatch| {
        let entered = made.members[0].entered;
        view.timeline.ranks[entered.rank].calls[view.timeline.event(entered).call as usize] == *call
    };
    let made = view.analysis.matching.collectives.iter().filter(is_of_call);
    made.map(|made| made.algorithm(&view.timeline)).find(|name| !name.is_empty())
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
        let algorithm = algorithm_of(view, tally.call).map(|name| format!(" ({name})"));
        table.row([
            code(&tally.call.verb) + algorithm.as_deref().unwrap_or_default(),
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
