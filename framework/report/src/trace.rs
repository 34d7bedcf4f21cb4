//! The trace of a run: the space-time diagram, where the time went, and the file for Perfetto.
//!
//! Pure functions of the trace, as everywhere in this crate: they render the analysis of `wb_record::trace_analysis` and nothing else.
//!
//! ```
//! use wb_messages::Lang;
//! use wb_report::trace;
//! let example = wb_record::example_trace();
//! assert!(trace::terminal(&example, Lang::En)?.contains("late sender"));
//! assert_eq!(trace::perfetto(&example)?, trace::perfetto(&example)?);
//! # Ok::<(), wb_record::trace_analysis::TraceError>(())
//! ```
mod bars;
mod data;
mod describe;
mod matrix;
mod page;
mod parts;
mod perfetto;
mod run_stage;
mod sentences;
mod still;
mod summary;
mod words;

use std::collections::BTreeMap;

pub(crate) use parts::COLOURS;
pub(crate) use run_stage::RunStage;
pub(crate) use summary::TraceSummary;
use wb_messages::Lang;
use wb_record::{
    Trace,
    trace_analysis::{Analysis, Timeline, TraceError, Truncation},
};

use crate::{
    document::{Document, Medium},
    screen::COLUMNS,
};

/// The texts of source files, by the names that [`wb_record::SourceCall::file`] has for them.
pub type Sources = BTreeMap<String, String>;

/// One offline page: why the run is not faster, the diagram with the lines of its calls, who sends to whom, and the parts of every rank's time.
/// Of `sources` it contains a few lines around each call.
///
/// # Errors
/// [`TraceError`]: the trace contradicts itself.
pub fn html(trace: &Trace, sources: &Sources, lang: Lang) -> Result<String, TraceError> {
    with_view(trace, |view| page::page(view, sources, lang))
}

/// The sentences of the page and the parts of every rank's time, for a terminal of 80 columns.
///
/// # Errors
/// As [`html`].
pub fn terminal(trace: &Trace, lang: Lang) -> Result<String, TraceError> {
    with_view(trace, |view| {
        let summary = TraceSummary::from_view(view, lang);
        let mut document = Document::new(Medium::Terminal(COLUMNS));
        document.lead(summary.lead.as_str());
        summary.remarks.iter().for_each(|remark| document.alarm(remark.as_str()));
        summary.paragraph(&mut document);
        summary.estimates(&mut document, lang);
        summary.parts(&mut document, lang);
        summary.matrix(&mut document);
        document.to_text()
    })
}

/// The trace in Chrome's trace-event format, which Perfetto opens: a track a rank, slices for stages and calls, flows for
/// messages.
///
/// # Errors
/// As [`html`].
pub fn perfetto(trace: &Trace) -> Result<String, TraceError> {
    with_view(trace, perfetto::json)
}

/// A trace with its analysis.
struct TraceView<'a> {
    trace: &'a Trace,
    truncation: &'a Truncation<'a>,
    timeline: Timeline<'a>,
    analysis: Analysis,
}

fn with_view<R>(trace: &Trace, render: impl FnOnce(&TraceView<'_>) -> R) -> Result<R, TraceError> {
    let truncation = wb_record::trace_analysis::truncate(&trace.ranks);
    let analysis = wb_record::trace_analysis::analyse(&truncation.ranks)?;
    let timeline = Timeline::new(&truncation.ranks)?;
    Ok(render(&TraceView { trace, truncation: &truncation, timeline, analysis }))
}

impl TraceView<'_> {
    fn ranks(&self) -> usize {
        self.timeline.ranks.len()
    }
}
