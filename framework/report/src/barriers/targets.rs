//! The targets of the barriers, and whether this run meets them.
use wb_messages::{Lang, number, report::barriers as text};
use wb_record::{BASELINE, Backend, REFERENCE, statistics::Estimate};

use super::analysis::{BarrierAnalysis, BarrierRow};
use crate::format;

/// One target in a run in which it could be measured.
pub(super) struct Target {
    kind: TargetKind,
    ranks: usize,
    pub(super) bound: RatioBound,
    /// The ratio; `None` where one of the two was not measured.
    pub(super) value: Option<Estimate>,
}

/// Which.
enum TargetKind {
    OnNode(String),
    Shmem,
    Bare,
    Forced(String),
    Auto(String),
    Fence(String),
}

/// Whether a target is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TargetVerdict {
    Met,
    Missed,
    /// The interval contains the bound: this run is not conclusive.
    Undecided,
    NotMeasured,
}

/// The bound of a ratio.
#[derive(Clone, Copy)]
pub(super) enum RatioBound {
    AtLeast(f64),
    AtMost(f64),
}

/// All that this run's sizes call for.
pub(super) fn targets(analysis: &BarrierAnalysis<'_>) -> Vec<Target> {
    let sizes = analysis.sizes();
    let at_two = sizes.contains(&2).then(|| at_two(analysis)).into_iter().flatten();
    let autos = sizes.iter().filter(|ranks| [4, 8].contains(ranks)).map(|&ranks| auto(analysis, ranks));
    at_two.chain(autos).collect()
}

fn at_two(analysis: &BarrierAnalysis<'_>) -> Vec<Target> {
    let ranks = 2;
    let at = |what, wanted, value| Target { kind: what, ranks, bound: wanted, value };
    let native = |name: &str| analysis.rows_at(ranks).find(|row| is_plain(row, name));
    let best = on_node(analysis, ranks);
    let named = best.map_or_else(format::dash, |row| row.form.label());
    let mut targets = vec![
        at(TargetKind::OnNode(named), RatioBound::AtLeast(4.5), ratio(native(BASELINE), best)),
        at(TargetKind::Shmem, RatioBound::AtLeast(4.5), ratio(native("shmem_barrier_all"), best)),
        at(TargetKind::Bare, RatioBound::AtMost(1.25), ratio(best, native(REFERENCE))),
    ];
    let forced = analysis.rows_at(ranks).filter(|row| row.form.variant == BASELINE);
    let mut forced: Vec<(&str, &BarrierRow<'_>)> =
        forced.filter_map(|row| Some((row.form.forced.as_deref()?, row))).collect();
    forced.sort_by_key(|(name, _)| *name);
    for (name, library) in forced {
        let own =
            |row: &&BarrierRow<'_>| row.form.variant == name && row.form.forced.as_deref() == Some(name);
        let value = ratio(analysis.rows_at(ranks).find(own), Some(library));
        targets.push(at(TargetKind::Forced(name.to_owned()), RatioBound::AtMost(1.10), value));
    }
    for name in ["window_counter", "dissemination"] {
        let counter = analysis.rows_at(ranks).find(|row| is_counter_on_window(row, name));
        targets.push(at(
            TargetKind::Fence(name.to_owned()),
            RatioBound::AtMost(1.0),
            ratio(counter, native("rma_fence")),
        ));
    }
    targets
}

fn auto(analysis: &BarrierAnalysis<'_>, ranks: usize) -> Target {
    let auto = analysis.rows_at(ranks).find(|row| is_plain(row, "auto") && row.form.substrate == "cells");
    let named = auto.map_or_else(format::dash, BarrierRow::substrate_label);
    let value = ratio(analysis.rows_at(ranks).find(|row| is_plain(row, BASELINE)), auto);
    Target { kind: TargetKind::Auto(named), ranks, bound: RatioBound::AtLeast(2.0), value }
}

/// Whether this is the barrier of that name among processes, in a job in which nothing was forced.
fn is_plain(row: &BarrierRow<'_>, name: &str) -> bool {
    row.form.variant == name && row.form.forced.is_none() && row.form.ranks_are == Backend::Mpi
}

/// The fastest of ours in shared memory of processes, those of subsets left out.
fn on_node<'a, 'r>(analysis: &'a BarrierAnalysis<'r>, ranks: usize) -> Option<&'a BarrierRow<'r>> {
    let is_own = |row: &&BarrierRow<'_>| {
        let form = row.form;
        let whole = form.variant != REFERENCE && form.family != "partial";
        form.substrate == "cells" && whole && form.ranks_are == Backend::Mpi
    };
    analysis.rows_at(ranks).filter(is_own).find(|row| row.figures().is_some())
}

/// Whether this is the barrier of that name by counters of a window that only grow.
fn is_counter_on_window(row: &BarrierRow<'_>, name: &str) -> bool {
    let form = row.form;
    let counts = form.style.as_deref().is_none_or(|style| style == "add");
    form.substrate == "window" && form.variant == name && counts && row.figures().is_some()
}

/// How many times longer an episode of one takes than one of the other.
fn ratio(above: Option<&BarrierRow<'_>>, below: Option<&BarrierRow<'_>>) -> Option<Estimate> {
    above?.ratio_to(below?)
}

