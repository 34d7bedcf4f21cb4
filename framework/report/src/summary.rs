//! A task's row of the index: what remains of its records when they have been analysed.
//!
//! The analysis of a task's records takes a hundred times as long as drawing its row. A summary can be kept, and then the
//! index of a course is made without reading the records of every task again.
use serde::{Deserialize, Serialize};
use wb_messages::Lang;
use wb_record::{Record, Subject};

use crate::{
    analysis::{Analysis, Light},
    wording,
};

/// What the index says of one task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    pub(crate) subject: Subject,
    pub(crate) at: String,
    pub(crate) light: Light,
    /// In the order of [`Lang::ALL`].
    texts: [Texts; 2],
}

/// The words of a summary in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Texts {
    pub(crate) title: String,
    pub(crate) headline: String,
    pub(crate) detail: Option<String>,
    pub(crate) library: String,
}

impl Summary {
    /// That of the last run of the last record's task; `None` without records.
    pub fn of(records: &[Record]) -> Option<Self> {
        Analysis::of(records).as_ref().map(Self::of_analysis)
    }

    pub(crate) fn of_analysis(analysis: &Analysis<'_>) -> Self {
        Self {
            subject: analysis.subject.clone(),
            at: analysis.at.to_owned(),
            light: analysis.verdict.light,
            texts: Lang::ALL.map(|lang| Texts::of(lang, analysis)),
        }
    }

    pub(crate) fn texts(&self, lang: Lang) -> &Texts {
        let [english, russian] = &self.texts;
        match lang {
            Lang::En => english,
            Lang::Ru => russian,
        }
    }
}

impl Texts {
    fn of(lang: Lang, analysis: &Analysis<'_>) -> Self {
        let mut sentences = wording::verdict(lang, analysis).into_iter();
        Self {
            title: wording::title(lang, analysis.subject).to_owned(),
            headline: sentences.next().unwrap_or_default(),
            detail: sentences.next(),
            library: wording::library(lang, analysis),
        }
    }
}
