//! The figures of a task: T(p), S(p), E(p) and the stages, one set for every workload.

use std::collections::BTreeMap;

use maud::Markup;
use wb_messages::{
    Lang,
    report::{chart as text, model as model_text},
};
use wb_record::{
    MeasuredWorkload, TimedRegion, Version,
    statistics::{Estimate, median},
};

use crate::{
    analysis::{Flag, ModelRow, ResultRow, TaskAnalysis, WorkloadGroup},
    chart::{Plot, PlotBand, PlotPoint, PlotSeries, Scale, StackedBar, StackedBarChart},
    document::{BlockGroup, Document},
    format,
};

/// Up to this number of ranks an axis is linear; beyond it, measured points would overlap.
const MAX_LINEAR_RANKS: f64 = 8.0;

/// The figures of one workload, both modes in each.
pub(super) fn workload_figures(
    document: &mut Document,
    lang: Lang,
    analysis: &TaskAnalysis<'_>,
    workload: &MeasuredWorkload,
) {
    let groups: Vec<&WorkloadGroup> = analysis.groups.iter().filter(|g| g.workload == *workload).collect();
    let figure = FigureContext { lang, analysis, groups, name: format::workload(lang, workload) };
    document.group(BlockGroup::Figures, |figures| {
        figures.figure(&text::time(lang), figure.time(), "");
        if analysis.operations.is_empty() {
            figures.figure(&text::speedup(lang), figure.speedup(), "");
            figures.figure(&text::efficiency(lang), figure.efficiency(), "");
        }
        if let Some(stages) = figure.stages() {
            figures.figure(&text::stages(lang), stages, "");
        }
    });
}

struct FigureContext<'a> {
    lang: Lang,
    analysis: &'a TaskAnalysis<'a>,
    groups: Vec<&'a WorkloadGroup>,
    name: String,
}

fn mode_class(mode: TimedRegion) -> &'static str {
    match mode {
        TimedRegion::TaskRun => "s-run",
        TimedRegion::Pipeline => "s-pipeline",
    }
}

/// Models are drawn in the colour of their mode, dashed; what is not the measured host has shorter dashes.
fn model_class(mode: TimedRegion, is_host: bool) -> &'static str {
    match (mode, is_host) {
        (TimedRegion::TaskRun, true) => "m-run",
        (TimedRegion::TaskRun, false) => "m-run far",
        (TimedRegion::Pipeline, true) => "m-pipeline",
        (TimedRegion::Pipeline, false) => "m-pipeline far",
    }
}

