//! `index.html`: one row for every task that has a report.
use maud::{Markup, html};
use wb_messages::Lang;
use wb_messages::report::document;

use super::{file, shell, status_badge};
use crate::{FailedReport, IndexEntry};

/// The page that links all reports.
pub(crate) fn page(tasks: &[IndexEntry], failed: &[FailedReport], lang: Lang) -> String {
    let body = html! {
        header { h1 { (document::index_title(lang)) } p.lead { (document::index_lead(lang, tasks.len())) } }
        @if tasks.is_empty() { p { (document::empty(lang)) } }
        @else {
            section { div.scroll { table.results.index {
                thead { tr {
                    th.text { (document::index_task(lang)) } th.text { (document::label_student(lang)) }
                    th.text { (document::index_verdict(lang)) } th.text { (document::index_backend(lang)) }
                    th.text { (document::index_measured(lang)) }
                } }
                tbody { @for task in tasks { (row(lang, task)) } }
            } } }
        }
        @if !failed.is_empty() {
            section {
                h2 { (document::index_failed(lang)) }
                ul { @for FailedReport { task, reason } in failed { li { code { (task) } ": " (wb_escape::terminal(reason)) } } }
            }
        }
    };
    shell(lang, &document::index_title(lang), "index", &body)
}

fn row(lang: Lang, summary: &IndexEntry) -> Markup {
    let (subject, texts) = (&summary.subject, summary.texts(lang));
    html! {
        tr {
            th.text scope="row" {
                a href=(format!("{}/{}", subject.task, file("report", lang))) { (texts.title) }
                small { code { (subject.task) } " · " (document::assignment(lang, subject.task_number, subject.variant)) }
            }
            td.text { (subject.student) small { (subject.group) } }
            td.text { (status_badge(lang, summary.status)) " " (texts.headline)
                @if let Some(second) = &texts.detail { small { (second) } } }
            td.text { (texts.library) }
            td.text { (summary.measured_at) small { a href=(format!("{}/records.jsonl", subject.task)) { (document::records_link(lang)) } } }
        }
    }
}
