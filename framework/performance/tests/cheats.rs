//! Cheats under the judge and the sandbox: none gets a pass for what it does.
//!
//! This program is the judge, and under another name each of the cheats. A cheat that attacks gives the right answer only if its
//! attack succeeds, so a pass means that it does. Those attacks are also made without the sandbox, where they succeed.
//!
//! Versions that look faster than they are give the right answer and pass. The judge measures them, and its records earn nothing.
//! `src/cheat_tests.rs` has the same ones in a student's own run.
#[path = "cheats/cheat.rs"]
mod cheat;
#[path = "cheats/measured.rs"]
mod measured;
#[path = "judge/judged/own_main.rs"]
#[allow(dead_code, reason = "`wb_performance::judge` has the tests of all kinds")]
mod own_main;
#[path = "cheats/timed_cheat.rs"]
mod timed_cheat;

use std::{
    fs,
    io::Write,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    thread,
    time::Duration,
};

use cheat::{Cheat, KEPT_FILE, PREFIX, Reference, Squares};
use libtest_mimic::Trial;
use wb_performance::{BenchmarkProgram, Package, judge::RankArguments};
use wb_process::sandbox::Sandbox;
use wb_record::{FunctionalRecord, Measurement, TestOutcome, Version, read_all};

/// A cheat, and a part of the reason for which it fails; both outcomes of attacks that the sandbox alone stops.
const CHEATS: [(&str, &str); 20] = [
    ("finds the judge", WRONG),
    ("forges records", WRONG),
    ("replaces the settings", WRONG),
    ("reads another solution", WRONG),
    ("asks a server", WRONG),
    ("makes a namespace", WRONG),
    ("keeps the answer in files", WRONG),
    ("keeps the first answer", WRONG),
    ("knows the inputs", WRONG),
    ("works on after the answer", WRONG),
    ("prints records", WRONG),
    ("communicates nothing", "the parallel version communicated nothing"),
    ("only reads the file", "the parallel version communicated nothing"),
    ("makes a topology", "communicator(s) with a topology"),
    ("makes a topology for long inputs", "communicator(s) with a topology"),
    ("exits early", "without an answer"),
    ("aborts", "without an answer"),
    // The limit is that of the course.
    ("hangs", "within 1 s; the job was ended"),
    ("kills all processes", "without an answer"),
    ("floods its output", "ended without an answer"),
];

/// The attacks that succeed where there is no sandbox.
const STOPPED_BY_SANDBOX: [&str; 6] = [
    "finds the judge",
    "forges records",
    "replaces the settings",
    "reads another solution",
    "asks a server",
    "keeps the answer in files",
];

/// Attempts with the verbs of files. A rank refuses them even without a sandbox.
const OF_FILES: [&str; 5] = [
    "opens another solution",
    "opens a path above the files",
    "opens a file that is not listed",
    "writes a file of the assignment",
    "makes a file",
];

const WRONG: &str = "the output of rank 0 is wrong";

/// An input of a private folder, which is for two ranks only.
const PRIVATE_INPUT: &str = r#"{ "name": "private", "ranks": [2], "input": [3, 4] }"#;

/// The file of the records, in the folder of the task.
const RECORDS: &str = "records.jsonl";

/// More than a flooding program may leave on the disk, in bytes.
const OUTPUT_MAX: u64 = 1 << 30;

const SETTINGS: &str = "student: Ivan Ivanov\ngroup: 3823B1PR1\ntask_number: 2\nvariant: 7\n\
    status: { seq: enabled, mpi: enabled }\n";

const ASSIGNMENT: &str = "kind: communication\nperformance:\n  workloads:\n    - { name: numbers, size: 1000 }\n  \
    ranks: [1, 2]\nfiles: [seven.bin]\n";

