//! The orchestrator: runs the schedule job by job and writes a record of everything that was seen.
//!
//! Records are written as they come, so that a campaign that is broken off keeps what it has.
use std::{
    io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use wb_messages::{Lang, performance as text};
use wb_process::output::say;
use wb_record::{
    Backend, Ceiling, Clock, Environment, Formula, Measurement, Record, Sentinel, Series, Sweep, Timing,
    Version,
};

use super::{
    Package, Program,
    arguments::Arguments,
    book::{self, Book},
    checked,
    display::Display,
    facts,
    forced::Forced,
    job::{self, Found, Trouble},
    order::{Counted, Findings, Measured, Order, Swept, Work},
    record_file::RecordFile,
    schedule::{self, Extras, Purpose, Step},
    settings::Settings,
    simulated, summary, sweep,
    traced::{self, Wanted},
};
use crate::{Backends, folder};

/// Elements (of 8 bytes) of a sweep: 8 bytes to 8 MiB, four times as many each step.
const SWEEP_COUNTS: [usize; 11] = [1, 4, 16, 64, 256, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20];

/// The same where ranks share cores: two sizes tell whether it works.
const SHORT_COUNTS: [usize; 2] = [1, 1 << 10];

/// A launch before and after which the machine differs by more than this is repeated once, in a final run.
const LARGEST_DRIFT: f64 = 0.10;

/// Bytes of a sweep's element.
const ELEMENT_BYTES: u64 = size_of::<f64>() as u64;

/// `main` of the orchestrator.
pub(crate) fn main(package: Package, backends: Backends, program: &Program) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !Arguments::ask_to_measure(&arguments) {
        say(format_args!("{}\n", text::not_measuring(Lang::of_environment(), package.name)));
        return ExitCode::SUCCESS;
    }
    let arguments = match Arguments::parse(&arguments) {
        Ok(arguments) => arguments,
        Err(refusal) => return refuse(&refusal),
    };
    let lang = arguments.lang.unwrap_or_else(Lang::of_environment);
    if wb_process::launched().is_some() {
        return refuse(&text::inside_a_launcher(lang));
    }
    let mut settings = match Settings::load(package, &arguments, lang) {
        Ok(settings) => settings,
        Err(error) => return refuse(&error.to_string()),
    };
    if let Some(file) = arguments.trace.clone() {
        return traced::main(package, backends, &settings, Wanted::of(file, &arguments), lang);
    }
    if arguments.check {
        return checked::main(package, &settings, &arguments, lang);
    }
    if let Some(machine) = &arguments.machine {
        return simulated::main(package, backends, &settings, (machine, &arguments), lang);
    }
    if arguments.ranks.is_none() {
        settings.measure_alone();
    }
    match Campaign::new(package, backends, program, settings, &arguments, lang).and_then(Campaign::run) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => refuse(&error.to_string()),
    }
}

fn refuse(why: &str) -> ExitCode {
    eprintln!("{}", wb_escape::terminal(why));
    ExitCode::from(2)
}

/// What one job adds to the environment of its records.
#[derive(Default)]
struct Circumstances {
    clock: Option<Clock>,
    thread_level: Option<String>,
    variables: Vec<(String, String)>,
}

/// One run of the orchestrator.
struct Campaign<'a> {
    backends: Backends,
    program: &'a Program,
    settings: Settings,
    environment: Environment,
    cores: usize,
    extras: Extras,
    lang: Lang,
    run: String,
    random: oorandom::Rand32,
    records: PathBuf,
    out: RecordFile,
    shows_summary: bool,
    folder: PathBuf,
    book: Book,
    counts: Vec<(usize, Counted)>,
    sweeps: Vec<Sweep>,
    sweep_failed: bool,
    /// Sweeps that failed once are not tried again.
    lost_sweeps: Vec<(Purpose, usize)>,
}

