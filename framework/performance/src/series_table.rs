//! The series as they grow over the launches, how each of them ended, and the final output of `cargo bench`: the medians, and the path
//! of the records.
use std::{collections::BTreeMap, fmt::Write, path::Path, time::Duration};

use wb_messages::{Lang, number, performance as text, report::result};
use wb_record::{
    ClockInfo, Series, SeriesFailure, SeriesOutcome, Sweep, TimedRegion, Timing, Version,
    statistics::{median, relative_half_width},
};

use super::{
    job::{self, JobFailure, WorkloadRequest},
    schedule::{JobPurpose, ScheduledJob},
    settings::CampaignSettings,
};

/// All series of a campaign.
#[derive(Debug, Default)]
pub(crate) struct SeriesTable(BTreeMap<Series, SeriesState>);

/// One series so far.
#[derive(Debug, Default)]
pub(crate) struct SeriesState {
    samples: Vec<f64>,
    required_ns: f64,
    spent: Duration,
    repeated: u32,
    failure: Option<SeriesFailure>,
}

impl SeriesTable {
    /// An entry for every series of the campaign; those of a disabled version have failed.
    pub(crate) fn new(settings: &CampaignSettings) -> Self {
        let mut table = Self::default();
        let parallel = settings.ranks.iter().map(|&ranks| (Version::Mpi, ranks));
        for (version, ranks) in [(Version::Seq, 1)].into_iter().chain(parallel) {
            let enabled = if version == Version::Seq { settings.seq } else { settings.mpi };
            for series in keys(&settings.workloads, version, ranks) {
                let failure = (!enabled).then_some(SeriesFailure::Disabled);
                table.0.insert(series, SeriesState { failure, ..SeriesState::default() });
            }
        }
        table
    }

    /// Notes what one launch of a series found in this time, and what is wrong with its outputs.
    pub(crate) fn add(
        &mut self,
        timing: &Timing,
        spent: Duration,
        clock: &ClockInfo,
        least_ns: u64,
        wrong: Option<&str>,
    ) {
        let entry = self.0.entry(timing.series.clone()).or_default();
        entry.samples.extend(timing.repetitions.iter().map(|r| r.elapsed_ns as f64));
        entry.spent += spent;
        let required = clock.shortest_reliable_ns().max(least_ns as f64);
        entry.required_ns = entry.required_ns.max(required);
        if let Some(reason) = wrong {
            entry.failure.get_or_insert(SeriesFailure::Incorrect { reason: reason.to_owned() });
        }
    }

    /// Notes that a launch was repeated because the machine had drifted.
    pub(crate) fn add_repeated(&mut self, workloads: &[WorkloadRequest], version: Version, ranks: usize) {
        for series in keys(workloads, version, ranks) {
            self.0.entry(series).or_default().repeated += 1;
        }
    }

    /// Notes why a job found nothing: it befalls the workload it was in, and the others went down with it.
    pub(crate) fn add_failure(
        &mut self,
        workloads: &[WorkloadRequest],
        version: Version,
        ranks: usize,
        failure: &JobFailure,
    ) {
        for series in keys(workloads, version, ranks) {
            let hit = failure.subject.as_ref().is_none_or(|name| *name == series.workload.name);
            let failure = if hit {
                job::recorded(failure)
            } else {
                let name = failure.subject.as_deref().unwrap_or_default();
                SeriesFailure::Crashed {
                    reason: format!("its job ended in the workload `{name}`: {}", failure.details),
                }
            };
            self.0.entry(series).or_default().failure.get_or_insert(failure);
        }
    }

    /// Whether anything is left to measure for this step.
    pub(crate) fn needs(&self, step: ScheduledJob, settings: &CampaignSettings, cores: usize) -> bool {
        let JobPurpose::Series(version) = step.purpose else { return step.launch < settings.plan.launches };
        let entries: Vec<&SeriesState> =
            keys(&settings.workloads, version, step.ranks).filter_map(|series| self.0.get(&series)).collect();
        if entries.iter().any(|entry| entry.failure.is_some()) {
            return false;
        }
        let open = |entry: &&SeriesState| {
            entry.half_width().is_none_or(|width| width >= settings.plan.target_half_width)
                && entry.spent.as_secs_f64() < settings.plan.budget_s
        };
        step.launch < settings.plan.launches || step.ranks <= cores && entries.iter().any(open)
    }

    /// The outcome of every series.
    pub(crate) fn outcomes(&self, settings: &CampaignSettings) -> Vec<SeriesOutcome> {
        self.0.iter().map(|(series, entry)| entry.outcome(series, settings)).collect()
    }

