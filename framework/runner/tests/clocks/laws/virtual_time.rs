//! The law in virtual time: a minute of drift on nine hosts, with the messages of a modelled network.
use std::cell::Cell;

use wb_local::sim::{Link, Machine};
use wb_world::World;

use super::planted_clock::{PlantedClock, planted};
use crate::clocks::{ClockEstimate, CommonClock, EXCHANGES, HostClocks, compare_clocks};

const LINK: Link = Link {
    latency: 20_000,
    overhead: 1_000,
    gap: 0,
    per_byte: 1000,
    processor_per_byte: 0,
    eager_limit: 4096,
    segments: Vec::new(),
};

const SECOND: u64 = 1_000_000_000;

/// Virtual time begins at 0, and a clock that is 5 s behind must not.
const BEGIN_NS: u64 = 20 * SECOND;

/// What a rank found: its worst error with the uncertainty of that stamp, with and without the correction; the estimates
/// of all clocks; how late it woke up at a common moment.
struct Found {
    corrected: (u64, u64),
    uncorrected: u64,
    estimates: Vec<ClockEstimate>,
}

/// Two ranks on each host; the clock of host h is number h of the planted ones.
fn job(hosts: usize) -> Vec<Found> {
    let found = wb_local::sim::run(Machine::flat("flat", LINK), 2 * hosts, move |transport| {
        let world = World::new(transport);
        let host_of = |rank: usize| rank / 2;
        let clock_of: Vec<PlantedClock> = planted().take(hosts).collect();
        let own = clock_of[host_of(world.rank())];
        let true_ns = || BEGIN_NS + world.now();
        let readings = Cell::new(0usize);
        // The last exchange of each pair is delayed.
        let now_ns = || {
            readings.set(readings.get() + 1);
            world.work(if readings.get().is_multiple_of(EXCHANGES) { SECOND } else { 0 }, 0);
            own.read(true_ns())
        };
        let identities: Vec<usize> = (0..world.size()).map(host_of).collect();
        let clocks = HostClocks::from_identities(&identities);
        let mut common = CommonClock::new(clocks.clone(), 1);
        let mut moments = vec![];
        for _ in 0..3 {
            common.add(&compare_clocks(&world, &clocks, &now_ns).expect("compared"));
            for _ in 0..10 {
                world.work(3 * SECOND + 1_234_567 * world.rank() as u64, 0);
                moments.push(true_ns());
            }
            world.barrier().expect("a barrier");
        }
        common.add(&compare_clocks(&world, &clocks, &now_ns).expect("compared"));
        let error = |moment: u64| {
            let stamp = common.correct(world.rank(), own.read(moment));
            (stamp.reference_ns.abs_diff(clock_of[0].read(moment)), stamp.uncertainty_ns)
        };
        let corrected = moments.iter().map(|&moment| error(moment)).max().expect("stamps");
        let uncorrected = moments.iter().map(|&moment| own.read(moment).abs_diff(clock_of[0].read(moment)));
        let uncorrected = uncorrected.max().expect("stamps");
        Found { corrected, uncorrected, estimates: (0..hosts).map(|host| common.estimate(host)).collect() }
    });
    found.into_iter().map(|(found, _)| found).collect()
}

#[test]
fn the_true_time_lies_within_the_uncertainty_and_without_the_correction_it_does_not() {
    for (rank, Found { corrected: (error, uncertainty), uncorrected, .. }) in job(9).into_iter().enumerate() {
        assert!(error <= uncertainty, "rank {rank}: {error} ns, {uncertainty} ns stated");
        // Half of a round trip: two messages of 22 µs.
        assert!(uncertainty <= 22_200, "rank {rank}: {uncertainty} ns");
        assert_eq!(uncorrected > uncertainty, rank >= 2, "rank {rank}: {uncorrected} ns");
    }
}

#[test]
fn a_drift_of_50_ppm_is_estimated_and_all_ranks_find_the_same() {
    let found = job(3);
    let drifts: Vec<i64> =
        found[0].estimates.iter().map(|estimate| estimate.drift_ppm.round() as i64).collect();
    assert_eq!(drifts, [0, 50, -50]);
    assert!(found.iter().all(|rank| rank.estimates == found[0].estimates));
    assert!(found[0].estimates.iter().all(|estimate| estimate.step_ns == 0));
}
