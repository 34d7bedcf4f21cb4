//! The hosts of the launches: how the ranks were spread, and which series were measured on which hosts.
use std::collections::BTreeSet;

use wb_record::{ElapsedFrom, MachineLoad, Measurement, Record};

/// The sets of hosts on which the series of one table were measured.
pub(super) type HostSets = BTreeSet<BTreeSet<String>>;

/// A fact about the hosts of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum HostFact {
    /// How ranks were spread over several hosts.
    Layouts(Vec<HostLayout>),
    /// Several clocks were compared: the largest uncertainty of a time, the largest step of a clock, and how many
    /// launches have times of local clocks.
    Clocks { uncertainty_ns: f64, step_ns: f64, local: usize },
    /// Series of one table were measured on these different sets of hosts.
    Different(Vec<String>),
}

/// How the ranks of a launch were spread over several hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HostLayout {
    pub(crate) ranks: usize,
    pub(crate) hosts: usize,
    /// The fewest ranks of a host.
    pub(crate) least: usize,
    /// The most ranks of a host.
    pub(crate) most: usize,
}

impl HostLayout {
    /// The layout of a record; `None` on one host.
    fn of_record(record: &Record) -> Option<Self> {
        let counts = || record.environment.placement.iter().map(|host| host.ranks.len());
        let layout = Self {
            ranks: counts().sum(),
            hosts: counts().count(),
            least: counts().min()?,
            most: counts().max()?,
        };
        (layout.hosts > 1).then_some(layout)
    }
}

/// The names of the hosts of a record; empty where they are not known.
pub(super) fn host_set(record: &Record) -> BTreeSet<String> {
    record.environment.placement.iter().map(|host| host.host.clone()).collect()
}

/// The most crowded machine of all records, which are of this number of ranks.
pub(super) fn highest_load<'r>(records: impl Iterator<Item = &'r Record>, ranks: u32) -> Option<MachineLoad> {
    records.map(|record| record.environment.highest_load(ranks)).max_by(MachineLoad::cmp_load)
}

/// The facts, each with whether it makes the numbers doubtful; none where every launch was on one host. `tables` has the
/// hosts of the series of each table.
pub(super) fn facts(records: &[&Record], tables: impl Iterator<Item = HostSets>) -> Vec<(bool, HostFact)> {
    let layouts: BTreeSet<HostLayout> =
        records.iter().filter_map(|record| HostLayout::of_record(record)).collect();
    let spread = (!layouts.is_empty()).then(|| (false, HostFact::Layouts(layouts.into_iter().collect())));
    spread.into_iter().chain(clocks(records)).chain(different_hosts(tables)).collect()
}

/// The clocks, if there were several. A clock that stepped, or was too uncertain, makes the times doubtful.
fn clocks(records: &[&Record]) -> Option<(bool, HostFact)> {
    let several =
        || records.iter().map(|record| &record.environment.clock).filter(|clock| !clock.compared.is_empty());
    let uncertainty_ns = several().filter_map(|clock| clock.uncertainty_ns).reduce(f64::max)?;
    let step_ns = several().flat_map(|clock| &clock.compared).map(|clock| clock.step_ns).fold(0.0, f64::max);
    let launches: BTreeSet<(u32, u32)> =
        records.iter().filter_map(|record| local_launch(&record.measurement)).collect();
    let local = launches.len();
    Some((local > 0 || step_ns > 0.0, HostFact::Clocks { uncertainty_ns, step_ns, local }))
}

/// The number of ranks and the launch of a measurement whose times are those of local clocks.
fn local_launch(measurement: &Measurement) -> Option<(u32, u32)> {
    let (elapsed_from, ranks, launch) = match measurement {
        Measurement::Timing(timing) => (timing.elapsed_from, timing.series.ranks, timing.launch),
        Measurement::Sweep(sweep) => (sweep.elapsed_from, sweep.ranks, sweep.launch),
        Measurement::Ceiling(ceiling) => (ceiling.elapsed_from, ceiling.ranks, ceiling.launch),
        _ => return None,
    };
    (elapsed_from == ElapsedFrom::LocalClocks).then_some((ranks, launch))
}

/// Tables whose series were measured on different hosts. It is doubtful where no set of hosts contains all others: a
/// version was then measured on a host that the others did not use.
fn different_hosts(tables: impl Iterator<Item = HostSets>) -> Option<(bool, HostFact)> {
    let differ: Vec<HostSets> = tables.map(only_known).filter(|sets| sets.len() > 1).collect();
    if differ.is_empty() {
        return None;
    }
    let is_doubtful = !differ.iter().all(is_nested);
    let all: HostSets = differ.into_iter().flatten().collect();
    let names = all.into_iter().map(|hosts| hosts.into_iter().collect::<Vec<_>>().join(", "));
    Some((is_doubtful, HostFact::Different(names.collect())))
}

/// Records of older programs name no hosts.
fn only_known(mut sets: HostSets) -> HostSets {
    sets.retain(|hosts| !hosts.is_empty());
    sets
}

/// Whether one of the sets contains all others.
fn is_nested(sets: &HostSets) -> bool {
    let all: BTreeSet<&String> = sets.iter().flatten().collect();
    sets.iter().any(|hosts| hosts.len() == all.len())
}
