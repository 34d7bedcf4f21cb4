//! Where the time of a run went, as text: the same sentences and the same rows for a terminal, Markdown and a page.
use maud::{Markup, html};
use wb_messages::{Lang, report::trace as text};
use wb_record::{
    Trace,
    trace_analysis::{Parts, TraceError},
};

use super::{
    RunStage, TraceView, bars, matrix,
    parts::{TimePart, shares},
    sentences,
};
use crate::{
    document::{Document, Inline, List, Table, code_spans, left, right},
    format,
};

pub(crate) struct TraceSummary {
    /// What the run was.
    pub(crate) lead: String,
    /// The duration, from the first moment of the first rank to the last moment of the last.
    pub(crate) total_ns: f64,
    /// The computing time, summed over the ranks.
    pub(crate) computed_ns: f64,
    /// The stage `run`, where it is in the trace.
    pub(crate) run: Option<RunStage>,
    /// Remarks on the reliability of the numbers.
    pub(crate) remarks: Vec<String>,
    /// The largest loss and the call that has most of it, or that hardly anything is lost.
    pub(crate) largest_loss: String,
    /// The split, the largest loss and what to do about it, the critical path.
    paragraph: Vec<String>,
    /// The estimates with other costs, one line each.
    estimates: Vec<String>,
    /// The basis of the estimates.
    basis: Vec<String>,
    /// Each part of the time: the class of its colour, its name, its share, the mean over the ranks, the most, and the rank that
    /// has it.
    rows: Vec<(&'static str, [String; 5])>,
    /// The parts of every rank as bars.
    pub(crate) bars: Markup,
    /// Who sends how many messages to whom, with the sentence before the table.
    matrix: Option<(String, Table)>,
}

impl TraceSummary {
    /// The summary of `trace`.
    ///
    /// # Errors
    /// [`TraceError`]: it contradicts itself.
    pub(crate) fn from_trace(trace: &Trace, lang: Lang) -> Result<Self, TraceError> {
        super::with_view(trace, |view| Self::from_view(view, lang))
    }

    pub(super) fn from_view(view: &TraceView<'_>, lang: Lang) -> Self {
        let (estimates, basis) = sentences::estimates(view, lang);
        let sum = view.analysis.sum_parts();
        Self {
            lead: sentences::lead(view, lang),
            total_ns: view.analysis.total() as f64,
            computed_ns: (sum.compute + sum.serial) as f64,
            run: RunStage::from_trace(view.trace),
            remarks: sentences::remarks(view, lang),
            largest_loss: sentences::largest_loss(view, lang),
            paragraph: sentences::paragraph(view, lang),
            estimates,
            basis,
            rows: rows(view, lang),
            bars: bars::bars(view, lang),
            matrix: matrix::matrix(view, lang),
        }
    }

    /// The split, the largest loss and what to do about it.
    pub(crate) fn paragraph(&self, document: &mut Document) {
        match document.is_terminal() {
            true => document.list(List::Lines, self.paragraph.iter().map(|sentence| code_spans(sentence))),
            false => document.paragraph(code_spans(&self.paragraph.join(" "))),
        }
    }

    /// The estimates and their basis.
    pub(crate) fn estimates(&self, document: &mut Document, lang: Lang) {
        document.paragraph(text::estimates(lang));
        document.list(List::Bullets(""), self.estimates.iter().map(String::as_str));
        self.basis.iter().for_each(|sentence| document.note(sentence.as_str()));
    }

    /// Who sends how many messages to whom, if there are messages.
    pub(crate) fn matrix(self, document: &mut Document) {
        if let Some((sentence, table)) = self.matrix {
            document.paragraph(sentence);
            document.table(table);
        }
    }

    /// The parts of the time as a table.
    pub(crate) fn parts(&self, document: &mut Document, lang: Lang) {
        let numbers = [text::column_share, text::column_mean, text::column_most, text::rank];
        let numbers = numbers.map(|column| right(column(lang)));
        let columns = [left(text::column_part(lang))].into_iter().chain(numbers);
        let mut table = Table::new(columns).with_class("results parts");
        for (class, [name, numbers @ ..]) in &self.rows {
            let names = [swatch(class) + name.as_str()].into_iter();
            table.row(names.chain(numbers.iter().map(|number| number.as_str().into())));
        }
        document.table(table);
    }
}

fn rows(view: &TraceView<'_>, lang: Lang) -> Vec<(&'static str, [String; 5])> {
    let ranks: Vec<[u64; 7]> = view.analysis.parts.iter().map(Parts::array).collect();
    let row = |(number, (part, share)): (usize, (&TimePart, f64))| {
        let of_rank = |rank: &usize| ranks[*rank][number];
        let mean = (0..ranks.len()).map(|rank| of_rank(&rank)).sum::<u64>() as f64 / ranks.len() as f64;
        let most = (0..ranks.len()).rev().max_by_key(of_rank).unwrap_or(0);
        let [mean, longest] = [mean, of_rank(&most) as f64]
            .map(|ns| if ns > 0.0 { format::time(lang, ns) } else { "—".to_owned() });
        let cells = [(part.name)(lang), format::percent(lang, share), mean, longest, most.to_string()];
        (part.class, cells)
    };
    shares(view.analysis.sum_parts()).into_iter().enumerate().map(row).collect()
}

/// The colour of a part, on a page.
pub(super) fn swatch(class: &str) -> Inline {
    html! { span.swatch.(class) {} }.into()
}
