//! One run: the build of a task's test programs and their execution on all backends, on a thread of its own.

use std::{
    fs,
    io::BufReader,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use cargo_metadata::Message;
use wb_messages::Lang;
use wb_process::{Job, JobExit};

use super::step_result::{ProgramEnd, Step, StepResult, StepVerdict};
use crate::{
    backend::SelectedBackend,
    error::{CliError, Result},
    test_program::{self, STEP_LIMIT},
    test_totals::{RECORDS_VARIABLE, count_disabled, hangs},
    workspace::Workspace,
};

/// Selects the backends that a test program runs on.
const BACKENDS_VARIABLE: &str = "WB_TEST_BACKENDS";

/// The file of cargo's messages for people, in the folder of the logs.
const BUILD_LOG: &str = "build";

/// The progress of a run.
pub(super) enum Progress {
    StepEnded(Step, StepResult),
    /// All jobs of the run have ended.
    Ended(Result<()>),
}

/// A thread that runs jobs, one after the other. They end when this is dropped.
pub(super) struct Run {
    jobs: Arc<Jobs>,
    thread: Option<JoinHandle<()>>,
}

impl Run {
    /// Starts `body` on a thread.
    pub(super) fn start(body: impl FnOnce(&Jobs) + Send + 'static) -> Self {
        let jobs = Arc::new(Jobs::default());
        let of_thread = Arc::clone(&jobs);
        Self { jobs, thread: Some(thread::spawn(move || body(&of_thread))) }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.jobs.stop();
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
    }
}

/// The current job of a run.
#[derive(Default)]
pub(super) struct Jobs(Mutex<JobState>);

#[derive(Default)]
struct JobState {
    is_stopped: bool,
    /// Takes how the current job ends.
    current: Option<Sender<JobEnding>>,
}

/// The reason why a job is not waited for any longer.
#[derive(PartialEq)]
enum JobEnding {
    EndedByItself,
    IsStopped,
}

impl Jobs {
    fn state(&self) -> MutexGuard<'_, JobState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs one job to its end; `None` when the run is stopped.
    fn run(&self, spawn: impl FnOnce() -> std::io::Result<Job>, limit: Duration) -> Result<Option<JobExit>> {
        let failed = || CliError::system("run", "cargo wb watch");
        let (sender, ending) = mpsc::channel();
        let job = {
            let mut state = self.state();
            if state.is_stopped {
                return Ok(None);
            }
            let job = spawn().map_err(failed())?;
            let at_end = sender.clone();
            job.on_end(move || drop(at_end.send(JobEnding::EndedByItself))).map_err(failed())?;
            state.current = Some(sender);
            job
        };
        let is_stopped = ending.recv_timeout(limit) == Ok(JobEnding::IsStopped);
        let exit = job.wait(if is_stopped { Duration::ZERO } else { limit }).map_err(failed())?;
        Ok((!self.state().is_stopped).then_some(exit))
    }

    fn stop(&self) {
        let mut state = self.state();
        state.is_stopped = true;
        // The job may have ended.
        state.current.take().into_iter().for_each(|job| drop(job.send(JobEnding::IsStopped)));
    }

    /// Runs a command whose output goes to the terminal.
    pub(super) fn run_command(&self, command: Command) -> Result<()> {
        self.run(|| Job::spawn(command), STEP_LIMIT).map(drop)
    }
}

/// The settings of a run.
pub(super) struct TestRequest {
    pub(super) workspace: Arc<Workspace>,
    pub(super) backend: SelectedBackend,
    pub(super) task: String,
    pub(super) folder: PathBuf,
    /// The folder of the logs.
    pub(super) logs: PathBuf,
    pub(super) lang: Lang,
}

impl TestRequest {
    /// Builds the test programs, runs them on all backends, and reports the progress; ends early when the run is stopped.
    pub(super) fn execute(&self, jobs: &Jobs, report: &dyn Fn(Progress)) -> Result<()> {
        let Some(programs) = self.build(jobs, report)? else { return Ok(()) };
        let mpi = self.backend.is_mpi().then_some((Step::Mpi, "mpi"));
        for (step, backends) in [(Step::OneProcess, "threads,virtual-time")].into_iter().chain(mpi) {
            let (start, mut result) = (Instant::now(), StepResult::default());
            for program in &programs {
                let Some(end) = self.run_program(program, backends, jobs)? else { return Ok(()) };
                result.add(&end);
            }
            report(Progress::StepEnded(step, StepResult { elapsed: start.elapsed(), ..result }));
        }
        Ok(())
    }

    /// The test programs; `None` when the build failed or was stopped.
    fn build(&self, jobs: &Jobs, report: &dyn Fn(Progress)) -> Result<Option<Vec<PathBuf>>> {
        let format = "--message-format=json-render-diagnostics";
        let arguments = ["test", "--no-run", format, "--package", &self.task, "--test", "*"];
        let mut cargo = self.backend.cargo(&self.workspace, &arguments);
        self.backend.select_features(&mut cargo);
        cargo.env("CARGO_TERM_COLOR", "always");
        let (messages, log) = (self.logs.join("messages"), self.logs.join(BUILD_LOG));
        let exit = jobs.run(|| Job::spawn_to_files(cargo, &messages, &log), STEP_LIMIT)?;
        let Some(exit) = exit else { return Ok(None) };
        let result = StepResult::of_build(exit.is_success(), &read(&log)?, exit.elapsed);
        let is_built = result.verdict == StepVerdict::Passed;
        report(Progress::StepEnded(Step::Build, result));
        let messages = fs::File::open(&messages).map_err(CliError::system("read", &messages))?;
        let programs = Message::parse_stream(BufReader::new(messages)).flatten().filter_map(test_program);
        Ok(is_built.then(|| programs.collect()))
    }

    /// Runs a test program on these backends; `None` when it was stopped.
    fn run_program(&self, program: &Path, backends: &str, jobs: &Jobs) -> Result<Option<ProgramEnd>> {
        let [out, err, verdicts] = ["stdout", "stderr", "verdicts.jsonl"].map(|name| self.logs.join(name));
        fs::write(&verdicts, "").map_err(CliError::system("write", &verdicts))?;
        let mut command = self.workspace.program(program, (&self.task, &self.folder));
        command.env("WB_LANG", self.lang.code()).env(RECORDS_VARIABLE, &verdicts);
        command.env(BACKENDS_VARIABLE, backends);
        let limit = test_program::limit(&self.workspace)?;
        let Some(exit) = jobs.run(|| Job::spawn_to_files(command, &out, &err), limit)? else {
            return Ok(None);
        };
        let (stdout, stderr) = (read(&out)?, read(&err)?);
        let ended_by =
            exit.has_timed_out.then(|| test_program::describe_unended(&self.task, limit, &stdout, self.lang));
        let (is_success, disabled) = (exit.is_success(), count_disabled(&verdicts, self.lang)?);
        let hangs = hangs(&verdicts)?;
        Ok(Some(ProgramEnd { is_success, stdout, stderr, ended_by, disabled, hangs }))
    }
}

/// The program of an integration test in a message of cargo.
fn test_program(message: Message) -> Option<PathBuf> {
    match message {
        Message::CompilerArtifact(artifact) if artifact.target.is_test() => {
            artifact.executable.map(PathBuf::from)
        }
        _ => None,
    }
}

fn read(path: &Path) -> Result<String> {
    let bytes = fs::read(path).map_err(CliError::system("read", path))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The last line that cargo has written into the logs in `folder`.
pub(super) fn last_build_line(folder: &Path) -> String {
    let output = fs::read(folder.join(BUILD_LOG)).unwrap_or_default();
    String::from_utf8_lossy(&output).lines().next_back().unwrap_or_default().to_owned()
}
