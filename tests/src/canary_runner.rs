//! Builds the canaries, runs them, and collects their output.
//!
//! Cargo does not run the target `canary_cases` by itself; it is built once here, by the cargo that runs this test.
use std::{
    env,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        OnceLock,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use wb_comm::LibraryInfo;
use wb_process::Job;
use wb_record::{Backend, FunctionalRecord, Measurement, Record, read_all};
use wb_runner::launch;

use crate::{artifacts::executables, side_by_side::side_by_side};

/// The longest that any of them may run; the harness itself must be quicker.
const TIMEOUT: Duration = Duration::from_secs(180);

/// What Open MPI's launcher prints last where a rank has failed; then follow the rank and its exit code. Of some hundred launchers on a
/// loaded machine one then waits for ever for a lock of its own (4.1.4, `PMIx_server_finalize`).
const LAUNCHERS_LAST_WORDS: &str = "detected that one or more processes exited with non-zero status";

/// How long a launcher may run on after its last words.
const LAUNCHER_END_MAX: Duration = Duration::from_secs(10);

/// The end of a run of the canaries, and its output.
#[derive(Debug)]
pub struct RunOutput {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// From start to end.
    pub duration: Duration,
    /// Standard output and standard error.
    pub text: String,
    /// The verdicts as records.
    verdicts: Vec<FunctionalRecord>,
}

/// The report of one test.
#[derive(Debug)]
pub struct TestReport(
    /// All that libtest printed under the test's name.
    pub String,
);

/// The command that starts the canaries.
#[derive(Clone, Debug)]
pub struct CanaryRunner {
    binary: PathBuf,
    variables: Vec<(String, String)>,
}

/// The canaries, built.
///
/// # Panics
/// When they do not build.
pub fn canaries() -> CanaryRunner {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    let binary = BINARY.get_or_init(build).clone();
    // Their stages take microseconds, and each that hangs takes the whole limit.
    let variables = [("WB_LANG", "en"), ("WB_TASK_MAX_TIME", "0.5")];
    CanaryRunner { binary, variables: variables.map(|(name, value)| (name.into(), value.into())).into() }
}

/// The students' wrong tasks, built.
///
/// # Panics
/// When they do not build.
pub fn planted_cases() -> CanaryRunner {
    let built = executables(&["--test", "planted_cases"]);
    let binary =
        built.into_iter().map(|built| built.path).next_back().expect("a test target has an executable");
    let variables = [("WB_LANG", "en"), ("WB_TASK_MAX_TIME", "0.3")];
    CanaryRunner { binary, variables: variables.map(|(name, value)| (name.into(), value.into())).into() }
}

/// The modules of the canaries whose runs wait longest, in processes of their own; the last process runs all the others.
const SLOW_MODULES: [&[&str]; 4] =
    [&["slow::", "memory::"], &["destructors::"], &["deadlock::", "exits::"], &["panics::"]];

/// Canaries that run alone, under a shorter limit.
const UNENDING: &str = "unending::";

/// The tests that pass, which every process runs among its wrong ones.
const CORRECT: [&str; 2] = ["correct::", "wrong_results::z_right_after_all"];

/// The number of ranks of a plain run: the smallest at which a rank has another one.
pub const FULL_RUN_RANKS: usize = 2;

/// A plain run of all canaries, several processes side by side.
pub struct FullRun {
    /// The output of each process.
    pub parts: Vec<RunOutput>,
}

/// A plain run of all of them.
pub fn full_run() -> &'static FullRun {
    static OUTPUT: OnceLock<FullRun> = OnceLock::new();
    OUTPUT.get_or_init(|| {
        let slow = SLOW_MODULES.map(|modules| [modules, &CORRECT].concat());
        let elsewhere = SLOW_MODULES.concat().into_iter().chain([UNENDING]);
        let rest = elsewhere.flat_map(|module| ["--skip", module]).collect();
        let selections: Vec<Vec<&str>> = slow.into_iter().chain([rest]).collect();
        FullRun {
            parts: side_by_side(selections, |selected| {
                canaries().with_ranks(FULL_RUN_RANKS).run_alone(&selected)
            }),
        }
    })
}

/// A run of those whose calls do not end, at three ranks, two processes side by side.
pub fn unending_run() -> &'static FullRun {
    static OUTPUT: OnceLock<FullRun> = OnceLock::new();
    OUTPUT.get_or_init(|| {
        let canaries = canaries().with_ranks(3).with_variable("WB_TASK_MAX_TIME", "0.1");
        let slow = ["unending::messages", "unending::a_lock"];
        let rest = [&[UNENDING], &slow.map(|test| ["--skip", test]).concat()[..]].concat();
        FullRun { parts: side_by_side(vec![slow.to_vec(), rest], |selected| canaries.run_alone(&selected)) }
    })
}

