//! Whether the numbers deserve belief: facts about the run, each good, doubtful or bad.

use std::collections::BTreeSet;

use wb_record::{Backend, Functional, Measurement, Plan, Record, Verdict, Version};

use super::{Checked, Flag, Group, Operation, Row, Shares};

/// The largest sentinel drift that is not worth a word, and the one above which a batch is worthless.
const DRIFT_MARKED: f64 = 0.03;
const DRIFT_BAD: f64 = 0.10;

/// How bad a fact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Good,
    Doubtful,
    Bad,
}

/// One fact. The numbers are here, the words in the table of messages.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    Backend(Backend),
    MixedConditions,
    Ranks {
        most: u32,
        usable: u32,
    },
    Sampling {
        launches: usize,
        samples: usize,
        quick: bool,
    },
    Converged {
        converged: usize,
        of: usize,
    },
    Checked(Checked),
    CheckedSizes {
        right: usize,
        of: usize,
    },
    Drift(Option<f64>),
    Disturbed {
        disturbed: usize,
        of: usize,
    },
    Short {
        short: usize,
        of: usize,
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
    Alone {
        rank: usize,
        share: f64,
        ranks: usize,
    },
    /// The computing is shared: the busiest rank's part.
    Shared {
        share: f64,
        ranks: usize,
    },
    /// A version on one rank waits instead of computing.
    Waits(Version),
    /// Speed-ups above what the machine allows.
    AboveCeiling,
    /// Whether every repetition had an input of its own.
    FreshInputs(bool),
}

impl Item {
    /// Whether performance points would be points for something else than a faster program.
    fn withholds_points(&self) -> bool {
        matches!(self, Self::Untested | Self::Alone { .. } | Self::Waits(_) | Self::AboveCeiling)
    }
}

/// The trust box.
pub(crate) struct Trust {
    pub(crate) items: Vec<(Level, Item)>,
}

impl Trust {
    /// That of the worst fact.
    pub(crate) fn level(&self) -> Level {
        self.items.iter().map(|(level, _)| *level).max().unwrap_or(Level::Good)
    }

    /// Whether no points may be stated, however good the numbers are.
    pub(crate) fn withholds_points(&self) -> bool {
        self.items.iter().any(|(level, item)| *level == Level::Bad && item.withholds_points())
    }
}

/// What has been found so far.
pub(super) struct Found<'a> {
    pub(super) groups: &'a [Group],
    pub(super) operations: &'a [Operation],
    pub(super) functional: &'a [&'a Functional],
    pub(super) shares: Option<&'a Shares>,
}

pub(super) fn trust(
    records: &[&Record],
    found: &Found<'_>,
    plan: Option<&Plan>,
    backends: &BTreeSet<Backend>,
) -> Trust {
    let Found { groups, operations, functional, shares } = *found;
    let rows: Vec<&Row> = groups.iter().flat_map(|group| &group.rows).collect();
    let mut items = Vec::new();
    items.extend(backends.iter().map(|&b| (level(b != Backend::Mpi, Level::Bad), Item::Backend(b))));
    if backends.len() > 1 || has_mixed_conditions(records) {
        items.push((Level::Bad, Item::MixedConditions));
    }
    items.extend(ranks(records, &rows, operations));
    items.extend(sampling(&rows, operations, plan));
    items.extend(of_rows(&rows));
    items.extend(of_sizes(operations));
    items.extend(tests(&rows, operations, functional, plan));
    items.extend(inputs(records).filter(|_| !rows.is_empty()));
    items.extend(shares.map(computing));
    items.extend(cheats(groups, operations));
    items.extend(records.first().map(|record| build(record)));
    items.extend(load(records));
    Trust { items }
}

