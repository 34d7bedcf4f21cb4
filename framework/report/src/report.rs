//! The pages of one task from one analysis, which takes most of the time that they need.
use wb_messages::{Lang, report::document};
use wb_record::Record;

use crate::{Summary, analysis::Analysis, csv, html, markdown, terminal};

/// The records of one task, analysed once; each method writes one page of them.
///
/// Of the records, the last run of the last record's task is told; earlier runs were taken under other conditions and
/// are not mixed in.
///
/// ```
/// use wb_messages::Lang;
/// let records = [wb_record::example()];
/// let report = wb_report::Report::of(&records);
/// assert_eq!(report.html(Lang::Ru), wb_report::html(&records, Lang::Ru));
/// ```
pub struct Report<'r>(Option<Analysis<'r>>);

impl<'r> Report<'r> {
    /// Analyses them.
    pub fn of(records: &'r [Record]) -> Self {
        Self(Analysis::of(records))
    }

    /// See [`crate::terminal`].
    pub fn terminal(&self, lang: Lang) -> String {
        self.0
            .as_ref()
            .map_or_else(|| format!("{}\n", document::empty(lang)), |analysis| terminal::text(analysis, lang))
    }

    /// See [`crate::html`].
    pub fn html(&self, lang: Lang) -> String {
        self.0.as_ref().map_or_else(|| html::empty(lang), |analysis| html::page(analysis, lang))
    }

    /// See [`crate::csv`].
    pub fn csv(&self) -> String {
        self.0.as_ref().map(csv::table).unwrap_or_default()
    }

    /// Its row of the index; `None` without records.
    pub fn summary(&self) -> Option<Summary> {
        self.0.as_ref().map(Summary::of_analysis)
    }
}

/// `report.md` in the languages of [`Lang::ALL`], in that order: see [`crate::markdown`].
pub fn markdowns(records: &[Record]) -> [String; Lang::ALL.len()] {
    // Every text of a record becomes text of Markdown here, so no page has to think of it.
    let mut records = records.to_vec();
    records
        .iter_mut()
        .for_each(|record| record.map_texts(&mut |text| wb_escape::markdown(text).into_owned()));
    let analysis = Analysis::of(&records);
    Lang::ALL.map(|lang| {
        analysis.as_ref().map_or_else(
            || format!("{}\n", document::empty(lang)),
            |analysis| markdown::document(analysis, lang),
        )
    })
}
