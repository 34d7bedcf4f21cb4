//! One repetition: its result on a rank, and on all ranks together.

use wb_record::{ElapsedFrom, Repetition, Stages, Traffic};

use wb_runner::JobClock;

use super::span::{self, RegionStamps};

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
    /// From the values of all ranks, [`ENCODED_LEN`] values each.
    pub(crate) fn decode(all: &[u64], clock: &JobClock) -> Self {
        let ranks = || all.as_chunks::<ENCODED_LEN>().0.iter();
        let most = |field: usize| ranks().map(|rank| rank[field]).max().expect("at least one rank");
        let sum = |field: usize| ranks().map(|rank| rank[field]).sum();
        let stamps: RegionStamps = ranks().map(|rank| (rank[0], rank[1])).collect();
        let span = span::interim_span(clock, &stamps);
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
    let (mut spans, elapsed_from) =
        span::spans(clock, &[samples.iter().map(|sample| &sample.stamps).collect()]);
    for (sample, span) in samples.iter_mut().zip(spans.remove(0)) {
        sample.repetition.elapsed_ns = span.elapsed_ns;
        sample.repetition.entry_skew_ns = span.entry_skew_ns;
    }
    elapsed_from
}

#[cfg(test)]
pub(crate) mod tests {
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
}
