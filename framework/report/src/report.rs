//! The pages of one task from one analysis, which takes most of the time that they need.
use wb_messages::{Lang, report::document};
use wb_record::Record;

use crate::{IndexEntry, OverviewRow, analysis::TaskAnalysis, csv, html, markdown, screen};

/// The records of one task, analysed once; each method writes one page of them.
///
/// Of the records, the last run of the last record's task is rendered; earlier runs had other conditions and are not mixed
/// in.
///
/// ```
/// use wb_messages::Lang;
/// let records = [wb_record::example()];
/// let report = wb_report::TaskReport::new(&records);
/// assert_eq!(report.html(Lang::Ru), wb_report::html(&records, Lang::Ru));
/// ```
pub struct TaskReport<'r>(Option<TaskAnalysis<'r>>);

impl<'r> TaskReport<'r> {
    /// Analyses them.
    pub fn new(records: &'r [Record]) -> Self {
        Self(TaskAnalysis::from_records(records))
    }

    /// See [`crate::terminal`].
    pub fn terminal(&self, lang: Lang, width: u16) -> String {
        self.render(lang, |analysis| markdown::terminal(analysis, lang, width))
    }

    /// See [`crate::screen`].
    pub fn screen(&self, end: &str, lang: Lang) -> String {
        self.render(lang, |analysis| screen::render(analysis, end, lang))
    }

    fn render(&self, lang: Lang, render: impl Fn(&TaskAnalysis<'r>) -> String) -> String {
        self.0.as_ref().map_or_else(|| format!("{}\n", document::empty(lang)), render)
    }

    /// The task's row of the table of all tasks; `None` without records.
    pub fn overview_row(&self, lang: Lang) -> Option<OverviewRow> {
        self.0.as_ref().map(|analysis| OverviewRow::from_analysis(analysis, lang))
    }

    /// See [`crate::html`].
    pub fn html(&self, lang: Lang) -> String {
        self.0.as_ref().map_or_else(|| html::empty(lang), |analysis| html::page(analysis, lang))
    }

    /// See [`crate::csv`].
    pub fn csv(&self) -> String {
        self.0.as_ref().map(csv::table).unwrap_or_default()
    }

    /// The task's row of the index; `None` without records.
    pub fn summary(&self) -> Option<IndexEntry> {
        self.0.as_ref().map(IndexEntry::from_analysis)
    }
}

/// `report.md` in the languages of [`Lang::ALL`], in that order: see [`crate::markdown`].
pub fn markdown_in_all_languages(records: &[Record]) -> [String; Lang::ALL.len()] {
    // Every text of a record becomes text of Markdown here, so no page has to think of it.
    let mut records = records.to_vec();
    records
        .iter_mut()
        .for_each(|record| record.map_texts(&mut |text| wb_text::escape::markdown(text).into_owned()));
    let analysis = TaskAnalysis::from_records(&records);
    Lang::ALL.map(|lang| {
        analysis.as_ref().map_or_else(
            || format!("{}\n", document::empty(lang)),
            |analysis| markdown::document(analysis, lang),
        )
    })
}
