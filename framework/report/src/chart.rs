//! Charts as SVG: scales, axes, and the marks on them. Text in, text out.
//!
//! Colours and strokes are CSS classes, so a chart follows the page into the dark and onto paper. A chart carries its
//! `<title>` and a `<desc>` that lists every point: who cannot see it reads the same numbers.

mod plot;
mod scale;
mod stack;

pub(crate) use plot::{Plot, PlotBand, PlotPoint, PlotSeries};
pub(crate) use scale::Scale;
pub(crate) use stack::{StackedBar, StackedBarChart};
