//! The workbench on several hosts as its users run it: from the login node, by its own commands and by the tests of a task.
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use wb_tests::{
    artifacts,
    hosts::{HostsError, TestHosts},
    sources,
};

use crate::wait_until;

/// For a command that builds nothing.
const LIMIT: Duration = Duration::from_secs(240);

/// The time in which the tests of a task end after the loss of a host: the limit of a run and the questions to all hosts, several
/// times.
const LOST_WITHIN: Duration = Duration::from_secs(60);

/// The time in which a job of Slurm ends that is cancelled.
const CANCELLED_WITHIN: Duration = Duration::from_secs(50);

/// `cargo wb` on the login node, in the root of the workspace. A signal ends it also where this process ignores that signal, as below `nohup`.
pub(crate) fn cargo_wb(hosts: &TestHosts, words: &[&str]) -> Command {
    let mut command = hosts.command_in(0, sources::root(), "env");
    command
        .args(["--default-signal", "cargo", "wb"])
        .args(words)
        .env("WB_LANG", "en")
        // Test hosts share the processors of this machine, with other tests also.
        .env("WB_PERF_MAX_TIME", "60")
        .env_remove("WB_HOSTS");
    command
}

/// The file of all hosts with their slots, as the hosts see it.
pub(crate) fn host_file(hosts: &TestHosts, text: &str) -> PathBuf {
    fs::write(hosts.outside().join("hosts"), text).expect("a file");
    hosts.shared_folder().join("hosts")
}

/// The folder of a task and the program of its functional tests.
fn functional_tests(task: &str) -> (PathBuf, PathBuf) {
    target_of(task, ["--test", "functional"])
}

/// The folder of a task and the program of one of its targets.
pub(crate) fn target_of(task: &str, target: [&str; 2]) -> (PathBuf, PathBuf) {
    let folder = sources::root().join("tasks").join(task);
    let built = artifacts::executables(&target);
    let program = built.into_iter().find(|built| built.folder == folder).expect("the task has this target");
    (folder, program.path)
}

/// Lets a command be the functional tests in `folder`. Test hosts share the cores of this machine, so ranks get more time.
pub(crate) fn in_task(command: &mut Command, folder: &Path) {
    command.env("CARGO_MANIFEST_DIR", folder).env("RUST_TEST_THREADS", "1").env("WB_LANG", "en");
    command.env("WB_TASK_MAX_TIME", "20").env("OMPI_MCA_mpi_yield_when_idle", "1").env_remove("WB_RECORDS");
}

pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// Asserts that a command succeeds and that its last lines name the hosts of its ranks.
fn assert_ran_on(command: &mut Command, hosts: &str) {
    let output = command.output().expect("it starts");
    let shown = text(&output);
    assert!(output.status.success(), "{}\n{shown}", output.status);
    assert!(shown.contains(&format!("ranks on the hosts {hosts}\n")), "{shown}");
}

pub(crate) fn the_tests_of_a_task_run_on_all_hosts_of_a_file() -> Result<(), HostsError> {
    let hosts = TestHosts::start(2, 2)?;
    let (folder, program) = functional_tests("example_r_board");
    for (file, names) in
        [("wb1 slots=2\nwb2 slots=2\n", "wb1, wb2"), ("wb2:2\nwb1:2\n", "wb1, wb2"), ("wb2:8\n", "wb2")]
    {
        let mut command = hosts.command_in(0, &folder, &program);
        in_task(&mut command, &folder);
        assert_ran_on(command.env("WB_HOSTS", host_file(&hosts, file)), names);
        for host in 0..2 {
            assert_eq!(hosts.processes(host), [], "{file}");
        }
    }
    Ok(())
}

pub(crate) fn the_tests_of_a_task_run_under_slurm() -> Result<(), HostsError> {
    let hosts = TestHosts::start_with_slurm(2, 2)?;
    let (folder, program) = functional_tests("example_r_board");
    let mut command = hosts.command_in(0, &folder, "salloc");
    in_task(&mut command, &folder);
    command.args(["--quiet", "--nodes=2", "--ntasks-per-node=2"]).arg(program);
    assert_ran_on(command.env("WB_HOSTS", "srun"), "wb1, wb2");
    Ok(())
}

