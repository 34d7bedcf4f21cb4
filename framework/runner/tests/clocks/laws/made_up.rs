//! The law with exchanges that are made up.
use super::planted_clock::{PlantedClock, planted};
use crate::clocks::{CommonClock, EXCHANGES, HostClocks, RoundTrip};

const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MS;

/// How long the messages of an exchange take.
type Ways = fn(&mut oorandom::Rand64) -> (u64, u64);

/// 5 to 50 µs each way; one message of eight is delayed by up to 10 ms.
fn noisy(random: &mut oorandom::Rand64) -> (u64, u64) {
    let mut way = || {
        let delay = if random.rand_range(0..8) == 0 { random.rand_range(0..10 * MS) } else { 0 };
        random.rand_range(5_000..50_000) + delay
    };
    (way(), way())
}

/// 2 µs there, 120 µs back.
fn slow_back(_: &mut oorandom::Rand64) -> (u64, u64) {
    (2_000, 120_000)
}

/// 120 µs there, nothing back.
fn slow_there(_: &mut oorandom::Rand64) -> (u64, u64) {
    (120_000, 0)
}

const ALL_WAYS: [Ways; 3] = [noisy, slow_back, slow_there];

/// Which of its exchanges a comparison keeps.
type Keep = fn(Vec<RoundTrip>) -> RoundTrip;

fn shortest(trips: Vec<RoundTrip>) -> RoundTrip {
    RoundTrip::shortest(trips).expect("exchanges")
}

/// A job of ranks with these clocks, compared at 20 s, 22 s and 80 s.
fn compared(clocks: &[PlantedClock], ways: Ways, keep: Keep, seed: u128) -> CommonClock {
    let hosts = HostClocks::from_identities(&(0..clocks.len()).collect::<Vec<_>>());
    let mut random = oorandom::Rand64::new(seed);
    let mut common = CommonClock::new(hosts.clone(), 1);
    for second in [20, 22, 80] {
        let mut now = second * SECOND;
        let trips = hosts.pairs().iter().map(|pair| {
            let (near, far) = (clocks[pair.near], clocks[pair.far]);
            let exchange = |_| {
                let (there, back) = ways(&mut random);
                let (sent, remote) = (now, now + there);
                now = remote + back;
                RoundTrip {
                    sent_ns: near.read(sent),
                    remote_ns: far.read(remote),
                    received_ns: near.read(now),
                }
            };
            keep((0..EXCHANGES).map(exchange).collect())
        });
        common.add(&trips.collect::<Vec<_>>());
    }
    common
}

/// The largest share of its uncertainty that the error of a stamp takes, over stamps of all ranks.
fn worst_share(common: &CommonClock, clocks: &[PlantedClock]) -> f64 {
    let moments = (0..50).map(|k| 21 * SECOND + k * SECOND * 59 / 50 + 7 * k);
    let share = |rank: usize, moment: u64| {
        let stamp = common.correct(rank, clocks[rank].read(moment));
        stamp.reference_ns.abs_diff(clocks[0].read(moment)) as f64 / stamp.uncertainty_ns as f64
    };
    let shares = moments.flat_map(|moment| (0..clocks.len()).map(move |rank| share(rank, moment)));
    shares.fold(0.0, f64::max)
}

#[test]
fn the_true_time_lies_within_the_uncertainty() {
    for clock in planted() {
        for (number, ways) in ALL_WAYS.into_iter().enumerate() {
            for seed in 0..10 {
                let clocks = [PlantedClock::TRUE, clock];
                let share = worst_share(&compared(&clocks, ways, shortest, seed), &clocks);
                assert!(share <= 1.0, "{clock:?}, ways {number}, seed {seed}: {share}");
            }
        }
    }
}

#[test]
fn it_does_on_many_hosts_with_a_reference_that_drifts() {
    for seed in 0..20 {
        let mut random = oorandom::Rand64::new(seed + 1_000);
        let mut clock = || PlantedClock {
            offset_ns: random.rand_range(0..10 * SECOND) as i64 - 5 * SECOND as i64,
            drift_ppm: random.rand_range(0..100) as i64 - 50,
        };
        let clocks: Vec<_> = (0..2 + seed as usize % 8).map(|_| clock()).collect();
        let share = worst_share(&compared(&clocks, noisy, shortest, seed), &clocks);
        assert!(share <= 1.0, "{clocks:?}: {share}");
    }
}

#[test]
fn half_of_the_uncertainty_would_be_too_small() {
    let clocks = [PlantedClock::TRUE, PlantedClock { offset_ns: 5_000_000_000, drift_ppm: 50 }];
    for ways in [slow_back, slow_there] {
        let share = worst_share(&compared(&clocks, ways, shortest, 1), &clocks);
        assert!(share > 0.9, "an asymmetric way takes the bound almost completely: {share}");
    }
}

#[test]
fn without_the_correction_it_does_not() {
    for clock in planted() {
        let clocks = [PlantedClock::TRUE, clock];
        let common = compared(&clocks, noisy, shortest, 3);
        let moment = 50 * SECOND;
        let stamp = clock.read(moment);
        let uncertainty = common.correct(1, stamp).uncertainty_ns;
        let error = stamp.abs_diff(moment);
        assert_eq!(
            error > uncertainty,
            (clock.offset_ns, clock.drift_ppm) != (0, 0),
            "{clock:?}: {error} ns"
        );
    }
}

#[test]
fn with_the_offset_alone_a_drift_remains() {
    let clock = PlantedClock { offset_ns: 5_000_000_000, drift_ppm: 50 };
    let common = compared(&[PlantedClock::TRUE, clock], noisy, shortest, 3);
    let moment = 50 * SECOND;
    let at_first = common.estimate(1).offset_ns;
    let error = (clock.read(moment) as i64 - at_first).abs_diff(moment as i64);
    assert!(error > 10 * common.correct(1, clock.read(moment)).uncertainty_ns, "50 ppm of 30 s: {error} ns");
}

#[test]
fn a_comparison_that_keeps_another_exchange_than_the_shortest_is_less_certain() {
    let clocks = [PlantedClock::TRUE, PlantedClock { offset_ns: 0, drift_ppm: 50 }];
    let uncertainty = |keep| compared(&clocks, noisy, keep, 5).largest_uncertainty_ns();
    let longest: Keep = |trips| trips.into_iter().max_by_key(RoundTrip::duration_ns).expect("exchanges");
    let (least, most) = (uncertainty(shortest), uncertainty(longest));
    assert!(least < 30_000 && most > 100 * least, "{least} ns and {most} ns");
}
