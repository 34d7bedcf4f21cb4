//! The ways of each collective operation at each size: what a report shows, and what a selection is made from.
use super::{BarrierForm, BarrierLine, BarrierOutcome, BarrierSamples, BarrierSeries};
use crate::{
    Backend,
    statistics::{Estimate, Summary},
};

/// All measured ways of an operation at one size: the library's call (between threads: our messages) first, then the fastest first.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectiveCell<'r> {
    /// The number of ranks.
    pub ranks: usize,
    /// Whether they are processes or threads.
    pub ranks_are: Backend,
    /// The operation, by name.
    pub verb: &'r str,
    /// The bytes of the block of a rank.
    pub bytes: u64,
    /// The ways.
    pub ways: Vec<CollectiveWay<'r>>,
}

/// One way of an operation at one size.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectiveWay<'r> {
    /// The name of the algorithm and what it runs on.
    pub form: &'r BarrierForm,
    /// Nanoseconds from the last entry to the last exit: median with its interval; or why there are none.
    pub ns: Result<Estimate, &'r str>,
    /// How many times faster than the baseline of its job, by pairs of calls next to each other in time; with its bootstrap interval.
    pub ratio: Option<Estimate>,
}

impl<'r> CollectiveCell<'r> {
    /// The fastest way that is not the baseline, by its ratio.
    pub fn best(&self) -> Option<&CollectiveWay<'r>> {
        self.ways.iter().find(|way| !way.form.is_baseline() && way.ratio.is_some())
    }
}

/// The cells of the last run of these lines, by ranks, operation (the reference first) and bytes; none where it measured only barriers.
///
/// ```
/// let lines = wb_record::example_collectives();
/// let cells = wb_record::collective_cells(&lines);
/// let (cell, best) = (&cells[1], cells[1].best().expect("a way"));
/// assert_eq!((cell.verb, cell.bytes, best.form.variant.as_str()), ("bcast", 8, "bcast_flat"));
/// assert!(best.ratio.is_some_and(|ratio| ratio.value > 2.0 && ratio.interval.is_some()));
/// ```
pub fn collective_cells(lines: &[BarrierLine]) -> Vec<CollectiveCell<'_>> {
    let last = lines.iter().rev().find_map(|line| match line {
        BarrierLine::BarrierRun(run) => Some(&run.run),
        BarrierLine::BarrierSeries(_) => None,
    });
    let series = lines.iter().filter_map(|line| match line {
        BarrierLine::BarrierSeries(series) if Some(&series.run) == last => Some(&**series),
        _ => None,
    });
    let all: Vec<&BarrierSeries> = series.filter(|series| series.form.verb.is_some()).collect();
    let mut cells: Vec<CollectiveCell<'_>> = vec![];
    for series in &all {
        let (ranks, form) = (series.ranks, &series.form);
        let (verb, bytes) = (form.verb.as_deref().unwrap_or_default(), form.bytes.unwrap_or_default());
        let way = way(series, &all);
        let same = |cell: &&mut CollectiveCell<'_>| {
            (cell.ranks, cell.ranks_are, cell.verb, cell.bytes) == (ranks, form.ranks_are, verb, bytes)
        };
        match cells.iter_mut().find(same) {
            Some(cell) => cell.ways.push(way),
            None => {
                cells.push(CollectiveCell { ranks, ranks_are: form.ranks_are, verb, bytes, ways: vec![way] });
            }
        }
    }
    let key = |cell: &CollectiveCell<'_>| {
        let is_operation = cell.verb != super::REFERENCE_VERB;
        (cell.ranks, cell.ranks_are, is_operation, cell.verb.to_owned(), cell.bytes)
    };
    cells.sort_by_key(key);
    let slowness = |way: &CollectiveWay<'_>| way.ratio.map_or(f64::INFINITY, |ratio| -ratio.value);
    for cell in &mut cells {
        cell.ways.sort_by(|a, b| {
            let first = b.form.is_baseline().cmp(&a.form.is_baseline());
            first.then(slowness(a).total_cmp(&slowness(b)))
        });
    }
    cells
}

fn way<'r>(series: &'r BarrierSeries, all: &[&'r BarrierSeries]) -> CollectiveWay<'r> {
    let form = &series.form;
    let launches = match &series.outcome {
        BarrierOutcome::Measured { launches } => launches,
        BarrierOutcome::Refused { reason } | BarrierOutcome::Failed { reason } => {
            return CollectiveWay { form, ns: Err(reason), ratio: None };
        }
    };
    let times: Vec<f64> = launches.iter().flat_map(BarrierSamples::episode_ns).collect();
    let ns = Summary::from_samples(&times).map(|summary| summary.median).ok_or("no samples");
    let is_baseline = |other: &&&BarrierSeries| {
        other.ranks == series.ranks && other.form.is_baseline() && other.form.is_comparable(form)
    };
    let baseline = all.iter().find(is_baseline).and_then(|other| match &other.outcome {
        BarrierOutcome::Measured { launches } => Some(launches),
        BarrierOutcome::Refused { .. } | BarrierOutcome::Failed { .. } => None,
    });
    CollectiveWay { form, ns, ratio: baseline.and_then(|baseline| BarrierSamples::ratio(baseline, launches)) }
}
