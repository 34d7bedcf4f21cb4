//! Tests of the map of one clock to another: drift, extrapolation, steps.
use super::*;

/// A round trip of 20 ns at this time of the near clock, where the far clock is given by `far`.
fn trip(near_ns: u64, far: impl Fn(u64) -> u64) -> RoundTrip {
    RoundTrip { sent_ns: near_ns - 10, remote_ns: far(near_ns), received_ns: near_ns + 10 }
}

fn map(times: &[u64], far: impl Fn(u64) -> u64) -> ClockMap {
    let mut map = ClockMap::new(1);
    times.iter().for_each(|&near_ns| map.add(&trip(near_ns, &far)));
    map
}

const MS: u64 = 1_000_000;

/// 50 ppm fast and 5 s ahead.
fn drifting(near_ns: u64) -> u64 {
    5_000 * MS + near_ns + near_ns / 20_000
}

#[test]
fn between_comparisons_a_drift_is_removed() {
    let map = map(&[1_000 * MS, 3_000 * MS, 9_000 * MS], drifting);
    for near_ns in [1_000, 1_234, 3_000, 8_765, 9_000].map(|ms| ms * MS) {
        let (found, bound) = (map.near_ns(drifting(near_ns)), map.bound_ns(drifting(near_ns)));
        assert!(found.abs_diff(near_ns) <= bound && bound == 12, "{near_ns}: {found}, {bound}");
    }
    assert_eq!(map.largest_step_ns(), 0);
}

#[test]
fn after_the_last_comparison_the_drift_continues_and_the_bound_grows() {
    let map = map(&[1_000 * MS, 2_000 * MS], drifting);
    let (near_ns, at_end) = (4_000 * MS, map.bound_ns(drifting(2_000 * MS)));
    assert!(map.near_ns(drifting(near_ns)).abs_diff(near_ns) <= map.bound_ns(drifting(near_ns)));
    assert!(map.bound_ns(drifting(near_ns)) > at_end);
    assert!(map.far_ns_after(near_ns).abs_diff(drifting(near_ns)) <= 50);
}

#[test]
fn comparisons_that_are_too_close_determine_no_drift() {
    // The bounds of 12 ns would allow a slope of 2,400 ppm.
    let near = map(&[1_000 * MS, 1_000 * MS + 10_000], drifting);
    let one = map(&[1_000 * MS], drifting);
    for map in [near, one] {
        let far_ns = drifting(1_000 * MS + 100 * MS);
        let error = map.near_ns(far_ns).abs_diff(1_100 * MS);
        assert!((4_900..=5_100).contains(&error), "50 ppm of 100 ms remain: {error} ns");
        assert!(error <= map.bound_ns(far_ns));
    }
}

#[test]
fn an_earlier_or_repeated_reading_of_the_far_clock_adds_nothing() {
    let mut map = map(&[1_000 * MS, 2_000 * MS], drifting);
    let before = map.clone();
    map.add(&trip(2_000 * MS, drifting));
    map.add(&trip(1_500 * MS, drifting));
    assert_eq!(map, before);
}

#[test]
fn a_step_in_the_middle_is_found_by_a_third_comparison() {
    for step in [500, 40_000, 3_000_000_000] {
        let stepping = |near_ns: u64| drifting(near_ns) + if near_ns > 4_000 * MS { step } else { 0 };
        let map = map(&[1_000, 3_000, 5_000, 7_000].map(|ms| ms * MS), stepping);
        assert!(map.largest_step_ns() >= step, "{step} ns: {}", map.largest_step_ns());
        for near_ns in [3_500, 3_999, 4_001, 4_500, 107_000].map(|ms| ms * MS) {
            let far_ns = stepping(near_ns);
            assert!(map.near_ns(far_ns).abs_diff(near_ns) <= map.bound_ns(far_ns), "{step} ns at {near_ns}");
        }
    }
}

#[test]
fn with_two_comparisons_only_a_step_that_no_drift_explains_is_found() {
    let stepping =
        |step: u64| move |near_ns: u64| drifting(near_ns) + if near_ns > 2_000 * MS { step } else { 0 };
    let times = [1_000 * MS, 3_000 * MS];
    assert!(map(&times, stepping(30 * MS)).largest_step_ns() >= 30 * MS);
    // 1 ms in 2 s looks like 500 ppm: the limit of the method.
    assert_eq!(map(&times, stepping(MS)).largest_step_ns(), 0);
}
