//! A histogram as SVG; its description has every count.

use maud::{Markup, html};
use wb_messages::{Lang, scoreboard as text};

use crate::scoreboard::class_statistics::BINS;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 34.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 40.0;
const GAP: f64 = 4.0;

/// The number of students in each bin.
pub(crate) fn histogram(lang: Lang, bins: &[usize; BINS]) -> Markup {
    let most = bins.iter().copied().max().unwrap_or(0).max(1) as f64;
    let width = (WIDTH - LEFT) / BINS as f64;
    let floor = HEIGHT - BOTTOM;
    let label = |index: usize| text::bin(lang, index * 100 / BINS, (index + 1) * 100 / BINS, bins[index]);
    html! {
        svg.chart.histogram viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" xmlns="http://www.w3.org/2000/svg" {
            title { (text::distribution(lang)) }
            desc { @for index in 0..BINS { (label(index)) ". " } }
            text.caption x="0" y="12" { (text::students_axis(lang)) }
            @for (index, count) in bins.iter().enumerate() {
                @let height = (floor - TOP - 14.0) * *count as f64 / most;
                @let x = LEFT + width * index as f64;
                rect.bar x=(px(x + GAP / 2.0)) width=(px(width - GAP)) y=(px(floor - height)) height=(px(height)) { title { (label(index)) } }
                @if *count > 0 { text.value x=(px(x + width / 2.0)) y=(px(floor - height - 5.0)) text-anchor="middle" { (count) } }
            }
            g.axis {
                line x1=(px(LEFT)) x2=(px(WIDTH)) y1=(px(floor)) y2=(px(floor)) {}
                @for index in 0..=BINS {
                    @let anchor = if index == BINS { "end" } else { "middle" };
                    text x=(px(LEFT + width * index as f64)) y=(px(floor + 15.0)) text-anchor=(anchor) { (index * 100 / BINS) }
                }
                text x=(px((LEFT + WIDTH) / 2.0)) y=(px(floor + 33.0)) text-anchor="middle" { (text::share_axis(lang)) }
            }
        }
    }
}

/// A coordinate with one decimal.
fn px(length: f64) -> String {
    format!("{length:.1}")
}
