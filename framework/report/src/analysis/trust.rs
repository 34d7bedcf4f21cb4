//! Whether the numbers deserve belief: facts about the run, each good, doubtful or bad.

use std::collections::BTreeSet;

use wb_record::{Backend, Measurement, Plan, Record};

use super::{Checked, Flag, Group, Operation, Row};

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
    Ranks { most: u32, usable: u32 },
    Sampling { launches: usize, samples: usize, quick: bool },
    Converged { converged: usize, of: usize },
    Checked(Checked),
    CheckedSizes { right: usize, of: usize },
    Drift(Option<f64>),
    Disturbed { disturbed: usize, of: usize },
    Short { short: usize, of: usize },
    Build { opt_level: String, dirty: bool },
    Load { load: f64, cores: u32 },
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
}

pub(super) fn trust(
    records: &[&Record],
    groups: &[Group],
    operations: &[Operation],
    plan: Option<&Plan>,
    backends: &BTreeSet<Backend>,
) -> Trust {
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