impl Target {
    /// The verdict on the target.
    pub(super) fn evaluate(&self) -> TargetVerdict {
        let Some(estimate) = self.value else { return TargetVerdict::NotMeasured };
        let (bound, met) = match self.bound {
            RatioBound::AtLeast(bound) => (bound, estimate.value >= bound),
            RatioBound::AtMost(bound) => (bound, estimate.value <= bound),
        };
        match estimate.interval {
            Some(interval) if interval.lo < bound && bound < interval.hi => TargetVerdict::Undecided,
            _ if met => TargetVerdict::Met,
            _ => TargetVerdict::Missed,
        }
    }

    /// The verdict in a word.
    pub(super) fn verdict(&self, lang: Lang) -> String {
        match self.evaluate() {
            TargetVerdict::Met => text::met(lang),
            TargetVerdict::Missed => text::missed(lang),
            TargetVerdict::Undecided => text::undecided(lang),
            TargetVerdict::NotMeasured => text::not_measured(lang),
        }
    }

    /// What is wanted, as a bound.
    pub(super) fn bound_text(&self, lang: Lang) -> String {
        match self.bound {
            RatioBound::AtLeast(bound) => text::at_least(lang, number::shortest(lang, bound)),
            RatioBound::AtMost(bound) => text::at_most(lang, number::shortest(lang, bound)),
        }
    }

    /// What is compared.
    pub(super) fn title(&self, lang: Lang) -> String {
        let ranks = self.ranks;
        match &self.kind {
            TargetKind::OnNode(form) => text::target_on_node(lang, ranks, form),
            TargetKind::Shmem => text::target_shmem(lang, ranks),
            TargetKind::Bare => text::target_bare(lang, ranks),
            TargetKind::Forced(algorithm) => text::target_forced(lang, ranks, algorithm),
            TargetKind::Auto(form) => text::target_auto(lang, ranks, form),
            TargetKind::Fence(name) => text::target_fence(lang, ranks, name),
        }
    }
}

#[cfg(test)]
mod tests {
    use wb_record::{BarrierLine, BarrierOutcome, statistics::Interval};

    use super::*;

    #[test]
    fn targets_are_met_missed_or_not_measured() {
        let lines = wb_record::example_barriers();
        let analysis = BarrierAnalysis::from_lines(&lines).expect("a run");
        let targets = targets(&analysis);
        let judged: Vec<_> = targets.iter().map(Target::evaluate).collect();
        let absent = TargetVerdict::NotMeasured;
        assert_eq!(judged, [TargetVerdict::Met, absent, TargetVerdict::Met, absent, absent]);
        assert!(targets[0].title(Lang::En).contains("dissemination, cells, put, packed"));
        let missed = Target { bound: RatioBound::AtLeast(100.0), ..targets.into_iter().next().expect("one") };
        assert_eq!(
            (missed.evaluate(), missed.verdict(Lang::En)),
            (TargetVerdict::Missed, "MISSED".to_owned())
        );
    }

    #[test]
    fn a_bound_inside_the_interval_decides_nothing() {
        let target = |lo, hi, wanted| {
            let value = Some(Estimate { value: 1.97, interval: Some(Interval { lo, hi }) });
            Target { kind: TargetKind::Shmem, ranks: 4, bound: wanted, value }.evaluate()
        };
        assert_eq!(target(1.81, 2.16, RatioBound::AtLeast(2.0)), TargetVerdict::Undecided);
        assert_eq!(target(1.81, 2.16, RatioBound::AtMost(2.0)), TargetVerdict::Undecided);
        assert_eq!(target(1.96, 1.98, RatioBound::AtLeast(2.0)), TargetVerdict::Missed);
        assert_eq!(target(1.96, 1.98, RatioBound::AtMost(2.0)), TargetVerdict::Met);
    }

    /// Both forms of one launch; the duration of a visit depends on its number.
    fn drifting(mut lines: Vec<BarrierLine>, slow: impl Fn(usize) -> bool) -> Vec<BarrierLine> {
        for line in &mut lines {
            let BarrierLine::BarrierSeries(series) = line else { continue };
            let BarrierOutcome::Measured { launches } = &mut series.outcome else { continue };
            for batches in launches.iter_mut().map(|samples| &mut samples.batches_ns) {
                batches.iter_mut().enumerate().filter(|(round, _)| slow(*round)).for_each(|(_, ns)| *ns *= 6);
            }
        }
        lines
    }

    #[test]
    fn a_machine_that_drifts_under_all_forms_changes_no_target() {
        let value = |lines: &[BarrierLine]| {
            targets(&BarrierAnalysis::from_lines(lines).expect("a run"))[0].value.expect("measured").value
        };
        let (stable, half) = (wb_record::example_barriers(), |round| round % 2 == 0);
        assert!((value(&stable) - value(&drifting(stable.clone(), half))).abs() < 1e-9);
        // The canary: what drifts under one of the two only must be seen.
        let mut one = drifting(stable.clone(), half);
        one[3] = stable[3].clone();
        assert!(value(&one) / value(&stable) > 2.0);
    }
}
