//! Runs a task's benchmark, which measures and writes records.

mod expected_records;
mod records;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use wb_config::{TaskSettings, VersionStatus};
use wb_messages::{Lang, WIDTH, cli as text, wrap};
use wb_process::{Job, JobExit};
use wb_record::{ComputingCost, Record};
use wb_text::Text;

use crate::{
    arguments::RankList,
    backend::SelectedBackend,
    benchmark_program,
    error::{CliError, Result},
    progress::{BuildDisplay, ProgressLine, ProgressPrefix},
    run_part::RunPart,
    sandboxed_task::{OutputFile, SandboxedTask},
    step,
    step::{CommandStep, OutputMode},
    test_program,
    test_totals::RECORDS_VARIABLE,
    workspace::Workspace,
};

pub(crate) use expected_records::ExpectedRecords;
pub(crate) use records::{parse_for_task, read, read_for_task};

/// The time limit of a benchmark, which also has limits of its own.
const LIMIT: Duration = Duration::from_secs(2 * 3600);

/// The name of a simulated machine, and its faults.
pub(crate) type MachineWithFaults<'a> = (&'a str, &'a [String]);

/// How to measure.
pub(crate) struct BenchmarkRunner<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) backend: SelectedBackend,
    pub(crate) quick: bool,
    /// The numbers of ranks, if not those of `task.yaml`; empty for those.
    pub(crate) ranks: &'a [u16],
    /// Whether standard output is for records only.
    pub(crate) quiet: bool,
    /// What the line of progress begins with, if one line is all that is shown until the result.
    pub(crate) progress: ProgressPrefix<'a>,
    /// The sandbox in which measurements are built and run, if there is one.
    pub(crate) sandbox: Option<SandboxedTask>,
    /// The part of a run that is measured, if it is not the whole run.
    pub(crate) part: Option<RunPart>,
}

/// The command that builds the benchmark of `task`, with its title.
pub(crate) fn build(workspace: &Workspace, backend: &SelectedBackend, task: &str) -> (String, Command) {
    let mut command =
        backend.cargo(workspace, &["bench", "--no-run", "--package", task, "--bench", "performance"]);
    backend.select_features(&mut command);
    (format!("cargo bench -p {task} --no-run"), command)
}

/// The numbers of ranks of the command line; empty for those of `task.yaml`.
pub(crate) fn rank_counts(wanted: Option<&RankList>) -> Vec<u16> {
    wanted.into_iter().flat_map(|ranks| ranks.iter().map(|&ranks| ranks as u16)).collect()
}

/// Whether any version of the task is to be measured.
pub(crate) fn is_enabled(settings: &TaskSettings) -> bool {
    [settings.status.seq, settings.status.mpi].contains(&VersionStatus::Enabled)
}

/// The name of the task, if it has an enabled version.
pub(crate) fn enabled_task(workspace: &Workspace, name: &str, lang: Lang) -> Result<String> {
    let task = workspace.task(name, lang)?;
    match is_enabled(&task.settings?) {
        true => Ok(task.name),
        false => Err(CliError::Usage(text::disabled(lang, task.name))),
    }
}

/// The result of a benchmark: also a failed one may have records.
pub(crate) struct BenchmarkResult {
    pub(crate) file: PathBuf,
    /// The reason for missing measurements.
    pub(crate) failure: Option<String>,
    /// The tests that did not end, where their program was ended at its limit.
    pub(crate) unended: Option<Text>,
    /// The records that are accepted.
    pub(crate) expected: ExpectedRecords,
}

impl BenchmarkResult {
    /// The records, or why there are none.
    pub(crate) fn records(&self, lang: Lang) -> std::result::Result<Vec<Record>, String> {
        let records = read(&self.file, lang).map_err(|why| self.failure.clone().unwrap_or(why))?;
        match self.expected.find_unexpected(&records, lang) {
            None => Ok(records),
            Some(refusal) => Err(refusal),
        }
    }
}

/// The conditions of a simulation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SimulationConditions<'a> {
    /// A name or a path.
    pub(crate) machine: &'a str,
    /// The injected faults.
    pub(crate) faults: &'a [String],
    pub(crate) computing: ComputingCost,
    /// Whether the reference of the assignment is simulated, too.
    pub(crate) reference: bool,
    /// The seed of the inputs; `None` is the one that is the same for all predictions.
    pub(crate) seed: Option<u64>,
}

