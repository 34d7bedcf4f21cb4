//! From the records of a run to figures: the one place where they are computed.
use std::cmp::Ordering;

use wb_record::{
    BASELINE, Backend, BarrierForm, BarrierLine, BarrierOutcome, BarrierRun, BarrierSamples, BarrierSeries,
    Environment, MachineLoad, MessagePassing,
    statistics::{Estimate, Summary},
};

/// One run.
pub(super) struct BarrierAnalysis<'r> {
    pub(super) run: &'r BarrierRun,
    /// One entry for each form and size. Within a size the forms of the library's job come first, fastest first; then the
    /// forms with jobs of their own.
    pub(super) rows: Vec<BarrierRow<'r>>,
}

/// One form at one size.
pub(super) struct BarrierRow<'r> {
    pub(super) form: &'r BarrierForm,
    pub(super) ranks: usize,
    /// The record: hosts, clocks and messages.
    pub(super) series: &'r BarrierSeries,
    pub(super) outcome: RowOutcome<'r>,
}

/// The largest share of a median by which it may be wrong: above it the common clock of several hosts is too uncertain.
const MAX_UNCERTAIN_SHARE: f64 = 0.1;

/// The result.
pub(super) enum RowOutcome<'r> {
    Measured(Box<BarrierFigures<'r>>),
    Refused(&'r str),
    Failed(&'r str),
}

/// The figures of a form, in nanoseconds.
pub(super) struct BarrierFigures<'r> {
    launches: &'r [BarrierSamples],
    /// Time of an episode, by batches.
    pub(super) episode: Summary,
    /// Latency of single episodes; none where the clocks of several hosts are too uncertain for it.
    pub(super) latency: Option<Summary>,
    /// The median exit skew of the episodes; none as above.
    pub(super) skew: Option<f64>,
    /// The bound of the error of a latency and of a skew, if the ranks read several clocks.
    pub(super) uncertainty_ns: Option<u64>,
    /// How many times faster than the library's barrier in the same job; none where it was not in the job.
    pub(super) ratio: Option<Estimate>,
}

impl<'r> BarrierAnalysis<'r> {
    /// The last run of the lines; `None` when there is none.
    pub(super) fn from_lines(lines: &'r [BarrierLine]) -> Option<Self> {
        let run = lines.iter().rev().find_map(|line| match line {
            BarrierLine::BarrierRun(run) => Some(&**run),
            BarrierLine::BarrierSeries(_) => None,
        })?;
        let series: Vec<&BarrierSeries> = lines
            .iter()
            .filter_map(|line| match line {
                BarrierLine::BarrierSeries(series) if series.run == run.run => Some(&**series),
                _ => None,
            })
            .collect();
        let mut rows: Vec<BarrierRow<'r>> =
            series.iter().map(|one| BarrierRow::from_series(one, &series)).collect();
        rows.sort_by(BarrierRow::compare);
        Some(Self { run, rows })
    }

    /// Cores that the ranks may use.
    pub(super) fn cores(&self) -> usize {
        self.run.environment.machine.usable_cores as usize
    }

    /// Whether this number of ranks share cores.
    pub(super) fn is_oversubscribed(&self, ranks: usize) -> bool {
        self.highest_load(ranks).is_oversubscribed()
    }

    /// The machine with the most ranks per processor at this size: of the processes, or of the threads where there are no processes.
    pub(super) fn highest_load(&self, ranks: usize) -> MachineLoad {
        let mut environment = self.run.environment.clone();
        let is_placed = |row: &&BarrierRow<'_>| !row.series.placement.is_empty();
        let of_processes = self.processes_at(ranks).find(is_placed);
        if let Some(row) = of_processes.or_else(|| self.rows_at(ranks).find(is_placed)) {
            environment.placement.clone_from(&row.series.placement);
            environment.clock.compared.clone_from(&row.series.compared);
        }
        environment.highest_load(ranks as u32)
    }

    /// The rows of a size whose ranks were processes.
    pub(super) fn processes_at(&self, ranks: usize) -> impl Iterator<Item = &BarrierRow<'r>> {
        self.rows_at(ranks).filter(|row| row.form.ranks_are == Backend::Mpi)
    }

    /// Sizes for which there is something.
    pub(super) fn sizes(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = self.rows.iter().map(|row| row.ranks).collect();
        sizes.dedup();
        sizes
    }

    /// All rows of a size.
    pub(super) fn rows_at(&self, ranks: usize) -> impl Iterator<Item = &BarrierRow<'r>> {
        self.rows.iter().filter(move |row| row.ranks == ranks)
    }

    /// The fastest form of each barrier on each substrate, those of the forced jobs left out.
    pub(super) fn best(&self, ranks: usize) -> Vec<&BarrierRow<'r>> {
        let mut best: Vec<&BarrierRow<'r>> = vec![];
        for row in self.rows_at(ranks).filter(|row| row.figures().is_some() && row.form.forced.is_none()) {
            let same = |other: &&BarrierRow<'_>| {
                let (a, b) = (other.form, row.form);
                (&a.variant, &a.substrate, a.ranks_are) == (&b.variant, &b.substrate, b.ranks_are)
            };
            if !best.iter().any(same) {
                best.push(row);
            }
        }
        best
    }

    /// As [`library`] of the run.
    pub(super) fn library(&self) -> Option<String> {
        library(&self.run.environment)
    }
}