impl FullRun {
    /// The process that ran a test.
    ///
    /// # Panics
    /// When there is none.
    fn part(&self, test: &str) -> &RunOutput {
        let line = format!("\ntest {test} ... ");
        self.parts
            .iter()
            .find(|part| part.text.contains(&line))
            .unwrap_or_else(|| panic!("{test} was not run"))
    }

    /// The report of a test that failed.
    ///
    /// # Panics
    /// When there is none.
    pub fn report(&self, test: &str) -> TestReport {
        self.part(test).report(test)
    }

    /// The one verdict on a test on this backend at this number of ranks.
    ///
    /// # Panics
    /// When there is none or more than one.
    pub fn verdict(&self, test: &str, backend: Backend, ranks: u32) -> &FunctionalRecord {
        self.part(test).verdict(test, backend, ranks)
    }
}

fn build() -> PathBuf {
    let built = executables(&["--test", "canary_cases"]);
    built.into_iter().map(|built| built.path).next_back().expect("a test target has an executable")
}

impl CanaryRunner {
    /// The library that they are linked with; `None` without MPI.
    pub fn library(&self) -> Option<LibraryInfo> {
        workbench::backends().processes.map(wb_comm::ProcessRanks::library)
    }

    /// The program.
    pub fn path(&self) -> &Path {
        &self.binary
    }

    /// The same with a variable of the environment set.
    pub fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.into(), value.into()));
        self
    }

    /// The same in another language.
    pub fn with_language(self, language: &str) -> Self {
        self.with_variable("WB_LANG", language)
    }

    /// The same on this number of ranks only.
    pub fn with_ranks(self, ranks: usize) -> Self {
        self.with_variable("WBTEST_CANARY_RANKS", &ranks.to_string())
    }

    /// Without a launcher.
    pub fn run_alone(&self, arguments: &[&str]) -> RunOutput {
        let mut command = Command::new(&self.binary);
        wb_process::remove_launcher_variables(&mut command);
        command.args(arguments);
        self.run(command)
    }

    /// Without a launcher, after a shell has executed `words`.
    pub fn run_after(&self, words: &str, arguments: &[&str]) -> RunOutput {
        let mut command = Command::new("sh");
        wb_process::remove_launcher_variables(&mut command);
        command.arg("-c").arg(format!("{words}; exec \"$0\" \"$@\"")).arg(&self.binary).args(arguments);
        self.run(command)
    }

    /// Under a launcher of their library.
    pub fn run_launched(&self, ranks: usize, arguments: &[&str]) -> RunOutput {
        let mut command = self.launcher(ranks, &self.binary);
        command.args(arguments);
        self.run(command)
    }

    /// Under a launcher, two processes one after the other in every slot, as cargo starts two test targets.
    pub fn run_launched_twice(&self, ranks: usize, filter: &str) -> RunOutput {
        let mut command = self.launcher(ranks, Path::new("sh"));
        command.args(["-c", "\"$0\" \"$1\" && \"$0\" \"$1\""]).arg(&self.binary).arg(filter);
        self.run(command)
    }

    /// Under a launcher of another library if this machine has one, and otherwise under the variables with which one
    /// announces its ranks.
    pub fn run_foreign_launcher(&self, ranks: usize, arguments: &[&str]) -> RunOutput {
        let ours = self.library().expect("linked with MPI").implementation;
        let foreign = if ours == "Open MPI" { "mpiexec.mpich" } else { "mpirun.openmpi" };
        let mut command = match is_installed(foreign) {
            true => {
                let mut command = Command::new(foreign);
                wb_process::remove_launcher_variables(&mut command);
                wb_process::launcher_environment(&mut command, ranks);
                command.args(["-n", &ranks.to_string()]).arg(&self.binary);
                command
            }
            false => {
                let mut command = Command::new(&self.binary);
                wb_process::remove_launcher_variables(&mut command);
                let family = if ours == "Open MPI" { "PMI" } else { "OMPI_COMM_WORLD" };
                command.env(format!("{family}_RANK"), "0").env(format!("{family}_SIZE"), ranks.to_string());
                command
            }
        };
        command.args(arguments);
        self.run(command)
    }

    fn launcher(&self, ranks: usize, program: &Path) -> Command {
        let library = self.library().expect("linked with MPI");
        launch::on_ranks(&library, ranks, &Command::new(program))
            .expect("the library's launcher is installed")
    }

    fn run(&self, mut command: Command) -> RunOutput {
        for name in ["WB_TASK_MAX_TIME", "NEXTEST"] {
            command.env_remove(name);
        }
        command.env("RUST_TEST_THREADS", "1");
        command.current_dir(crate::sources::root().join("tests"));
        let folder = tempfile::tempdir().expect("a folder");
        // Only tasks have records, so the canaries pass for one.
        let records = folder.path().join("records");
        command.env("WB_RECORDS", &records);
        command.env("CARGO_MANIFEST_DIR", crate::sources::root().join("tasks/example_p_integral"));
        command.envs(self.variables.iter().cloned());
        let output = folder.path().join("output");
        let job = Job::spawn_to_files(command, &output, &output).expect("it starts");
        end_launcher_after_last_words(&job, output.clone());
        let ended = job.wait(TIMEOUT).expect("it ends");
        let mut bytes = vec![];
        File::open(output).and_then(|mut file| file.read_to_end(&mut bytes)).expect("its output");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!ended.has_timed_out, "it had to be ended:\n{text}");
        let code = ended.status.code().or_else(|| code_in_last_words(&text));
        RunOutput { code, duration: ended.elapsed, text, verdicts: verdicts(&records) }
    }
}

