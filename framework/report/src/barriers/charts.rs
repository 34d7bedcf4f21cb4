//! The charts: a row a barrier with its time on a logarithmic axis, and the fastest of each substrate by size.
use maud::{Markup, PreEscaped, html};
use wb_messages::{Lang, report::barriers as text};

use super::analysis::{BarrierAnalysis, BarrierRow};
use crate::{
    chart::{Plot, PlotPoint, PlotSeries, Scale, px},
    document::Document,
    format,
};

const WIDTH: f64 = 620.0;
const LEFT: f64 = 270.0;
const RIGHT: f64 = 16.0;
const ROW: f64 = 15.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 8.0;

/// What a chart needs where no page gives it style.
const STANDALONE_STYLE: &str = "text{font:11px system-ui,sans-serif;fill:#5b6675}text.name{fill:#1b2430}\
.grid line{stroke:#d9dee6}.whisker{stroke:currentColor;stroke-width:1.6}.point{fill:currentColor}\
.path{fill:none;stroke:currentColor;stroke-width:1.8}.point.hollow{fill:#fff;stroke:currentColor}";

/// One row of a chart: what is drawn for a form.
struct BarrierBar {
    name: String,
    substrate: String,
    min: f64,
    value: f64,
    max: f64,
}

/// Every chart as a file of its own.
pub(super) fn files(analysis: &BarrierAnalysis<'_>, lang: Lang) -> Vec<(String, String)> {
    let of_size = |ranks: usize| {
        let rows = |bars: &[BarrierBar], title: String| rows(bars, &title, "", lang, true).into_string();
        [
            (format!("latency-{ranks}.svg"), rows(&times(analysis, ranks), title(analysis, ranks, lang))),
            (format!("skew-{ranks}.svg"), rows(&skews(analysis, ranks), text::chart_skew(lang, ranks))),
        ]
    };
    analysis.sizes().into_iter().flat_map(of_size).collect()
}

/// The time of an episode at one size.
pub(super) fn latency(document: &mut Document, analysis: &BarrierAnalysis<'_>, ranks: usize, lang: Lang) {
    let (title, about) = (title(analysis, ranks, lang), text::chart_latency_about(lang));
    document.figure(&title, rows(&times(analysis, ranks), &title, &about, lang, false), &about);
}

/// The exit skew at one size.
pub(super) fn skew(document: &mut Document, analysis: &BarrierAnalysis<'_>, ranks: usize, lang: Lang) {
    let (title, about) = (text::chart_skew(lang, ranks), text::chart_skew_about(lang));
    document.figure(&title, rows(&skews(analysis, ranks), &title, &about, lang, false), &about);
}

fn title(analysis: &BarrierAnalysis<'_>, ranks: usize, lang: Lang) -> String {
    let title = text::chart_latency(lang, ranks);
    match analysis.is_oversubscribed(ranks) {
        true => format!("{title} ({})", text::oversubscribed_mark(lang)),
        false => title,
    }
}

fn times(analysis: &BarrierAnalysis<'_>, ranks: usize) -> Vec<BarrierBar> {
    bars(analysis, ranks, |row| {
        let episode = &row.figures()?.episode;
        Some((episode.min, episode.median.value, episode.p95))
    })
}

fn skews(analysis: &BarrierAnalysis<'_>, ranks: usize) -> Vec<BarrierBar> {
    bars(analysis, ranks, |row| row.figures()?.skew.map(|skew| (skew, skew, skew)))
}

fn bars(
    analysis: &BarrierAnalysis<'_>,
    ranks: usize,
    of: impl Fn(&BarrierRow<'_>) -> Option<(f64, f64, f64)>,
) -> Vec<BarrierBar> {
    let bar = |row: &&BarrierRow<'_>| {
        let (least, value, most) = of(row)?;
        let name = format!("{} · {}", row.form.variant, row.substrate_label());
        Some(BarrierBar { name, substrate: row.form.substrate.clone(), min: least, value, max: most })
    };
    analysis.best(ranks).iter().filter_map(bar).collect()
}

