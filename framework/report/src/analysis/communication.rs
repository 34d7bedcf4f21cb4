//! Communication assignments: latency and bandwidth against size, beside the library. They have no speed-up.

use std::collections::{BTreeMap, BTreeSet};

use wb_record::{
    Formula, MachineLoad, Measurement, Record, Sweep,
    statistics::{Comparison, Estimate, Summary, ratio_of_intervals, ratio_of_medians},
};

use super::hosts;

/// The least noise floor under a comparison: smaller effects are not called differences.
const MIN_NOISE_FLOOR: f64 = 0.02;

/// One operation at one rank count, root and element type, over all sizes.
pub(crate) struct OperationAnalysis {
    pub(crate) name: String,
    pub(crate) ranks: u32,
    pub(crate) root: u32,
    pub(crate) element: String,
    pub(crate) library_call: String,
    pub(crate) library_algorithm: Option<String>,
    pub(crate) formula: Option<Formula>,
    pub(crate) oversubscribed: bool,
    /// The most ranks that shared the cores of one machine.
    pub(crate) highest_load: Option<MachineLoad>,
    /// The sets of hosts of its launches.
    pub(crate) host_sets: BTreeSet<BTreeSet<String>>,
    /// The points by rising size.
    pub(crate) points: Vec<SizePoint>,
    /// The sizes in bytes at which it moves nothing: they are not compared.
    pub(crate) moves_nothing_at: Vec<u64>,
}

pub(crate) struct SizePoint {
    pub(crate) bytes: u64,
    pub(crate) student: SizeMeasurement,
    pub(crate) library: SizeMeasurement,
    /// Student over library: below one is faster than the library. `None` when oversubscribed or wrong.
    pub(crate) ratio: Option<Estimate>,
    pub(crate) comparison: Comparison,
    pub(crate) messages: u64,
    pub(crate) rounds: Option<u64>,
    pub(crate) correct: bool,
    /// Whether the counts are the formula's; `None` without a formula.
    pub(crate) matches_formula: Option<bool>,
}

/// One of the two contestants at one size.
pub(crate) struct SizeMeasurement {
    pub(crate) time: Summary,
    pub(crate) launches: usize,
    /// All samples in nanoseconds, to be drawn.
    pub(crate) samples: Vec<f64>,
}

impl SizeMeasurement {
    /// Bytes a second at the median latency.
    pub(crate) fn bandwidth(&self, bytes: u64) -> Option<f64> {
        (self.time.median.value > 0.0).then(|| bytes as f64 / (self.time.median.value * 1e-9))
    }
}

impl OperationAnalysis {
    /// Whether every size was right on every rank.
    pub(crate) fn is_correct(&self) -> bool {
        self.points.iter().all(|point| point.correct)
    }
}

type OperationKey<'r> = (&'r str, u32, u32, &'r str, &'r str, Option<&'r str>);

type BySize<'r> = BTreeMap<u64, Vec<(&'r Record, &'r Sweep)>>;

/// The operations of one run, in order of name, ranks, root and element.
pub(super) fn operations(records: &[&Record]) -> Vec<OperationAnalysis> {
    let mut sweeps: BTreeMap<OperationKey<'_>, BySize<'_>> = BTreeMap::new();
    for &record in records {
        if let Measurement::Sweep(sweep) = &record.measurement {
            let algorithm = sweep.library_algorithm.as_deref();
            let key = (
                &*sweep.operation,
                sweep.ranks,
                sweep.root,
                &*sweep.element,
                &*sweep.library_call,
                algorithm,
            );
            sweeps.entry(key).or_default().entry(sweep.bytes).or_default().push((record, sweep));
        }
    }
    sweeps.into_iter().map(|(key, sizes)| operation(key, &sizes)).collect()
}

fn operation(key: OperationKey<'_>, sizes: &BySize<'_>) -> OperationAnalysis {
    let (name, ranks, root, element, library_call, library_algorithm) = key;
    let mut all = sizes.values().flatten();
    let highest_load = hosts::highest_load(all.clone().map(|(record, _)| *record), ranks);
    let oversubscribed = highest_load.is_some_and(MachineLoad::is_oversubscribed);
    let host_sets = all.clone().map(|(record, _)| hosts::host_set(record)).collect();
    let moves_nothing = |bytes: &u64| sizes[bytes].iter().any(|(_, sweep)| sweep.moves_nothing);
    let compared = sizes.iter().filter(|(bytes, _)| !moves_nothing(bytes));
    let points = compared.filter_map(|(&bytes, sweeps)| size_point(bytes, sweeps, oversubscribed));
    OperationAnalysis {
        name: name.to_owned(),
        ranks,
        root,
        element: element.to_owned(),
        library_call: library_call.to_owned(),
        library_algorithm: library_algorithm.map(str::to_owned),
        formula: all.find_map(|(_, sweep)| sweep.formula.clone()),
        oversubscribed,
        highest_load,
        host_sets,
        points: points.collect(),
        moves_nothing_at: sizes.keys().copied().filter(moves_nothing).collect(),
    }
}

fn size_point(bytes: u64, sweeps: &[(&Record, &Sweep)], oversubscribed: bool) -> Option<SizePoint> {
    let by_launch = |samples: fn(&Sweep) -> Vec<f64>| -> Vec<Vec<f64>> {
        sweeps.iter().map(|(_, sweep)| samples(sweep)).collect()
    };
    let (student, library) = (by_launch(Sweep::student_samples_ns), by_launch(Sweep::library_samples_ns));
    let (student_side, library_side) = (side(&student)?, side(&library)?);
    let correct = sweeps.iter().all(|(_, sweep)| sweep.correct);
    let ratio = ratio(&student, &library).filter(|_| correct && !oversubscribed);
    let floor = library_side.time.relative_half_width().unwrap_or(0.0).max(MIN_NOISE_FLOOR);
    let first = sweeps[0].1;
    let as_formula = first.formula.as_ref().map(|formula| {
        sweeps.iter().all(|(_, sweep)| {
            sweep.messages == formula.messages && sweep.rounds.is_none_or(|rounds| rounds == formula.rounds)
        })
    });
    Some(SizePoint {
        bytes,
        comparison: ratio.map_or(Comparison::Indistinguishable, |r| Comparison::from_ratio(&r, floor)),
        ratio,
        messages: first.messages,
        rounds: first.rounds,
        correct,
        matches_formula: as_formula,
        student: student_side,
        library: library_side,
    })
}

fn side(launches: &[Vec<f64>]) -> Option<SizeMeasurement> {
    let samples = launches.concat();
    let time = Summary::from_samples(&samples)?;
    Some(SizeMeasurement { time, launches: launches.iter().filter(|l| !l.is_empty()).count(), samples })
}

fn ratio(student: &[Vec<f64>], library: &[Vec<f64>]) -> Option<Estimate> {
    let mut estimate = ratio_of_medians(student, library)?;
    if estimate.interval.is_none() {
        let of = |launches: &[Vec<f64>]| wb_record::statistics::median_interval(&launches.concat());
        estimate.interval = of(student).zip(of(library)).and_then(|(s, l)| ratio_of_intervals(s, l));
    }
    Some(estimate)
}