/// Kills the launcher if it has printed its last words and does not end.
fn end_launcher_after_last_words(job: &Job, output: PathBuf) {
    let (ended, has_ended) = mpsc::channel();
    // What is dropped at the end of the job disconnects the channel.
    job.on_end(move || {
        let _ended: mpsc::Sender<()> = ended;
    })
    .expect("a thread");
    let launcher = Pid::from_raw(job.id() as i32).expect("a process");
    thread::spawn(move || {
        let is_running = |time| has_ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
        while is_running(Duration::from_millis(500)) {
            let text = fs::read(&output).unwrap_or_default();
            if String::from_utf8_lossy(&text).contains(LAUNCHERS_LAST_WORDS) && is_running(LAUNCHER_END_MAX) {
                // It may have ended at this moment.
                let _gone = kill_process(launcher, Signal::KILL);
            }
        }
    });
}

/// The exit code of the failed rank in a launcher's last words.
fn code_in_last_words(text: &str) -> Option<i32> {
    let (_, words) = text.split_once(LAUNCHERS_LAST_WORDS)?;
    let (_, code) = words.split_once("Exit code:")?;
    code.split_whitespace().next()?.parse().ok()
}

/// The verdicts in a file of records; none when there is no file.
fn verdicts(records: &Path) -> Vec<FunctionalRecord> {
    let records = read_all(&fs::read_to_string(records).unwrap_or_default()).expect("records are readable");
    let verdict = |record: Record| match record.measurement {
        Measurement::Functional(verdict) => Some(verdict),
        _ => None,
    };
    records.into_iter().filter_map(verdict).collect()
}

fn is_installed(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

impl RunOutput {
    /// The report of a test that failed.
    ///
    /// # Panics
    /// When there is none.
    pub fn report(&self, test: &str) -> TestReport {
        let heading = format!("---- {test} stdout ----\n");
        let (_, report) =
            self.text.split_once(&heading).unwrap_or_else(|| panic!("no report of {test}:\n{}", self.text));
        let end = report.find("\n---- ").or_else(|| report.find("\nfailures:\n")).unwrap_or(report.len());
        TestReport(report[..end].to_owned())
    }

    /// The one verdict on a test on this backend at this number of ranks.
    ///
    /// # Panics
    /// When there is none or more than one.
    pub fn verdict(&self, test: &str, backend: Backend, ranks: u32) -> &FunctionalRecord {
        let is_it = |v: &&FunctionalRecord| (v.test.as_str(), v.backend, v.ranks) == (test, backend, ranks);
        let found: Vec<_> = self.verdicts.iter().filter(is_it).collect();
        let [verdict] = found[..] else { panic!("{} verdicts: {found:?}\n{}", found.len(), self.text) };
        verdict
    }

    /// All of these texts are in it.
    ///
    /// # Panics
    /// When one is not.
    pub fn assert_contains(&self, texts: &[&str]) {
        assert_contains(&self.text, texts);
    }
}

impl TestReport {
    /// All of these texts are in it.
    ///
    /// # Panics
    /// When one is not.
    pub fn assert_contains(&self, texts: &[&str]) {
        assert_contains(&self.0, texts);
    }
}

fn assert_contains(whole: &str, texts: &[&str]) {
    for text in texts {
        assert!(whole.contains(text), "`{text}` is not in:\n{whole}");
    }
}