    pub(crate) fn medians(&self) -> impl Iterator<Item = (&Series, f64)> {
        self.0.iter().filter_map(|(series, entry)| Some((series, median(&entry.samples)?)))
    }

    /// Whether a series that was to be measured has failed. A series that is too short is no failure of the program.
    pub(crate) fn has_failed(&self) -> bool {
        self.0.values().any(|entry| !matches!(entry.failure, None | Some(SeriesFailure::Disabled)))
    }
}

impl SeriesState {
    fn half_width(&self) -> Option<f64> {
        relative_half_width(&self.samples)
    }

    fn outcome(&self, series: &Series, settings: &CampaignSettings) -> SeriesOutcome {
        let half_width = self.half_width();
        let target = settings.plan.target_half_width;
        SeriesOutcome {
            series: series.clone(),
            converged: self.failure.is_none() && half_width.is_some_and(|width| width < target),
            half_width,
            budget_s: settings.plan.budget_s,
            spent_s: self.spent.as_secs_f64(),
            repeated_launches: self.repeated,
            failure: self.failure.clone().or_else(|| self.too_short()),
        }
    }

    fn too_short(&self) -> Option<SeriesFailure> {
        let measured = median(&self.samples)?;
        (measured < self.required_ns).then_some(SeriesFailure::TooShort {
            measured_ns: measured as u64,
            required_ns: self.required_ns as u64,
        })
    }
}

/// The series that one job of a version measures.
fn keys(workloads: &[WorkloadRequest], version: Version, ranks: usize) -> impl Iterator<Item = Series> {
    workloads.iter().flat_map(move |request| {
        [TimedRegion::TaskRun, TimedRegion::Pipeline].map(|mode| request.series(version, mode, ranks))
    })
}

/// The medians of all series and sweeps as lines, and how to make a report from them.
pub(crate) fn summary(
    book: &SeriesTable,
    sweeps: &[Sweep],
    records: &Path,
    task: &str,
    lang: Lang,
) -> String {
    let mut lines = String::new();
    for (series, median_ns) in book.medians() {
        let (version, mode, ranks) = (series.version.name(), series.mode.name(), series.ranks);
        let workload = format!("{} {}", series.workload.name, series.workload.size);
        let time = duration(lang, median_ns);
        line(&mut lines, format!("{workload:<24} {version:<4} P = {ranks:<3} {mode:<9} {time:>12}"));
    }
    for (page, (own, library)) in group_sweeps(sweeps) {
        page.compared(&own, &library, lang).into_iter().for_each(|text| line(&mut lines, text));
    }
    let title = text::medians(lang);
    let records = text::records_are_in(lang, records.display());
    let next = text::report_renders_them(lang, task);
    format!("{title}\n{lines}{records}\n{next}\n")
}

/// One line of a sweep over all its launches.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SweepKey<'a> {
    operation: &'a str,
    ranks: u32,
    algorithm: &'a str,
    bytes: u64,
    moves_nothing: bool,
}

impl SweepKey<'_> {
    /// The medians of both verbs, or the statement that they are not compared.
    fn compared(&self, own: &[f64], library: &[f64], lang: Lang) -> Option<String> {
        let Self { operation, ranks, algorithm, bytes, moves_nothing } = self;
        let size = result::bytes(lang, bytes);
        let begin = format!("{operation:<6} P = {ranks:<3} {size:>10}");
        if *moves_nothing {
            return Some(format!("{begin} {}  {algorithm}", text::moves_nothing(lang)));
        }
        let (own, library) = (median(own)?, median(library)?);
        let [own_time, library_time] = [own, library].map(|ns| duration(lang, ns));
        let ratio = number::fixed(lang, own / library, 2);
        Some(format!("{begin} {own_time:>12} / {library_time:>12} = {ratio:>5}  {algorithm}"))
    }
}

/// The samples of both verbs, for one call each, of all launches together.
fn group_sweeps(sweeps: &[Sweep]) -> BTreeMap<SweepKey<'_>, (Vec<f64>, Vec<f64>)> {
    let mut pages: BTreeMap<_, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for sweep in sweeps {
        let algorithm = sweep.library_algorithm.as_deref().unwrap_or("");
        let (operation, ranks, bytes) = (sweep.operation.as_str(), sweep.ranks, sweep.bytes);
        let page = SweepKey { operation, ranks, algorithm, bytes, moves_nothing: sweep.moves_nothing };
        let (own, library) = pages.entry(page).or_default();
        own.extend(sweep.student_samples_ns());
        library.extend(sweep.library_samples_ns());
    }
    pages
}

