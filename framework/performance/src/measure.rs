//! Measures one workload of one version in one launch: `run` alone and the whole pipeline, alternately. On one rank, where `run` has no
//! common start, a pass through the pipeline gives both times.
//!
//! Every repetition has its own input, made and prepared outside the timed region: a result kept from an earlier
//! repetition is wrong. All versions of a launch get the same inputs in the same order.
//!
//! The timed region contains the version's own code and two readings of the clock. The common start, the collection of
//! the stamps and the oracle are outside it, in every repetition.
use std::time::Duration;

use wb_messages::Lang;
use wb_record::{
    ElapsedFrom, TimedRegion, Timing,
    statistics::{relative_half_width, warmup},
};
use wb_runner::{clock, diff_report};
use wb_task::{Failure, Input, Output, Pipeline, Prepared, Problem, Progress, Task, Verdict};
use wb_world::{Rooted, World};

use crate::{
    bench::RankBench,
    job::{JobSpec, MeasuredSeries, SamplingPolicy, WorkloadRequest},
    pass_data::{self, InputSeeds, MeasureError, check_output, input},
    sample::{RankReading, RepetitionSample, finish_times},
    usage::SchedulingCounters,
};

/// One rank's part of a series: one workload, its inputs one after the other.
pub(crate) struct SeriesRun<'a, T: Task> {
    pub(crate) task: &'a T,
    pub(crate) bench: &'a RankBench,
    pub(crate) spec: &'a JobSpec,
    pub(crate) request: &'a WorkloadRequest,
}

impl<T: Task> SeriesRun<'_, T> {
    pub(crate) fn sample(&self, wrong: &mut Option<String>) -> Result<Vec<MeasuredSeries>, MeasureError> {
        let mut seeds = InputSeeds::new(self.spec.seed);
        let fresh_inputs = pass_data::are_different(&self.input(&mut seeds)?, &self.input(&mut seeds)?);
        let mut random = oorandom::Rand32::new(self.spec.seed);
        let (mut run_only, mut whole) = (Vec::new(), Vec::new());
        let is_alone = self.bench.size() == 1;
        let passes: u32 = if is_alone { 1 } else { 2 };
        let begin = self.bench.max_barrier(self.bench.reference_now())?;
        loop {
            // The same seed on every rank: all ranks use the same order and the same input.
            let first = random.rand_u32() & 1;
            if is_alone {
                let input = self.input(&mut seeds)?;
                // The other versions have another input in the second pass.
                let _unused = seeds.next();
                let rank = MeasuredRank::new(self.task, self.bench, self.spec, &input);
                let (run, pipeline) = rank.repeat_alone(wrong)?;
                run_only.push(run);
                whole.push(pipeline);
            }
            for turn in [first, 1 - first].into_iter().filter(|_| !is_alone) {
                let input = self.input(&mut seeds)?;
                let rank = MeasuredRank::new(self.task, self.bench, self.spec, &input);
                if turn == 0 {
                    run_only.push(rank.repeat_run(wrong)?);
                } else {
                    whole.push(rank.repeat_pipeline(wrong)?);
                }
            }
            let latest = run_only.iter().chain(&whole).map(|sample| sample.end).max();
            let spent = Duration::from_nanos(latest.map_or(0, |end| end.saturating_sub(begin)));
            if is_sampled_enough(&self.spec.sampling, &[&run_only, &whole], spent / passes) {
                self.bench.compare_clocks()?;
                let series = [(TimedRegion::TaskRun, run_only), (TimedRegion::Pipeline, whole)];
                let measured = series.map(|(mode, mut samples)| {
                    let times = (fresh_inputs, finish_times(&mut samples, &self.bench.clock));
                    to_measured_series(self.spec, self.request, (mode, samples), times, spent / passes)
                });
                return Ok(measured.into());
            }
            self.bench.compare_clocks_if_due(latest.unwrap_or(begin))?;
        }
    }

    fn input(&self, seeds: &mut InputSeeds) -> Result<Input<T>, MeasureError> {
        input::<T>(self.request, seeds.next(), self.bench.size())
    }
}

/// One rank with one input.
pub(crate) struct MeasuredRank<'a, T: Task> {
    task: &'a T,
    pub(crate) bench: &'a RankBench,
    spec: &'a JobSpec,
    input: &'a Input<T>,
    home_rank: wb_comm::Rank,
}

impl<'a, T: Task> MeasuredRank<'a, T> {
    pub(crate) fn new(task: &'a T, bench: &'a RankBench, order: &'a JobSpec, input: &'a Input<T>) -> Self {
        let home = Some(T::Problem::home(input, bench.size())).filter(|&home| home < bench.size());
        Self { task, bench, spec: order, input, home_rank: home.unwrap_or(0) }
    }

