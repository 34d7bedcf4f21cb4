//! Tests of spans on one clock and on several: corrected, of the longest rank, and between comparisons.
use wb_clocks::RoundTrip;

use super::*;

const MS: u64 = 1_000_000;
const AHEAD: u64 = 5_000 * MS;

/// Two clocks, the second 5 s ahead, compared at 1 s and 2 s with round trips of this length.
fn two_clocks(round_trip_ns: u64) -> JobClock {
    let clock = JobClock::from_keys(&[1, 2], 1);
    for middle in [1_000 * MS, 2_000 * MS] {
        let (sent_ns, received_ns) = (middle - round_trip_ns / 2, middle + round_trip_ns / 2);
        clock.add(&[RoundTrip { sent_ns, remote_ns: middle + AHEAD, received_ns }]);
    }
    clock
}

/// Regions of 10 ms; the second rank starts 100 µs later.
fn regions() -> Vec<RegionStamps> {
    let region = |k: u64| {
        let start = 1_100 * MS + k * 20 * MS;
        vec![(start, start + 9 * MS), (start + MS / 10 + AHEAD, start + 10 * MS + AHEAD)]
    };
    (0..8).map(region).collect()
}

fn spans(clock: &JobClock) -> (Span, ElapsedFrom) {
    let regions = regions();
    let (spans, elapsed_from) = super::spans(clock, &[regions.iter().collect()]);
    (spans[0][3], elapsed_from)
}

#[test]
fn times_and_skews_of_two_clocks_are_as_on_one() {
    let (span, elapsed_from) = spans(&two_clocks(50_000));
    let end = 1_170 * MS;
    assert_eq!(span, Span { elapsed_ns: 10 * MS, entry_skew_ns: MS / 10, end });
    assert_eq!(elapsed_from, ElapsedFrom::CommonClock);
    // Without the correction the offset would be the time.
    assert!(spans(&JobClock::SHARED).0.elapsed_ns > AHEAD);
}

#[test]
fn a_common_clock_that_is_too_uncertain_gives_way_to_the_longest_rank() {
    // The bounds of both stamps together are 1.2 ms: above 10 % of 10 ms.
    let (span, elapsed_from) = spans(&two_clocks(1_200_000));
    assert_eq!((span.elapsed_ns, elapsed_from), (9_900_000, ElapsedFrom::LocalClocks));
    let (_, elapsed_from) = spans(&two_clocks(900_000));
    assert_eq!(elapsed_from, ElapsedFrom::CommonClock);
    // Beside regions of half the time all are measured in the same way.
    let [long, mut short] = [regions(), regions()];
    short.iter_mut().flatten().for_each(|(start, end)| *end = (*start + *end) / 2);
    let groups = [long.iter().collect(), short.iter().collect()];
    assert_eq!(super::spans(&two_clocks(900_000), &groups).1, ElapsedFrom::LocalClocks);
}

#[test]
fn until_the_next_comparison_the_longest_rank_counts() {
    let span = interim_span(&two_clocks(50_000), &regions()[3]);
    assert_eq!(span, Span { elapsed_ns: 9_900_000, entry_skew_ns: MS / 10, end: 1_170 * MS });
}

#[test]
fn what_is_recorded_of_the_clocks_is_what_was_found() {
    let clock = two_clocks(50_000);
    let compared = clock.compared();
    assert_eq!(compared.iter().map(|one| one.offset_ns).collect::<Vec<_>>(), [0.0, 5e9]);
    let largest = compared.iter().map(|one| one.uncertainty_ns).fold(0.0, f64::max);
    assert_eq!(clock.uncertainty_ns() as f64, 2.0 * largest);
    assert_eq!(JobClock::SHARED.compared(), []);
}

#[test]
fn a_span_reaches_from_the_first_start_to_the_last_end() {
    let stamps = [(100, 250), (130, 220)];
    let span = Span::from_stamps(stamps.into_iter());
    assert_eq!(span, Span { elapsed_ns: 150, entry_skew_ns: 30, end: 250 });
    let stamps = [(100, 240), (150, 250)];
    let span = Span::from_stamps(stamps.into_iter()).with_longest_rank(&stamps);
    assert_eq!(span, Span { elapsed_ns: 140, entry_skew_ns: 50, end: 250 });
}
