//! A plot of series over two axes: bands behind, samples, lines, points with intervals, and a legend above them.

use maud::{Markup, html};
use wb_record::statistics::{Estimate, Interval};

use super::{Scale, legend_text_width, px};
use crate::format;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 86.0;
const RIGHT: f64 = 16.0;
const BOTTOM: f64 = 46.0;
/// Height of one row of the legend, which is above the plot.
const LEGEND_ROW: f64 = 18.0;

/// One point of a series.
#[derive(Clone, Debug)]
pub(crate) struct PlotPoint {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) interval: Option<Interval>,
    /// Drawn as faint dots behind the point.
    pub(crate) samples: Vec<f64>,
    /// Shown, but not valid as a performance.
    pub(crate) hollow: bool,
    /// The text for a pointer and a screen reader.
    pub(crate) label: String,
}

/// Points of one kind, or a line without points.
pub(crate) struct PlotSeries {
    pub(crate) name: String,
    /// CSS class: the colour and the stroke.
    pub(crate) class: &'static str,
    pub(crate) marks: Vec<PlotPoint>,
    pub(crate) line: bool,
    pub(crate) points: bool,
}

impl PlotPoint {
    /// An estimate with its interval.
    pub(crate) fn new(x: f64, estimate: &Estimate, label: String) -> Self {
        let (y, interval) = (estimate.value, estimate.interval);
        Self { x, y, interval, samples: vec![], hollow: false, label }
    }

    /// A number without an interval.
    pub(crate) fn exact(x: f64, y: f64, label: String) -> Self {
        Self::new(x, &Estimate { value: y, interval: None }, label)
    }
}

impl PlotSeries {
    /// Points joined by a line.
    pub(crate) fn curve(name: String, class: &'static str, marks: Vec<PlotPoint>) -> Self {
        Self { name, class, marks, line: true, points: true }
    }

    /// A line alone.
    pub(crate) fn line(
        name: String,
        class: &'static str,
        ends: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        let marks = ends.into_iter().map(|(x, y)| PlotPoint::exact(x, y, String::new())).collect();
        Self { name, class, marks, line: true, points: false }
    }
}

/// A horizontal stripe behind the data.
pub(crate) struct PlotBand {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) label: String,
    /// 0 is the best band and the most saturated one.
    pub(crate) strength: f64,
}

/// The whole chart.
pub(crate) struct Plot {
    title: String,
    about: String,
    x_label: String,
    y_label: String,
    /// Said in the middle when there is nothing to draw.
    empty: String,
    x: Scale,
    y: Scale,
    /// Ticks of the x axis; the data's own values are better than round ones for rank counts.
    x_ticks: Vec<(f64, String)>,
    y_ticks: Vec<(f64, String)>,
    pub(crate) bands: Vec<PlotBand>,
    /// Vertical lines with their labels.
    pub(crate) limits: Vec<(f64, String)>,
    series: Vec<PlotSeries>,
}

impl Plot {
    /// A plot of these texts (title, description, names of the axes, what is said of nothing) without stripes and limits;
    /// `y_tick` is the label of a value of the y axis.
    pub(crate) fn new(
        [title, about, x_label, y_label, empty]: [String; 5],
        (x, x_ticks): (Scale, Vec<(f64, String)>),
        y: Scale,
        y_tick: impl Fn(f64) -> String,
        series: Vec<PlotSeries>,
    ) -> Self {
        let y_ticks = y.ticks().into_iter().map(|value| (value, format::tick(&y_tick(value)))).collect();
        let (bands, limits) = (vec![], vec![]);
        Self { title, about, x_label, y_label, empty, x, y, x_ticks, y_ticks, bands, limits, series }
    }

    pub(crate) fn render(&self) -> Markup {
        let legend = self.legend();
        let height = HEIGHT + self.top();
        let view = format!("0 0 {WIDTH} {height}");
        html! {
            svg.chart viewBox=(view) role="img" xmlns="http://www.w3.org/2000/svg" {
                title { (self.title) }
                desc {
                    (self.about) " "
                    @for (_, label) in &self.limits { (label) ". " }
                    @for line in self.description() { (line) ". " }
                }
                (legend)
                (self.backdrop())
                (self.grid())
                (self.limits())
                @for series in &self.series { (self.series(series)) }
                @if self.series.iter().all(|s| s.marks.is_empty() || !s.points) {
                    text.empty x=(px((LEFT + WIDTH - RIGHT) / 2.0)) y=(px(self.top() + (HEIGHT - BOTTOM) / 2.0))
                        text-anchor="middle" { (self.empty) }
                }
            }
        }
    }

    fn description(&self) -> Vec<String> {
        let of = |s: &PlotSeries| s.marks.iter().map(|m| m.label.clone()).collect::<Vec<_>>();
        self.series.iter().filter(|s| s.points).flat_map(of).collect()
    }

    fn top(&self) -> f64 {
        LEGEND_ROW * self.legend_rows().len() as f64 + 8.0
    }

    fn to_pixel_x(&self, x: f64) -> f64 {
        LEFT + self.x.normalize(x) * (WIDTH - LEFT - RIGHT)
    }

    fn to_pixel_y(&self, y: f64) -> f64 {
        let inner = HEIGHT - BOTTOM - 4.0;
        self.top() + inner * (1.0 - self.y.normalize(y).clamp(-0.01, 1.01))
    }

    fn floor(&self) -> f64 {
        self.top() + HEIGHT - BOTTOM - 4.0
    }