/// `Open MPI 4.1.4, MPI_THREAD_MULTIPLE`, without the thread level where it was not recorded; `None` if there is no library.
pub(crate) fn library(environment: &Environment) -> Option<String> {
    let MessagePassing { library, version, thread_level, .. } = &environment.message_passing;
    let named: Vec<&str> = [library, version].into_iter().flatten().map(String::as_str).collect();
    let level = thread_level.iter().map(|level| format!(", {level}"));
    (!named.is_empty()).then(|| std::iter::once(named.join(" ")).chain(level).collect())
}

impl<'r> BarrierRow<'r> {
    fn from_series(series: &'r BarrierSeries, all: &[&'r BarrierSeries]) -> Self {
        let outcome = match &series.outcome {
            BarrierOutcome::Measured { launches } => match BarrierFigures::from_samples(launches) {
                Some(figures) => {
                    let ratio =
                        baseline(series, all).and_then(|baseline| BarrierSamples::ratio(baseline, launches));
                    RowOutcome::Measured(Box::new(BarrierFigures { ratio, ..figures }))
                }
                None => RowOutcome::Failed("no samples"),
            },
            BarrierOutcome::Refused { reason } => RowOutcome::Refused(reason),
            BarrierOutcome::Failed { reason } => RowOutcome::Failed(reason),
        };
        Self { form: &series.form, ranks: series.ranks, series, outcome }
    }

    /// The figures, if it was measured.
    pub(super) fn figures(&self) -> Option<&BarrierFigures<'r>> {
        match &self.outcome {
            RowOutcome::Measured(figures) => Some(figures),
            RowOutcome::Refused(_) | RowOutcome::Failed(_) => None,
        }
    }

    /// How many times longer an episode takes than one of `other`, by pairs of visits; `None` where one of the two was
    /// not measured, or not in the other's job.
    pub(super) fn ratio_to(&self, other: &Self) -> Option<Estimate> {
        let same = (self.ranks, self.form.job()) == (other.ranks, other.form.job());
        let (own, others) = (self.figures()?.launches, other.figures()?.launches);
        same.then(|| BarrierSamples::ratio(own, others)).flatten()
    }

    /// How many times faster than the library's barrier.
    pub(super) fn speed(&self) -> Option<f64> {
        Some(self.figures()?.ratio?.value)
    }

    /// Orders rows by size; then the main job, threads, forced jobs, and what was not measured. Within a job the ratio to the
    /// library's barrier orders, since medians of a machine that drifts do not; the medians where there is no ratio.
    fn compare(a: &Self, b: &Self) -> Ordering {
        let job = |row: &Self| (row.figures().is_none(), row.form.forced.is_some(), row.speed().is_none());
        let slowness = |row: &Self| -row.speed().unwrap_or_default();
        let median = |row: &Self| row.figures().map_or(f64::MAX, |figures| figures.episode.median.value);
        let sized = a.ranks.cmp(&b.ranks).then(job(a).cmp(&job(b)));
        let by_ratio = slowness(a).total_cmp(&slowness(b));
        sized.then(by_ratio).then(median(a).total_cmp(&median(b))).then(a.form.cmp(b.form))
    }

    /// Substrate, style and spacing.
    pub(super) fn substrate_label(&self) -> String {
        let form = self.form;
        let mut words = vec![form.substrate.as_str()];
        words.extend(form.style.as_deref());
        words.extend(form.spacing.as_deref());
        if form.ranks_are == Backend::Threads && form.substrate != "std" {
            words.push("threads");
        }
        words.join(" ")
    }

    /// The variant, and what the library was held to in its job.
    pub(super) fn name(&self) -> String {
        match &self.form.forced {
            Some(forced) if self.form.variant == BASELINE => format!("{BASELINE} = {forced}"),
            Some(forced) if *forced == self.form.variant => format!("{forced} (beside the forced one)"),
            Some(forced) => format!("{} ({forced})", self.form.variant),
            None => self.form.variant.clone(),
        }
    }
}

