//! The orchestrator: runs the schedule job by job and writes a record of every result.
//!
//! Records are written immediately, so that an interrupted campaign keeps its records.
use std::{
    io,
    path::{Path, PathBuf},
};

use wb_messages::{Lang, hosts, performance as text};
use wb_process::output::print;
use wb_record::{Backend, Ceiling, Environment, Measurement, Provenance, Sentinel, Sweep, Timing, Version};
use wb_runner::{Backends, LossScope, environment, launch};

use super::{
    display::ProgressDisplay,
    job::{
        self, CountedRounds, ExecuteJob, Findings, JobFailure, JobResult, JobSpec, JobWork, LostHosts,
        MeasuredSeries,
    },
    program::{BenchmarkProgram, Package},
    record_file::{self, RecordFile},
    schedule::{self, ForcedAlgorithm, JobPurpose, OptionalMeasurements, ScheduledJob},
    series_table::{SeriesTable, summary},
    settings::CampaignSettings,
    sweep,
};

/// Elements (of 8 bytes) of a sweep: 8 bytes to 8 MiB, four times as many each step.
const SWEEP_COUNTS: [usize; 11] = [1, 4, 16, 64, 256, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20];

/// The same where ranks share cores: two sizes show whether the verb works.
const SHORT_COUNTS: [usize; 2] = [1, 1 << 10];

/// A launch before and after which the machine differs by more than this is repeated once, in a final run.
const MAX_DRIFT: f64 = 0.10;

/// One run of the orchestrator.
pub(crate) struct Campaign<'a> {
    backends: Backends,
    execute: ExecuteJob<'a>,
    provenance: Option<Provenance>,
    program: &'a BenchmarkProgram,
    settings: CampaignSettings,
    environment: Environment,
    cores: usize,
    extras: OptionalMeasurements,
    lang: Lang,
    random: oorandom::Rand32,
    records: PathBuf,
    out: RecordFile,
    shows_summary: bool,
    series: SeriesTable,
    counts: Vec<(usize, CountedRounds)>,
    sweeps: Vec<Sweep>,
    sweep_failed: bool,
    /// Sweeps that failed once and are not repeated.
    lost_sweeps: Vec<(JobPurpose, usize)>,
    lost_hosts: LostHosts,
}

