//! The targets that the barriers are held to, and whether this run meets them.
use wb_messages::{Lang, report::barriers as text};
use wb_record::Backend;
use wb_statistics::{Estimate, ratio_of_medians};

use super::analysis::{Analysis, BASELINE, REFERENCE, Row};

/// One target in a run in which it could be measured.
pub(super) struct Target {
    what: What,
    ranks: usize,
    pub(super) wanted: Wanted,
    /// The ratio; `None` where one of the two was not measured.
    pub(super) value: Option<Estimate>,
}

/// Which.
enum What {
    OnNode(String),
    Shmem,
    Bare,
    Forced(String),
    Auto(String),
    Fence(String),
}

/// The bound of a ratio.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    AtLeast(f64),
    AtMost(f64),
}

/// All that this run's sizes call for.
pub(super) fn of(analysis: &Analysis<'_>) -> Vec<Target> {
    let sizes = analysis.sizes();
    let at_two = sizes.contains(&2).then(|| at_two(analysis)).into_iter().flatten();
    let autos = sizes.iter().filter(|ranks| [4, 8].contains(ranks)).map(|&ranks| auto(analysis, ranks));
    at_two.chain(autos).collect()
}

fn at_two(analysis: &Analysis<'_>) -> Vec<Target> {
    let ranks = 2;
    let at = |what, wanted, value| Target { what, ranks, wanted, value };
    let native = |name: &str| analysis.at(ranks).find(|row| is_plain(row, name));
    let best = on_node(analysis, ranks);
    let named = best.map_or_else(|| "—".to_owned(), |row| row.form.label());
    let mut targets = vec![
        at(What::OnNode(named), Wanted::AtLeast(4.5), ratio(native(BASELINE), best)),
        at(What::Shmem, Wanted::AtLeast(4.5), ratio(native("shmem_barrier_all"), best)),
        at(What::Bare, Wanted::AtMost(1.25), ratio(best, native(REFERENCE))),
    ];
    let forced = analysis.at(ranks).filter(|row| row.form.variant == BASELINE);
    let mut forced: Vec<(&str, &Row<'_>)> =
        forced.filter_map(|row| Some((row.form.forced.as_deref()?, row))).collect();
    forced.sort_by_key(|(name, _)| *name);
    for (name, library) in forced {
        let own = |row: &&Row<'_>| row.form.variant == name && row.form.forced.as_deref() == Some(name);
        let value = ratio(analysis.at(ranks).find(own), Some(library));
        targets.push(at(What::Forced(name.to_owned()), Wanted::AtMost(1.10), value));
    }
    for name in ["window_counter", "dissemination"] {
        let counter = analysis.at(ranks).find(|row| is_counter_on_window(row, name));
        targets.push(at(
            What::Fence(name.to_owned()),
            Wanted::AtMost(1.0),
            ratio(counter, native("rma_fence")),
        ));
    }
    targets
}

fn auto(analysis: &Analysis<'_>, ranks: usize) -> Target {
    let auto = analysis.at(ranks).find(|row| is_plain(row, "auto") && row.form.substrate == "cells");
    let named = auto.map_or_else(|| "—".to_owned(), Row::runs_on);
    let value = ratio(analysis.at(ranks).find(|row| is_plain(row, BASELINE)), auto);
    Target { what: What::Auto(named), ranks, wanted: Wanted::AtLeast(2.0), value }
}

/// Is this the barrier of that name among processes, in a job in which nothing was forced?
fn is_plain(row: &Row<'_>, name: &str) -> bool {
    row.form.variant == name && row.form.forced.is_none() && row.form.ranks_are == Backend::Mpi
}

/// The fastest of ours in shared memory of processes, those of subsets left out.
fn on_node<'a, 'r>(analysis: &'a Analysis<'r>, ranks: usize) -> Option<&'a Row<'r>> {
    let ours = |row: &&Row<'_>| {
        let form = row.form;
        let whole = form.variant != REFERENCE && form.family != "partial";
        form.substrate == "cells" && whole && form.ranks_are == Backend::Mpi
    };
    analysis.at(ranks).filter(ours).find(|row| row.figures().is_some())
}

/// Is this the barrier of that name, by counters of a window that are only ever added to?
fn is_counter_on_window(row: &Row<'_>, name: &str) -> bool {
    let form = row.form;
    let counts = form.style.as_deref().is_none_or(|style| style == "add");
    form.substrate == "window" && form.variant == name && counts && row.figures().is_some()
}

/// The median episode of one over that of the other.
fn ratio(above: Option<&Row<'_>>, below: Option<&Row<'_>>) -> Option<Estimate> {
    ratio_of_medians(&above?.figures()?.launches, &below?.figures()?.launches)
}

impl Target {
    /// Is it met? `None` where it was not measured.
    pub(super) fn is_met(&self) -> Option<bool> {
        self.value.map(|estimate| match self.wanted {
            Wanted::AtLeast(bound) => estimate.value >= bound,
            Wanted::AtMost(bound) => estimate.value <= bound,
        })
    }

    /// The verdict in a word.
    pub(super) fn verdict(&self, lang: Lang) -> String {
        match self.is_met() {
            Some(true) => text::met(lang),
            Some(false) => text::missed(lang),
            None => text::not_measured(lang),
        }
    }

    /// What is wanted, as a bound.
    pub(super) fn bound(&self, lang: Lang) -> String {
        match self.wanted {
            Wanted::AtLeast(bound) => text::at_least(lang, bound),
            Wanted::AtMost(bound) => text::at_most(lang, bound),
        }
    }

    /// What is compared.
    pub(super) fn title(&self, lang: Lang) -> String {
        let ranks = self.ranks;
        match &self.what {
            What::OnNode(form) => text::target_on_node(lang, ranks, form),
            What::Shmem => text::target_shmem(lang, ranks),
            What::Bare => text::target_bare(lang, ranks),
            What::Forced(algorithm) => text::target_forced(lang, ranks, algorithm),
            What::Auto(form) => text::target_auto(lang, ranks, form),
            What::Fence(name) => text::target_fence(lang, ranks, name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_met_missed_or_not_measured() {
        let lines = wb_record::example_barriers();
        let analysis = Analysis::of(&lines).expect("a run");
        let targets = of(&analysis);
        let met: Vec<_> = targets.iter().map(Target::is_met).collect();
        assert_eq!(met, [Some(true), None, Some(true), None, None]);
        assert!(targets[0].title(Lang::En).contains("dissemination, cells, put, packed"));
        let missed = Target { wanted: Wanted::AtLeast(100.0), ..targets.into_iter().next().expect("one") };
        assert_eq!((missed.is_met(), missed.verdict(Lang::En)), (Some(false), "MISSED".to_owned()));
    }
}
