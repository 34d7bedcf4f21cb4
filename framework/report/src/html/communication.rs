//! The page shape of a communication assignment: latency, bandwidth, ratio, counts. No speed-up appears here.

use maud::{Markup, html};
use wb_messages::Lang;
use wb_messages::report::{chart as text, communication, document, result};
use wb_statistics::Estimate;

use super::figures::framed;
use crate::analysis::{OperationAnalysis, SizeMeasurement, SizePoint};
use crate::chart::{Plot, PlotPoint, PlotSeries, Scale};
use crate::{format, labels};

pub(super) fn section(lang: Lang, operation: &OperationAnalysis) -> Markup {
    let heading =
        communication::heading(lang, &operation.name, operation.ranks, operation.root, &operation.element);
    html! {
        section {
            h2 { (heading) }
            p.lead { (lead(lang, operation)) }
            @if operation.oversubscribed { p.alarm { (result::oversubscribed(lang)) } }
            div.figures {
                (framed(&text::latency(lang), &latency(lang, operation)))
                (framed(&text::bandwidth(lang), &bandwidth(lang, operation)))
                (framed(&text::ratio(lang), &ratio(lang, operation)))
                (counts(lang, operation))
            }
            (table(lang, operation))
        }
    }
}

/// Beside what the student's calls were measured, and at which sizes they were not compared.
pub(crate) fn lead(lang: Lang, operation: &OperationAnalysis) -> String {
    let algorithm = match &operation.library_algorithm {
        Some(algorithm) => communication::forced(lang, algorithm),
        None => communication::library_choice(lang),
    };
    let comparison = communication::compared_with(lang, &operation.library_call);
    if operation.moves_nothing_at.is_empty() {
        return format!("{comparison}; {algorithm}.");
    }
    let sizes: Vec<_> = operation.moves_nothing_at.iter().map(|&bytes| format::bytes(lang, bytes)).collect();
    format!("{comparison}; {algorithm}. {}", communication::moves_nothing(lang, sizes.join(", ")))
}

/// Rows of the table of counts: what, counted, expected, formula, agreement.
pub(crate) fn count_rows(lang: Lang, operation: &OperationAnalysis) -> Vec<[String; 5]> {
    let Some(formula) = &operation.formula else { return Vec::new() };
    let Some(point) =
        operation.points.iter().find(|p| p.matches_formula == Some(false)).or(operation.points.first())
    else {
        return Vec::new();
    };
    let row = |what: String, counted: Option<u64>, expected: u64, text: &str| {
        let verdict = match counted {
            None => communication::not_counted(lang),
            Some(n) if n == expected => communication::agrees(lang),
            Some(_) => communication::differs(lang),
        };
        let counted = counted.map_or_else(format::dash, |n| n.to_string());
        [what, counted, expected.to_string(), text.to_owned(), verdict]
    };
    vec![
        row(communication::messages(lang), Some(point.messages), formula.messages, &formula.messages_formula),
        row(communication::rounds(lang), point.rounds, formula.rounds, &formula.rounds_formula),
    ]
}

fn counts(lang: Lang, operation: &OperationAnalysis) -> Markup {
    let rows = count_rows(lang, operation);
    html! {
        @if let Some(formula) = &operation.formula {
            figure {
                figcaption { (communication::counts_heading(lang)) }
                p { (communication::algorithm(lang, &formula.algorithm)) }
                table.results {
                    thead { tr {
                        th.text { (communication::what(lang)) } th { (communication::counted(lang)) }
                        th { (communication::expected(lang)) } th.text { (communication::formula(lang)) } th.text {}
                    } }
                    tbody { @for [what, counted, expected, text, verdict] in rows {
                        tr { th.text scope="row" { (what) } td { (counted) } td { (expected) } td.text { code { (text) } } td.text { (verdict) } }
                    } }
                }
            }
        }
    }
}