    /// Validates the input and distributes it.
    fn prepare<'p>(
        &'p self,
        progress: &'p Progress,
    ) -> Result<Pipeline<'p, T, Prepared<T::Prepared>>, Failure> {
        let pipeline = self.submit(&self.bench.world, progress);
        self.with_limit(|| pipeline.validation()?.preprocessing())
    }

    /// The input, submitted to this world.
    pub(crate) fn submit<'p>(
        &'p self,
        world: &'p World,
        progress: &'p Progress,
    ) -> Pipeline<'p, T, wb_task::Submitted<Input<T>>> {
        let input = Rooted::on(self.bench.rank() == self.home_rank, || self.input.clone());
        Pipeline::new(self.task, world, progress, input, self.home_rank).limit(self.spec.limit)
    }

    fn repeat_run(&self, wrong: &mut Option<String>) -> Result<RepetitionSample, MeasureError> {
        let progress = Progress::default();
        let pipeline = self.prepare(&progress)?;
        let (raw, reading) = self.timed(|| pipeline.run())?;
        let output = self.with_limit(|| pipeline.postprocessing(raw?))?;
        self.collect(reading, &progress, &output, wrong)
    }

    pub(crate) fn repeat_pipeline(
        &self,
        wrong: &mut Option<String>,
    ) -> Result<RepetitionSample, MeasureError> {
        let progress = Progress::default();
        let submitted = self.submit(&self.bench.world, &progress);
        let (output, reading) = self.timed(|| {
            let pipeline = submitted.validation()?.preprocessing()?;
            let raw = pipeline.run()?;
            let output = pipeline.postprocessing(raw)?;
            // Returned so that the prepared data are not freed inside the region.
            Ok::<_, Failure>((pipeline, output))
        })?;
        let (_pipeline, output) = output?;
        self.collect(reading, &progress, &output, wrong)
    }

    /// On one rank: a pass through the pipeline, and the time of its `run` from two further readings of the clock.
    fn repeat_alone(
        &self,
        wrong: &mut Option<String>,
    ) -> Result<(RepetitionSample, RepetitionSample), MeasureError> {
        let progress = Progress::default();
        let submitted = self.submit(&self.bench.world, &progress);
        let (output, whole) = self.timed(|| {
            let pipeline = submitted.validation()?.preprocessing()?;
            let start = clock::now();
            let raw = pipeline.run()?;
            let end = clock::now();
            let output = pipeline.postprocessing(raw)?;
            Ok::<_, Failure>((pipeline, output, start, end))
        })?;
        let (_pipeline, output, start, end) = output?;
        let is_right = self.check_output(&output, wrong).map(|verdict| verdict == Verdict::Right);
        let sample = |reading: RankReading| {
            let all = reading.encode(is_right, &progress.times().0);
            RepetitionSample::decode(&all, &self.bench.clock)
        };
        Ok((sample(RankReading { start, end, ..whole }), sample(whole)))
    }

    /// Collective: executes `work` between two readings of the clock, after a common start.
    #[inline]
    fn timed<R>(&self, work: impl FnOnce() -> R) -> Result<(R, RankReading), MeasureError> {
        let bench = self.bench;
        let counts = bench.world.counts();
        let scheduling = SchedulingCounters::now();
        let line = bench.common_start()?;
        bench.watchdog.arm(bench.slot);
        let (wall_before, cpu_before) = (clock::now(), bench.cpu_scope.cpu_ns());
        line.wait();

        let start = clock::now();
        let result = work();
        let end = clock::now();

        let (cpu, wall) = (bench.cpu_scope.cpu_ns(), clock::now());
        bench.watchdog.disarm(bench.slot);
        let now = SchedulingCounters::now();
        let sent = bench.world.counts() - counts;
        let reading = RankReading {
            start,
            end,
            wall_ns: wall - wall_before,
            cpu_ns: cpu - cpu_before,
            switches: now.involuntary_since(scheduling),
            queued_ns: now.queued_since(scheduling, (wall - wall_before).saturating_sub(cpu - cpu_before)),
            messages: sent.sends,
            bytes: sent.sent_bytes,
        };
        Ok((result, reading))
    }

    /// Executes `work` under the limit, without timing.
    fn with_limit<R>(&self, work: impl FnOnce() -> R) -> R {
        self.bench.watchdog.arm(self.bench.slot);
        let result = work();
        self.bench.watchdog.disarm(self.bench.slot);
        result
    }

    /// Collective: asks the oracle and combines the readings of every rank.
    fn collect(
        &self,
        reading: RankReading,
        progress: &Progress,
        output: &Rooted<Output<T>>,
        wrong: &mut Option<String>,
    ) -> Result<RepetitionSample, MeasureError> {
        let verdict = self.check_output(output, wrong);
        let is_right = verdict.map(|verdict| verdict == Verdict::Right);
        let all = self.bench.allgather(&reading.encode(is_right, &progress.times().0))?;
        Ok(RepetitionSample::decode(&all, &self.bench.clock))
    }

    /// Asks the oracle; its objection to the output is stored in `wrong`.
    pub(crate) fn check_output(
        &self,
        output: &Rooted<Output<T>>,
        wrong: &mut Option<String>,
    ) -> Option<Verdict> {
        let verdict = check_output::<T>(self.input, output, self.bench.rank() == self.home_rank);
        let objection = |verdict| diff_report::render_line(verdict, Lang::from_environment());
        if let Some(reason) = verdict.as_ref().and_then(objection) {
            wrong.get_or_insert(reason);
        }
        verdict
    }
}