fn rows(bars: &[BarrierBar], title: &str, about: &str, lang: Lang, alone: bool) -> Markup {
    let scale = Scale::logarithmic_around(bars.iter().flat_map(|bar| [bar.min, bar.max]), 1.2);
    let x = |value: f64| LEFT + scale.normalize(value).clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT);
    let floor = TOP + ROW * bars.len() as f64;
    let view = format!("0 0 {WIDTH} {}", floor + BOTTOM);
    html! {
        svg.chart viewBox=(view) role="img" xmlns="http://www.w3.org/2000/svg" {
            title { (title) }
            desc { (about) " " @for bar in bars { (bar.name) ": " (format::time(lang, bar.value)) ". " } }
            @if alone { style { (PreEscaped(STANDALONE_STYLE)) } }
            g.grid { @for tick in scale.ticks() {
                line x1=(px(x(tick))) x2=(px(x(tick))) y1=(px(TOP - 6.0)) y2=(px(floor)) {}
                text x=(px(x(tick))) y=(px(TOP - 11.0)) text-anchor="middle" { (format::tick(&format::time(lang, tick))) }
            } }
            @for (index, bar) in bars.iter().enumerate() {
                @let y = TOP + ROW * (index as f64 + 0.5);
                text.name x=(px(LEFT - 8.0)) y=(px(y + 4.0)) text-anchor="end" { (bar.name) }
                g style=(format!("color:{}", substrate_style(&bar.substrate).1)) {
                    line.whisker x1=(px(x(bar.min))) x2=(px(x(bar.max))) y1=(px(y)) y2=(px(y)) {}
                    circle.point cx=(px(x(bar.value))) cy=(px(y)) r="4" { title { (bar.name) ": " (format::time(lang, bar.value)) } }
                }
            }
        }
    }
}

/// The fastest form on each substrate, by number of ranks.
pub(super) fn by_ranks(document: &mut Document, analysis: &BarrierAnalysis<'_>, lang: Lang) {
    let mut substrates: Vec<&str> = analysis.rows.iter().map(|row| row.form.substrate.as_str()).collect();
    substrates.sort_unstable();
    substrates.dedup();
    let series: Vec<PlotSeries> =
        substrates.into_iter().map(|substrate| fastest(analysis, substrate, lang)).collect();
    let values = || series.iter().flat_map(|series| series.marks.iter());
    let y = Scale::logarithmic_around(values().map(|mark| mark.y), 1.3);
    let sizes = analysis.sizes();
    let (title, about) = (text::chart_ranks(lang), text::chart_ranks_about(lang, analysis.cores()));
    let (x_label, y_label) = (text::axis_ranks(lang), text::axis_time(lang));
    let texts = [title.clone(), about.clone(), x_label, y_label, text::not_measured(lang)];
    let x = Scale::logarithmic_around(sizes.iter().map(|&ranks| ranks as f64), 1.2);
    let x_ticks = sizes.iter().map(|&ranks| (ranks as f64, ranks.to_string())).collect();
    let plot = Plot::new(texts, (x, x_ticks), y, |ns| format::time(lang, ns), series);
    document.figure(&title, plot.render(), &about);
}

fn fastest(analysis: &BarrierAnalysis<'_>, substrate: &str, lang: Lang) -> PlotSeries {
    let mark = |ranks: usize| {
        let best = analysis.best(ranks);
        let row = best.iter().find(|row| row.form.substrate == substrate)?;
        let episode = &row.figures()?.episode;
        let label =
            format!("P = {ranks}: {}, {}", row.form.label(), format::time(lang, episode.median.value));
        let hollow = analysis.is_oversubscribed(ranks);
        Some(PlotPoint { hollow, ..PlotPoint::new(ranks as f64, &episode.median, label) })
    };
    let marks = analysis.sizes().into_iter().filter_map(mark).collect();
    PlotSeries::curve(substrate.to_owned(), substrate_style(substrate).0, marks)
}

/// The class and the colour of a substrate.
fn substrate_style(substrate: &str) -> (&'static str, &'static str) {
    match substrate {
        "messages" => ("s-run", "var(--run,#2463c8)"),
        "cells" => ("amdahl", "var(--amdahl,#2e8b57)"),
        "window" => ("ceiling", "var(--ceiling,#7a4fb5)"),
        "mpi" => ("library", "var(--library,#8a6d1f)"),
        "shmem" => ("s-pipeline", "var(--pipeline,#c2571a)"),
        _ => ("ideal", "var(--ideal,#8a94a3)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_are_files_of_their_own_and_name_every_barrier() {
        let lines = wb_record::example_barriers();
        let files = files(&BarrierAnalysis::from_lines(&lines).expect("a run"), Lang::En);
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["latency-2.svg", "skew-2.svg"]);
        for (_, svg) in &files {
            assert!(svg.starts_with("<svg") && svg.contains("dissemination · cells put packed"), "{svg}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
