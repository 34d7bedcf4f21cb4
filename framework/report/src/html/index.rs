//! `index.html`: one row for every task that has a report.
use maud::html;
use wb_messages::{Lang, report::document as text};

use super::{file, shell, status_badge};
use crate::{
    FailedReport, IndexEntry,
    document::{BlockGroup, Document, Inline, List, Medium, Table, code, left},
};

/// The page that links all reports.
pub(crate) fn page(tasks: &[IndexEntry], failed: &[FailedReport], lang: Lang) -> String {
    let mut page = Document::new(Medium::Page);
    page.group(BlockGroup::Header, |header| {
        header.heading(1, text::index_title(lang));
        header.lead(text::index_lead(lang, tasks.len()));
    });
    if tasks.is_empty() {
        page.paragraph(text::empty(lang));
    } else {
        page.section("", |section| section.table(table(tasks, lang)));
    }
    if !failed.is_empty() {
        page.section("", |section| {
            section.heading(2, text::index_failed(lang));
            let item =
                |task: &FailedReport| code(&task.task) + ": " + &*wb_text::escape::terminal(&task.reason);
            section.list(List::Bullets(""), failed.iter().map(item));
        });
    }
    shell(lang, &text::index_title(lang), "index", &page.to_markup())
}

fn table(tasks: &[IndexEntry], lang: Lang) -> Table {
    let columns = [
        text::index_task(lang),
        text::label_student(lang),
        text::index_verdict(lang),
        text::index_backend(lang),
        text::index_measured(lang),
    ];
    let mut table = Table::new(columns.map(left)).with_class("results index");
    tasks.iter().for_each(|task| table.row(row(lang, task)));
    table
}

fn row(lang: Lang, summary: &IndexEntry) -> [Inline; 5] {
    let (subject, texts) = (&summary.subject, summary.texts(lang));
    let assignment = text::assignment(lang, subject.task_number, subject.variant);
    let (report, records) = (file("report", lang), format!("{}/records.jsonl", subject.task));
    [
        html! {
            a href=(format!("{}/{report}", subject.task)) { (texts.title) }
            small { code { (subject.task) } " · " (assignment) }
        },
        html! { (subject.student) small { (subject.group) } },
        html! {
            (status_badge(lang, summary.status)) " " (texts.headline)
            @if let Some(second) = &texts.detail { small { (second) } }
        },
        html! { (texts.library) },
        html! { (summary.measured_at) small { a href=(records) { (text::records_link(lang)) } } },
    ]
    .map(Inline::from)
}