/// The end of this process, if it is a judge or a cheat.
pub(crate) fn run_part() -> Option<ExitCode> {
    let package = Package { folder: env!("CARGO_MANIFEST_DIR"), name: env!("CARGO_PKG_NAME") };
    if let Some(cheat) = Cheat::of_this_program() {
        let words: Vec<String> = std::env::args().collect();
        if let (true, Ok(Some(arguments))) =
            (cheat.0.starts_with(own_main::PREFIX), RankArguments::from_arguments(&words))
        {
            return Some(own_main::main(&arguments, &cheat.0));
        }
        let program = BenchmarkProgram::for_assignment(Reference, cheat);
        return Some(wb_performance::main(package, workbench::backends(), &program));
    }
    if let Some(program) = measured::of_this_program() {
        return Some(wb_performance::main(package, workbench::backends(), &program));
    }
    // The judge, and the workers with which it measures the machine.
    if std::env::var_os(measured::IS_JUDGED).is_some() {
        return Some(measured::judge_main(package));
    }
    if std::env::args().any(|word| word.starts_with("--wb-")) {
        let program = BenchmarkProgram::of_judge::<Squares>();
        return Some(wb_performance::judge_main::<Squares>(package, workbench::backends(), &program));
    }
    None
}

pub(crate) fn trials() -> Vec<Trial> {
    let found = Sandbox::find();
    if let Err(error) = &found {
        println!("SKIP: {error}");
    }
    let has_mpi = workbench::backends().processes.is_some();
    if !has_mpi {
        println!(
            "SKIP: this program is not linked with MPI; `cargo test --workspace --test measurements` links it"
        );
    }
    let trial = |name: String, test: Box<dyn FnOnce() + Send>| {
        let run = move || {
            test();
            Ok(())
        };
        let needs_mpi = name.starts_with("mpi: ") || name.starts_with(FILES_OF_MPI);
        Trial::test(name, run).with_ignored_flag(found.is_err() || needs_mpi && !has_mpi)
    };
    let mut tests = vec![
        trial("an_honest_version_passes".into(), Box::new(|| assert_passes("honest", Environment::Sandbox))),
        trial(
            "a_mistake_in_a_private_input_is_refused_before_anything_runs".into(),
            Box::new(a_mistake_in_a_private_input_is_refused_before_anything_runs),
        ),
        trial("a_daemon_ends_with_its_job".into(), Box::new(a_daemon_ends_with_its_job)),
    ];
    for (name, reason) in CHEATS {
        tests.push(trial(format!("cheat: {name}"), Box::new(move || assert_fails(name, reason))));
    }
    // Without the arguments of a judge such a program is the honest one, so only its protocol is forged. `wb_performance::judge` has all kinds.
    let (name, _) = own_main::KINDS[0];
    let test = move || assert_fails_for(name, |why| own_main::is_noticed(name, why));
    tests.push(trial(format!("forged protocol: {name}"), Box::new(test)));
    tests.extend(tests_of_files().into_iter().map(|(name, test)| trial(name, test)));
    for name in STOPPED_BY_SANDBOX {
        let test = move || assert_passes(name, Environment::Open);
        tests.push(trial(format!("without the sandbox: {name}"), Box::new(test)));
    }
    let honest = || assert_passes("honest", Environment::SandboxOfMpi);
    tests.push(trial("mpi: an_honest_version_passes".into(), Box::new(honest)));
    let work_before = Box::new(measured::a_slow_base_and_work_before_the_run_earn_nothing);
    tests.push(trial("mpi: a_slow_base_and_work_before_the_run_earn_nothing".into(), work_before));
    let sleeps = Box::new(measured::a_formula_that_sleeps_is_seen_to_wait);
    tests.push(trial("mpi: a_formula_that_sleeps_is_seen_to_wait".into(), sleeps));
    tests
}

/// Tests that need MPI begin with this, as with `mpi: `.
const FILES_OF_MPI: &str = "files, sandbox of MPI";

/// The tests of the files of the assignment. A rank refuses each attempt without a sandbox; one attempt is made in each sandbox.
fn tests_of_files() -> Vec<(String, Box<dyn FnOnce() + Send>)> {
    let (sandbox, open) =
        (("files, sandbox", Environment::Sandbox), ("files, no sandbox", Environment::Open));
    let places = [
        (open, &OF_FILES[..]),
        (sandbox, &OF_FILES[..1]),
        ((FILES_OF_MPI, Environment::SandboxOfMpi), &OF_FILES[..1]),
    ];
    let mut tests: Vec<(String, Box<dyn FnOnce() + Send>)> = vec![];
    for ((place, environment), attempts) in places {
        let reads = move || assert_passes("reads the file", environment);
        tests.push((format!("{place}: a version that reads the file passes"), Box::new(reads)));
        for name in attempts {
            let test = move || assert_fails_in(name, environment, |why| why.contains(WRONG));
            tests.push((format!("{place}: {name}"), Box::new(test)));
        }
    }
    tests
}