fn table(lang: Lang, operation: &OperationAnalysis) -> Markup {
    let spread = format!("{} – {}", result::minimum(lang), result::p95(lang));
    let (student, library) = (communication::student(lang), communication::library(lang));
    html! {
        div.scroll { table.results {
            thead { tr {
                th { (communication::size(lang)) }
                th { (student) small { (spread) } } th { (library) small { (spread) } } th { (communication::ratio(lang)) }
                th { (communication::bandwidth(lang)) ", " (student) } th { (communication::bandwidth(lang)) ", " (library) }
                th { (result::samples(lang)) } th.text { (communication::verdict(lang)) }
            } }
            tbody { @for point in &operation.points { (table_row(lang, operation, point)) } }
        } }
    }
}

fn table_row(lang: Lang, operation: &OperationAnalysis, point: &SizePoint) -> Markup {
    let time = |side: &SizeMeasurement| {
        let interval = side.time.median.interval.map(|_| format::time_interval(lang, &side.time.median));
        let (least, tail) = (format::time(lang, side.time.min), format::time(lang, side.time.p95));
        html! {
            (format::time(lang, side.time.median.value))
            @if let Some(interval) = interval { small { (interval) } }
            small { (least) " – " (tail) }
        }
    };
    let rate = |side: &SizeMeasurement| {
        side.bandwidth(point.bytes).map(|b| format::bandwidth(lang, b)).unwrap_or_default()
    };
    html! {
        tr {
            th scope="row" { (format::bytes(lang, point.bytes)) }
            td { (time(&point.student)) } td { (time(&point.library)) }
            td { @match point.ratio {
                Some(ratio) => { (format::ratio(lang, ratio.value)) @if let Some(i) = ratio.interval { small { (format::brackets(lang, i, |x| format::ratio(lang, x))) } } }
                None => { "—" }
            } }
            td { (rate(&point.student)) } td { (rate(&point.library)) }
            td { (point.student.samples.len()) " (" (point.student.launches) ")" }
            td.text { (verdict(lang, operation, point)) }
        }
    }
}

/// The last cell of a size.
pub(crate) fn verdict(lang: Lang, operation: &OperationAnalysis, point: &SizePoint) -> String {
    match point.ratio {
        _ if !point.correct => result::incorrect(lang),
        _ if operation.oversubscribed => result::flag_oversubscribed(lang),
        Some(_) => labels::comparison(lang, point.comparison),
        None => document::unknown(lang),
    }
}

type Measure = fn(&SizeMeasurement, u64) -> Option<Estimate>;

fn paired_series(
    lang: Lang,
    operation: &OperationAnalysis,
    measure: Measure,
    tell: impl Fn(f64) -> String,
    dots: bool,
) -> Vec<PlotSeries> {
    let names = [(communication::library(lang), "library"), (communication::student(lang), "student")];
    let series = names.into_iter().enumerate().map(|(index, (name, class))| {
        let marks = operation.points.iter().filter_map(|point| {
            let side = if index == 0 { &point.library } else { &point.student };
            let estimate = measure(side, point.bytes)?;
            let label = text::point(lang, &name, format::bytes(lang, point.bytes), tell(estimate.value));
            let samples = if dots { side.samples.clone() } else { Vec::new() };
            Some(plot_point(point.bytes, &estimate, samples, operation.oversubscribed, label))
        });
        let marks = marks.collect();
        PlotSeries { name, class, marks, line: true, points: true }
    });
    series.collect()
}

fn plot_point(bytes: u64, estimate: &Estimate, samples: Vec<f64>, hollow: bool, label: String) -> PlotPoint {
    PlotPoint { x: bytes as f64, y: estimate.value, interval: estimate.interval, samples, hollow, label }
}

fn describe(lang: Lang, operation: &OperationAnalysis) -> String {
    communication::heading(lang, &operation.name, operation.ranks, operation.root, &operation.element)
}

