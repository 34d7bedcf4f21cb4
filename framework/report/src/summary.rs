//! A task's row of the index: the part of the analysis of its records that the index shows.
//!
//! The analysis of a task's records takes a hundred times as long as drawing its row. A summary can be kept, and then the
//! index of a course is made without reading the records of every task again.
use serde::{Deserialize, Serialize};
use wb_messages::Lang;
use wb_record::{Record, Subject};

use crate::{
    analysis::{ReportStatus, TaskAnalysis},
    labels,
};

/// The entry of one task in the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexEntry {
    pub(crate) subject: Subject,
    pub(crate) measured_at: String,
    pub(crate) status: ReportStatus,
    /// In the order of [`Lang::ALL`].
    texts: [IndexTexts; 2],
}

/// The texts of an entry in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IndexTexts {
    pub(crate) title: String,
    pub(crate) headline: String,
    pub(crate) detail: Option<String>,
    pub(crate) library: String,
}

impl IndexEntry {
    /// That of the last run of the last record's task; `None` without records.
    pub fn from_records(records: &[Record]) -> Option<Self> {
        TaskAnalysis::from_records(records).as_ref().map(Self::from_analysis)
    }

    pub(crate) fn from_analysis(analysis: &TaskAnalysis<'_>) -> Self {
        Self {
            subject: analysis.subject.clone(),
            measured_at: analysis.measured_at.to_owned(),
            status: analysis.verdict.status,
            texts: Lang::ALL.map(|lang| IndexTexts::from_analysis(lang, analysis)),
        }
    }

    pub(crate) fn texts(&self, lang: Lang) -> &IndexTexts {
        let [english, russian] = &self.texts;
        match lang {
            Lang::En => english,
            Lang::Ru => russian,
        }
    }
}

impl IndexTexts {
    fn from_analysis(lang: Lang, analysis: &TaskAnalysis<'_>) -> Self {
        let mut sentences = labels::verdict_sentences(lang, analysis).into_iter();
        Self {
            title: labels::title(lang, analysis.subject).to_owned(),
            headline: sentences.next().unwrap_or_default(),
            detail: sentences.next(),
            library: labels::library(lang, analysis),
        }
    }
}