    /// Entries of the legend broken into rows by an estimate of their widths.
    fn legend_rows(&self) -> Vec<Vec<(&PlotSeries, f64)>> {
        let mut rows: Vec<Vec<(&PlotSeries, f64)>> = vec![Vec::new()];
        let mut x = LEFT;
        for series in &self.series {
            let width = 36.0 + legend_text_width(&series.name);
            if x + width > WIDTH && x > LEFT {
                rows.push(Vec::new());
                x = LEFT;
            }
            rows.last_mut().expect("there is a first row").push((series, x));
            x += width;
        }
        rows
    }

    fn legend(&self) -> Markup {
        html! {
            g.legend {
                @for (index, row) in self.legend_rows().iter().enumerate() {
                    @let y = 12.0 + LEGEND_ROW * index as f64;
                    @for (series, x) in row {
                        g class=(series.class) {
                            @if series.line { line.path x1=(px(*x)) x2=(px(x + 22.0)) y1=(px(y - 4.0)) y2=(px(y - 4.0)) {} }
                            @if series.points { circle.point cx=(px(x + 11.0)) cy=(px(y - 4.0)) r="3.5" {} }
                        }
                        text x=(px(x + 28.0)) y=(px(y)) { (series.name) }
                    }
                }
            }
        }
    }

    fn backdrop(&self) -> Markup {
        html! {
            @for band in &self.bands {
                @let (y1, y2) = (self.to_pixel_y(band.to), self.to_pixel_y(band.from));
                rect.band x=(px(LEFT)) width=(px(WIDTH - LEFT - RIGHT)) y=(px(y1)) height=(px((y2 - y1).max(0.0)))
                    style=(format!("opacity:{:.3}", 0.05 + 0.20 * (1.0 - band.strength))) {}
                @if y2 - y1 >= 11.0 {
                    text.band-label x=(px(LEFT + 5.0)) y=(px(y2 - 3.0)) { (band.label) }
                }
            }
        }
    }

    fn grid(&self) -> Markup {
        let (floor, ceiling) = (self.floor(), self.top());
        html! {
            g.grid {
                @for (value, label) in &self.y_ticks {
                    @let y = self.to_pixel_y(*value);
                    line x1=(px(LEFT)) x2=(px(WIDTH - RIGHT)) y1=(px(y)) y2=(px(y)) {}
                    text x=(px(LEFT - 7.0)) y=(px(y + 4.0)) text-anchor="end" { (label) }
                }
                @for (value, label) in &self.x_ticks {
                    @let x = self.to_pixel_x(*value);
                    line x1=(px(x)) x2=(px(x)) y1=(px(ceiling)) y2=(px(floor)) {}
                    text x=(px(x)) y=(px(floor + 17.0)) text-anchor="middle" { (label) }
                }
                line.axis x1=(px(LEFT)) x2=(px(WIDTH - RIGHT)) y1=(px(floor)) y2=(px(floor)) {}
                line.axis x1=(px(LEFT)) x2=(px(LEFT)) y1=(px(ceiling)) y2=(px(floor)) {}
                text.axis-label x=(px((LEFT + WIDTH - RIGHT) / 2.0)) y=(px(floor + 36.0)) text-anchor="middle" { (self.x_label) }
                @let middle = f64::midpoint(ceiling, floor);
                text.axis-label x="14" y=(px(middle)) text-anchor="middle"
                    transform=(format!("rotate(-90 14 {})", px(middle))) { (self.y_label) }
            }
        }
    }

    fn limits(&self) -> Markup {
        let (floor, ceiling) = (self.floor(), self.top());
        html! {
            @for (value, label) in &self.limits {
                @let x = self.to_pixel_x(*value);
                line.limit x1=(px(x)) x2=(px(x)) y1=(px(ceiling)) y2=(px(floor)) {}
                text.limit-label x=(px(x + 4.0)) y=(px(floor - 5.0)) { (label) }
            }
        }
    }

    fn series(&self, series: &PlotSeries) -> Markup {
        let joined: Vec<String> = series
            .marks
            .iter()
            .map(|m| format!("{},{}", px(self.to_pixel_x(m.x)), px(self.to_pixel_y(m.y))))
            .collect();
        html! {
            g class=(series.class) {
                @if series.points {
                    @for mark in &series.marks { (self.samples(mark)) }
                }
                @if series.line { polyline.path points=(joined.join(" ")) {} }
                @if series.points {
                    @for mark in &series.marks { (self.point(mark)) }
                }
            }
        }
    }

    /// The samples beside the point, spread a little so that equal ones are seen: dots of one path, because a sweep
    /// has tens of thousands of them.
    fn samples(&self, mark: &PlotPoint) -> Markup {
        let x = self.to_pixel_x(mark.x);
        let offset = |index: usize| ((index * 7) % 11) as f64 - 5.0;
        let dot = |(index, sample): (usize, &f64)| {
            format!("M{} {}h0", px(x + offset(index)), px(self.to_pixel_y(*sample)))
        };
        let dots: String = mark.samples.iter().enumerate().map(dot).collect();
        html! { @if !dots.is_empty() { path.sample d=(dots) {} } }
    }

    fn point(&self, mark: &PlotPoint) -> Markup {
        let (x, y) = (self.to_pixel_x(mark.x), self.to_pixel_y(mark.y));
        html! {
            @if let Some(interval) = mark.interval {
                @let (lo, hi) = (self.to_pixel_y(interval.lo), self.to_pixel_y(interval.hi));
                line.whisker x1=(px(x)) x2=(px(x)) y1=(px(hi)) y2=(px(lo)) {}
                line.whisker x1=(px(x - 4.0)) x2=(px(x + 4.0)) y1=(px(hi)) y2=(px(hi)) {}
                line.whisker x1=(px(x - 4.0)) x2=(px(x + 4.0)) y1=(px(lo)) y2=(px(lo)) {}
            }
            circle.point.hollow[mark.hollow] cx=(px(x)) cy=(px(y)) r="4" { title { (mark.label) } }
        }
    }
}