impl<'a> Campaign<'a> {
    /// A campaign whose jobs `execute` executes, with the provenance of its records. Without a file of records it prints a summary.
    pub(crate) fn new(
        package: Package,
        backends: Backends,
        (execute, provenance): (ExecuteJob<'a>, Option<Provenance>),
        program: &'a BenchmarkProgram,
        settings: CampaignSettings,
        (wanted, seed): (Option<PathBuf>, Option<u64>),
        lang: Lang,
    ) -> io::Result<Self> {
        let now = jiff::Timestamp::now();
        let seed = seed.unwrap_or(now.as_nanosecond() as u64);
        let shows_summary = wanted.is_none();
        let records = wanted.map_or_else(|| record_file::default_records(package.name), Ok)?;
        let run = format!("{}-{}-{}", package.name, now.as_second(), std::process::id());
        let operation = program.verbs.as_ref().map(|verbs| verbs.operation());
        let library = backends.processes.map(wb_comm::ProcessRanks::library);
        let forced = library
            .zip(operation)
            .and_then(|(library, op)| ForcedAlgorithm::for_operation(&library, op))
            .is_some();
        Ok(Self {
            backends,
            execute,
            provenance,
            program,
            environment: environment::environment(Path::new(package.folder), backends, seed),
            cores: launch::cores_of_jobs(),
            extras: OptionalMeasurements {
                sweep: program.verbs.is_some(),
                forced,
                reference: program.reference.is_some(),
            },
            lang,
            random: oorandom::Rand32::new(seed),
            out: RecordFile::create(&records, (run, settings.subject.clone()), lang)?,
            records,
            shows_summary,
            series: SeriesTable::new(&settings),
            settings,
            counts: vec![],
            sweeps: vec![],
            sweep_failed: false,
            lost_sweeps: vec![],
            lost_hosts: LostHosts::default(),
        })
    }

    /// Runs all jobs; returns whether nothing failed.
    pub(crate) fn run(mut self) -> io::Result<bool> {
        self.write(self.settings.plan.clone(), None)?;
        let part = self.settings.part;
        let launches = |all: std::ops::Range<u32>| all.filter(move |&launch| part.includes(launch));
        let planned: Vec<ScheduledJob> = launches(0..self.settings.plan.launches)
            .flat_map(|launch| self.schedule_launch(launch))
            .collect();
        let mut display = ProgressDisplay::on_stderr(planned.len(), self.settings.progress.as_deref());
        let mut can_launch = self.run_steps(planned, &mut display)?;
        for launch in launches(self.settings.plan.launches..self.settings.launches_at_most()) {
            let steps = if can_launch { self.schedule_launch(launch) } else { vec![] };
            display.extend(steps.len());
            can_launch = can_launch && self.run_steps(steps, &mut display)?;
        }
        if self.lost_hosts.not_run > 0 {
            display.print_line(&hosts::jobs_not_run(self.lang, self.lost_hosts.not_run));
        }
        display.finish();
        if !can_launch {
            // The series have not failed: they are incomplete, as those of a job that was killed, and have no outcome.
            return Ok(false);
        }
        for outcome in self.series.outcomes(&self.settings) {
            self.write(outcome, None)?;
        }
        if self.shows_summary {
            let task = &self.settings.subject.task;
            print(format_args!("{}", summary(&self.series, &self.sweeps, &self.records, task, self.lang)));
        }
        Ok(!self.series.has_failed() && !self.sweep_failed)
    }

    /// The steps of one launch that are needed according to the results so far.
    fn schedule_launch(&mut self, launch: u32) -> Vec<ScheduledJob> {
        let mut steps = schedule::launch(&self.settings, self.extras, self.cores, launch, &mut self.random);
        steps.retain(|&step| self.needs(step));
        steps
    }

    /// Runs these steps; false when no further launch can begin.
    fn run_steps(&mut self, steps: Vec<ScheduledJob>, display: &mut ProgressDisplay) -> io::Result<bool> {
        for step in steps {
            // An earlier launch may have shown that the step is unnecessary.
            if !self.needs(step) {
                display.skip();
                continue;
            }
            if let Some(failure) = self.lost_hosts.failure_of(self.backend(step)) {
                display.skip();
                self.add_failure(step, &failure);
                continue;
            }
            display.begin(&step.name(self.lang));
            if let Err(failure) = self.run_step(step)? {
                display.print_line(&text::job_failed(
                    self.lang,
                    step.name(self.lang),
                    job::render(&failure, self.lang),
                ));
                if failure.scope == LossScope::Allocation {
                    return Ok(false);
                }
                self.add_failure(step, &failure);
                self.lost_hosts.add(failure);
            }
        }
        Ok(true)
    }

    fn needs(&self, step: ScheduledJob) -> bool {
        !self.lost_sweeps.contains(&(step.purpose, step.ranks))
            && self.series.needs(step, &self.settings, self.cores)
    }

    /// Runs one job and writes its results.
    fn run_step(&mut self, step: ScheduledJob) -> io::Result<Result<(), JobFailure>> {
        let forced = self.forced(step);
        let order = self.job_spec(step);
        let mut found = (self.execute)(&order, forced);
        if let Ok(first) = &found
            && !self.settings.plan.quick
            && first
                .findings
                .sentinel
                .as_ref()
                .and_then(Sentinel::drift)
                .is_some_and(|drift| drift > MAX_DRIFT)
        {
            if let JobPurpose::Series(version) = step.purpose {
                self.series.add_repeated(&self.settings.workloads, version, step.ranks);
            }
            let again = self.job_spec(step);
            found = (self.execute)(&again, forced);
        }
        match found {
            Err(failure) => Ok(Err(failure)),
            Ok(found) => self.write_results(step, forced, found).map(Ok),
        }
    }

    fn forced(&self, step: ScheduledJob) -> Option<ForcedAlgorithm> {
        if step.purpose != (JobPurpose::Sweep { forced: true }) {
            return None;
        }
        let operation = self.program.verbs.as_ref()?.operation();
        ForcedAlgorithm::for_operation(&self.backends.processes?.library(), operation)
    }

    /// The kind of a step's ranks.
    fn backend(&self, step: ScheduledJob) -> Backend {
        match step.purpose {
            JobPurpose::Series(Version::Seq | Version::Reference) | JobPurpose::Count => Backend::Threads,
            JobPurpose::Series(Version::Mpi) | JobPurpose::Sweep { .. } => {
                self.environment.message_passing.backend
            }
        }
    }

    /// The order for a step.
    fn job_spec(&self, step: ScheduledJob) -> JobSpec {
        let oversubscribed = step.ranks > self.cores;
        let (work, sampling) = match step.purpose {
            JobPurpose::Series(_) => {
                (JobWork::Series(self.settings.workloads.clone()), self.settings.sampling)
            }
            JobPurpose::Sweep { .. } if oversubscribed => {
                (JobWork::Sweep(SHORT_COUNTS.into()), self.settings.sweep)
            }
            JobPurpose::Sweep { .. } => (JobWork::Sweep(SWEEP_COUNTS.into()), self.settings.sweep),
            JobPurpose::Count => (JobWork::Count(SWEEP_COUNTS.into()), self.settings.sweep),
        };
        JobSpec {
            version: match step.purpose {
                JobPurpose::Series(version) => version,
                JobPurpose::Sweep { .. } | JobPurpose::Count => Version::Mpi,
            },
            backend: self.backend(step),
            ranks: step.ranks,
            launch: step.launch,
            // The same input for all versions of a launch.
            seed: self.environment.seed.wrapping_add(u64::from(step.launch)),
            spins: !oversubscribed,
            limit: self.settings.limit,
            work,
            sampling: if oversubscribed { self.settings.short } else { sampling },
        }
    }

    /// Writes the results of a job.
    fn write_results(
        &mut self,
        step: ScheduledJob,
        forced: Option<ForcedAlgorithm>,
        found: JobResult,
    ) -> io::Result<()> {
        let JobResult { findings, oracle_error: wrong, .. } = found;
        let launch = step.launch;
        let around = self.environment_of(&findings, forced);
        if let JobPurpose::Series(_) = step.purpose {
            let samples_ns = findings.ceiling.clone();
            let (ranks, elapsed_from) = (step.ranks as u32, findings.ceiling_from);
            let ceiling = Ceiling { ranks, launch, elapsed_from, samples_ns };
            self.write(ceiling, Some(&around))?;
            for MeasuredSeries { timing, is_wrong, spent } in findings.series {
                let wrong = is_wrong.then(|| wrong.as_deref().unwrap_or("the oracle gave no reason"));
                self.series.add(
                    &timing,
                    spent,
                    &findings.clock,
                    self.settings.plan.least_repetition_ns,
                    wrong,
                );
                self.write(Timing { sentinel: findings.sentinel.clone(), ..timing }, Some(&around))?;
            }
        }
        for sweep in findings.sweep {
            let verbs = self.program.verbs.as_ref().expect("sweeps are of communication assignments only");
            let counted =
                self.counts.iter().find(|(ranks, c)| *ranks == step.ranks && c.count as u64 == sweep.count);
            let sweep = Sweep {
                operation: verbs.operation().to_owned(),
                library_call: sweep::library_call(
                    self.environment.message_passing.backend,
                    verbs.operation(),
                ),
                library_algorithm: forced.map(|forced| forced.algorithm.to_owned()),
                rounds: counted.map(|(_, counted)| counted.rounds),
                formula: Some(verbs.formula(step.ranks)),
                ..sweep
            };
            self.sweep_failed |= !sweep.correct;
            self.write(sweep.clone(), Some(&around))?;
            self.sweeps.push(sweep);
        }
        self.counts.extend(findings.counts.into_iter().map(|counted| (step.ranks, counted)));
        Ok(())
    }

    fn add_failure(&mut self, step: ScheduledJob, failure: &JobFailure) {
        match step.purpose {
            JobPurpose::Series(version) => {
                self.series.add_failure(&self.settings.workloads, version, step.ranks, failure);
            }
            JobPurpose::Sweep { .. } | JobPurpose::Count => {
                self.sweep_failed = true;
                self.lost_sweeps.push((step.purpose, step.ranks));
            }
        }
    }

    /// The environment of the records of a job.
    fn environment_of(&self, findings: &Findings, forced: Option<ForcedAlgorithm>) -> Environment {
        let mut environment = self.environment.clone();
        environment.clock.clone_from(&findings.clock);
        environment.placement.clone_from(&findings.placement);
        let level = findings.thread_level.as_ref();
        environment.message_passing.thread_level =
            level.map(|level| format!("MPI_THREAD_{}", level.to_uppercase()));
        environment.variables.extend(forced.into_iter().flat_map(ForcedAlgorithm::variables));
        environment
    }

    /// Writes one record, in the environment of its job if it has one.
    pub(crate) fn write(
        &mut self,
        measurement: impl Into<Measurement>,
        environment: Option<&Environment>,
    ) -> io::Result<()> {
        let environment = environment.unwrap_or(&self.environment).clone();
        self.out.write(environment, measurement, self.provenance)
    }
}
