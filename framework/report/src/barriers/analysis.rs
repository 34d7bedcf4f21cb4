//! From the records of a run to figures: the one place where they are computed.
use wb_record::{
    Backend, BarrierForm, BarrierLine, BarrierOutcome, BarrierRun, BarrierSamples, BarrierSeries,
};
use wb_statistics::{Estimate, Summary, ratio_of_medians};

/// The barrier that all others are held against.
pub(super) const BASELINE: &str = "mpi_barrier";

/// The reference of two ranks.
pub(super) const REFERENCE: &str = "bare_handshake";

/// One run.
pub(super) struct Analysis<'r> {
    pub(super) run: &'r BarrierRun,
    /// One entry a form and size, fastest first within a size.
    pub(super) rows: Vec<Row<'r>>,
}

/// One form at one size.
pub(super) struct Row<'r> {
    pub(super) form: &'r BarrierForm,
    pub(super) ranks: usize,
    pub(super) outcome: Outcome<'r>,
}

/// What came of it.
pub(super) enum Outcome<'r> {
    Measured(Box<Figures>),
    Refused(&'r str),
    Failed(&'r str),
}

/// The figures of a form, in nanoseconds.
pub(super) struct Figures {
    /// Time of an episode by launch and batch.
    pub(super) launches: Vec<Vec<f64>>,
    /// Time of an episode, by batches.
    pub(super) episode: Summary,
    /// Latency of single episodes.
    pub(super) latency: Option<Summary>,
    /// Their median exit skew.
    pub(super) skew: Option<f64>,
    /// How many times faster than the library's barrier in the same job.
    pub(super) ratio: Option<Estimate>,
}

impl<'r> Analysis<'r> {
    /// The last run of the lines; `None` when there is none.
    pub(super) fn of(lines: &'r [BarrierLine]) -> Option<Self> {
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
        let mut rows: Vec<Row<'r>> = series.iter().map(|one| Row::of(one, &series)).collect();
        rows.sort_by(|a, b| {
            let by_time = a.median().unwrap_or(f64::MAX).total_cmp(&b.median().unwrap_or(f64::MAX));
            a.ranks.cmp(&b.ranks).then(by_time).then(a.form.cmp(b.form))
        });
        Some(Self { run, rows })
    }

    /// Cores that the ranks may use.
    pub(super) fn cores(&self) -> usize {
        self.run.environment.machine.usable_cores as usize
    }

    /// Do so many ranks share cores?
    pub(super) fn is_oversubscribed(&self, ranks: usize) -> bool {
        ranks > self.cores()
    }

    /// Sizes for which there is something.
    pub(super) fn sizes(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = self.rows.iter().map(|row| row.ranks).collect();
        sizes.dedup();
        sizes
    }

    /// All rows of a size.
    pub(super) fn at(&self, ranks: usize) -> impl Iterator<Item = &Row<'r>> {
        self.rows.iter().filter(move |row| row.ranks == ranks)
    }

    /// The fastest form of each barrier on each substrate, those of the forced jobs left out.
    pub(super) fn best(&self, ranks: usize) -> Vec<&Row<'r>> {
        let mut best: Vec<&Row<'r>> = vec![];
        for row in self.at(ranks).filter(|row| row.figures().is_some() && row.form.forced.is_none()) {
            let same = |other: &&Row<'_>| {
                let (a, b) = (other.form, row.form);
                (&a.variant, &a.substrate, a.ranks_are) == (&b.variant, &b.substrate, b.ranks_are)
            };
            if !best.iter().any(same) {
                best.push(row);
            }
        }
        best
    }

    /// `Open MPI 4.1.4`, or that there is none.
    pub(super) fn library(&self) -> Option<String> {
        let passing = &self.run.environment.message_passing;
        let named: Vec<&str> =
            [&passing.library, &passing.version].into_iter().flatten().map(String::as_str).collect();
        (!named.is_empty()).then(|| named.join(" "))
    }
}

impl<'r> Row<'r> {
    fn of(series: &'r BarrierSeries, all: &[&'r BarrierSeries]) -> Self {
        let outcome = match &series.outcome {
            BarrierOutcome::Measured { launches } => match Figures::of(launches) {
                Some(figures) => {
                    let baseline = baseline(series, all);
                    let ratio = baseline.and_then(|baseline| ratio_of_medians(&baseline, &figures.launches));
                    Outcome::Measured(Box::new(Figures { ratio, ..figures }))
                }
                None => Outcome::Failed("no samples"),
            },
            BarrierOutcome::Refused { reason } => Outcome::Refused(reason),
            BarrierOutcome::Failed { reason } => Outcome::Failed(reason),
        };
        Self { form: &series.form, ranks: series.ranks, outcome }
    }

    /// The figures, if it was measured.
    pub(super) fn figures(&self) -> Option<&Figures> {
        match &self.outcome {
            Outcome::Measured(figures) => Some(figures),
            Outcome::Refused(_) | Outcome::Failed(_) => None,
        }
    }

    fn median(&self) -> Option<f64> {
        self.figures().map(|figures| figures.episode.median.value)
    }

    /// Substrate, style and spacing in a few words.
    pub(super) fn runs_on(&self) -> String {
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

/// The samples of the library's barrier in the job of `series`.
fn baseline(series: &BarrierSeries, all: &[&BarrierSeries]) -> Option<Vec<Vec<f64>>> {
    let found = all.iter().find(|other| {
        other.ranks == series.ranks
            && other.form.variant == BASELINE
            && other.form.forced == series.form.forced
            && other.form.ranks_are == Backend::Mpi
    });
    match &found?.outcome {
        BarrierOutcome::Measured { launches } => Some(by_launch(launches)),
        BarrierOutcome::Refused { .. } | BarrierOutcome::Failed { .. } => None,
    }
}

fn by_launch(launches: &[BarrierSamples]) -> Vec<Vec<f64>> {
    launches.iter().map(|samples| samples.episode_ns().collect()).collect()
}

impl Figures {
    fn of(launches: &[BarrierSamples]) -> Option<Self> {
        let of_all = |of: fn(&BarrierSamples) -> &[u64]| -> Vec<f64> {
            launches.iter().flat_map(of).map(|&ns| ns as f64).collect()
        };
        let episodes = by_launch(launches);
        Some(Self {
            episode: Summary::of(&episodes.concat())?,
            launches: episodes,
            latency: Summary::of(&of_all(|samples| &samples.latency_ns)),
            skew: wb_statistics::median(&of_all(|samples| &samples.skew_ns)),
            ratio: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_held_against_the_librarys_barrier_and_the_best_comes_first() {
        let lines = wb_record::example_barriers();
        let analysis = Analysis::of(&lines).expect("a run");
        let best = analysis.best(2);
        assert_eq!(best[0].form.variant, REFERENCE);
        assert_eq!(best[1].form.variant, "dissemination");
        let ratio = best[1].figures().and_then(|figures| figures.ratio).expect("a baseline");
        assert!(ratio.value > 5.0 && ratio.interval.is_some(), "{ratio:?}");
        assert!(best.iter().all(|row| row.form.variant != "tree"), "what failed has no figures");
    }

    #[test]
    fn an_earlier_run_is_not_mixed_in() {
        let mut lines = wb_record::example_barriers();
        let BarrierLine::BarrierRun(run) = &lines[0] else { panic!("a run comes first") };
        let mut later = run.clone();
        later.run = "later".into();
        lines.push(BarrierLine::BarrierRun(later));
        assert!(Analysis::of(&lines).expect("a run").rows.is_empty());
        assert!(Analysis::of(&[]).is_none());
    }
}