impl<'a> Campaign<'a> {
    fn new(
        package: Package,
        backends: Backends,
        program: &'a Program,
        settings: Settings,
        arguments: &Arguments,
        lang: Lang,
    ) -> io::Result<Self> {
        let now = jiff::Timestamp::now();
        let seed = arguments.seed.unwrap_or(now.as_nanosecond() as u64);
        let records = match &arguments.records {
            Some(records) => records.clone(),
            None => default_records(package.name)?,
        };
        let sweep = program.verbs.is_some();
        let operation = program.verbs.as_ref().map(|verbs| verbs.theory(2).operation);
        let library = backends.processes.map(wb_comm::Processes::library);
        let forced = library.zip(operation).and_then(|(library, op)| Forced::of(&library, op)).is_some();
        Ok(Self {
            backends,
            program,
            environment: facts::environment(Path::new(package.folder), backends, seed),
            cores: wb_process::usable_cores(),
            extras: Extras { sweep, forced, reference: program.reference.is_some() },
            lang,
            run: format!("{}-{}-{}", package.name, now.as_second(), std::process::id()),
            random: oorandom::Rand32::new(seed),
            out: RecordFile::create(&records, lang)?,
            records,
            shows_summary: arguments.records.is_none(),
            folder: folder::create()?,
            book: Book::of(&settings),
            settings,
            counts: vec![],
            sweeps: vec![],
            sweep_failed: false,
            lost_sweeps: vec![],
        })
    }

    /// Runs everything; tells whether nothing failed.
    fn run(mut self) -> io::Result<bool> {
        self.write(self.settings.plan.clone(), &Circumstances::default())?;
        let planned: Vec<Step> = (0..self.settings.plan.launches).flat_map(|n| self.launch(n)).collect();
        let mut display = Display::on_stderr(planned.len());
        self.take_all(planned, &mut display)?;
        for launch in self.settings.plan.launches..self.settings.launches_at_most() {
            let steps = self.launch(launch);
            display.extend(steps.len());
            self.take_all(steps, &mut display)?;
        }
        display.finish();
        for outcome in self.book.outcomes(&self.settings) {
            self.write(outcome, &Circumstances::default())?;
        }
        if self.shows_summary {
            let task = &self.settings.subject.task;
            say(format_args!(
                "{}",
                summary::summary(&self.book, &self.sweeps, &self.records, task, self.lang)
            ));
        }
        Ok(!self.book.has_failed() && !self.sweep_failed)
    }

    /// The steps of one launch that are wanted as far as is known now.
    fn launch(&mut self, launch: u32) -> Vec<Step> {
        let mut steps = schedule::launch(&self.settings, self.extras, self.cores, launch, &mut self.random);
        steps.retain(|&step| self.wants(step));
        steps
    }

    fn take_all(&mut self, steps: Vec<Step>, display: &mut Display) -> io::Result<()> {
        for step in steps {
            let what = self.name(step);
            // An earlier launch may have shown that there is no point.
            if !self.wants(step) {
                display.skip();
                continue;
            }
            display.begin(&what);
            if let Err(trouble) = self.take(step)? {
                display.say(&text::job_failed(self.lang, what, trouble.tell(self.lang)));
                self.note_trouble(step, &trouble);
            }
        }
        Ok(())
    }

    fn wants(&self, step: Step) -> bool {
        !self.lost_sweeps.contains(&(step.purpose, step.ranks))
            && self.book.wants(step, &self.settings, self.cores)
    }

    /// Runs one job and writes what it found.
    fn take(&mut self, step: Step) -> io::Result<Result<(), Trouble>> {
        let forced = self.forced(step);
        let order = self.order(step)?;
        let mut found = job::run(&order, self.backends, forced);
        if let Ok(first) = &found
            && !self.settings.plan.quick
            && sentinel(&first.findings).and_then(|s| s.drift()).is_some_and(|drift| drift > LARGEST_DRIFT)
        {
            if let Purpose::Series(version) = step.purpose {
                self.book.note_repeated(&self.settings.workloads, version, step.ranks);
            }
            let again = self.order(step)?;
            found = job::run(&again, self.backends, forced);
        }
        match found {
            Err(trouble) => Ok(Err(trouble)),
            Ok(found) => self.keep(step, forced, found).map(Ok),
        }
    }

