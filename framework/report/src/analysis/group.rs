//! One workload in one mode: the base, and every rank count against it.

use std::collections::{BTreeMap, BTreeSet};

use wb_record::{
    MeasuredWorkload, Measurement, MeasurementPlan, Record, Series, SeriesOutcome, TimedRegion, Timing,
    Version,
    statistics::{
        AmdahlFit, Estimate, Observation, Summary, efficiency, fit_amdahl, is_superlinear, karp_flatt,
        overhead, speedup,
    },
};

use super::{
    DEFAULT_LEAST_REPETITION_NS, DEFAULT_TARGET_HALF_WIDTH, Flag, ModelRow, ResultRow, Withheld,
    row::RowInputs,
};

/// One workload in one mode.
pub(crate) struct WorkloadGroup {
    pub(crate) workload: MeasuredWorkload,
    pub(crate) mode: TimedRegion,
    pub(crate) base: Option<BaseTime>,
    /// Sequential rows first, then parallel ones by rank count.
    pub(crate) rows: Vec<ResultRow>,
    /// The predictions of the models, by machine, version and rank count.
    pub(crate) models: Vec<ModelRow>,
    /// Amdahl's law, with four rank counts or more.
    pub(crate) amdahl: Option<AmdahlFit>,
}

/// `T*`: the fastest correct time on one core for this input.
#[derive(Clone, Copy)]
pub(crate) struct BaseTime {
    pub(crate) version: Version,
    pub(crate) time: Summary,
    pub(crate) launches: usize,
}

impl WorkloadGroup {
    /// Takes back base and speed-ups: the task is a communication operation.
    pub(super) fn withhold(&mut self) {
        (self.base, self.amdahl) = (None, None);
        self.rows.iter_mut().for_each(ResultRow::withhold);
    }

    pub(crate) fn parallel(&self) -> impl Iterator<Item = &ResultRow> {
        self.rows.iter().filter(|row| row.series.version == Version::Mpi)
    }
}

/// The groups of one run, workloads in order of name and size, `task_run` before `pipeline`.
pub(super) fn groups(
    records: &[&Record],
    plan: Option<&MeasurementPlan>,
    ceiling: &BTreeMap<u32, Estimate>,
) -> Vec<WorkloadGroup> {
    let mut rows: BTreeMap<(MeasuredWorkload, TimedRegion), Vec<ResultRow>> = BTreeMap::new();
    for (series, (timings, outcome)) in by_series(records) {
        let material = RowInputs {
            series,
            timings,
            outcome,
            min_repetition_ns: plan.map_or(DEFAULT_LEAST_REPETITION_NS, |p| p.least_repetition_ns),
            target_half_width: plan.map_or(DEFAULT_TARGET_HALF_WIDTH, |p| p.target_half_width),
        };
        rows.entry((series.workload.clone(), series.mode)).or_default().push(ResultRow::new(&material));
    }
    rows.into_iter().map(|((workload, mode), rows)| group(workload, mode, rows, ceiling)).collect()
}

/// A speed-up beyond this share of the machine's ceiling is not a speed-up of the same work.
const ABOVE_CEILING: f64 = 1.1;

type SeriesRecords<'r> = (Vec<(&'r Record, &'r Timing)>, Option<&'r SeriesOutcome>);

fn by_series<'r>(records: &[&'r Record]) -> BTreeMap<&'r Series, SeriesRecords<'r>> {
    let mut gathered: BTreeMap<&Series, SeriesRecords<'_>> = BTreeMap::new();
    for &record in records {
        match &record.measurement {
            Measurement::Timing(timing) => {
                gathered.entry(&timing.series).or_default().0.push((record, timing));
            }
            Measurement::Outcome(outcome) => {
                gathered.entry(&outcome.series).or_default().1 = Some(outcome);
            }
            _ => {}
        }
    }
    gathered
}

