//! One file, offline: `report.html`, and the index of all reports.
//!
//! Nothing is fetched: the style sheet is inside, the charts are inline SVG, and there are no scripts. The page has a
//! dark form (`prefers-color-scheme`) and a printed one (`@media print`).

pub(crate) mod communication;
mod figures;
pub(crate) mod index;
mod results;

use maud::{Markup, html};
use wb_messages::Lang;
use wb_messages::report::{
    document, method as rule_text, model as model_text, trace as trace_text, trust, verdict,
};
use wb_record::{FunctionalRecord, MeasuredWorkload, TestOutcome as TestVerdict};

use crate::analysis::{ReportStatus, TaskAnalysis, TrustLevel};
use crate::standalone_page::{code_spans, standalone_page};
use crate::trace::{self, TraceSummary};
use crate::{bottleneck, csv, format, labels, method, model, setup};

/// The report of one task.
pub(crate) fn page(analysis: &TaskAnalysis<'_>, lang: Lang) -> String {
    let body = html! {
        (header(lang, analysis))
        (verdict_box(lang, analysis))
        (trust_box(lang, analysis))
        @for operation in &analysis.operations { (communication::section(lang, operation)) }
        @for workload in workloads(analysis) { (workload_section(lang, analysis, workload)) }
        @if !analysis.groups.is_empty() {
            (model_section(lang, analysis))
            (bottleneck_section(lang, analysis))
        }
        (correctness(lang, analysis))
        (setup_section(lang, analysis))
        (method_section(lang, analysis))
        (footer(lang, analysis))
    };
    shell(lang, labels::title(lang, analysis.subject), "report", &body)
}

/// The report of a task without records.
pub(crate) fn empty(lang: Lang) -> String {
    shell(lang, &document::index_title(lang), "report", &html! { p { (document::empty(lang)) } })
}

/// `report.html` in English, `report.ru.html` in Russian.
fn file(stem: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{stem}.html"),
        Lang::Ru => format!("{stem}.ru.html"),
    }
}

fn other_language(lang: Lang) -> Lang {
    match lang {
        Lang::En => Lang::Ru,
        Lang::Ru => Lang::En,
    }
}

/// A page with its way back to the index and to the other language.
pub(crate) fn shell(lang: Lang, title: &str, stem: &str, body: &Markup) -> String {
    let body = html! {
        nav {
            @if stem == "report" { a href=(format!("../{}", file("index", lang))) { "← " (document::back_to_index(lang)) } }
            span {}
            a href=(file(stem, other_language(lang))) hreflang=(other_language(lang).code()) { (document::other_language(lang)) }
        }
        main { (body) }
    };
    standalone_page(lang, title, trace::COLOURS, &body)
}

fn header(lang: Lang, analysis: &TaskAnalysis<'_>) -> Markup {
    let subject = analysis.subject;
    html! {
        header {
            h1 { (labels::title(lang, subject)) }
            p.lead {
                (document::student(lang, &subject.student, &subject.group)) " · "
                (document::assignment(lang, subject.task_number, subject.variant)) " · " code { (subject.task) }
            }
            @if analysis.is_embedded() { p.alarm { (trust::embedded(lang)) } }
        }
    }
}

fn status_badge(lang: Lang, status: ReportStatus) -> Markup {
    let class = match status {
        ReportStatus::Green => "good",
        ReportStatus::Yellow => "doubtful",
        ReportStatus::Red => "bad",
    };
    let name = labels::status_label(lang, status);
    html! { span.light.(class) role="img" aria-label=(name) title=(name) {} }
}

fn verdict_box(lang: Lang, analysis: &TaskAnalysis<'_>) -> Markup {
    let sentences = labels::verdict_sentences(lang, analysis);
    let (first, rest) = sentences.split_first().expect("a verdict has a headline");
    html! {
        section.verdict {
            p.headline { (status_badge(lang, analysis.verdict.status)) span { (first) } }
            @for sentence in rest { p { (sentence) } }
            h3 { (verdict::next(lang)) }
            ul { @for advice in &analysis.verdict.advice { li { (code_spans(&labels::advice(lang, *advice))) } } }
        }
    }
}

fn trust_box(lang: Lang, analysis: &TaskAnalysis<'_>) -> Markup {
    let of = |level: TrustLevel| match level {
        TrustLevel::Good => ("good", trust::good(lang), "✓"),
        TrustLevel::Doubtful => ("doubtful", trust::doubtful(lang), "!"),
        TrustLevel::Bad => ("bad", trust::bad(lang), "✗"),
    };
    html! {
        section.trust.(of(analysis.trust.level()).0) {
            h2 { (trust::heading(lang)) }
            ul { @for (level, item) in &analysis.trust.items {
                @let (class, name, sign) = of(*level);
                li.(class) { span.sign role="img" aria-label=(name) { (sign) } span { (labels::item(lang, analysis, item)) } }
            } }
        }
    }
}

fn workloads<'a>(analysis: &'a TaskAnalysis<'_>) -> Vec<&'a MeasuredWorkload> {
    let mut all: Vec<&MeasuredWorkload> = analysis.groups.iter().map(|group| &group.workload).collect();
    all.dedup();
    all
}