impl<'a> BenchmarkRunner<'a> {
    /// Runners whose ranks are threads or virtual; the number of ranks is an argument of each run.
    pub(crate) fn without_mpi(workspace: &'a Workspace, quiet: bool) -> Self {
        let backend = SelectedBackend::Threads;
        Self {
            workspace,
            backend,
            quick: false,
            ranks: &[],
            quiet,
            progress: None,
            sandbox: None,
            part: None,
        }
    }

    /// The same runner on other ranks.
    pub(crate) fn with_ranks<'b>(&'b self, ranks: &'b [u16]) -> BenchmarkRunner<'b> {
        let (backend, sandbox) = (self.backend.clone(), self.sandbox.clone());
        BenchmarkRunner { ranks, backend, sandbox, part: self.part.clone(), ..*self }
    }

    /// The same runner with another line of progress.
    pub(crate) fn with_progress<'b>(&'b self, progress: ProgressPrefix<'b>) -> BenchmarkRunner<'b> {
        BenchmarkRunner { progress, ..self.with_ranks(self.ranks) }
    }

    /// Measures `task`; failures are described in `lang`.
    pub(crate) fn measure(&self, task: &str, lang: Lang) -> Result<BenchmarkResult> {
        let (runner, records, expected) = self.with_records(task, "records.jsonl", "jsonl")?;
        let ended = runner.run_benchmark(task, None, lang, |command| {
            command.args(self.progress.iter().flat_map(|prefix| ["--wb-progress", prefix]));
            command.arg("--wb-records").arg(&records.inside).args(self.quick.then_some("--wb-quick"));
            if let Some(part) = &self.part {
                command.args(["--wb-part", &part.launches.to_string()]);
            }
        })?;
        let failure = describe_failure(&ended, lang);
        Ok(BenchmarkResult { file: records.outside, failure, unended: None, expected })
    }

    /// The runner with an empty file for the records of `task`, to which its benchmark appends: records of an earlier run must
    /// not be mixed with this one's. The records of the run that begins now are accepted.
    fn with_records(
        &self,
        task: &str,
        in_sandbox: &str,
        ending: &str,
    ) -> Result<(BenchmarkRunner<'_>, OutputFile, ExpectedRecords)> {
        let (folder, name) = match &self.part {
            None => ("records".to_owned(), format!("{task}.{ending}")),
            Some(part) => (part.folder(task), part.file(ending)),
        };
        let (mut runner, records) = self.with_file((&folder, &name), in_sandbox, "")?;
        // A benchmark locks a file beside its records, which it cannot make in a sandbox.
        if let Some(sandbox) = runner.sandbox.take() {
            let lock = Path::new(in_sandbox).with_extension("lock");
            runner.sandbox = Some(sandbox.with_output_file(&lock.to_string_lossy())?.0);
        }
        Ok((runner, records, ExpectedRecords::for_task(self.workspace, task)))
    }

    /// The runner with a file that a machine is read from.
    pub(crate) fn with_machine(&self, name: &str, text: &str) -> Result<(BenchmarkRunner<'_>, PathBuf)> {
        let file = format!("{name}.yaml");
        self.with_file(("machines", &file), &file, text).map(|(runner, file)| (runner, file.inside))
    }

    /// The runner with a file of this text: in a folder of ours, or in the sandbox if there is one.
    fn with_file(
        &self,
        (folder, name): (&str, &str),
        in_sandbox: &str,
        text: &str,
    ) -> Result<(BenchmarkRunner<'_>, OutputFile)> {
        let mut runner = self.with_ranks(self.ranks);
        let Some(sandbox) = runner.sandbox else {
            let file = self.scratch_file(folder, name, text)?;
            return Ok((runner, OutputFile { inside: file.clone(), outside: file }));
        };
        let (sandbox, file) = sandbox.with_output_file(in_sandbox)?;
        runner.sandbox = Some(sandbox);
        fs::write(&file.outside, text).map_err(CliError::system("write", &file.outside))?;
        Ok((runner, file))
    }