fn group(
    workload: MeasuredWorkload,
    mode: TimedRegion,
    mut rows: Vec<ResultRow>,
    ceiling: &BTreeMap<u32, Estimate>,
) -> WorkloadGroup {
    mark_hosts(&mut rows);
    let base = base_index(&rows);
    let single = rows.iter().position(|r| r.series.version == Version::Mpi && r.series.ranks == 1);
    let launches = |index: Option<usize>| index.map(|i| rows[i].launches.clone());
    let (base_launches, single_launches) = (launches(base), launches(single));
    let base_short = base.is_some_and(|i| rows[i].has(Flag::TooShort));
    if let Some(index) = base {
        rows[index].is_base = true;
    }
    for row in &mut rows {
        derive(row, base_launches.as_deref(), base_short, ceiling);
        if let (Ok(_), Some(one)) = (&row.speedup, &single_launches)
            && row.series.version == Version::Mpi
            && row.series.ranks > 1
        {
            row.relative_speedup = speedup(one, &row.launches);
        }
    }
    let base = base.and_then(|i| {
        let row = &rows[i];
        Some(BaseTime { version: row.series.version, time: row.time?, launches: row.launches.len() })
    });
    let amdahl = fit_amdahl(&observations(&rows));
    WorkloadGroup { workload, mode, base, rows, models: Vec::new(), amdahl }
}

/// Marks all rows of a table whose rows were measured on different sets of hosts.
fn mark_hosts(rows: &mut [ResultRow]) {
    let sets: BTreeSet<&BTreeSet<String>> =
        rows.iter().map(|row| &row.hosts).filter(|hosts| !hosts.is_empty()).collect();
    if sets.len() < 2 && !rows.iter().any(|row| row.changes_hosts) {
        return;
    }
    rows.iter_mut().filter(|row| !row.hosts.is_empty()).for_each(|row| row.flags.push(Flag::OtherHosts));
}

/// The fastest correct one among everything that ran on one core.
fn base_index(rows: &[ResultRow]) -> Option<usize> {
    let usable =
        rows.iter().enumerate().filter(|(_, row)| row.series.ranks == 1 && !row.has(Flag::Incorrect));
    let timed = usable.filter_map(|(index, row)| Some((index, row.time?.median.value)));
    timed.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
}

/// Fills in what needs the base, or the reason why it is withheld.
fn derive(
    row: &mut ResultRow,
    base: Option<&[Vec<f64>]>,
    base_short: bool,
    ceiling: &BTreeMap<u32, Estimate>,
) {
    row.speedup = match (row.withheld(), base) {
        (Some(reason), _) => Err(reason),
        (None, None) => Err(Withheld::NoBase),
        (None, Some(_)) if base_short => Err(Withheld::TooShort),
        (None, Some(_)) if row.is_base => Ok(Estimate { value: 1.0, interval: None }),
        (None, Some(base)) => speedup(base, &row.launches).ok_or(Withheld::NoTime),
    };
    if row.series.version != Version::Mpi {
        return;
    }
    let ranks = row.series.ranks;
    row.efficiency = Some(row.speedup.map(|s| s.map(|s| efficiency(s, ranks))));
    let (Ok(s), Some(time)) = (row.speedup, row.time) else { return };
    row.karp_flatt = karp_flatt(&s, ranks);
    if ceiling.get(&ranks).is_some_and(|limit| ranks > 1 && is_above(&s, limit)) {
        row.flags.push(Flag::AboveCeiling);
        row.flags.sort_unstable();
    }
    row.ceiling_share = ceiling.get(&ranks).filter(|_| ranks > 1).map(|limit| s.value / limit.value);
    let parallel = time.median.value;
    row.overhead_share =
        (ranks > 1).then(|| overhead(ranks, parallel, s.value * parallel) / (f64::from(ranks) * parallel));
    if row.efficiency.is_some_and(|e| e.is_ok_and(|e| is_superlinear(&e))) {
        row.flags.push(Flag::Superlinear);
        row.flags.sort_unstable();
    }
}

/// Whether a speed-up lies above what the machine allows by more than a tenth, the intervals of both included.
fn is_above(speedup: &Estimate, ceiling: &Estimate) -> bool {
    let least = speedup.interval.map_or(speedup.value, |interval| interval.lo);
    let most = ceiling.interval.map_or(ceiling.value, |interval| interval.hi);
    least > ABOVE_CEILING * most
}

fn observations(rows: &[ResultRow]) -> Vec<Observation> {
    let parallel = rows.iter().filter(|row| row.series.version == Version::Mpi);
    parallel
        .filter_map(|row| Some(Observation { ranks: row.series.ranks, speedup: row.speedup.ok()? }))
        .collect()
}
