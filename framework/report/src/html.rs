//! One file, offline: `report.html`, and the index of all reports.
//!
//! Nothing is fetched: the style sheet is inside, the charts are inline SVG, and there are no scripts. The page has a
//! dark form (`prefers-color-scheme`) and a printed one (`@media print`).

mod communication;
mod figures;
pub(crate) mod index;

use maud::{Markup, html};
use wb_messages::Lang;
use wb_messages::report::{document as text, method as rule_text, model as model_text, trust, verdict};
use wb_record::MeasuredWorkload;

use crate::analysis::{ReportStatus, TaskAnalysis};
use crate::document::{BlockGroup, Document, Inline, List, Medium, code, code_spans};
use crate::standalone_page::standalone_page;
use crate::{csv, format, labels, model, task, trace};

/// The report of one task.
pub(crate) fn page(analysis: &TaskAnalysis<'_>, lang: Lang) -> String {
    let mut page = Document::new(Medium::Page);
    page.group(BlockGroup::Header, |header| task_header(header, lang, analysis));
    page.section("verdict", |section| verdict_box(section, lang, analysis));
    let level = task::trust_class(analysis.trust.level());
    page.section(&format!("trust {level}"), |section| {
        section.heading(2, trust::heading(lang));
        task::trust_list(section, lang, analysis);
    });
    for operation in &analysis.operations {
        communication::section(&mut page, lang, operation);
    }
    for workload in workloads(analysis) {
        page.section("", |section| workload_section(section, lang, analysis, workload));
    }
    if let Some(heading) = task::bottleneck_heading(lang, analysis) {
        // The rows of the models are in the tables, and their lines are dashed.
        page.section("model", |section| {
            section.heading(2, model_text::heading(lang));
            section.list(List::Lines, model::sentences(lang, analysis).iter().map(|line| code_spans(line)));
        });
        page.section("why", |section| {
            section.heading(2, heading);
            task::bottleneck(section, lang, analysis);
        });
    }
    for (heading, write) in [
        (text::correctness(lang), task::correctness as fn(&mut Document, Lang, &TaskAnalysis<'_>)),
        (text::setup(lang), task::setup),
        (rule_text::heading(lang), task::rules),
    ] {
        page.section("", |section| {
            section.heading(2, heading);
            write(section, lang, analysis);
        });
    }
    page.markup(footer(lang, analysis));
    shell(lang, labels::title(lang, analysis.subject), "report", &page.to_markup())
}

/// The report of a task without records.
pub(crate) fn empty(lang: Lang) -> String {
    shell(lang, &text::index_title(lang), "report", &html! { p { (text::empty(lang)) } })
}

/// `report.html` in English, `report.ru.html` in Russian.
fn file(stem: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{stem}.html"),
        Lang::Ru => format!("{stem}.ru.html"),
    }
}

/// A page with its way back to the index and to the other language.
pub(crate) fn shell(lang: Lang, title: &str, stem: &str, body: &Markup) -> String {
    let body = html! {
        nav {
            @if stem == "report" { a href=(format!("../{}", file("index", lang))) { "← " (text::back_to_index(lang)) } }
            span {}
            a href=(file(stem, lang.other())) hreflang=(lang.other().code()) { (text::other_language(lang)) }
        }
        main { (body) }
    };
    standalone_page(lang, title, trace::COLOURS, &body)
}

fn task_header(header: &mut Document, lang: Lang, analysis: &TaskAnalysis<'_>) {
    let subject = analysis.subject;
    header.heading(1, labels::title(lang, subject));
    let student = Inline::from(text::student(lang, &subject.student, &subject.group));
    let assignment = text::assignment(lang, subject.task_number, subject.variant);
    header.lead(student + " · " + assignment + " · " + code(&subject.task));
    if analysis.is_embedded() {
        header.alarm(trust::embedded(lang));
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

fn verdict_box(section: &mut Document, lang: Lang, analysis: &TaskAnalysis<'_>) {
    let sentences = labels::verdict_sentences(lang, analysis);
    let (first, rest) = sentences.split_first().expect("a verdict has a headline");
    let badge = status_badge(lang, analysis.verdict.status);
    section.markup(html! { p.headline { (badge) span { (first) } } });
    section.list(List::Lines, rest.iter().map(String::as_str));
    section.heading(2, verdict::next(lang));
    task::advice(section, lang, analysis);
}

fn workloads<'a>(analysis: &'a TaskAnalysis<'_>) -> Vec<&'a MeasuredWorkload> {
    let mut all: Vec<&MeasuredWorkload> = analysis.groups.iter().map(|group| &group.workload).collect();
    all.dedup();
    all
}

fn workload_section(
    section: &mut Document,
    lang: Lang,
    analysis: &TaskAnalysis<'_>,
    workload: &MeasuredWorkload,
) {
    section.heading(2, format::workload(lang, workload));
    figures::workload_figures(section, lang, analysis, workload);
    for group in analysis.groups.iter().filter(|group| group.workload == *workload) {
        section.heading(3, code(group.mode.name()));
        task::group_table(section, lang, group);
        task::conditions(section, lang, group);
    }
}

fn footer(lang: Lang, analysis: &TaskAnalysis<'_>) -> Markup {
    html! {
        footer {
            a href="records.jsonl" { (text::records_link(lang)) }
            @if !analysis.groups.is_empty() {
                " · " a download=(format!("{}.csv", analysis.subject.task)) href=(data_uri(&csv::table(analysis))) { (text::csv_link(lang)) }
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
