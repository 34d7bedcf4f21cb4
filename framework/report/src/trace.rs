//! The trace of a run: the space-time diagram, where the time went, and the file for Perfetto.
//!
//! Pure functions of the trace, as everywhere in this crate: they render the analysis of `wb_record::trace_analysis` and nothing else.
//!
//! ```
//! use wb_messages::Lang;
//! use wb_report::trace;
//! let example = wb_record::example_trace();
//! assert!(trace::terminal(&example, Lang::En)?.contains("late sender"));
//! assert_eq!(trace::html(&example, Lang::Ru)?, trace::html(&example, Lang::Ru)?);
//! # Ok::<(), wb_record::trace_analysis::TraceError>(())
//! ```
mod bars;
mod diagram;
mod page;
mod parts;
mod perfetto;
mod run_stage;
mod sentences;
mod summary;
mod tips;

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

/// One offline page: why the run is not faster, the diagram, and the parts of every rank's time.
///
/// # Errors
/// [`TraceError`]: the trace contradicts itself.
pub fn html(trace: &Trace, lang: Lang) -> Result<String, TraceError> {
    with_view(trace, |view| page::page(view, lang))
}

/// The sentences of the page and the parts of every rank's time, for a terminal of 80 columns.
///
/// # Errors
/// As [`html`].
pub fn terminal(trace: &Trace, lang: Lang) -> Result<String, TraceError> {
    TraceSummary::from_trace(trace, lang).map(|summary| {
        let mut document = Document::new(Medium::Terminal(COLUMNS));
        document.lead(summary.lead.as_str());
        summary.remarks.iter().for_each(|remark| document.alarm(remark.as_str()));
        summary.paragraph(&mut document);
        summary.estimates(&mut document, lang);
        summary.parts(&mut document, lang);
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