/// The samples of the library's barrier in the job of `series`: threads have none.
fn baseline<'r>(series: &BarrierSeries, all: &[&'r BarrierSeries]) -> Option<&'r [BarrierSamples]> {
    let same = |other: &BarrierSeries| (other.ranks, other.form.job()) == (series.ranks, series.form.job());
    let found = all.iter().find(|other| other.form.variant == BASELINE && same(other));
    match &found?.outcome {
        BarrierOutcome::Measured { launches } => Some(launches),
        BarrierOutcome::Refused { .. } | BarrierOutcome::Failed { .. } => None,
    }
}

impl<'r> BarrierFigures<'r> {
    fn from_samples(launches: &'r [BarrierSamples]) -> Option<Self> {
        let of_all = |of: fn(&BarrierSamples) -> &[u64]| -> Vec<f64> {
            launches.iter().flat_map(of).map(|&ns| ns as f64).collect()
        };
        let episodes: Vec<f64> = launches.iter().flat_map(BarrierSamples::episode_ns).collect();
        let uncertainty_ns = launches.iter().filter_map(|samples| samples.uncertainty_ns).max();
        let is_certain = |median: f64| uncertainty_ns.unwrap_or(0) as f64 <= MAX_UNCERTAIN_SHARE * median;
        let latency = Summary::from_samples(&of_all(|samples| &samples.latency_ns));
        let skew = wb_record::statistics::median(&of_all(|samples| &samples.skew_ns));
        Some(Self {
            episode: Summary::from_samples(&episodes)?,
            launches,
            latency: latency.filter(|latency| is_certain(latency.median.value)),
            skew: skew.filter(|&skew| is_certain(skew)),
            uncertainty_ns,
            ratio: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use wb_record::REFERENCE;

    use super::*;

    #[test]
    fn forms_are_held_against_the_librarys_barrier_and_the_best_comes_first() {
        let lines = wb_record::example_barriers();
        let analysis = BarrierAnalysis::from_lines(&lines).expect("a run");
        let best = analysis.best(2);
        assert_eq!(best[0].form.variant, REFERENCE);
        assert_eq!(best[1].form.variant, "dissemination");
        let ratio = best[1].figures().and_then(|figures| figures.ratio).expect("a baseline");
        assert!(ratio.value > 5.0 && ratio.interval.is_some(), "{ratio:?}");
        assert!(best.iter().all(|row| row.form.variant != "tree"), "what failed has no figures");
    }

    #[test]
    fn threads_are_not_held_against_processes() {
        let mut lines = wb_record::example_barriers();
        let BarrierLine::BarrierSeries(mut series) = lines[3].clone() else { panic!("a form") };
        series.form.ranks_are = Backend::Threads;
        lines.push(BarrierLine::BarrierSeries(series));
        let analysis = BarrierAnalysis::from_lines(&lines).expect("a run");
        let of = |backend| {
            let same =
                |row: &&BarrierRow<'_>| row.form.variant == "dissemination" && row.form.ranks_are == backend;
            analysis.rows_at(2).find(same).expect("it was measured")
        };
        let (processes, threads) = (of(Backend::Mpi), of(Backend::Threads));
        assert!(processes.speed().is_some() && threads.speed().is_none());
        assert!(processes.ratio_to(threads).is_none() && processes.ratio_to(processes).is_some());
    }

    #[test]
    fn latencies_that_the_clocks_cannot_resolve_are_withheld() {
        let figures = |uncertainty_ns| {
            let samples = BarrierSamples {
                episodes: 1,
                batches_ns: vec![1000],
                latency_ns: vec![900],
                skew_ns: vec![300],
                uncertainty_ns,
                ..BarrierSamples::default()
            };
            let launches = [samples];
            let figures = BarrierFigures::from_samples(&launches).expect("samples");
            (figures.latency.map(|latency| latency.median.value), figures.skew, figures.uncertainty_ns)
        };
        assert_eq!(figures(None), (Some(900.0), Some(300.0), None));
        assert_eq!(figures(Some(30)), (Some(900.0), Some(300.0), Some(30)));
        assert_eq!(figures(Some(90)), (Some(900.0), None, Some(90)));
        assert_eq!(figures(Some(91)), (None, None, Some(91)));
    }

    #[test]
    fn an_earlier_run_is_not_mixed_in() {
        let mut lines = wb_record::example_barriers();
        let BarrierLine::BarrierRun(run) = &lines[0] else { panic!("a run comes first") };
        let mut later = run.clone();
        later.run = "later".into();
        lines.push(BarrierLine::BarrierRun(later));
        assert!(BarrierAnalysis::from_lines(&lines).expect("a run").rows.is_empty());
        assert!(BarrierAnalysis::from_lines(&[]).is_none());
    }
}
