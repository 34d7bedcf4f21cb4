//! Charts as SVG: scales, axes, and the marks on them. Text in, text out.
//!
//! Colours and strokes are CSS classes, so a chart follows the page's dark and printed forms. A chart carries its
//! `<title>` and a `<desc>` that lists every point: a reader who cannot see the chart gets the same numbers.

mod plot;
mod scale;
mod stack;

pub(crate) use plot::{Plot, PlotBand, PlotPoint, PlotSeries};
pub(crate) use scale::Scale;
pub(crate) use stack::{StackedBar, StackedBarChart};

/// A coordinate or a length with one decimal: more decimals would only make the file longer.
pub(crate) fn px(length: f64) -> String {
    format!("{length:.1}")
}

/// The estimated width of a text of a legend.
fn legend_text_width(text: &str) -> f64 {
    7.3 * text.chars().count() as f64
}