    fn forced(&self, step: Step) -> Option<Forced> {
        if step.purpose != (Purpose::Sweep { forced: true }) {
            return None;
        }
        let operation = self.program.verbs.as_ref()?.theory(step.ranks).operation;
        Forced::of(&self.backends.processes?.library(), operation)
    }

    /// The order for a step, with a fresh folder for its answers.
    fn order(&self, step: Step) -> io::Result<Order> {
        let alone =
            matches!(step.purpose, Purpose::Series(Version::Seq | Version::Reference) | Purpose::Count);
        let crowded = step.ranks > self.cores;
        let folder = tempfile::Builder::new().prefix("job-").tempdir_in(&self.folder)?.keep();
        let (work, sampling) = match step.purpose {
            Purpose::Series(_) => (Work::Series(self.settings.workloads.clone()), self.settings.sampling),
            Purpose::Sweep { .. } if crowded => (Work::Sweep(SHORT_COUNTS.into()), self.settings.sweep),
            Purpose::Sweep { .. } => (Work::Sweep(SWEEP_COUNTS.into()), self.settings.sweep),
            Purpose::Count => (Work::Count(SWEEP_COUNTS.into()), self.settings.sweep),
        };
        Ok(Order {
            folder,
            version: match step.purpose {
                Purpose::Series(version) => version,
                Purpose::Sweep { .. } | Purpose::Count => Version::Mpi,
            },
            backend: if alone { Backend::Threads } else { self.environment.message_passing.backend },
            ranks: step.ranks,
            // One input for all versions of a launch.
            seed: self.environment.seed.wrapping_add(u64::from(step.launch)),
            spins: !crowded,
            limit: self.settings.limit,
            work,
            sampling: if crowded { self.settings.short } else { sampling },
        })
    }

    /// Writes what a job found.
    fn keep(&mut self, step: Step, forced: Option<Forced>, found: Found) -> io::Result<()> {
        let Found { findings, wrong, .. } = found;
        let launch = step.launch;
        let around = Circumstances {
            clock: Some(findings.clock.clone()),
            thread_level: findings.thread_level.clone(),
            variables: forced.into_iter().flat_map(Forced::variables).collect(),
        };
        if let Purpose::Series(version) = step.purpose {
            let samples_ns = findings.ceiling.clone();
            let ceiling = Ceiling { ranks: step.ranks as u32, launch, samples_ns };
            self.write(ceiling, &around)?;
            for measured in &findings.series {
                let series = book::series(&measured.request, version, measured.mode, step.ranks);
                let least_ns = self.settings.plan.least_repetition_ns;
                self.book.note(&series, measured, &findings.clock, least_ns, wrong.as_deref());
                let timing = timing(series, launch, measured, &findings);
                self.write(timing, &around)?;
            }
        }
        for swept in &findings.sweep {
            let sweep = self.sweep(step, forced, swept);
            self.sweep_failed |= !sweep.correct;
            self.write(sweep.clone(), &around)?;
            self.sweeps.push(sweep);
        }
        self.counts.extend(findings.counts.into_iter().map(|counted| (step.ranks, counted)));
        Ok(())
    }

    fn sweep(&self, step: Step, forced: Option<Forced>, swept: &Swept) -> Sweep {
        let verbs = self.program.verbs.as_ref().expect("sweeps are of communication assignments only");
        let theory = verbs.theory(step.ranks);
        let counted = self.counts.iter().find(|(ranks, c)| *ranks == step.ranks && c.count == swept.count);
        Sweep {
            operation: theory.operation.to_owned(),
            ranks: step.ranks as u32,
            root: sweep::ROOT as u32,
            element: "f64".to_owned(),
            count: swept.count as u64,
            bytes: swept.count as u64 * ELEMENT_BYTES,
            launch: step.launch,
            inner_iterations: swept.inner as u64,
            student_ns: swept.own.clone(),
            library_ns: swept.library.clone(),
            library_call: library_call(self.environment.message_passing.backend, theory.operation),
            library_algorithm: forced.map(|forced| forced.algorithm.to_owned()),
            messages: swept.messages,
            rounds: counted.map(|(_, counted)| counted.rounds),
            formula: Some(Formula {
                algorithm: theory.algorithm.to_owned(),
                messages: theory.messages.1,
                messages_formula: theory.messages.0.to_owned(),
                rounds: theory.rounds.1,
                rounds_formula: theory.rounds.0.to_owned(),
            }),
            correct: swept.correct,
            moves_nothing: swept.moves_nothing,
        }
    }