/// The ranks of a cheat.
#[derive(Clone, Copy, PartialEq)]
enum Environment {
    /// Threads in a sandbox.
    Sandbox,
    /// Threads without one.
    Open,
    /// Processes of MPI in a sandbox.
    SandboxOfMpi,
}

/// What the judge has left of a cheat.
struct Judged {
    /// The verdicts on the parallel version.
    tests: Vec<FunctionalRecord>,
    /// The numbers of ranks at which each version had the private input.
    private: Vec<(Version, u32)>,
    /// The file of records and the settings.
    files: [String; 2],
    printed: String,
}

/// Judges a cheat.
fn judge(name: &str, environment: Environment) -> Judged {
    let server = TcpListener::bind("127.0.0.1:0").expect("a port");
    let root = tempfile::tempdir().expect("a folder");
    let port = server.local_addr().expect("bound").port();
    let folder = folder_of_task(root.path(), &format!("cheat-port-{port}"), SETTINGS);
    add_assignment(root.path());
    answer_forever(server);
    fs::create_dir(folder.join("other")).expect("ours");
    fs::write(folder.join("other/solution.rs"), "the answer").expect("ours");
    let mut judge = command_of_judge(name, &folder, environment);
    judge.arg("--wb-private").arg(folder_of_private_inputs(root.path(), PRIVATE_INPUT));
    fs::write(KEPT_FILE, "kept").expect("shared memory");
    let output = judge.output().expect("it starts");
    fs::remove_file(KEPT_FILE).expect("ours");
    let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let written = fs::read_to_string(folder.join(RECORDS)).unwrap_or_default();
    let honest: String =
        written.lines().filter(|line| *line != "forged").map(|line| format!("{line}\n")).collect();
    let read = read_all(&honest).unwrap_or_else(|error| panic!("{error}: {printed}"));
    let verdict = |measurement| match measurement {
        Measurement::Functional(test) => Some(test),
        _ => None,
    };
    let verdicts: Vec<_> = read.into_iter().filter_map(|record| verdict(record.measurement)).collect();
    let private = verdicts.iter().filter(|test| test.test == "judge: private");
    let private = private.map(|test| (test.version, test.ranks)).collect();
    let tests = verdicts.into_iter().filter(|test| test.version == Version::Mpi).collect();
    let settings = fs::read_to_string(folder.join("task.yaml")).expect("ours");
    Judged { tests, private, files: [written, settings], printed }
}

/// The judge of a cheat, without private inputs.
fn command_of_judge(name: &str, folder: &Path, environment: Environment) -> Command {
    let mut judge = judge_command(folder, &format!("{PREFIX}{name}"));
    judge.arg("--wb-verdicts-only").env_remove("WB_TASK_MAX_TIME");
    if environment != Environment::SandboxOfMpi {
        judge.arg("--wb-threads");
    }
    if environment != Environment::Open {
        judge.arg("--wb-sandbox");
    }
    judge
}

/// The judge of the task in `folder`, whose program has this name.
fn judge_command(folder: &Path, program: &str) -> Command {
    let own = std::env::current_exe().expect("ours");
    let program = folder.join(program);
    fs::copy(&own, &program).expect("copied");
    let mut judge = Command::new(own);
    judge.args(["--bench", "--wb-lang", "en"]).arg("--wb-task").arg(folder).arg("--wb-program").arg(program);
    judge.arg("--wb-records").arg(folder.join(RECORDS)).env_remove("WB_OWNER").stdin(Stdio::null());
    judge
}

/// The folder of a task in a workspace, which all users may read.
fn folder_of_task(root: &Path, name: &str, settings: &str) -> PathBuf {
    let tasks = root.join("tasks");
    let folder = tasks.join(name);
    fs::create_dir_all(&folder).expect("ours");
    for visible in [root, &tasks, &folder] {
        fs::set_permissions(visible, fs::Permissions::from_mode(0o755)).expect("ours");
    }
    let course = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks/course.yaml");
    fs::write(root.join("Cargo.toml"), "[workspace]\n").expect("ours");
    fs::copy(course, tasks.join("course.yaml")).expect("the course of this workspace");
    fs::write(folder.join("task.yaml"), settings).expect("ours");
    folder
}