/// The tests end soon after a host has died, name it, and leave no process on the others.
pub(crate) fn a_lost_host_ends_the_tests_of_a_task_and_is_named() -> Result<(), HostsError> {
    let mut hosts = TestHosts::start(2, 1)?;
    let (folder, program) = functional_tests("example_p_matmul_strips");
    let mut command = hosts.command_in(0, &folder, &program);
    in_task(&mut command, &folder);
    command.env("WB_HOSTS", host_file(&hosts, "wb1:1\nwb2:1\n"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let running = command.spawn().expect("it starts");
    wait_until("ranks run on the second host", LIMIT, || {
        hosts.processes(1).iter().any(|process| process.name.starts_with("functional"))
    });
    hosts.kill(1);
    let killed = Instant::now();
    let output = running.wait_with_output().expect("its end");
    let shown = text(&output);
    assert!(!output.status.success() && killed.elapsed() < LOST_WITHIN, "{:?}\n{shown}", killed.elapsed());
    assert!(shown.contains("no answer over ssh from the host(s) wb2 ("), "{shown}");
    assert_eq!(hosts.processes(0), []);
    Ok(())
}

/// The exit status and the text of `doctor --hosts` for a file.
fn doctor(hosts: &TestHosts, file: &str) -> (Option<i32>, String) {
    let file = host_file(hosts, file);
    let output = cargo_wb(hosts, &["doctor", "--hosts", file.to_str().expect("a path")]).output();
    let output = output.expect("it starts");
    // One line for each finding.
    (output.status.code(), text(&output).split_whitespace().collect::<Vec<_>>().join(" "))
}

pub(crate) fn doctor_names_the_host_and_what_to_do() -> Result<(), HostsError> {
    let mut hosts = TestHosts::start(3, 2)?;
    let all = "wb1:2\nwb2:2\nwb3:2\n";
    let (status, shown) = doctor(&hosts, all);
    assert_eq!(status, Some(0), "{shown}");
    assert!(shown.contains("3 host(s) can run ranks together"), "{shown}");
    let (status, shown) = doctor(&hosts, "wb1:2\nwb9:2\n");
    assert_eq!(status, Some(1), "{shown}");
    assert!(shown.contains("✗ wb9: cannot log in: ssh: Could not resolve hostname wb9"), "{shown}");
    assert!(shown.contains("`ssh-copy-id wb9`"), "{shown}");
    let (status, shown) = doctor(&hosts, "wb1\n");
    assert_eq!(status, Some(3), "{shown}");
    assert!(shown.contains("`wb1` without a number of ranks"), "{shown}");
    // The folder of the workspace is another one there, as on a host that does not share it.
    hosts.limit_folder(1, &sources::root().join("target"), 1 << 20)?;
    hosts.kill(2);
    let (status, shown) = doctor(&hosts, all);
    assert_eq!(status, Some(1), "{shown}");
    assert!(shown.contains("✗ wb2: it does not see ") && shown.contains("that all hosts share"), "{shown}");
    assert!(shown.contains("✗ wb3: ") && shown.contains("problems: 2"), "{shown}");
    Ok(())
}

/// The words of a command that runs the tests of a task as a job on two nodes.
const AS_A_JOB: [&str; 10] = [
    "test",
    "-p",
    "example_p_integral",
    "--slurm",
    "--nodes",
    "2",
    "--ranks-per-node",
    "2",
    "--minutes",
    "10",
];

pub(crate) fn a_command_runs_as_a_job_of_slurm_with_its_output_and_status() -> Result<(), HostsError> {
    let hosts = TestHosts::start_with_slurm(2, 2)?;
    let mut command = cargo_wb(&hosts, &AS_A_JOB);
    let output = command.env("WB_TASK_MAX_TIME", "20").output().expect("it starts");
    let shown = text(&output);
    assert!(output.status.success(), "{}\n{shown}", output.status);
    for part in
        ["job 1 submitted", "job 1 runs on wb[1-2]", "ranks on the hosts wb1, wb2", "8 passed, 0 failed"]
    {
        assert!(shown.contains(part), "no `{part}` in\n{shown}");
    }
    // A name that no test has is an error inside of the job as on one machine.
    let mut command = cargo_wb(&hosts, &[&AS_A_JOB[..], &["--", "no_such_test"]].concat());
    let output = command.output().expect("it starts");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    Ok(())
}

pub(crate) fn an_interrupted_command_cancels_its_job() -> Result<(), HostsError> {
    let hosts = TestHosts::start_with_slurm(2, 2)?;
    let queue = || {
        let mut command = hosts.command(0, "squeue");
        crate::output_of({
            command.args(["--noheader", "--format=%T"]);
            command
        })
    };
    let mut running = cargo_wb(&hosts, &AS_A_JOB).spawn().expect("it starts");
    wait_until("the job runs", LIMIT, || queue().trim() == "RUNNING");
    let tool = hosts.processes(0).into_iter().find(|process| process.name == "wb").expect("the command runs");
    let pid = rustix::process::Pid::from_raw(tool.pid.cast_signed()).expect("a number");
    let interrupted = Instant::now();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("a process of ours");
    let status = running.wait().expect("its end");
    assert!(!status.success() && interrupted.elapsed() < CANCELLED_WITHIN, "{status}");
    assert_eq!(queue().trim(), "", "the job is still there");
    wait_until("no process is left", CANCELLED_WITHIN, || {
        (0..2).all(|host| hosts.processes(host).is_empty())
    });
    Ok(())
}

pub(crate) fn a_script_is_written_and_nothing_is_submitted() -> Result<(), HostsError> {
    let hosts = TestHosts::start_with_slurm(1, 2)?;
    let file = hosts.shared_folder().join("job.sbatch");
    let words =
        [&AS_A_JOB[..3], &["--batch", file.to_str().expect("a path"), "--ranks-per-node", "2"]].concat();
    let status = cargo_wb(&hosts, &words).status().expect("it starts");
    assert!(status.success(), "{status}");
    let script = fs::read_to_string(hosts.outside().join("job.sbatch")).expect("a script");
    assert!(
        script.contains("#SBATCH --ntasks-per-node=2\n") && script.contains("--launcher srun\n"),
        "{script}"
    );
    // What exists is not overwritten.
    let again = cargo_wb(&hosts, &words).output().expect("it starts");
    assert!(again.status.code() == Some(2) && text(&again).contains("exists already"), "{}", text(&again));
    let mut submit = hosts.command(0, "sbatch");
    submit.arg("--test-only").arg(&file);
    let submit = submit.output().expect("it starts");
    assert!(submit.status.success(), "{}", text(&submit));
    Ok(())
}