    fn note_trouble(&mut self, step: Step, trouble: &Trouble) {
        match step.purpose {
            Purpose::Series(version) => {
                self.book.note_trouble(&self.settings.workloads, version, step.ranks, trouble);
            }
            Purpose::Sweep { .. } | Purpose::Count => {
                self.sweep_failed = true;
                self.lost_sweeps.push((step.purpose, step.ranks));
            }
        }
    }

    /// Writes one record.
    fn write(&mut self, measurement: impl Into<Measurement>, around: &Circumstances) -> io::Result<()> {
        let mut environment = self.environment.clone();
        if let Some(clock) = &around.clock {
            environment.clock.clone_from(clock);
        }
        let level = around.thread_level.as_ref().map(|level| format!("MPI_THREAD_{}", level.to_uppercase()));
        environment.message_passing.thread_level = level;
        environment.variables.extend(around.variables.iter().cloned());
        let at = jiff::Timestamp::now().round(jiff::Unit::Second).map_err(io::Error::other)?;
        let subject = self.settings.subject.clone();
        let record = Record::new(self.run.clone(), at.to_string(), subject, environment, measurement)
            .with_nonce(facts::nonce());
        self.out.write(&record)
    }

    /// A step as the user reads it.
    fn name(&self, step: Step) -> String {
        let (lang, launch, ranks) = (self.lang, step.launch + 1, step.ranks);
        match step.purpose {
            Purpose::Series(Version::Mpi) => text::job_mpi(lang, launch, ranks),
            Purpose::Series(Version::Seq) => text::job_seq(lang, launch),
            Purpose::Series(Version::Reference) => text::job_reference(lang, launch),
            Purpose::Sweep { forced: false } => text::job_sweep(lang, launch, ranks),
            Purpose::Sweep { forced: true } => text::job_forced_sweep(lang, launch, ranks),
            Purpose::Count => text::job_count(lang, ranks),
        }
    }
}

/// What one launch of a series found, as a record has it.
pub(crate) fn timing(series: Series, launch: u32, measured: &Measured, findings: &Findings) -> Timing {
    Timing {
        series,
        launch,
        fresh_inputs: Some(measured.fresh_inputs),
        warmup_dropped: measured.warmup_dropped as u32,
        inner_iterations: 1,
        repetitions: measured.repetitions.clone(),
        stages: measured.stages.clone(),
        traffic: Some(measured.traffic),
        sentinel: sentinel(findings),
    }
}

/// The kernel before and after a job, if it ran.
fn sentinel(findings: &Findings) -> Option<Sentinel> {
    let (before_ns, after_ns) = (findings.sentinel_before.clone(), findings.sentinel_after.clone());
    (!before_ns.is_empty()).then_some(Sentinel { before_ns, after_ns })
}

/// The name of the verb that the own one is held against.
fn library_call(backend: Backend, operation: &str) -> String {
    match (backend, operation.split_at_checked(1)) {
        (Backend::Mpi, Some((first, rest))) => format!("MPI_{}{rest}", first.to_uppercase()),
        _ => format!("World::{operation}"),
    }
}

/// `wb/perf/<task>.jsonl` in the target directory that this program was built into.
fn default_records(task: &str) -> io::Result<PathBuf> {
    Ok(folder::state()?.join("perf").join(format!("{task}.jsonl")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_librarys_call_has_the_librarys_name() {
        assert_eq!(library_call(Backend::Mpi, "bcast"), "MPI_Bcast");
        assert_eq!(library_call(Backend::Threads, "bcast"), "World::bcast");
    }
}
