//! Whether the numbers are reliable: facts about the run, each good, doubtful or bad.

use std::collections::BTreeSet;

use wb_record::{
    Backend, FunctionalRecord, MachineLoad, Measurement, MeasurementPlan, Record, TestOutcome, Version,
};

use super::{
    CheckCounts, ComputingShares, Flag, HostFact, OperationAnalysis, ResultRow, WorkloadGroup, hosts,
};

/// The largest sentinel drift that is not reported, and the one above which a batch is worthless.
const DRIFT_MARKED: f64 = 0.03;
const DRIFT_BAD: f64 = 0.10;

/// The gravity of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TrustLevel {
    Good,
    Doubtful,
    Bad,
}

/// One fact. The numbers are here, the texts in the table of messages.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TrustItem {
    Backend(Backend),
    MixedConditions,
    Ranks {
        max: u32,
        usable: u32,
    },
    Sampling {
        launches: usize,
        samples: usize,
        quick: bool,
    },
    Converged {
        converged: usize,
        total: usize,
    },
    Checked(CheckCounts),
    CheckedSizes {
        right: usize,
        total: usize,
    },
    Drift(Option<f64>),
    Disturbed {
        disturbed: usize,
        total: usize,
    },
    Short {
        short: usize,
        total: usize,
    },
    Build {
        opt_level: String,
        dirty: bool,
    },
    Load {
        load: f64,
        cores: u32,
    },
    /// Functional tests of the parallel version on two ranks or more.
    Tests {
        passed: usize,
        failed: usize,
    },
    /// No such test is among the records.
    Untested,
    /// One rank does the work.
    SingleWorker {
        rank: usize,
        share: f64,
        ranks: usize,
    },
    /// The computing is shared: the busiest rank's part.
    SharedWork {
        share: f64,
        ranks: usize,
    },
    /// A version on one rank waits instead of computing.
    Waits(Version),
    /// Speed-ups above what the machine allows.
    AboveCeiling,
    /// Whether every repetition had an input of its own.
    FreshInputs(bool),
    /// Where ranks ran.
    Hosts(HostFact),
}

impl TrustItem {
    /// Whether performance points would be awarded for something else than a faster program.
    fn withholds_points(&self) -> bool {
        matches!(self, Self::Untested | Self::SingleWorker { .. } | Self::Waits(_) | Self::AboveCeiling)
    }
}

/// The trust box.
pub(crate) struct Trust {
    pub(crate) items: Vec<(TrustLevel, TrustItem)>,
}

impl Trust {
    /// The level of the worst fact.
    pub(crate) fn level(&self) -> TrustLevel {
        self.items.iter().map(|(level, _)| *level).max().unwrap_or(TrustLevel::Good)
    }

    /// Whether no points may be stated, however good the numbers are.
    pub(crate) fn withholds_points(&self) -> bool {
        self.items.iter().any(|(level, item)| *level == TrustLevel::Bad && item.withholds_points())
    }
}

/// What has been found so far.
pub(super) struct TrustInputs<'a> {
    pub(super) groups: &'a [WorkloadGroup],
    pub(super) operations: &'a [OperationAnalysis],
    pub(super) functional: &'a [&'a FunctionalRecord],
    pub(super) shares: Option<&'a ComputingShares>,
}

pub(super) fn trust(
    records: &[&Record],
    found: &TrustInputs<'_>,
    plan: Option<&MeasurementPlan>,
    backends: &BTreeSet<Backend>,
) -> Trust {
    let TrustInputs { groups, operations, functional, shares } = *found;
    let rows: Vec<&ResultRow> = groups.iter().flat_map(|group| &group.rows).collect();
    let mut items = Vec::new();
    items
        .extend(backends.iter().map(|&b| (level(b != Backend::Mpi, TrustLevel::Bad), TrustItem::Backend(b))));
    if backends.len() > 1 || has_mixed_conditions(records) {
        items.push((TrustLevel::Bad, TrustItem::MixedConditions));
    }
    items.extend(ranks(&rows, operations));
    items.extend(host_items(records, groups, operations));
    items.extend(sampling(&rows, operations, plan));
    items.extend(row_items(&rows));
    items.extend(size_items(operations));
    items.extend(tests(&rows, operations, functional, plan));
    items.extend(inputs(records).filter(|_| !rows.is_empty()));
    items.extend(shares.map(computing));
    items.extend(suspicion_items(groups, operations));
    items.extend(records.first().map(|record| build(record)));
    items.extend(load(records));
    Trust { items }
}