fn line(text: &mut String, line: String) {
    writeln!(text, "  {}", line.trim_end()).expect("a string takes everything");
}

/// A time in a readable unit.
fn duration(lang: Lang, ns: f64) -> String {
    let digits = |value: f64| number::fixed(lang, value, 2);
    match ns {
        ns if ns < 1e3 => result::nanoseconds(lang, digits(ns)),
        ns if ns < 1e6 => result::microseconds(lang, digits(ns / 1e3)),
        ns if ns < 1e9 => result::milliseconds(lang, digits(ns / 1e6)),
        ns => result::seconds(lang, digits(ns / 1e9)),
    }
}

#[cfg(test)]
mod tests {
    use wb_record::{ElapsedFrom, Repetition};

    use super::*;
    use crate::settings::tests::settings;

    fn first_outcome(times: &[u64]) -> SeriesOutcome {
        let settings = settings(&[1, 2]);
        let mut book = SeriesTable::new(&settings);
        let repetition = |&elapsed_ns| Repetition { elapsed_ns, ..Repetition::default() };
        let timing = Timing {
            series: settings.workloads[0].series(Version::Mpi, TimedRegion::TaskRun, 2),
            launch: 0,
            fresh_inputs: Some(true),
            warmup_dropped: 1,
            inner_iterations: 1,
            elapsed_from: ElapsedFrom::CommonClock,
            repetitions: times.iter().map(repetition).collect(),
            stages: vec![],
            traffic: None,
            sentinel: None,
        };
        let clock = ClockInfo::shared("c", 20.0, Some(400.0));
        book.add(&timing, Duration::from_millis(10), &clock, 20_000_000, None);
        let outcomes = book.outcomes(&settings);
        outcomes.into_iter().find(|outcome| outcome.series == timing.series).expect("it has a page")
    }

    #[test]
    fn a_long_and_steady_series_converges() {
        let outcome = first_outcome(&[50_000_000; 8]);
        assert!(outcome.converged && outcome.failure.is_none(), "{outcome:?}");
    }

    #[test]
    fn a_wild_one_does_not() {
        let outcome =
            first_outcome(&[50_000_000, 90_000_000, 70_000_000, 60_000_000, 51_000_000, 88_000_000]);
        assert!(!outcome.converged && outcome.half_width.is_some_and(|width| width > 0.05));
    }

    #[test]
    fn a_failed_version_is_not_launched_again_and_the_rest_is() {
        let settings = settings(&[1, 2]);
        let mut book = SeriesTable::new(&settings);
        let failure = JobFailure {
            subject: Some("small".into()),
            limit: Some(std::time::Duration::from_secs(10)),
            ..JobFailure::new("rank 0")
        };
        book.add_failure(&settings.workloads, Version::Mpi, 2, &failure);
        let step = |ranks| ScheduledJob { launch: 1, purpose: JobPurpose::Series(Version::Mpi), ranks };
        assert!(!book.needs(step(2), &settings, 2));
        assert!(book.needs(step(1), &settings, 2));
        let failures: Vec<_> = book.outcomes(&settings).into_iter().filter_map(|o| o.failure).collect();
        assert_eq!(failures.iter().filter(|f| matches!(f, SeriesFailure::Limit { .. })).count(), 2);
        assert_eq!(failures.iter().filter(|f| matches!(f, SeriesFailure::Crashed { .. })).count(), 2);
    }

    #[test]
    fn a_size_at_which_nothing_moves_has_a_reason_and_no_ratio() {
        let page = |moves_nothing| SweepKey {
            operation: "scatter",
            ranks: 4,
            algorithm: "",
            bytes: 8,
            moves_nothing,
        };
        let comparison = |moves_nothing| page(moves_nothing).compared(&[200.0], &[100.0], Lang::En);
        assert_eq!(
            comparison(false).as_deref().map(str::trim_end),
            Some("scatter P = 4          8 B    200.00 ns /    100.00 ns =  2.00")
        );
        let nothing = comparison(true).expect("a reason");
        assert!(nothing.contains("8 B no data is moved at this size: not compared"), "{nothing}");
    }

    #[test]
    fn times_are_told_in_their_own_unit() {
        assert_eq!(duration(Lang::En, 12.0), "12.00 ns");
        assert_eq!(Lang::ALL.map(|lang| duration(lang, 45_600.0)), ["45.60 µs", "45,60 мкс"]);
        assert_eq!(duration(Lang::En, 45_600_000.0), "45.60 ms");
        assert_eq!(duration(Lang::En, 4.5e9), "4.50 s");
    }
}
