//! Stacked horizontal bars: the parts of a whole.

use maud::{Markup, html};

use super::{legend_text_width, px};

const WIDTH: f64 = 560.0;
const LEFT: f64 = 110.0;
const RIGHT: f64 = 76.0;
const BAR: f64 = 22.0;
const GAP: f64 = 12.0;
const TOP: f64 = 30.0;

pub(crate) struct StackedBar {
    pub(crate) label: String,
    /// The parts, each with its tooltip.
    pub(crate) parts: Vec<(f64, String)>,
    /// The text behind the bar: its total.
    pub(crate) total: String,
}

pub(crate) struct StackedBarChart {
    pub(crate) title: String,
    pub(crate) about: String,
    /// Names and CSS classes of the parts, in order.
    pub(crate) parts: Vec<(String, &'static str)>,
    pub(crate) bars: Vec<StackedBar>,
}

impl StackedBarChart {
    /// The bars; without a legend where the page has one of its own.
    pub(crate) fn render(&self, has_legend: bool) -> Markup {
        let height = TOP + (BAR + GAP) * self.bars.len() as f64 + 6.0;
        let most = self.bars.iter().map(StackedBar::sum).fold(f64::MIN_POSITIVE, f64::max);
        html! {
            svg.chart viewBox=(format!("0 0 {WIDTH} {height}")) role="img" xmlns="http://www.w3.org/2000/svg" {
                title { (self.title) }
                desc { (self.about) " " @for bar in &self.bars { (bar.label) ": " @for (_, text) in &bar.parts { (text) "; " } } }
                @if has_legend { (self.legend()) }
                @for (index, bar) in self.bars.iter().enumerate() {
                    (self.bar(bar, TOP + (BAR + GAP) * index as f64, most))
                }
            }
        }
    }

    fn legend(&self) -> Markup {
        let mut x = 8.0;
        let places: Vec<f64> = self
            .parts
            .iter()
            .map(|(name, _)| {
                let here = x;
                x += 30.0 + legend_text_width(name);
                here
            })
            .collect();
        html! {
            g.legend {
                @for ((name, class), x) in self.parts.iter().zip(places) {
                    rect.part.(class) x=(px(x)) y="3" width="12" height="12" rx="2" {}
                    text x=(px(x + 17.0)) y="13" { (name) }
                }
            }
        }
    }

    fn bar(&self, bar: &StackedBar, y: f64, most: f64) -> Markup {
        let scale = (WIDTH - LEFT - RIGHT) / most;
        let mut x = LEFT;
        let places: Vec<(f64, f64)> = bar
            .parts
            .iter()
            .map(|(value, _)| {
                let here = (x, value * scale);
                x += value * scale;
                here
            })
            .collect();
        html! {
            text.bar-label x=(px(LEFT - 8.0)) y=(px(y + 15.0)) text-anchor="end" { (bar.label) }
            @for (((_, text), (_, class)), (x, width)) in bar.parts.iter().zip(&self.parts).zip(places) {
                rect.part.(class) x=(px(x)) y=(px(y)) width=(px(width)) height=(BAR) {
                    title { (text) }
                }
            }
            text.bar-total x=(px(x + 6.0)) y=(px(y + 15.0)) { (bar.total) }
        }
    }
}

impl StackedBar {
    fn sum(&self) -> f64 {
        self.parts.iter().map(|(value, _)| value).sum()
    }
}