impl FigureContext<'_> {
    fn ranks(&self) -> Vec<u32> {
        let measured = self.groups.iter().flat_map(|g| g.parallel()).map(|row| row.series.ranks);
        let modelled = self.groups.iter().flat_map(|g| &g.models).map(|row| row.ranks);
        let mut ranks: Vec<u32> = measured.chain(modelled).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    fn max_ranks(&self) -> f64 {
        f64::from(self.ranks().last().copied().unwrap_or(1))
    }

    fn rank_ticks(&self) -> Vec<(f64, String)> {
        self.ranks().into_iter().map(|p| (f64::from(p), p.to_string())).collect()
    }

    /// The ends of an axis of ranks, with some air on both sides: linear, unless a model goes far beyond.
    fn rank_ends(&self) -> (f64, f64) {
        let most = self.max_ranks();
        if most > MAX_LINEAR_RANKS { (0.85, most * 1.18) } else { (0.5, most + 0.5) }
    }

    /// Where more ranks need more hosts: between the last number of ranks on so many hosts and the first one on more.
    fn node_limits(&self) -> Vec<(f64, String)> {
        let rows = self.groups.iter().flat_map(|group| group.parallel()).filter(|row| !row.hosts.is_empty());
        let hosts: BTreeMap<u32, usize> = rows.map(|row| (row.series.ranks, row.hosts.len())).collect();
        let steps: Vec<_> = hosts.into_iter().collect();
        let limit = |pair: &[(u32, usize)]| {
            let [(before, few), (after, many)] = [pair[0], pair[1]];
            // The geometric mean is in the middle of a logarithmic axis, and between both numbers on a linear one.
            let x = (f64::from(before) * f64::from(after)).sqrt();
            (many > few).then(|| (x, text::nodes_from_here(self.lang, many)))
        };
        steps.windows(2).filter_map(limit).collect()
    }

    fn rank_axis(&self) -> Scale {
        let (from, to) = self.rank_ends();
        if self.max_ranks() > MAX_LINEAR_RANKS {
            Scale::logarithmic_around([from, to], 1.0)
        } else {
            Scale::linear(from, to)
        }
    }

    /// The models' series, their value at each rank count as `of` takes it from a row.
    fn models(&self, of: impl Fn(&ModelRow) -> Option<(f64, String)>) -> Vec<PlotSeries> {
        let mut series = Vec::new();
        for modelled in &self.analysis.models {
            let machine = &modelled.model.machine;
            for group in &self.groups {
                let name = model_text::series(self.lang, group.mode.name(), machine);
                let parallel = |row: &&ModelRow| row.machine == *machine && row.version == Version::Mpi;
                let marks = group.models.iter().filter(parallel).filter_map(|row| {
                    let (y, value) = of(row)?;
                    let label = text::point(self.lang, &name, format!("p = {}", row.ranks), value);
                    Some(PlotPoint::exact(f64::from(row.ranks), y, label))
                });
                let marks: Vec<PlotPoint> = marks.collect();
                if !marks.is_empty() {
                    let class = model_class(group.mode, modelled.model.is_host);
                    series.push(PlotSeries::curve(name, class, marks));
                }
            }
        }
        series
    }

    /// The measured points of a mode, each with its text.
    fn measured(
        &self,
        group: &WorkloadGroup,
        of: impl Fn(&ResultRow) -> Option<(Estimate, String)>,
    ) -> Vec<PlotPoint> {
        let mark = |row: &ResultRow| {
            let (estimate, value) = of(row)?;
            let label = text::point(self.lang, group.mode.name(), format!("p = {}", row.series.ranks), value);
            let hollow = row.has(Flag::Oversubscribed);
            Some(PlotPoint { hollow, ..PlotPoint::new(f64::from(row.series.ranks), &estimate, label) })
        };
        group.parallel().filter_map(mark).collect()
    }

    fn curve(&self, group: &WorkloadGroup, marks: Vec<PlotPoint>) -> PlotSeries {
        PlotSeries::curve(group.mode.name().to_owned(), mode_class(group.mode), marks)
    }

    /// A plot over the ranks.
    fn plot(
        &self,
        [title, about, y_label]: [String; 3],
        x: Scale,
        y: Scale,
        y_tick: impl Fn(f64) -> String,
        series: Vec<PlotSeries>,
    ) -> Plot {
        let (x_label, empty) = (text::axis_ranks(self.lang), text::nothing_to_draw(self.lang));
        let texts = [title, about, x_label, y_label, empty];
        let mut plot = Plot::new(texts, (x, self.rank_ticks()), y, y_tick, series);
        plot.limits = self.node_limits();
        plot
    }

    fn time(&self) -> Markup {
        let lang = self.lang;
        let mut series = Vec::new();
        for group in &self.groups {
            let time = |row: &ResultRow| {
                let time = row.time?.median;
                Some((time, format::time_estimate(lang, &time)))
            };
            let mut marks = self.measured(group, time);
            let timed = group.parallel().filter(|row| row.time.is_some());
            marks.iter_mut().zip(timed).for_each(|(mark, row)| mark.samples = row.launches.concat());
            series.push(self.curve(group, marks));
        }
        let ends = [0.85, self.max_ranks() * 1.18];
        if let Some(base) = self.groups.first().and_then(|g| g.base) {
            let t = base.time.median.value;
            series.push(PlotSeries::line(text::base(lang), "base", ends.map(|x| (x, t))));
            let ideal = [1.0, self.max_ranks()].map(|p| (p, t / p));
            series.push(PlotSeries::line(text::ideal(lang), "ideal", ideal));
        }
        series.extend(self.models(|row| Some((row.time_ns?, format::time(lang, row.time_ns?)))));
        if series.iter().flat_map(|s| &s.marks).any(|m| m.hollow) {
            let name = text::hollow(lang);
            series.push(PlotSeries { name, class: "note", marks: vec![], line: false, points: false });
        }
        let values =
            series.iter().flat_map(|s| &s.marks).flat_map(|m| m.samples.iter().copied().chain([m.y]));
        let y = Scale::logarithmic_around(values.collect::<Vec<_>>(), 1.25);
        let texts = [text::time(lang), text::about_time(lang, &self.name), text::axis_time(lang)];
        let x = Scale::logarithmic_around(ends, 1.0);
        self.plot(texts, x, y, |t| format::time(lang, t), series).render()
    }

    fn speedup(&self) -> Markup {
        let lang = self.lang;
        let series = self.speedup_series();
        let y = match self.max_ranks() > MAX_LINEAR_RANKS {
            true => Scale::logarithmic_around(series.iter().flat_map(|s| &s.marks).map(|m| m.y), 1.25),
            false => Scale::linear(0.0, highest(&series).max(1.0) * 1.08),
        };
        let texts = [text::speedup(lang), text::about_speedup(lang, &self.name), text::axis_speedup(lang)];
        self.plot(texts, self.rank_axis(), y, |s| format::trimmed(lang, s), series).render()
    }

    /// The ideal, the ceiling, the fit and the measured points of each mode, and the models.
    fn speedup_series(&self) -> Vec<PlotSeries> {
        let (lang, most) = (self.lang, self.max_ranks());
        let mut series = vec![PlotSeries::line(text::ideal(lang), "ideal", [(1.0, 1.0), (most, most)])];
        series.extend(self.ceiling(most));
        for group in &self.groups {
            series.extend(self.amdahl_line(group));
            let marks = self.measured(group, |row| {
                let s = row.speedup.ok()?;
                Some((s, format!("S = {}", format::ratio_estimate(lang, &s))))
            });
            series.push(self.curve(group, marks));
        }
        series.extend(self.models(|row| {
            let s = row.speedup?;
            Some((s, format!("S = {}", format::ratio(lang, s))))
        }));
        series
    }

    /// The speedup that this machine reaches with independent work, up to `most` ranks.
    fn ceiling(&self, most: f64) -> Option<PlotSeries> {
        let points = self.analysis.ceiling.iter().map(|(p, s)| (f64::from(*p), s.value));
        let points: Vec<_> = points.filter(|(p, _)| *p <= most).collect();
        (!points.is_empty()).then(|| PlotSeries::line(text::ceiling(self.lang), "ceiling", points))
    }

    fn amdahl_line(&self, group: &WorkloadGroup) -> Option<PlotSeries> {
        let fit = group.amdahl.as_ref()?;
        let name = text::amdahl(self.lang, format::percent(self.lang, fit.serial_fraction));
        let measured = group.parallel().map(|row| row.series.ranks).max().map_or(1.0, f64::from);
        let ranks = (0..=40).map(|i| 1.0 + (measured - 1.0) * f64::from(i) / 40.0);
        Some(PlotSeries::line(name, "amdahl", ranks.map(|p| (p, fit.speedup(p)))))
    }

    fn efficiency(&self) -> Markup {
        let lang = self.lang;
        let (first, last) = self.rank_ends();
        let mut series = vec![PlotSeries::line(text::ideal(lang), "ideal", [(first, 1.0), (last, 1.0)])];
        for group in &self.groups {
            let marks = self.measured(group, |row| {
                let e = row.efficiency?.ok()?;
                Some((e, format!("E = {}", format::percent_estimate(lang, &e))))
            });
            series.push(self.curve(group, marks));
        }
        series.extend(self.models(|row| {
            let e = row.efficiency?;
            Some((e, format!("E = {}", format::percent(lang, e))))
        }));
        let top = highest(&series).max(1.0) * 1.1;
        let texts =
            [text::efficiency(lang), text::about_efficiency(lang, &self.name), text::axis_efficiency(lang)];
        let y = Scale::linear(0.0, top);
        let mut plot = self.plot(texts, self.rank_axis(), y, |e| format::short_percent(lang, e), series);
        plot.bands = self.bands(top);
        plot.render()
    }

    fn bands(&self, top: f64) -> Vec<PlotBand> {
        let mut bands: Vec<_> = self.analysis.plan.map_or(&[][..], |plan| &plan.bands).to_vec();
        bands.sort_by(|a, b| b.least_efficiency.total_cmp(&a.least_efficiency));
        let mut to = top;
        let band = |b: &wb_record::EfficiencyBand| {
            let band = PlotBand {
                from: b.least_efficiency,
                to,
                label: format!(
                    "E ≥ {} → {}",
                    format::short_percent(self.lang, b.least_efficiency),
                    format::short_percent(self.lang, b.share)
                ),
                strength: 1.0 - b.share,
            };
            to = b.least_efficiency;
            band
        };
        bands.iter().map(band).collect()
    }

    fn stages(&self) -> Option<Markup> {
        let with_stages = |g: &&&WorkloadGroup| g.rows.iter().any(|row| !row.stages.is_empty());
        let whole = self.groups.iter().filter(with_stages).max_by_key(|g| g.mode)?;
        let bars = whole.rows.iter().filter(|row| !row.stages.is_empty()).map(|row| self.bar(row)).collect();
        let names = [text::validation, text::preprocessing, text::run, text::postprocessing];
        let classes = ["st-validation", "st-preprocessing", "st-run", "st-postprocessing"];
        let stack = StackedBarChart {
            title: text::stages(self.lang),
            about: text::about_stages(self.lang, &self.name),
            parts: names.iter().zip(classes).map(|(name, class)| (name(self.lang), class)).collect(),
            bars,
        };
        Some(stack.render(true))
    }

    fn bar(&self, row: &ResultRow) -> StackedBar {
        let names = [text::validation, text::preprocessing, text::run, text::postprocessing];
        let times = stage_medians(row);
        let value = |(time, name): (f64, &fn(Lang) -> String)| {
            (time, format!("{} {}", name(self.lang), format::time(self.lang, time)))
        };
        let names: [fn(Lang) -> String; 4] = names;
        let label = match row.series.version {
            Version::Mpi => format!("p = {}", row.series.ranks),
            other => other.name().to_owned(),
        };
        StackedBar {
            label,
            parts: times.into_iter().zip(&names).map(value).collect(),
            total: format::time(self.lang, times.iter().sum()),
        }
    }
}

/// Medians of the four stages, in nanoseconds; 0 for a row without stages.
fn stage_medians(row: &ResultRow) -> [f64; 4] {
    let of = |stage: fn(&wb_record::Stages) -> u64| {
        median(&row.stages.iter().map(|s| stage(s) as f64).collect::<Vec<_>>()).unwrap_or(0.0)
    };
    [of(|s| s.validation_ns), of(|s| s.preprocessing_ns), of(|s| s.run_ns), of(|s| s.postprocessing_ns)]
}

fn highest(series: &[PlotSeries]) -> f64 {
    let marks = series.iter().flat_map(|s| &s.marks);
    marks.map(|m| m.interval.map_or(m.y, |i| i.hi.max(m.y))).fold(0.0, f64::max)
}