fn latency(lang: Lang, operation: &OperationAnalysis) -> Markup {
    let tell = |ns: f64| format::time(lang, ns);
    let series = paired_series(lang, operation, |side, _| Some(side.time.median), tell, true);
    let y = scale_around(&series);
    let y_ticks = y.ticks().into_iter().map(|t| (t, format::tick(&format::time(lang, t)))).collect();
    let titles =
        [text::latency(lang), text::about_latency(lang, describe(lang, operation)), text::axis_time(lang)];
    plot(lang, operation, titles, y, y_ticks, series)
}

fn bandwidth(lang: Lang, operation: &OperationAnalysis) -> Markup {
    let rate: Measure = |side, bytes| {
        side.bandwidth(bytes)?;
        Some(side.time.median.map(|ns| bytes as f64 / (ns * 1e-9)))
    };
    let series = paired_series(lang, operation, rate, |rate| format::bandwidth(lang, rate), false);
    let y = scale_around(&series);
    let y_ticks = y.ticks().into_iter().map(|t| (t, format::tick(&format::bandwidth(lang, t)))).collect();
    let about = text::about_bandwidth(lang, describe(lang, operation));
    plot(lang, operation, [text::bandwidth(lang), about, text::axis_bandwidth(lang)], y, y_ticks, series)
}

fn ratio(lang: Lang, operation: &OperationAnalysis) -> Markup {
    let marks: Vec<PlotPoint> = operation
        .points
        .iter()
        .filter_map(|point| {
            let ratio = point.ratio?;
            let value = format::ratio_estimate(lang, &ratio);
            let label =
                text::point(lang, communication::ratio(lang), format::bytes(lang, point.bytes), value);
            Some(plot_point(point.bytes, &ratio, vec![], false, label))
        })
        .collect();
    let ends: Vec<PlotPoint> = [operation.points.first(), operation.points.last()]
        .into_iter()
        .flatten()
        .map(|point| {
            plot_point(point.bytes, &Estimate { value: 1.0, interval: None }, vec![], false, String::new())
        })
        .collect();
    let series = vec![
        PlotSeries {
            name: communication::library(lang),
            class: "library",
            marks: ends,
            line: true,
            points: false,
        },
        PlotSeries { name: communication::student(lang), class: "student", marks, line: true, points: true },
    ];
    let highest =
        series.iter().flat_map(|s| &s.marks).map(|m| m.interval.map_or(m.y, |i| i.hi)).fold(1.0, f64::max);
    let y = Scale::linear(0.0, 1.1 * highest.min(10.0));
    let y_ticks = y.ticks().into_iter().map(|t| (t, format::trimmed(lang, t))).collect();
    let about = text::about_ratio(lang, describe(lang, operation));
    plot(lang, operation, [text::ratio(lang), about, text::axis_ratio(lang)], y, y_ticks, series)
}

fn scale_around(series: &[PlotSeries]) -> Scale {
    let values = series.iter().flat_map(|s| &s.marks).flat_map(|m| m.samples.iter().copied().chain([m.y]));
    Scale::logarithmic_around(values.collect::<Vec<_>>(), 1.4)
}

fn plot(
    lang: Lang,
    operation: &OperationAnalysis,
    [title, about, y_label]: [String; 3],
    y: Scale,
    y_ticks: Vec<(f64, String)>,
    series: Vec<PlotSeries>,
) -> Markup {
    let sizes: Vec<u64> = operation.points.iter().map(|point| point.bytes).collect();
    let every = sizes.len().div_ceil(7).max(1);
    let x_ticks = sizes.iter().step_by(every).map(|&n| (n as f64, format::bytes(lang, n))).collect();
    Plot {
        title,
        about,
        x: Scale::logarithmic_around(sizes.iter().map(|&n| n as f64), 1.8),
        y,
        x_ticks,
        y_ticks,
        x_label: text::axis_size(lang),
        y_label,
        bands: vec![],
        limits: vec![],
        series,
        empty: text::nothing_to_draw(lang),
    }
    .render()
}