fn level(holds: bool, otherwise: TrustLevel) -> TrustLevel {
    if holds { otherwise } else { TrustLevel::Good }
}

/// Two machines, two builds or two states of the sources in one run.
fn has_mixed_conditions(records: &[&Record]) -> bool {
    let conditions: BTreeSet<_> = records
        .iter()
        .map(|record| {
            let (machine, build) = (&record.environment.machine, &record.environment.build);
            (&machine.cpu, &machine.kernel, &build.rustc, &build.opt_level, &build.commit)
        })
        .collect();
    conditions.len() > 1
}

fn ranks(rows: &[&ResultRow], operations: &[OperationAnalysis]) -> Option<(TrustLevel, TrustItem)> {
    let of_rows = rows.iter().filter_map(|row| row.highest_load);
    let all = of_rows.chain(operations.iter().filter_map(|operation| operation.highest_load));
    let most = all.max_by(MachineLoad::cmp_load)?;
    let item = TrustItem::Ranks { max: most.ranks, usable: most.usable_cores };
    Some((level(most.is_oversubscribed(), TrustLevel::Doubtful), item))
}

fn host_items(
    records: &[&Record],
    groups: &[WorkloadGroup],
    operations: &[OperationAnalysis],
) -> Vec<(TrustLevel, TrustItem)> {
    let of_groups = groups.iter().map(|group| group.rows.iter().map(|row| row.hosts.clone()).collect());
    let tables = of_groups.chain(operations.iter().map(|operation| operation.host_sets.clone()));
    let facts = hosts::facts(records, tables).into_iter();
    facts.map(|(doubtful, fact)| (level(doubtful, TrustLevel::Doubtful), TrustItem::Hosts(fact))).collect()
}

fn sampling(
    rows: &[&ResultRow],
    operations: &[OperationAnalysis],
    plan: Option<&MeasurementPlan>,
) -> Option<(TrustLevel, TrustItem)> {
    // Ranks that share cores are launched once, to show that the task works.
    let is_sampled = |row: &&&ResultRow| row.sample_count() > 0 && !row.has(Flag::Oversubscribed);
    let of_rows = rows.iter().filter(is_sampled).map(|r| (r.launches.len(), r.sample_count()));
    let sides = operations.iter().flat_map(|o| &o.points).flat_map(|p| [&p.student, &p.library]);
    let all: Vec<(usize, usize)> = of_rows.chain(sides.map(|s| (s.launches, s.samples.len()))).collect();
    let launches = all.iter().map(|(launches, _)| *launches).min()?;
    let samples = all.iter().map(|(_, samples)| *samples).min()?;
    let quick = plan.is_some_and(|plan| plan.quick);
    let doubtful = quick || launches < 3 || samples < wb_record::statistics::MIN_SAMPLES;
    Some((level(doubtful, TrustLevel::Doubtful), TrustItem::Sampling { launches, samples, quick }))
}

fn row_items(rows: &[&ResultRow]) -> Vec<(TrustLevel, TrustItem)> {
    if rows.is_empty() {
        return Vec::new();
    }
    let count = |flag: Flag| rows.iter().filter(|row| row.has(flag)).count();
    let mut checked = CheckCounts::default();
    for row in rows {
        checked.right += row.checked.right;
        checked.wrong += row.checked.wrong + usize::from(row.has(Flag::Incorrect) && row.checked.wrong == 0);
        checked.unchecked += row.checked.unchecked;
    }
    let of_checked = match checked {
        CheckCounts { wrong: 1.., .. } => TrustLevel::Bad,
        CheckCounts { unchecked: 1.., .. } => TrustLevel::Doubtful,
        _ => TrustLevel::Good,
    };
    let (of, converged) = (rows.iter().filter(|r| r.time.is_some()).count(), count(Flag::NotConverged));
    let disturbed = rows.iter().filter(|r| r.has(Flag::Disturbed) || r.has(Flag::Noisy)).count();
    let drift = rows.iter().filter_map(|row| row.drift).max_by(f64::total_cmp);
    let short = count(Flag::TooShort);
    let of_drift = match drift {
        Some(drift) if drift > DRIFT_BAD => TrustLevel::Bad,
        Some(drift) if drift <= DRIFT_MARKED => TrustLevel::Good,
        _ => TrustLevel::Doubtful,
    };
    vec![
        (
            level(converged > 0, TrustLevel::Doubtful),
            TrustItem::Converged { converged: of - converged, total: of },
        ),
        (of_checked, TrustItem::Checked(checked)),
        (of_drift, TrustItem::Drift(drift)),
        (level(disturbed > 0, TrustLevel::Doubtful), TrustItem::Disturbed { disturbed, total: rows.len() }),
        (level(short > 0, TrustLevel::Doubtful), TrustItem::Short { short, total: rows.len() }),
    ]
}

