//! A run that is killed with SIGKILL leaves no rank: whichever process of the tree is killed, the others end, although no process can
//! inform them. The tree is that of `cargo wb`: a tool, cargo, the program of the tests, the launcher, the ranks.
use std::{
    env, fs,
    path::PathBuf,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use wb_process::Job;
use wb_tests::canary_runner::canaries;

/// Marks all processes of one tree: the environment is handed down.
const TREE_VARIABLE: &str = "WBTEST_TREE";

/// Ranks wait for each other until the limit; only real ranks do, the other backends see immediately that they hang.
const HANG: &str = "deadlock::a_receive_is_never_answered";

/// Longer than any of this takes: what ends earlier ends for another reason.
const LIMIT: &str = "1800";

const RANKS: usize = 2;

/// How long the processes of the tree may take to appear, and to end.
const SOON: Duration = Duration::from_secs(300);

/// A process of the tree.
#[derive(Clone, Debug, PartialEq)]
struct TreeProcess {
    pid: u32,
    arguments: Vec<String>,
}

/// The processes whose environment has this mark.
fn tree_processes(mark: &str) -> Vec<TreeProcess> {
    let marked = format!("{TREE_VARIABLE}={mark}");
    let read = |path: PathBuf| -> Vec<String> {
        let bytes = fs::read(path).unwrap_or_default();
        bytes.split(|&byte| byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
    };
    let processes = fs::read_dir("/proc").expect("proc is mounted").flatten();
    processes
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let is_marked = read(entry.path().join("environ")).contains(&marked);
            is_marked.then(|| TreeProcess { pid, arguments: read(entry.path().join("cmdline")) })
        })
        .collect()
}

/// Waits until the members of the tree are what they should be.
fn wait_for(mark: &str, what: &str, is_so: impl Fn(&[TreeProcess]) -> bool) -> Vec<TreeProcess> {
    let start = Instant::now();
    loop {
        let members = tree_processes(mark);
        if is_so(&members) {
            return members;
        }
        assert!(start.elapsed() < SOON, "{what}: {members:#?}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// This program again as the tool: runs a shell in the place of cargo, and the shell runs the canaries.
#[test]
#[ignore = "a stand-in that the other tests start"]
fn stand_in_tool() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "\"$0\" --exact \"$1\"; true"]).arg(canaries().path()).arg(HANG);
    shell.stdout(Stdio::null()).stderr(Stdio::null());
    Job::spawn(shell).expect("a shell").wait(SOON * 4).expect("its end");
}

/// Who gets the signal that no process can handle.
#[derive(Clone, Copy, Debug, PartialEq)]
enum KilledProcess {
    Tool,
    Cargo,
    Tests,
}

fn runs_canaries(member: &TreeProcess) -> bool {
    member
        .arguments
        .first()
        .is_some_and(|program| program.ends_with(&canaries().path().display().to_string()))
}

/// Starts the tree, kills one of it when the ranks are there, and waits until all are gone; gives the number of the process
/// of the tests.
fn kill(killed: KilledProcess) -> u32 {
    let mark = format!("{}-{killed:?}", std::process::id());
    let mut start = match killed {
        KilledProcess::Tool => {
            let mut tool = Command::new(env::current_exe().expect("this program"));
            tool.args(["killed::stand_in_tool", "--exact", "--ignored"]);
            tool
        }
        KilledProcess::Cargo => {
            // As cargo does: names itself, and is the parent.
            let mut cargo = Command::new("sh");
            cargo.args(["-c", "\"$0\" --exact \"$1\"; true"]).arg(canaries().path()).arg(HANG);
            cargo
        }
        KilledProcess::Tests => {
            let mut tests = Command::new(canaries().path());
            tests.args(["--exact", HANG]);
            tests
        }
    };
    wb_process::remove_launcher_variables(&mut start);
    start
        .env(TREE_VARIABLE, &mark)
        .env("CARGO", "cargo")
        .env("WB_TASK_MAX_TIME", LIMIT)
        .env_remove("WB_OWNER");
    start.env("WBTEST_CANARY_RANKS", RANKS.to_string()).env("RUST_TEST_THREADS", "1");
    start.current_dir(wb_tests::sources::root().join("tests"));
    start.stdout(Stdio::null()).stderr(Stdio::null());
    let mut root = start.spawn().expect("it starts");
    // The program of the tests, and the ranks, which are the same program.
    let tree = wait_for(&mark, "no ranks", |members| {
        members.iter().filter(|member| runs_canaries(member)).count() == 1 + RANKS
    });
    let tests = tree.iter().filter(|member| runs_canaries(member)).map(|member| member.pid).min();
    root.kill().expect("it runs");
    root.wait().expect("its end");
    wait_for(&mark, "still there", <[TreeProcess]>::is_empty);
    tests.expect("the tests run")
}

#[test]
fn no_rank_survives_a_killed_tool() {
    kill(KilledProcess::Tool);
}

#[test]
fn no_rank_survives_a_killed_cargo() {
    kill(KilledProcess::Cargo);
}

#[test]
fn no_rank_survives_killed_tests_and_the_next_run_removes_their_folder() {
    let tests = kill(KilledProcess::Tests);
    let state = wb_process::before_main::state_folder().expect("a folder");
    let left = || {
        let names = fs::read_dir(&state).expect("readable").flatten().map(|entry| entry.file_name());
        names.filter(|name| name.to_string_lossy().starts_with(&format!("run-{tests}-"))).count()
    };
    assert!(left() > 0, "a killed process cannot remove its folder");
    let output = canaries().with_ranks(RANKS).run_alone(&["--exact", "correct::a_right_one"]);
    assert_eq!((output.code, left()), (Some(0), 0), "{}", output.text);
}

#[test]
fn the_code_of_an_abort_is_the_exit_status_where_the_launcher_passes_it_on() {
    let test = "panics::rank_1_panics_by_abort";
    let output = canaries().with_ranks(RANKS).run_launched(RANKS, &["--exact", test]);
    output.assert_contains(&[&format!("\nABORTED {test} ["), "rank 1 ended the job in run: abort(3)"]);
    assert_eq!(output.code, Some(3), "{}", output.text);
}

#[test]
fn a_job_that_its_host_cannot_start_is_refused_with_what_is_missing_and_what_to_do() {
    for (words, missing) in [
        ("ulimit -n 24", "a process may open 24 files, and an MPI job needs"),
        ("export UCX_TLS=no OMPI_MCA_rmaps_base_mapping_policy=none", "_mapping_policy -u UCX_TLS"),
        ("ulimit -f 1024", "`ulimit -f unlimited`"),
        (
            "export TMPDIR=/no/such/folder",
            "/no/such/folder has 0.0 MiB free of 0.0 MiB, and an MPI job needs 9.0 MiB",
        ),
    ] {
        let ended = canaries().with_ranks(2).run_after(words, &["correct::a_right_one"]);
        let report = ended.text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(ended.code, Some(101), "{words}: {}", ended.text);
        assert!(report.contains(missing), "{words}: {}", ended.text);
        assert!(report.contains("next: `cargo wb doctor`"), "nothing is above: {}", ended.text);
    }
}