    /// A file of this text in a folder of ours.
    fn scratch_file(&self, folder: &str, name: &str, text: &str) -> Result<PathBuf> {
        let file = self.workspace.scratch(folder)?.join(name);
        fs::write(&file, text).map_err(CliError::system("write", &file))?;
        Ok(file)
    }

    /// Runs the functional tests of `task`, whose verdicts become records too.
    pub(crate) fn test(&self, task: &str, lang: Lang) -> Result<BenchmarkResult> {
        let (runner, verdicts, expected) = self.with_records(task, "verdicts.jsonl", "verdicts.jsonl")?;
        let log = self.workspace.scratch("records")?.join(format!("{task}.tests.log"));
        // The limit is that of the program, so its build is not part of it. A build that fails does so again below, where it is shown.
        let line = self.progress.map(|prefix| ProgressLine::new(prefix, text::testing(lang).trim()));
        let build = runner.confine(runner.functional_tests(task, &["--no-run"]))?;
        let built = Job::spawn_to_files(build, &log, &log).and_then(|job| job.wait(LIMIT));
        built.map_err(CliError::system("run", "cargo test"))?;
        let mut command = runner.functional_tests(task, &[]);
        command.env(RECORDS_VARIABLE, &verdicts.inside).env("WB_LANG", lang.code());
        let command = runner.confine(command)?;
        let (title, limit) = (text::testing(lang), test_program::limit(self.workspace)?);
        let show = self.progress.map_or(OutputMode::Failure, |_| OutputMode::Hidden);
        let ended = CommandStep { title, command, limit, show, log: &log }.run(lang)?;
        drop(line);
        // What the records say is in the report.
        if show == OutputMode::Hidden && !ended.is_success() && read(&verdicts.outside, lang).is_err() {
            step::show_output(&log)?;
        }
        let (failure, unended) = match (ended.is_success(), ended.has_timed_out) {
            (true, _) => (None, None),
            (false, false) => (Some(text::tests_failed(lang)), None),
            (false, true) => {
                let output = fs::read(&log).map_err(CliError::system("read", &log))?;
                let output = String::from_utf8_lossy(&output);
                let report = |lang| test_program::describe_unended(task, limit, &output, lang);
                if self.progress.is_none() {
                    println!("{}", wrap(&report(lang), "", "  ", WIDTH));
                }
                let both = Text { en: report(Lang::En).into(), ru: report(Lang::Ru).into() };
                (Some(report(lang)), Some(both))
            }
        };
        Ok(BenchmarkResult { file: verdicts.outside, failure, unended, expected })
    }

    /// cargo on the functional tests of a task.
    fn functional_tests(&self, task: &str, more: &[&str]) -> Command {
        self.cargo(&[&["test", "--package", task, "--test", "functional"], more].concat())
    }