fn size_items(operations: &[OperationAnalysis]) -> Option<(TrustLevel, TrustItem)> {
    let of = operations.iter().map(|o| o.points.len()).sum::<usize>();
    let right = operations.iter().flat_map(|o| &o.points).filter(|point| point.correct).count();
    (of > 0).then(|| (level(right < of, TrustLevel::Bad), TrustItem::CheckedSizes { right, total: of }))
}

/// The evidence that the parallel version is right. A quick run does not test.
fn tests(
    rows: &[&ResultRow],
    operations: &[OperationAnalysis],
    functional: &[&FunctionalRecord],
    plan: Option<&MeasurementPlan>,
) -> Option<(TrustLevel, TrustItem)> {
    let is_parallel =
        |row: &&&ResultRow| row.series.version == Version::Mpi && row.series.ranks > 1 && row.time.is_some();
    if operations.is_empty() && rows.iter().find(is_parallel).is_none() {
        return None;
    }
    let count = |is: fn(TestOutcome) -> bool| {
        functional
            .iter()
            .filter(|test| test.version == Version::Mpi && test.ranks > 1 && is(test.verdict))
            .count()
    };
    let passed = count(|verdict| verdict == TestOutcome::Pass);
    let failed = count(|verdict| !matches!(verdict, TestOutcome::Pass | TestOutcome::Skip));
    Some(match (passed, failed) {
        (0, 0) if plan.is_some_and(|plan| plan.quick) => (TrustLevel::Doubtful, TrustItem::Untested),
        (0, 0) => (TrustLevel::Bad, TrustItem::Untested),
        _ => (level(failed > 0, TrustLevel::Bad), TrustItem::Tests { passed, failed }),
    })
}

/// Older records do not contain it.
fn inputs(records: &[&Record]) -> Option<(TrustLevel, TrustItem)> {
    let fresh = records.iter().filter_map(|record| match &record.measurement {
        Measurement::Timing(timing) => timing.fresh_inputs,
        _ => None,
    });
    let all = fresh.reduce(|all, one| all && one)?;
    Some((level(!all, TrustLevel::Doubtful), TrustItem::FreshInputs(all)))
}

fn computing(shares: &ComputingShares) -> (TrustLevel, TrustItem) {
    let ranks = shares.by_rank.len();
    match shares.single_worker() {
        Some((rank, share)) => (TrustLevel::Bad, TrustItem::SingleWorker { rank, share, ranks }),
        None => {
            let share = shares.by_rank.iter().copied().fold(0.0, f64::max);
            (TrustLevel::Good, TrustItem::SharedWork { share, ranks })
        }
    }
}

/// What makes a speed-up without making the program faster.
fn suspicion_items(
    groups: &[WorkloadGroup],
    operations: &[OperationAnalysis],
) -> Vec<(TrustLevel, TrustItem)> {
    if !operations.is_empty() {
        return Vec::new();
    }
    let rows = || groups.iter().flat_map(|group| &group.rows);
    let waiting: BTreeSet<Version> =
        rows().filter(|row| row.has(Flag::Waits)).map(|row| row.series.version).collect();
    let above = rows().any(|row| row.has(Flag::AboveCeiling));
    let waits = waiting.into_iter().map(TrustItem::Waits);
    waits.chain(above.then_some(TrustItem::AboveCeiling)).map(|item| (TrustLevel::Bad, item)).collect()
}

fn build(record: &Record) -> (TrustLevel, TrustItem) {
    let build = &record.environment.build;
    let slow = matches!(build.opt_level.as_str(), "0" | "1");
    let dirty = build.dirty == Some(true);
    let worst = level(dirty, TrustLevel::Doubtful).max(level(slow, TrustLevel::Bad));
    (worst, TrustItem::Build { opt_level: build.opt_level.clone(), dirty })
}

/// The load when the run began; later values contain the run itself.
fn load(records: &[&Record]) -> Option<(TrustLevel, TrustItem)> {
    let machine =
        &records.iter().find(|r| !matches!(r.measurement, Measurement::Functional(_)))?.environment.machine;
    let (load, cores) = (machine.load_before?, machine.usable_cores);
    Some((level(load > 0.5 * f64::from(cores), TrustLevel::Doubtful), TrustItem::Load { load, cores }))
}
