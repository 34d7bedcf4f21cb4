//! One repetition: its result on a rank, and on all ranks together; and a timed region over all ranks, from the stamps of each, on one
//! clock or several.
use wb_record::{ElapsedFrom, Repetition, Stages, Traffic, statistics::median};
use wb_runner::{JobClock, clocks::CorrectedStamp};

/// The result of one repetition on this rank.
#[derive(Clone, Copy)]
pub(crate) struct RankReading {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) wall_ns: u64,
    pub(crate) cpu_ns: u64,
    pub(crate) switches: u64,
    pub(crate) queued_ns: Option<u64>,
    pub(crate) messages: u64,
    pub(crate) bytes: u64,
}

impl RankReading {
    /// The numbers that this rank sends to the others, with the oracle's verdict where there is one, and the stage
    /// times.
    pub(crate) fn encode(&self, is_right: Option<bool>, stages_ns: &[u64; 4]) -> [u64; ENCODED_LEN] {
        let Self { start, end, wall_ns, cpu_ns, switches, queued_ns, messages, bytes } = *self;
        let code = is_right.map_or(UNJUDGED, u64::from);
        let queued_ns = queued_ns.unwrap_or(UNKNOWN);
        let [validation, preprocessing, run, postprocessing] = *stages_ns;
        [
            start,
            end,
            wall_ns,
            cpu_ns,
            switches,
            messages,
            bytes,
            code,
            validation,
            preprocessing,
            run,
            postprocessing,
            queued_ns,
        ]
    }
}

/// The result of one repetition on all ranks.
pub(crate) struct RepetitionSample {
    pub(crate) repetition: Repetition,
    pub(crate) stages: Stages,
    pub(crate) traffic: Traffic,
    pub(crate) end: u64,
    /// What the times of the repetition were computed from; none where a judge took them.
    pub(crate) stamps: RegionStamps,
}

/// The verdict's code on a rank that has no output to check; 0 is wrong, 1 is right.
const UNJUDGED: u64 = 2;

/// The queueing time of a rank whose system does not report it.
const UNKNOWN: u64 = u64::MAX;

/// The number of values that a rank sends for a repetition.
const ENCODED_LEN: usize = 13;

impl RepetitionSample {
    /// The sample from the values of all ranks, [`ENCODED_LEN`] values each.
    pub(crate) fn decode(all: &[u64], clock: &JobClock) -> Self {
        let ranks = || all.as_chunks::<ENCODED_LEN>().0.iter();
        let most = |field: usize| ranks().map(|rank| rank[field]).max().expect("at least one rank");
        let sum = |field: usize| ranks().map(|rank| rank[field]).sum();
        let stamps: RegionStamps = ranks().map(|rank| (rank[0], rank[1])).collect();
        let span = interim_span(clock, &stamps);
        let shares = ranks().filter(|rank| rank[2] > 0).map(|rank| rank[3] as f64 / rank[2] as f64);
        let verdicts = || ranks().map(|rank| rank[7]).filter(|&code| code != UNJUDGED);
        let repetition = Repetition {
            elapsed_ns: span.elapsed_ns,
            entry_skew_ns: span.entry_skew_ns,
            correct: verdicts().min().map(|worst| worst == 1),
            involuntary_switches: sum(4),
            cpu_share: shares.reduce(f64::min),
            queued_ns: (most(12) != UNKNOWN).then(|| sum(12)),
        };
        let stages = Stages {
            validation_ns: most(8),
            preprocessing_ns: most(9),
            run_ns: most(10),
            postprocessing_ns: most(11),
        };
        let traffic =
            Traffic { messages: sum(5), bytes: sum(6), messages_max_rank: most(5), bytes_max_rank: most(6) };
        Self { repetition, stages, traffic, end: span.end, stamps }
    }
}

/// Gives the repetitions of a series their final times, after a comparison of the clocks that follows the last of them.
pub(crate) fn finish_times(samples: &mut [RepetitionSample], clock: &JobClock) -> ElapsedFrom {
    let (mut spans, elapsed_from) = spans(clock, &[samples.iter().map(|sample| &sample.stamps).collect()]);
    for (sample, span) in samples.iter_mut().zip(spans.remove(0)) {
        sample.repetition.elapsed_ns = span.elapsed_ns;
        sample.repetition.entry_skew_ns = span.entry_skew_ns;
    }
    elapsed_from
}

/// The share of the median by which an elapsed time may be wrong. Above it, the clock of each rank is better.
const MAX_UNCERTAIN_SHARE: f64 = 0.1;

/// The start and the end of a timed region on each rank, by rank, each on the rank's own clock.
pub(crate) type RegionStamps = Vec<(u64, u64)>;

/// A timed region over all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// The time from the first start to the last end.
    pub(crate) elapsed_ns: u64,
    /// The time from the first start to the last start.
    pub(crate) entry_skew_ns: u64,
    /// The last end, on the common clock.
    pub(crate) end: u64,
}

impl Span {
    /// The span of all ranks' `(start, end)`, on one clock. An end can come before a start only where the stamps were corrected.
    pub(crate) fn from_stamps(stamps: impl Iterator<Item = (u64, u64)> + Clone) -> Self {
        let first = stamps.clone().map(|(start, _)| start).min().expect("at least one rank");
        let late = stamps.clone().map(|(start, _)| start).max().expect("at least one rank");
        let end = stamps.map(|(_, end)| end).max().expect("at least one rank");
        Self { elapsed_ns: end.saturating_sub(first), entry_skew_ns: late - first, end }
    }

    /// The same with the longest time of a rank on its own clock as the elapsed time.
    pub(crate) fn with_longest_rank(self, stamps: &[(u64, u64)]) -> Self {
        let longest = stamps.iter().map(|(start, end)| end - start).max().expect("at least one rank");
        Self { elapsed_ns: longest, ..self }
    }
}

