//! The trace of a run: the space-time diagram, where the time went, and the file for Perfetto.
//!
//! Pure functions of the trace, as everywhere in this crate; what is told is what `wb_trace` concludes, and nothing else.
//!
//! ```
//! use wb_messages::Lang;
//! use wb_report::trace;
//! let example = wb_record::example_trace();
//! assert!(trace::terminal(&example, Lang::En)?.contains("late sender"));
//! assert_eq!(trace::html(&example, Lang::Ru)?, trace::html(&example, Lang::Ru)?);
//! # Ok::<(), wb_trace::Broken>(())
//! ```
mod diagram;
mod page;
mod parts;
mod perfetto;
pub(crate) mod terminal;
mod tips;
mod told;
mod words;

use wb_messages::Lang;
use wb_record::Trace;
use wb_trace::{Analysis, Broken, Cut, Timeline};

pub(crate) use page::{COLOURS, sentences};
pub(crate) use told::Told;

/// One offline page: why the run is not faster, the diagram, and the parts of every rank's time.
///
/// # Errors
/// [`Broken`]: the trace contradicts itself.
pub fn html(trace: &Trace, lang: Lang) -> Result<String, Broken> {
    told(trace, |story| page::page(story, lang))
}

/// The words of the page and the parts of every rank's time, for a terminal of 80 columns.
///
/// # Errors
/// As [`html`].
pub fn terminal(trace: &Trace, lang: Lang) -> Result<String, Broken> {
    Told::of(trace, lang).map(|told| terminal::text(&told, lang))
}

/// The trace in Chrome's trace-event format, which Perfetto opens: a track a rank, slices for stages and calls, flows for
/// messages.
///
/// # Errors
/// As [`html`].
pub fn perfetto(trace: &Trace) -> Result<String, Broken> {
    told(trace, perfetto::json)
}

/// A trace with everything that follows from it.
struct Story<'a> {
    trace: &'a Trace,
    cut: &'a Cut<'a>,
    timeline: Timeline<'a>,
    analysis: Analysis,
}

fn told<R>(trace: &Trace, tell: impl FnOnce(&Story<'_>) -> R) -> Result<R, Broken> {
    let cut = wb_trace::whole(&trace.lanes);
    let analysis = wb_trace::analyse(&cut.lanes)?;
    let timeline = Timeline::of(&cut.lanes)?;
    Ok(tell(&Story { trace, cut: &cut, timeline, analysis }))
}

impl Story<'_> {
    fn ranks(&self) -> usize {
        self.timeline.lanes.len()
    }
}
