//! Tests of the common clock: the choice of the chain, the inverse, the estimates.
use super::*;

/// A job with a clock for each rank, compared at these times of the reference; `bounds` are half round trips of the pairs.
fn common(ranks: usize, times: &[u64], half_trips: &[u64], far: impl Fn(usize, u64) -> u64) -> CommonClock {
    let clocks = HostClocks::from_identities(&(0..ranks).collect::<Vec<_>>());
    let mut common = CommonClock::new(clocks.clone(), 1);
    for &time in times {
        let trips = clocks.pairs().iter().zip(half_trips).map(|(pair, half)| RoundTrip {
            sent_ns: far(pair.near, time) - half,
            remote_ns: far(pair.far, time),
            received_ns: far(pair.near, time) + half,
        });
        common.add(&trips.collect::<Vec<_>>());
    }
    common
}

const SECOND: u64 = 1_000_000_000;

/// Clock k is k seconds ahead and 10 k ppm fast.
fn clock(clock: usize, reference_ns: u64) -> u64 {
    reference_ns + clock as u64 * (SECOND + reference_ns / 100_000)
}

#[test]
fn every_clock_is_corrected_along_the_chain_with_the_least_sum_of_bounds() {
    // The pairs are (0, 1), (0, 2), (0, 3), (2, 3): the direct way to 3 is slow.
    let through_tree = common(4, &[2 * SECOND, 4 * SECOND], &[100, 100, 900, 100], clock);
    assert_eq!(through_tree.routes, [None, Some(0), Some(1), Some(3)]);
    let direct = common(4, &[2 * SECOND, 4 * SECOND], &[100, 100, 150, 100], clock);
    assert_eq!(direct.routes, [None, Some(0), Some(1), Some(2)]);
    for (common, expected) in [(&through_tree, 207), (&direct, 154)] {
        let stamp = common.correct(3, clock(3, 3 * SECOND));
        assert!(stamp.reference_ns.abs_diff(3 * SECOND) <= stamp.uncertainty_ns, "{stamp:?}");
        assert_eq!(stamp.uncertainty_ns, expected);
    }
}

#[test]
fn a_moment_of_the_reference_is_the_same_moment_on_every_clock() {
    // Neither offsets nor drifts of two clocks are in one proportion: the order of a chain matters.
    let clock = |clock: usize, ns: u64| ns + clock as u64 * SECOND + (clock * clock) as u64 * (ns / 100_000);
    let common = common(4, &[2 * SECOND, 4 * SECOND], &[100, 100, 900, 100], clock);
    for rank in 0..4 {
        let local_ns = common.local_ns_after(rank, 5 * SECOND);
        assert!(local_ns.abs_diff(clock(rank, 5 * SECOND)) <= 4, "rank {rank}: {local_ns}");
        assert!(common.correct(rank, local_ns).reference_ns.abs_diff(5 * SECOND) <= 4);
    }
}

#[test]
fn what_was_planted_is_estimated() {
    let common = common(3, &[2 * SECOND, 4 * SECOND], &[100, 100], clock);
    assert_eq!(common.estimate(0).offset_ns, 0);
    let of_second = common.estimate(2);
    assert_eq!(of_second.offset_ns, 2_000_040_000);
    assert!((of_second.drift_ppm - 20.0).abs() < 0.2, "{of_second:?}");
    assert_eq!((of_second.uncertainty_ns, of_second.step_ns), (104, 0));
    assert_eq!(common.largest_uncertainty_ns(), 104);
}

#[test]
fn ranks_of_one_clock_need_no_comparison() {
    let common = CommonClock::new(HostClocks::from_identities(&["a", "a"]), 30);
    let expected = CorrectedStamp { reference_ns: 77, uncertainty_ns: 30 };
    assert_eq!([common.correct(0, 77), common.correct(1, 77)], [expected; 2]);
    assert_eq!(common.local_ns_after(1, 77), 77);
}