/// A region's span until the clocks are compared again: its time is that of the longest rank on its own clock, which needs no
/// common one.
pub(crate) fn interim_span(clock: &JobClock, stamps: &[(u64, u64)]) -> Span {
    match clock.is_shared() {
        true => Span::from_stamps(stamps.iter().copied()),
        false => corrected_span(clock, stamps).0.with_longest_rank(stamps),
    }
}

/// The spans of regions that lie between two comparisons, in groups that are compared with each other, and what their times
/// were computed from.
pub(crate) fn spans(clock: &JobClock, groups: &[Vec<&RegionStamps>]) -> (Vec<Vec<Span>>, ElapsedFrom) {
    if clock.is_shared() {
        let span = |stamps: &&RegionStamps| Span::from_stamps(stamps.iter().copied());
        let spans = groups.iter().map(|regions| regions.iter().map(span).collect());
        return (spans.collect(), ElapsedFrom::CommonClock);
    }
    let corrected: Vec<Vec<(Span, u64)>> = groups
        .iter()
        .map(|regions| regions.iter().map(|stamps| corrected_span(clock, stamps)).collect())
        .collect();
    let is_local = corrected.iter().any(|regions| is_uncertain(regions));
    let span = |(stamps, (span, _)): (&&RegionStamps, &(Span, u64))| {
        if is_local { span.with_longest_rank(stamps) } else { *span }
    };
    let spans =
        groups.iter().zip(&corrected).map(|(regions, found)| regions.iter().zip(found).map(span).collect());
    (spans.collect(), if is_local { ElapsedFrom::LocalClocks } else { ElapsedFrom::CommonClock })
}

/// A region's span on the reference clock, and the bound of the error of its time.
fn corrected_span(clock: &JobClock, stamps: &[(u64, u64)]) -> (Span, u64) {
    let correct = |stamp: fn(&(u64, u64)) -> u64| {
        stamps.iter().enumerate().map(move |(rank, of_rank)| clock.correct(rank, stamp(of_rank)))
    };
    let (starts, ends) = (correct(|(start, _)| *start), correct(|(_, end)| *end));
    let largest = |bound: u64, stamp: CorrectedStamp| bound.max(stamp.uncertainty_ns);
    let uncertainty_ns = starts.clone().fold(0, largest) + ends.clone().fold(0, largest);
    let both = starts.zip(ends).map(|(start, end)| (start.reference_ns, end.reference_ns));
    (Span::from_stamps(both), uncertainty_ns)
}

/// Whether the times of these regions are more uncertain than those of each rank's own clock.
fn is_uncertain(regions: &[(Span, u64)]) -> bool {
    let times: Vec<f64> = regions.iter().map(|(span, _)| span.elapsed_ns as f64).collect();
    let worst = regions.iter().map(|(_, uncertainty_ns)| *uncertainty_ns).max().unwrap_or(0) as f64;
    median(&times).is_some_and(|median| worst > MAX_UNCERTAIN_SHARE * median)
}

#[cfg(test)]
pub(crate) mod tests {
    use wb_runner::clocks::RoundTrip;

    use super::*;

    pub(crate) fn encoded(start: u64, end: u64, cpu: u64, verdict: u64) -> Vec<u64> {
        vec![start, end, 100, cpu, 1, 2, 16, verdict, 5, 6, end - start, 8, 30]
    }

    /// On ranks that read one clock.
    pub(crate) fn decode(all: &[u64]) -> RepetitionSample {
        RepetitionSample::decode(all, &JobClock::SHARED)
    }

    #[test]
    fn a_sample_is_the_worst_of_its_ranks() {
        let sample = decode(&[encoded(10, 60, 99, UNJUDGED), encoded(14, 90, 80, 1)].concat());
        assert_eq!(sample.repetition.elapsed_ns, 80);
        assert_eq!(sample.repetition.entry_skew_ns, 4);
        assert_eq!(sample.repetition.correct, Some(true));
        assert_eq!(sample.repetition.cpu_share, Some(0.8));
        assert_eq!(sample.repetition.involuntary_switches, 2);
        assert_eq!(sample.repetition.queued_ns, Some(60));
        assert_eq!(sample.stages.run_ns, 76);
        assert_eq!(sample.traffic.messages, 4);
        assert_eq!(sample.traffic.bytes_max_rank, 16);
    }

    #[test]
    fn one_wrong_rank_makes_the_repetition_wrong_and_none_judged_leaves_it_open() {
        let wrong = decode(&[encoded(0, 1, 1, 1), encoded(0, 1, 1, 0)].concat());
        assert_eq!(wrong.repetition.correct, Some(false));
        let open = decode(&encoded(0, 1, 1, UNJUDGED));
        assert_eq!(open.repetition.correct, None);
    }

    #[test]
    fn the_time_in_the_queue_is_known_where_every_rank_knows_it() {
        let mut all = [encoded(0, 1, 1, 1), encoded(0, 1, 1, 1)].concat();
        all[ENCODED_LEN - 1] = UNKNOWN;
        assert_eq!(decode(&all).repetition.queued_ns, None);
    }

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
    fn a_span_reaches_from_the_first_start_to_the_last_end() {
        let stamps = [(100, 250), (130, 220)];
        let span = Span::from_stamps(stamps.into_iter());
        assert_eq!(span, Span { elapsed_ns: 150, entry_skew_ns: 30, end: 250 });
        let stamps = [(100, 240), (150, 250)];
        let span = Span::from_stamps(stamps.into_iter()).with_longest_rank(&stamps);
        assert_eq!(span, Span { elapsed_ns: 140, entry_skew_ns: 50, end: 250 });
    }
}
