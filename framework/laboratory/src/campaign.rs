//! Runs the jobs launch by launch and writes the records.
use std::{
    io,
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use wb_messages::barrier_bench as text;
use wb_record::{Backend, BarrierForm, BarrierLine, BarrierOutcome, BarrierRun, SCHEMA_VERSION};
use wb_runner::{Backends, environment::environment, launch, random::shuffle, run_folder};

use crate::{
    job::{self, BarrierJobFailure, BarrierJobSpec, VisitSampling},
    outcome_table::OutcomeTable,
    schedule::{self, BarrierBenchArguments, JobPlan},
    substrate,
};

/// The longest duration of a visit of a form; every measured form takes less than a hundredth of it.
const LIMIT: Duration = Duration::from_secs(6);

/// The number of launches, and the amount of measurement in each.
fn sampling_effort(wanted: &BarrierBenchArguments) -> (usize, VisitSampling) {
    let sampling = |rounds, traces, batch_us| VisitSampling {
        rounds,
        traces,
        batch: Duration::from_micros(batch_us),
        limit: LIMIT,
    };
    match (wanted.calls.is_some(), wanted.quick) {
        (false, true) => (2, sampling(8, 6, 400)),
        (false, false) => (5, sampling(16, 8, 800)),
        (true, true) => (2, sampling(10, 5, 800)),
        (true, false) => (4, sampling(6, 10, 800)),
    }
}

/// `main` of the planning part.
pub(crate) fn main(backends: Backends) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments = match BarrierBenchArguments::parse(&arguments) {
        Ok(arguments) => arguments,
        Err(refusal) => return refuse(&refusal, 2),
    };
    if wb_process::launcher_rank().is_some() {
        return refuse(&text::inside_a_launcher(arguments.lang), 2);
    }
    match BarrierCampaign::new(&arguments, backends).and_then(BarrierCampaign::run) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => refuse(&error.to_string(), 1),
    }
}

fn refuse(why: &str, code: u8) -> ExitCode {
    eprintln!("{why}");
    ExitCode::from(code)
}

/// One run.
struct BarrierCampaign<'a> {
    arguments: &'a BarrierBenchArguments,
    backends: Backends,
    library: Option<String>,
    cpus: Vec<usize>,
    random: oorandom::Rand32,
    run: BarrierRun,
    sampling: VisitSampling,
    outcomes: OutcomeTable,
    started: Instant,
}

impl<'a> BarrierCampaign<'a> {
    fn new(wanted: &'a BarrierBenchArguments, backends: Backends) -> io::Result<Self> {
        let now = jiff::Timestamp::now();
        let seed = wanted.seed.unwrap_or(now.as_nanosecond() as u64);
        let (launches, sampling) = sampling_effort(wanted);
        let run = BarrierRun {
            schema: SCHEMA_VERSION,
            run: format!(
                "{}-{}-{}",
                if wanted.calls.is_some() { "collectives" } else { "barriers" },
                now.as_second(),
                std::process::id()
            ),
            at: now.to_string(),
            ranks: wanted.ranks.clone(),
            only: wanted.only.clone(),
            substrates: wanted.substrates.clone(),
            bytes: wanted.bytes.clone(),
            verbs: wanted.calls.clone().unwrap_or_default(),
            quick: wanted.quick,
            launches,
            rounds: sampling.rounds,
            environment: environment(&std::env::current_dir()?, backends, seed),
        };
        Ok(Self {
            arguments: wanted,
            backends,
            library: backends.processes.map(|processes| processes.library().implementation),
            // Ranks on hosts have the processors of their host.
            cpus: if launch::places_ranks() { vec![] } else { wb_process::usable_cpus() },
            random: oorandom::Rand32::new(seed),
            run,
            sampling,
            outcomes: OutcomeTable::default(),
            started: Instant::now(),
        })
    }

    /// Returns whether nothing failed.
    fn run(mut self) -> io::Result<bool> {
        let all = substrate::forms();
        let mut plans = schedule::plans(self.arguments, &all, self.library.as_deref());
        if plans.is_empty() {
            return Err(io::Error::other(text::nothing_to_measure(self.arguments.lang)));
        }
        for launch in 1..=self.run.launches {
            // Jobs of different kinds alternate, so changes of the machine during the run affect all kinds.
            shuffle(&mut plans, &mut self.random);
            for plan in &plans {
                self.print_progress(launch, plan);
                self.run_plan(plan)?;
            }
        }
        let lines = self.outcomes.into_lines(self.run);
        let text: String = lines.iter().map(|line| line.to_line() + "\n").collect();
        wb_process::write_atomically(&self.arguments.records, text)?;
        Ok(!lines.iter().any(is_failure))
    }

    fn print_progress(&self, launch: usize, plan: &JobPlan) {
        let (lang, seconds) = (self.arguments.lang, self.started.elapsed().as_secs());
        let forms = plan.forms.len();
        let what = match plan.forms[0].forced.as_deref() {
            Some(algorithm) => text::job_forced(lang, plan.ranks, algorithm),
            None if plan.backend == Backend::Threads => text::job_threads(lang, plan.ranks, forms),
            None => text::job_processes(lang, plan.ranks, forms),
        };
        eprintln!("{}", text::job(lang, seconds, launch, self.run.launches, what));
    }

    /// Runs one job, and repeats it without the failed form until it succeeds.
    fn run_plan(&mut self, plan: &JobPlan) -> io::Result<()> {
        loop {
            let sound = |form: &&BarrierForm| !self.outcomes.has_failed(form, plan.ranks);
            let forms: Vec<_> = plan.forms.iter().filter(sound).cloned().collect();
            if forms.is_empty() {
                return Ok(());
            }
            // All hosts see the target directory.
            let folder = run_folder::create()?;
            let order = self.job_spec(plan, forms, &folder);
            let found = job::run(&order, self.backends, &plan.variables)
                .and_then(|found| self.outcomes.check_nodes(plan, found));
            run_folder::remove(&folder);
            match found {
                Ok(found) => {
                    if let Some(level) = &found.thread_level {
                        let level = format!("MPI_THREAD_{}", level.to_uppercase());
                        self.run.environment.message_passing.thread_level = Some(level);
                    }
                    self.outcomes.add_job(&order.forms, plan.ranks, found);
                    return Ok(());
                }
                Err(BarrierJobFailure { subject: Some(number), reason, .. }) => {
                    let form = &order.forms[number];
                    eprintln!("  {}", text::failed(self.arguments.lang, form.label(), &reason));
                    self.outcomes.fail(form, plan.ranks, reason);
                }
                Err(BarrierJobFailure { subject: None, reason, .. }) => {
                    eprintln!("  {}", text::job_failed(self.arguments.lang, &reason));
                    order.forms.iter().for_each(|form| self.outcomes.fail(form, plan.ranks, reason.clone()));
                    return Ok(());
                }
            }
        }
    }

    fn job_spec(&mut self, plan: &JobPlan, forms: Vec<BarrierForm>, folder: &Path) -> BarrierJobSpec {
        BarrierJobSpec {
            folder: folder.to_owned(),
            backend: plan.backend,
            ranks: plan.ranks,
            cpus: self.cpus.clone(),
            seed: u64::from(self.random.rand_u32()),
            forms,
            sampling: self.sampling,
        }
    }
}

fn is_failure(line: &BarrierLine) -> bool {
    matches!(line, BarrierLine::BarrierSeries(series) if matches!(series.outcome, BarrierOutcome::Failed { .. }))
}