fn level(holds: bool, otherwise: Level) -> Level {
    if holds { otherwise } else { Level::Good }
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

fn ranks(records: &[&Record], rows: &[&Row], operations: &[Operation]) -> Option<(Level, Item)> {
    let of_rows = rows.iter().map(|row| row.series.ranks);
    let most = of_rows.chain(operations.iter().map(|o| o.ranks)).max()?;
    let usable = records.iter().map(|r| r.environment.machine.usable_cores).min()?;
    Some((level(most > usable, Level::Doubtful), Item::Ranks { most, usable }))
}

fn sampling(rows: &[&Row], operations: &[Operation], plan: Option<&Plan>) -> Option<(Level, Item)> {
    let of_rows = rows.iter().filter(|r| r.n() > 0).map(|r| (r.launches.len(), r.n()));
    let sides = operations.iter().flat_map(|o| &o.points).flat_map(|p| [&p.student, &p.library]);
    let all: Vec<(usize, usize)> = of_rows.chain(sides.map(|s| (s.launches, s.samples.len()))).collect();
    let launches = all.iter().map(|(launches, _)| *launches).min()?;
    let samples = all.iter().map(|(_, samples)| *samples).min()?;
    let quick = plan.is_some_and(|plan| plan.quick);
    let doubtful = quick || launches < 3 || samples < wb_statistics::LEAST_SAMPLES;
    Some((level(doubtful, Level::Doubtful), Item::Sampling { launches, samples, quick }))
}

fn of_rows(rows: &[&Row]) -> Vec<(Level, Item)> {
    if rows.is_empty() {
        return Vec::new();
    }
    let count = |flag: Flag| rows.iter().filter(|row| row.has(flag)).count();
    let mut checked = Checked::default();
    for row in rows {
        checked.right += row.checked.right;
        checked.wrong += row.checked.wrong + usize::from(row.has(Flag::Incorrect) && row.checked.wrong == 0);
        checked.unchecked += row.checked.unchecked;
    }
    let of_checked = match checked {
        Checked { wrong: 1.., .. } => Level::Bad,
        Checked { unchecked: 1.., .. } => Level::Doubtful,
        _ => Level::Good,
    };
    let (of, converged) = (rows.iter().filter(|r| r.time.is_some()).count(), count(Flag::NotConverged));
    let disturbed = rows.iter().filter(|r| r.has(Flag::Disturbed) || r.has(Flag::Noisy)).count();
    let drift = rows.iter().filter_map(|row| row.drift).max_by(f64::total_cmp);
    let short = count(Flag::TooShort);
    let of_drift = match drift {
        Some(drift) if drift > DRIFT_BAD => Level::Bad,
        Some(drift) if drift <= DRIFT_MARKED => Level::Good,
        _ => Level::Doubtful,
    };
    vec![
        (level(converged > 0, Level::Doubtful), Item::Converged { converged: of - converged, of }),
        (of_checked, Item::Checked(checked)),
        (of_drift, Item::Drift(drift)),
        (level(disturbed > 0, Level::Doubtful), Item::Disturbed { disturbed, of: rows.len() }),
        (level(short > 0, Level::Doubtful), Item::Short { short, of: rows.len() }),
    ]
}

fn of_sizes(operations: &[Operation]) -> Option<(Level, Item)> {
    let of = operations.iter().map(|o| o.points.len()).sum::<usize>();
    let right = operations.iter().flat_map(|o| &o.points).filter(|point| point.correct).count();
    (of > 0).then(|| (level(right < of, Level::Bad), Item::CheckedSizes { right, of }))
}

/// The evidence that the parallel version is right. A quick run does not test.
fn tests(
    rows: &[&Row],
    operations: &[Operation],
    functional: &[&Functional],
    plan: Option<&Plan>,
) -> Option<(Level, Item)> {
    let is_parallel =
        |row: &&&Row| row.series.version == Version::Mpi && row.series.ranks > 1 && row.time.is_some();
    if operations.is_empty() && rows.iter().find(is_parallel).is_none() {
        return None;
    }
    let count = |is: fn(Verdict) -> bool| {
        functional
            .iter()
            .filter(|test| test.version == Version::Mpi && test.ranks > 1 && is(test.verdict))
            .count()
    };
    let passed = count(|verdict| verdict == Verdict::Pass);
    let failed = count(|verdict| !matches!(verdict, Verdict::Pass | Verdict::Skip));
    Some(match (passed, failed) {
        (0, 0) if plan.is_some_and(|plan| plan.quick) => (Level::Doubtful, Item::Untested),
        (0, 0) => (Level::Bad, Item::Untested),
        _ => (level(failed > 0, Level::Bad), Item::Tests { passed, failed }),
    })
}

/// Older records do not say.
fn inputs(records: &[&Record]) -> Option<(Level, Item)> {
    let fresh = records.iter().filter_map(|record| match &record.measurement {
        Measurement::Timing(timing) => timing.fresh_inputs,
        _ => None,
    });
    let all = fresh.reduce(|all, one| all && one)?;
    Some((level(!all, Level::Doubtful), Item::FreshInputs(all)))
}

fn computing(shares: &Shares) -> (Level, Item) {
    let ranks = shares.of_rank.len();
    match shares.alone() {
        Some((rank, share)) => (Level::Bad, Item::Alone { rank, share, ranks }),
        None => {
            let share = shares.of_rank.iter().copied().fold(0.0, f64::max);
            (Level::Good, Item::Shared { share, ranks })
        }
    }
}

/// What makes a speed-up without making the program faster.
fn cheats(groups: &[Group], operations: &[Operation]) -> Vec<(Level, Item)> {
    if !operations.is_empty() {
        return Vec::new();
    }
    let rows = || groups.iter().flat_map(|group| &group.rows);
    let waiting: BTreeSet<Version> =
        rows().filter(|row| row.has(Flag::Waits)).map(|row| row.series.version).collect();
    let above = rows().any(|row| row.has(Flag::AboveCeiling));
    let waits = waiting.into_iter().map(Item::Waits);
    waits.chain(above.then_some(Item::AboveCeiling)).map(|item| (Level::Bad, item)).collect()
}

fn build(record: &Record) -> (Level, Item) {
    let build = &record.environment.build;
    let slow = matches!(build.opt_level.as_str(), "0" | "1");
    let dirty = build.dirty == Some(true);
    let worst = level(dirty, Level::Doubtful).max(level(slow, Level::Bad));
    (worst, Item::Build { opt_level: build.opt_level.clone(), dirty })
}

/// The load when the run began; later values contain the run itself.
fn load(records: &[&Record]) -> Option<(Level, Item)> {
    let machine =
        &records.iter().find(|r| !matches!(r.measurement, Measurement::Functional(_)))?.environment.machine;
    let (load, cores) = (machine.load_before?, machine.usable_cores);
    Some((level(load > 0.5 * f64::from(cores), Level::Doubtful), Item::Load { load, cores }))
}
