//! The charts of a communication assignment: latency, bandwidth, ratio.

use maud::Markup;
use wb_messages::{
    Lang,
    report::{chart as text, communication, result},
};
use wb_record::statistics::Estimate;

use crate::{
    analysis::{OperationAnalysis, SizeMeasurement},
    chart::{Plot, PlotPoint, PlotSeries, Scale},
    document::{BlockGroup, Document, Medium},
    format,
    task::operations,
};

pub(super) fn section(document: &mut Document, lang: Lang, operation: &OperationAnalysis) {
    document.section("", |section| {
        section.heading(2, operations::heading(lang, operation));
        section.lead(operations::lead(lang, operation));
        if operation.oversubscribed {
            section.alarm(result::oversubscribed(lang));
        }
        section.group(BlockGroup::Figures, |figures| {
            figures.figure(&text::latency(lang), latency(lang, operation), "");
            figures.figure(&text::bandwidth(lang), bandwidth(lang, operation), "");
            figures.figure(&text::ratio(lang), ratio(lang, operation), "");
            if let Some(formula) = &operation.formula {
                let mut counts = Document::new(Medium::Page);
                counts.paragraph(communication::algorithm(lang, &formula.algorithm));
                counts.table(operations::counts(lang, operation, true));
                figures.figure(&communication::counts_heading(lang), counts.to_markup(), "");
            }
        });
        section.table(operations::sizes(lang, operation, true));
    });
}

type Measure = fn(&SizeMeasurement, u64) -> Option<Estimate>;

fn paired_series(
    lang: Lang,
    operation: &OperationAnalysis,
    measure: Measure,
    format_value: impl Fn(f64) -> String,
    dots: bool,
) -> Vec<PlotSeries> {
    let names = [(communication::library(lang), "library"), (communication::student(lang), "student")];
    let series = names.into_iter().enumerate().map(|(index, (name, class))| {
        let marks = operation.points.iter().filter_map(|point| {
            let side = if index == 0 { &point.library } else { &point.student };
            let estimate = measure(side, point.bytes)?;
            let label =
                text::point(lang, &name, format::bytes(lang, point.bytes), format_value(estimate.value));
            let samples = if dots { side.samples.clone() } else { Vec::new() };
            let hollow = operation.oversubscribed;
            Some(PlotPoint { samples, hollow, ..PlotPoint::new(point.bytes as f64, &estimate, label) })
        });
        let marks = marks.collect();
        PlotSeries::curve(name, class, marks)
    });
    series.collect()
}

fn latency(lang: Lang, operation: &OperationAnalysis) -> Markup {
    let format_value = |ns: f64| format::time(lang, ns);
    let series = paired_series(lang, operation, |side, _| Some(side.time.median), format_value, true);
    let y = scale_around(&series);
    let titles = [
        text::latency(lang),
        text::about_latency(lang, operations::heading(lang, operation)),
        text::axis_time(lang),
    ];
    plot(lang, operation, titles, y, format_value, series)
}

fn bandwidth(lang: Lang, operation: &OperationAnalysis) -> Markup {
    let rate: Measure = |side, bytes| {
        side.bandwidth(bytes)?;
        Some(side.time.median.map(|ns| bytes as f64 / (ns * 1e-9)))
    };
    let format_value = |rate: f64| format::bandwidth(lang, rate);
    let series = paired_series(lang, operation, rate, format_value, false);
    let y = scale_around(&series);
    let about = text::about_bandwidth(lang, operations::heading(lang, operation));
    plot(lang, operation, [text::bandwidth(lang), about, text::axis_bandwidth(lang)], y, format_value, series)
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
            Some(PlotPoint::new(point.bytes as f64, &ratio, label))
        })
        .collect();
    let ends = [operation.points.first(), operation.points.last()].into_iter().flatten();
    let series = vec![
        PlotSeries::line(
            communication::library(lang),
            "library",
            ends.map(|point| (point.bytes as f64, 1.0)),
        ),
        PlotSeries::curve(communication::student(lang), "student", marks),
    ];
    let highest =
        series.iter().flat_map(|s| &s.marks).map(|m| m.interval.map_or(m.y, |i| i.hi)).fold(1.0, f64::max);
    let y = Scale::linear(0.0, 1.1 * highest.min(10.0));
    let about = text::about_ratio(lang, operations::heading(lang, operation));
    plot(
        lang,
        operation,
        [text::ratio(lang), about, text::axis_ratio(lang)],
        y,
        |ratio| format::trimmed(lang, ratio),
        series,
    )
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
    y_tick: impl Fn(f64) -> String,
    series: Vec<PlotSeries>,
) -> Markup {
    let sizes: Vec<u64> = operation.points.iter().map(|point| point.bytes).collect();
    let every = sizes.len().div_ceil(7).max(1);
    let x = Scale::logarithmic_around(sizes.iter().map(|&n| n as f64), 1.8);
    let x_ticks = sizes.iter().step_by(every).map(|&n| (n as f64, format::bytes(lang, n))).collect();
    let (x_label, empty) = (text::axis_size(lang), text::nothing_to_draw(lang));
    Plot::new([title, about, x_label, y_label, empty], (x, x_ticks), y, y_tick, series).render()
}