/// The folder of the assignment, with a file that its tasks read and another one.
fn add_assignment(root: &Path) {
    let folder = root.join("tasks/assignment_2_7_squares");
    fs::create_dir_all(folder.join("files")).expect("ours");
    fs::write(folder.join("Cargo.toml"), "").expect("ours");
    fs::write(folder.join("assignment.yaml"), ASSIGNMENT).expect("ours");
    fs::write(folder.join("files/seven.bin"), 7_u64.to_ne_bytes()).expect("ours");
    fs::write(folder.join("files/other.bin"), "the answer").expect("ours");
}

/// A folder with an input that is not in the repository.
fn folder_of_private_inputs(root: &Path, input: &str) -> PathBuf {
    let private = root.join("private");
    let of_assignment = private.join("assignment_2_7_squares");
    fs::create_dir_all(&of_assignment).expect("ours");
    fs::write(of_assignment.join("private.json"), input).expect("ours");
    private
}

/// A server that gives every client the answer.
fn answer_forever(server: TcpListener) {
    thread::spawn(move || {
        for client in server.incoming().flatten() {
            let _gone = (&client).write_all(b"answer");
        }
    });
}

fn assert_passes(name: &str, environment: Environment) {
    let judged = judge(name, environment);
    let failed = judged.tests.iter().find(|test| test.verdict != TestOutcome::Pass);
    assert!(failed.is_none() && judged.tests.len() >= 3, "{failed:?} {}", judged.printed);
    assert!(
        judged.tests.iter().all(|test| test.ranks == 2),
        "the assignment is graded there: {:?}",
        judged.tests
    );
    assert_eq!(judged.private, [(Version::Mpi, 2)], "the private input is for two ranks: {}", judged.printed);
}

fn a_mistake_in_a_private_input_is_refused_before_anything_runs() {
    let root = tempfile::tempdir().expect("a folder");
    let folder = folder_of_task(root.path(), "cheat", SETTINGS);
    add_assignment(root.path());
    let mut judge = command_of_judge("honest", &folder, Environment::Open);
    let private = folder_of_private_inputs(root.path(), &PRIVATE_INPUT.replace("[2]", "[3]"));
    let output = judge.arg("--wb-private").arg(&private).output().expect("it starts");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    let place = private.join("assignment_2_7_squares/private.json:1:22").display().to_string();
    let problem = "ranks: the assignment is not graded on 3 ranks, expected some of 2";
    assert!(message.contains(&format!("{place}: {problem}")), "{message}");
    let records = fs::read_to_string(folder.join(RECORDS)).unwrap_or_default();
    assert!(!records.contains("judge: "), "{records}");
}

fn assert_fails(name: &str, reason: &str) {
    // On a busy machine a flood may reach the limit of time before that of its file.
    let is_late = |why: &str| name == "floods its output" && why.contains("no answer from rank(s)");
    assert_fails_for(name, |why| why.contains(reason) || is_late(why));
}

/// The cheat fails for such a reason.
fn assert_fails_for(name: &str, is_expected: impl Fn(&str) -> bool) {
    assert_fails_in(name, Environment::Sandbox, is_expected);
}

fn assert_fails_in(name: &str, environment: Environment, is_expected: impl Fn(&str) -> bool) {
    let Judged { tests, files, printed, .. } = judge(name, environment);
    let failed = tests.iter().find(|test| test.verdict != TestOutcome::Pass);
    let failed = failed.unwrap_or_else(|| panic!("`{name}` passes: {tests:?} {printed}"));
    let why = failed.reason.as_deref().unwrap_or_default();
    assert!(is_expected(why), "{name}: {why}");
    assert!(!files.iter().any(|file| file.contains("forged")), "{files:?}");
    assert!((printed.len() as u64) < OUTPUT_MAX, "{} bytes were printed", printed.len());
}

fn a_daemon_ends_with_its_job() {
    assert_passes("leaves a daemon", Environment::Sandbox);
    thread::sleep(Duration::from_millis(300));
    let processes = fs::read_dir("/proc").expect("Linux").flatten();
    let left = processes.filter(|process| {
        fs::read(process.path().join("cmdline")).is_ok_and(|line| line == b"sleep\x004242\0")
    });
    assert_eq!(left.count(), 0, "the daemon is still there");
}