    /// `cargo` with these arguments, building for the backend.
    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.backend.cargo(self.workspace, arguments);
        self.backend.select_features(&mut command);
        command
    }

    /// Traces one run of `task` on the runner's number of ranks, simulated if a machine is named: the file of the trace, or why there is none.
    pub(crate) fn trace(
        &self,
        task: &str,
        workload: Option<&str>,
        machine: Option<MachineWithFaults<'_>>,
        lang: Lang,
    ) -> Result<std::result::Result<PathBuf, String>> {
        // The records of an earlier run must not be mixed with the new ones.
        let file = self.scratch_file("traces", &format!("{task}.json"), "")?;
        let activity = text::tracing(lang, task, list(self.ranks));
        let ended = self.run_benchmark(task, Some(activity), lang, |command| {
            command.arg("--wb-trace").arg(&file);
            if let Some((machine, faults)) = machine {
                command.args(["--wb-simulate", machine]);
                command.args(faults.iter().flat_map(|fault| ["--wb-fault", fault]));
            }
            command.args(workload.iter().flat_map(|workload| ["--wb-workload", workload]));
        })?;
        Ok(describe_failure(&ended, lang).map_or(Ok(file), Err))
    }

    /// Simulates `task` under these conditions at these numbers of ranks, all its workloads or one.
    pub(crate) fn simulate(
        &self,
        task: &str,
        conditions: &SimulationConditions<'_>,
        ranks: &[u32],
        workload: Option<&str>,
        lang: Lang,
    ) -> Result<BenchmarkResult> {
        let (runner, records, expected) = self.with_records(task, "simulated.jsonl", "simulated.jsonl")?;
        let SimulationConditions { machine, faults, computing, reference, seed } = *conditions;
        let activity = text::simulating(lang, task, wb_config::machine_name(machine));
        let ended = runner.run_benchmark(task, Some(activity), lang, |command| {
            command.arg("--wb-records").arg(&records.inside);
            command.args(["--wb-simulate", machine, "--wb-ranks", &list(ranks)]);
            command.args(["--wb-compute", computing.name()]);
            command.args(reference.then_some("--wb-reference"));
            command.args(seed.iter().flat_map(|seed| ["--wb-seed".to_owned(), seed.to_string()]));
            command.args(faults.iter().flat_map(|fault| ["--wb-fault", fault]));
            command.args(workload.iter().flat_map(|workload| ["--wb-workload", workload]));
        })?;
        let failure = describe_failure(&ended, lang);
        Ok(BenchmarkResult { file: records.outside, failure, unended: None, expected })
    }

    /// Checks `task` in every order that MPI allows, with these arguments of its benchmark, which prints the result.
    pub(crate) fn check(&self, task: &str, wanted: &[&str], lang: Lang) -> Result<JobExit> {
        self.run_benchmark(task, None, lang, |command| {
            command.arg("--wb-check").args(wanted);
        })
    }

    /// Builds the benchmarks of these tasks together, on all cores. What does not compile is reported when its task is measured.
    pub(crate) fn build_all(&self, tasks: &[&str], lang: Lang) -> Result<()> {
        let failed = CliError::system("run", "cargo bench --no-run");
        let mut build =
            self.cargo(&["bench", "--no-run", "--no-fail-fast", "--quiet", "--bench", "performance"]);
        build.args(tasks.iter().flat_map(|task| ["--package", task]));
        let display = BuildDisplay::new(Some(""), text::building_all(lang, tasks.len()), &mut build);
        build.stdout(Stdio::null()).stderr(Stdio::null());
        let built = display.and_then(|display| {
            Job::spawn(build)?.wait(LIMIT)?;
            display.end(None)
        });
        built.map(drop).map_err(failed)
    }

    /// Builds the benchmark of `task` and runs it on the requested ranks, with the arguments that `add` gives it. The line of progress
    /// shows `activity` while it runs, unless the program draws its own.
    fn run_benchmark(
        &self,
        task: &str,
        activity: Option<String>,
        lang: Lang,
        add: impl FnOnce(&mut Command),
    ) -> Result<JobExit> {
        let mut build = self.cargo(&benchmark_program::build_arguments(task, "performance"));
        build.args(BuildDisplay::is_quiet(self.progress).then_some("--quiet"));
        let mut build = self.confine(build)?;
        let failed = CliError::system("run", "cargo bench --no-run");
        let display =
            BuildDisplay::new(self.progress, text::building(lang, task), &mut build).map_err(failed)?;
        let (built, program) = benchmark_program::build(build, "performance")?;
        let _line = display.end(activity).map_err(CliError::system("run", "cargo bench --no-run"))?;
        let Some(program) = program else { return Ok(built) };
        let folder = self.workspace.task(task, lang)?.folder;
        let mut command = self.workspace.program(&program, (task, &folder));
        command.args(["--wb-lang", lang.code()]);
        if !self.ranks.is_empty() {
            command.args(["--wb-ranks", &list(self.ranks)]);
        }
        add(&mut command);
        let mut command = self.confine(command)?;
        if self.quiet {
            command.stdout(Stdio::from(std::io::stderr()));
        }
        Job::spawn(command).and_then(|job| job.wait(LIMIT)).map_err(CliError::system("run", program))
    }

    /// The command in the sandbox, if there is one.
    fn confine(&self, command: Command) -> Result<Command> {
        match &self.sandbox {
            Some(sandbox) => sandbox.command(&command),
            None => Ok(command),
        }
    }
}

/// Why a benchmark failed, if it did.
fn describe_failure(ended: &JobExit, lang: Lang) -> Option<String> {
    (!ended.is_success()).then(|| step::describe_failure(ended, LIMIT, lang))
}

/// `1,2,4`.
pub(crate) fn list(ranks: &[impl ToString]) -> String {
    ranks.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
