//! The hosts of the launches: how the ranks were spread, and which series were measured on which hosts.
use std::collections::BTreeSet;

use wb_record::{ElapsedFrom, Measurement, Record};

use super::{OperationAnalysis, TrustItem, TrustLevel, WorkloadGroup};

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
    /// That of a record; `None` on one host.
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

/// The most ranks that share the cores of one machine in a record of this number of ranks. Hosts whose ranks read one
/// clock share a kernel, so they share its cores, too.
pub(super) fn ranks_on_one_machine(record: &Record, ranks: u32) -> u32 {
    record.environment.clock.compared.iter().map(|clock| clock.ranks).max().unwrap_or(ranks)
}

/// What the trust box says of hosts and of their clocks; nothing where every launch was on one host.
pub(super) fn items(
    records: &[&Record],
    groups: &[WorkloadGroup],
    operations: &[OperationAnalysis],
) -> Vec<(TrustLevel, TrustItem)> {
    let layouts: BTreeSet<HostLayout> =
        records.iter().filter_map(|record| HostLayout::of_record(record)).collect();
    let spread = (!layouts.is_empty())
        .then(|| (TrustLevel::Good, TrustItem::HostLayouts(layouts.into_iter().collect())));
    spread.into_iter().chain(clocks(records)).chain(different_hosts(groups, operations)).collect()
}

/// The clocks, if there were several. A clock that stepped, or was too uncertain, makes the times doubtful.
fn clocks(records: &[&Record]) -> Option<(TrustLevel, TrustItem)> {
    let several =
        || records.iter().map(|record| &record.environment.clock).filter(|clock| !clock.compared.is_empty());
    let uncertainty_ns = several().filter_map(|clock| clock.uncertainty_ns).reduce(f64::max)?;
    let step_ns = several().flat_map(|clock| &clock.compared).map(|clock| clock.step_ns).fold(0.0, f64::max);
    let local = records.iter().filter(|record| is_local(&record.measurement)).count();
    let level = if local > 0 || step_ns > 0.0 { TrustLevel::Doubtful } else { TrustLevel::Good };
    Some((level, TrustItem::ComparedClocks { uncertainty_ns, step_ns, local }))
}

fn is_local(measurement: &Measurement) -> bool {
    let elapsed_from = match measurement {
        Measurement::Timing(timing) => timing.elapsed_from,
        Measurement::Sweep(sweep) => sweep.elapsed_from,
        Measurement::Ceiling(ceiling) => ceiling.elapsed_from,
        _ => ElapsedFrom::CommonClock,
    };
    elapsed_from == ElapsedFrom::LocalClocks
}

/// Tables whose series were measured on different hosts. It is doubtful where no set of hosts contains all others: a
/// version was then measured on a host that the others did not use.
fn different_hosts(
    groups: &[WorkloadGroup],
    operations: &[OperationAnalysis],
) -> Option<(TrustLevel, TrustItem)> {
    let of_rows = groups.iter().map(|group| group.rows.iter().map(|row| row.hosts.clone()).collect());
    let tables: Vec<HostSets> = of_rows
        .chain(operations.iter().map(|operation| operation.host_sets.clone()))
        .map(only_known)
        .collect();
    let differ: Vec<&HostSets> = tables.iter().filter(|sets| sets.len() > 1).collect();
    let worst = differ
        .iter()
        .map(|sets| if is_nested(sets) { TrustLevel::Good } else { TrustLevel::Doubtful })
        .max()?;
    let all: HostSets = differ.into_iter().flatten().cloned().collect();
    let names = all.into_iter().map(|hosts| hosts.into_iter().collect::<Vec<_>>().join(", "));
    Some((worst, TrustItem::DifferentHosts(names.collect())))
}

type HostSets = BTreeSet<BTreeSet<String>>;

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