fn workload_section(lang: Lang, analysis: &TaskAnalysis<'_>, workload: &MeasuredWorkload) -> Markup {
    html! {
        section {
            h2 { (format::workload(lang, workload)) }
            (figures::workload_figures(lang, analysis, workload))
            @for group in analysis.groups.iter().filter(|g| g.workload == *workload) {
                h3 { code { (group.mode.name()) } }
                p { (labels::base_line(lang, group)) }
                (results::table(lang, group))
                (results::conditions_table(lang, group))
            }
        }
    }
}

/// The remarks on the models, whose rows are in the tables and whose lines are dashed.
fn model_section(lang: Lang, analysis: &TaskAnalysis<'_>) -> Markup {
    html! {
        section.model {
            h2 { (model_text::heading(lang)) }
            @for sentence in model::sentences(lang, analysis) { p { (code_spans(&sentence)) } }
        }
    }
}

fn bottleneck_section(lang: Lang, analysis: &TaskAnalysis<'_>) -> Markup {
    html! {
        section.why {
            h2 { (trace_text::bottleneck_heading(lang)) }
            @match bottleneck::bottleneck_summary(lang, analysis) {
                Err(reason) => p { (code_spans(&reason)) },
                Ok((summary, comparisons)) => {
                    p.lead { (summary.lead) ". " @for sentence in &comparisons { (code_spans(sentence)) " " } }
                    @for remark in &summary.remarks { p.alarm { (remark) } }
                    (trace::render_sentences(&summary, lang))
                    figure.parts { (summary.bars) }
                    div.scroll { table.results.parts {
                        thead { tr { @for (index, name) in TraceSummary::columns(lang).iter().enumerate() { th.text[index == 0] scope="col" { (name) } } } }
                        tbody { @for row in &summary.rows { tr {
                            th.text scope="row" { span.swatch.(row.class) {} (row.cells[0]) }
                            @for cell in &row.cells[1..] { td { (cell) } }
                        } } }
                    } }
                }
            }
        }
    }
}

fn correctness(lang: Lang, analysis: &TaskAnalysis<'_>) -> Markup {
    let counts = crate::functional::TestCounts::from_tests(&analysis.functional);
    let grid = crate::functional::grid(&analysis.functional);
    let ranks = crate::functional::ranks(&analysis.functional);
    html! {
        section {
            h2 { (document::correctness(lang)) }
            p { (counts.sentence(lang)) @for sentence in crate::functional::evidence(lang, analysis.tested.as_ref()) { " " (code_spans(&sentence)) } }
            @if !grid.is_empty() {
                div.scroll { table.results.grid {
                    thead { tr { th.text { (document::test(lang)) } th.text { (document::label_backend(lang)) } @for p in &ranks { th { "p = " (p) } } } }
                    tbody { @for ((test, backend), cells) in &grid {
                        tr { th.text scope="row" { code { (test) } } td.text { (backend.name()) } @for p in &ranks { td { (test_cell(lang, cells.get(p).copied())) } } }
                    } }
                } }
                @let reasons = crate::functional::reasons(&analysis.functional, lang);
                @if !reasons.is_empty() { ul { @for reason in reasons { li { (reason) } } } }
            }
        }
    }
}

fn test_cell(lang: Lang, functional: Option<&FunctionalRecord>) -> Markup {
    let Some(functional) = functional else { return html! { "—" } };
    let class = match functional.verdict {
        TestVerdict::Pass => "good",
        TestVerdict::Skip => "doubtful",
        _ => "bad",
    };
    let reason = functional.reason.clone().unwrap_or_default();
    html! { span.test.(class) title=(reason) { (crate::functional::verdict_label(lang, functional.verdict)) } }
}

fn setup_section(lang: Lang, analysis: &TaskAnalysis<'_>) -> Markup {
    html! {
        section {
            h2 { (document::setup(lang)) }
            dl { @for (label, value) in setup::facts(lang, analysis) { dt { (label) } dd { (value) } } }
            @if let Some(plan) = analysis.plan.filter(|plan| !plan.bands.is_empty()) {
                h3 { (document::bands(lang)) }
                ul.bands { @for band in &plan.bands {
                    li { (document::band_row(lang, format::short_percent(lang, band.least_efficiency), format::short_percent(lang, band.share))) }
                } }
            }
        }
    }
}

fn method_section(lang: Lang, analysis: &TaskAnalysis<'_>) -> Markup {
    html! {
        section {
            h2 { (rule_text::heading(lang)) }
            p.lead { (rule_text::source(lang)) }
            ol.rules { @for rule in method::rules(lang, analysis) {
                @let (class, sign) = match rule.status { method::RuleStatus::Yes => ("good", "✓"), method::RuleStatus::No => ("bad", "✗"), method::RuleStatus::Empty => ("empty", "–") };
                li.(class) { span.sign role="img" aria-label=(method::status_label(lang, rule.status)) { (sign) } span { (rule.text) } }
            } }
        }
    }
}

fn footer(lang: Lang, analysis: &TaskAnalysis<'_>) -> Markup {
    html! {
        footer {
            a href="records.jsonl" { (document::records_link(lang)) }
            @if !analysis.groups.is_empty() {
                " · " a download=(format!("{}.csv", analysis.subject.task)) href=(data_uri(&csv::table(analysis))) { (document::csv_link(lang)) }
            }
        }
    }
}

/// The text as a link that holds it, so that the page stays one file.
fn data_uri(text: &str) -> String {
    let mut uri = String::from("data:text/csv;charset=utf-8,");
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}