/// Whether sampling is complete, after `spent` for each of the series. The decision uses numbers that all ranks share, so all ranks stop together.
pub(crate) fn is_sampled_enough(
    sampling: &SamplingPolicy,
    series: &[&[RepetitionSample]],
    spent: Duration,
) -> bool {
    let wrong = series.iter().any(|samples| samples.iter().any(|s| s.repetition.correct == Some(false)));
    let taken = series.iter().map(|samples| samples.len()).min().unwrap_or(0);
    // The first repetition is warm-up: a counted one follows it, whatever the budget.
    if wrong || taken < 2 {
        return wrong;
    }
    let out_of_time = spent >= sampling.budget;
    let narrow = |samples: &&[RepetitionSample]| {
        let times: Vec<f64> = samples[1..].iter().map(|s| s.repetition.elapsed_ns as f64).collect();
        relative_half_width(&times).is_some_and(|width| width < sampling.target)
    };
    out_of_time
        || taken > sampling.max_repetitions
        || taken > sampling.min_repetitions && series.iter().all(narrow)
}

/// The series as the answer contains it: whether its inputs differed, and what its times were computed from.
pub(crate) fn to_measured_series(
    spec: &JobSpec,
    request: &WorkloadRequest,
    (mode, samples): (TimedRegion, Vec<RepetitionSample>),
    (fresh_inputs, elapsed_from): (bool, ElapsedFrom),
    spent: Duration,
) -> MeasuredSeries {
    let times: Vec<f64> = samples.iter().map(|s| s.repetition.elapsed_ns as f64).collect();
    let dropped = warmup(&times);
    let kept = &samples[dropped..];
    let timing = Timing {
        series: request.series(spec.version, mode, spec.ranks),
        launch: spec.launch,
        fresh_inputs: Some(fresh_inputs),
        warmup_dropped: dropped as u32,
        inner_iterations: 1,
        elapsed_from,
        repetitions: kept.iter().map(|s| s.repetition).collect(),
        stages: kept.iter().map(|s| s.stages).collect(),
        traffic: Some(samples[samples.len() - 1].traffic),
        sentinel: None,
    };
    let is_wrong = samples.iter().any(|s| s.repetition.correct == Some(false));
    MeasuredSeries { timing, is_wrong, spent }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::tests::{decode, encoded};

    #[test]
    fn sampling_ends_when_it_is_narrow_late_or_wrong() {
        let sampling = crate::job::tests::job_spec().sampling;
        let samples = |n: usize, spread: u64| -> Vec<RepetitionSample> {
            (0..n as u64).map(|i| decode(&encoded(0, 1000 + spread * (i % 5), 90, 1))).collect()
        };
        let early = Duration::from_millis(1);
        assert!(!is_sampled_enough(&sampling, &[&samples(6, 0)], early), "six with the warm-up are five");
        assert!(is_sampled_enough(&sampling, &[&samples(7, 0)], early));
        assert!(!is_sampled_enough(&sampling, &[&samples(7, 100)], early));
        assert!(is_sampled_enough(&sampling, &[&samples(21, 100)], early));
        assert!(is_sampled_enough(&sampling, &[&samples(2, 100)], sampling.budget));
        assert!(!is_sampled_enough(&sampling, &[&samples(1, 100)], sampling.budget));
        assert!(is_sampled_enough(&sampling, &[&[decode(&encoded(0, 1, 1, 0))]], early));
    }
}
