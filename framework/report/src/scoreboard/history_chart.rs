//! Measurements by commit as SVG: a point and its interval for each commit, oldest first.
//!
//! The chart carries a title and a description with every number, so a reader who cannot see it has the same data.

use maud::{Markup, html};
use wb_course::{HistoryPoint, Letter, MeasuredInterval};
use wb_messages::{number, scoreboard as text};

use crate::scoreboard::context::PageContext;

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 40.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 26.0;

/// Dates below the axis.
const MAX_DATES: usize = 4;

/// The chart of one letter.
pub(crate) struct HistoryChart<'a> {
    context: &'a PageContext<'a>,
    letter: Letter,
    /// The points by commit; `None` where nothing was measured.
    points: Vec<(&'a HistoryPoint, Option<MeasuredInterval>)>,
    /// The upper end of the axis, which begins at 0.
    top: f64,
    step: f64,
}

impl<'a> HistoryChart<'a> {
    pub(crate) fn new(context: &'a PageContext<'a>, letter: Letter, history: &[&'a HistoryPoint]) -> Self {
        let measured = |point: &HistoryPoint| match letter {
            Letter::Efficiency => point.efficiency,
            _ => point.speedup,
        };
        let points: Vec<_> = history.iter().map(|point| (*point, measured(point))).collect();
        let most = points.iter().filter_map(|(_, interval)| Some((*interval)?.high)).fold(0.0, f64::max);
        let step = round_step(most / 4.0);
        let top = step * (most / step).ceil().max(1.0);
        Self { context, letter, points, top, step }
    }

    fn title(&self) -> String {
        match self.letter {
            Letter::Efficiency => text::efficiency(self.context.lang),
            _ => text::speedup(self.context.lang),
        }
    }

    fn x(&self, index: usize) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * (index as f64 + 0.5) / self.points.len() as f64
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value / self.top).clamp(0.0, 1.0);
        TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - share)
    }

    pub(crate) fn render(&self) -> Markup {
        html! {
            svg.chart viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" xmlns="http://www.w3.org/2000/svg" {
                title { (self.title()) }
                desc { @for label in self.labels() { (label) ". " } }
                text.caption x=(px(LEFT)) y="14" { (self.title()) }
                (self.axis())
                (self.marks())
            }
        }
    }

    /// A sentence for each measured commit.
    fn labels(&self) -> Vec<String> {
        let label = |(point, interval): &(&HistoryPoint, Option<MeasuredInterval>)| {
            let interval = (*interval)?;
            let value = self.context.measured(self.letter, interval.value);
            let ends = self.context.interval(self.letter, interval);
            let measured = text::measured_at(self.context.lang, value, ends, interval.ranks);
            Some(format!("{}: {measured}", self.context.moment(point.at)))
        };
        self.points.iter().filter_map(label).collect()
    }

    fn axis(&self) -> Markup {
        let ticks = (self.top / self.step).round() as usize;
        let decimals = (-self.step.log10().floor()).max(0.0) as usize;
        let stride = self.points.len().div_ceil(MAX_DATES);
        html! {
            g.axis {
                @for tick in 0..=ticks {
                    @let value = self.step * tick as f64;
                    line x1=(px(LEFT)) x2=(px(WIDTH - RIGHT)) y1=(px(self.y(value))) y2=(px(self.y(value))) {}
                    text x=(px(LEFT - 6.0)) y=(px(self.y(value) + 4.0)) text-anchor="end" { (number::fixed(self.context.lang, value, decimals)) }
                }
                @for (index, (point, _)) in self.points.iter().enumerate().step_by(stride.max(1)) {
                    text x=(px(self.x(index))) y=(px(HEIGHT - 8.0)) text-anchor="middle" { (self.context.day(point.at)) }
                }
            }
        }
    }

    fn marks(&self) -> Markup {
        let measured =
            self.points.iter().enumerate().filter_map(|(index, (_, interval))| Some((index, (*interval)?)));
        let measured: Vec<(usize, MeasuredInterval)> = measured.collect();
        let line: Vec<String> = measured
            .iter()
            .map(|(index, interval)| format!("{},{}", px(self.x(*index)), px(self.y(interval.value))))
            .collect();
        html! {
            polyline.line points=(line.join(" ")) {}
            @for (index, interval) in measured {
                @let x = px(self.x(index));
                line.whisker x1=(x) x2=(x) y1=(px(self.y(interval.low))) y2=(px(self.y(interval.high))) {}
                @for end in [interval.low, interval.high] {
                    line.whisker x1=(px(self.x(index) - 4.0)) x2=(px(self.x(index) + 4.0)) y1=(px(self.y(end))) y2=(px(self.y(end))) {}
                }
                circle.dot cx=(x) cy=(px(self.y(interval.value))) r="3" {}
            }
        }
    }
}

/// 1, 2 or 5 times a power of ten, at least `rough`; 1 for no data.
fn round_step(rough: f64) -> f64 {
    if rough.is_nan() || rough <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= rough)
        .unwrap_or(10.0 * power)
}

/// A coordinate with one decimal.
fn px(length: f64) -> String {
    format!("{length:.1}")
}

#[cfg(test)]
mod tests {
    use super::round_step;

    #[test]
    fn steps_are_round_and_large_enough() {
        for (rough, step) in [(0.3, 0.5), (1.0, 1.0), (1.1, 2.0), (4.0, 5.0), (6.0, 10.0), (25.0, 50.0)] {
            assert!((round_step(rough) - step).abs() < 1e-9, "{rough}");
        }
        assert!((round_step(0.0) - 1.0).abs() < 1e-12 && (round_step(f64::NAN) - 1.0).abs() < 1e-12);
    }
}
