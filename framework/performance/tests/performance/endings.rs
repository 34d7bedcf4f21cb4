//! Tests of ranks that end abnormally: without memory, with processes left running, or not at all. Workers that run all ranks, of
//! `cargo wb simulate` and `cargo wb check`, explain it as real ranks do, and leave nothing behind.
use super::*;

pub(super) fn memory_that_runs_out_is_the_reason() {
    let (run, reasons) = crash_reasons("greedy");
    let text =
        "rank 1 ran out of memory: it asked for 1.1 PB at framework/performance/tests/performance/tasks.rs:";
    assert!(reasons.iter().all(|reason| reason.starts_with(text)), "{reasons:?}");
    let shown = run.stderr_text();
    assert!(shown.contains(text) && !shown.contains("memory allocation"), "{shown}");
}

pub(super) fn processes_left_behind_are_ended_and_named() {
    if cfg!(target_os = "linux") {
        let (_, reasons) = crash_reasons("parent");
        let is_named = |reason: &String| reason.contains("left behind by the task, and ended: ");
        assert!(reasons.iter().all(is_named), "{reasons:?}");
        assert_eq!(running_daemons(), 0);
    }
}

pub(super) fn a_rank_that_does_not_end_after_its_result_fails_its_launch() {
    if cfg!(target_os = "linux") {
        let start = std::time::Instant::now();
        for reason in crash_reasons("unended").1 {
            let text = "rank 1 has delivered its result and does not end (P = 2, threads)";
            assert!(reason.starts_with(text), "{reason}");
            assert!(reason.contains("framework/performance/tests/performance/tasks.rs:"), "{reason}");
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    }
}

/// The number of running daemons of [`Manner::Parent`].
pub(super) fn running_daemons() -> usize {
    let processes = fs::read_dir("/proc").expect("proc is mounted").flatten();
    let is_left = |entry: &fs::DirEntry| {
        fs::read(entry.path().join("cmdline")).is_ok_and(|line| line.starts_with(b"sleep\x003603\0"))
    };
    processes.filter(is_left).count()
}

/// The output and the exit code of the orchestrator for `case` with these arguments. A pass may take `limit` seconds, a
/// simulated one twelve times as long.
fn run_orchestrator(
    case: &str,
    limit: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> (String, Option<i32>) {
    let mut benchmark = Benchmark::new(case, 2000);
    let records = benchmark.folder.path().join("records.jsonl");
    let command = benchmark.command.args(arguments).arg("--wb-records").arg(records);
    command.env("WB_PERF_MAX_TIME", limit).envs(variables.iter().copied());
    let output = command.output().expect("this program starts");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    // Lines are wrapped at the width of a terminal.
    (text.split_whitespace().collect::<Vec<_>>().join(" "), output.status.code())
}

const SIMULATE: [&str; 4] = ["--wb-simulate", "cluster-ib", "--wb-ranks", "2"];
const CHECK: [&str; 5] = ["--wb-check", "--wb-ranks", "2", "--wb-budget", "10"];

#[track_caller]
fn assert_output(case: &str, limit: &str, parts: &[&str]) {
    for arguments in [&SIMULATE[..], &CHECK] {
        let (text, code) = run_orchestrator(case, limit, arguments, &[]);
        assert_eq!(code, Some(1), "{arguments:?}: {text}");
        for part in parts {
            assert!(text.contains(part), "{arguments:?}: no `{part}` in\n{text}");
        }
    }
}

pub(super) fn a_worker_names_the_rank_and_the_line_of_an_endless_loop() {
    let place = "computes and does not communicate, at framework/performance/tests/performance/tasks.rs:";
    assert_output("endless", "0.3", &["s is over rank ", place, "does the loop around this line end?"]);
}

pub(super) fn a_worker_names_the_rank_and_the_line_that_ran_out_of_memory() {
    let place =
        "rank 1 ran out of memory: it asked for 1.1 PB at framework/performance/tests/performance/tasks.rs:";
    assert_output("greedy", "10", &[place, "is the size in this line right?"]);
}

pub(super) fn a_worker_leaves_no_process_behind() {
    if cfg!(target_os = "linux") {
        assert_output("parent", "10", &["left behind by the task, and ended: "]);
        assert_eq!(running_daemons(), 0);
        // Also of a worker that is killed.
        assert_output("orphans", "10", &["ended by signal 9"]);
        assert_eq!(running_daemons(), 0);
    }
}

pub(super) fn a_worker_that_dies_is_told_with_what_may_have_killed_it() {
    let text = "ended by signal 9 (9: killed, mostly by the system because memory ran out";
    assert_output("killed", "10", &[text, "take a smaller size in task.yaml, or fewer ranks"]);
    assert_output("gone", "10", &["the process of all ranks ended without a result"]);
}

pub(super) fn a_pass_that_has_no_room_is_refused_before_it_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.json");
    let trace = trace.to_str().expect("a path of a test is text");
    let simulate = ["--wb-simulate", "cluster-ib", "--wb-ranks", "64"];
    let traced = [&simulate[..], &["--wb-trace", trace]].concat();
    // A simulation has a sequential pass, which shows the small memory of each rank; a trace has none.
    for (arguments, probes) in [(&simulate[..], false), (&traced, true)] {
        let (text, code) = run_orchestrator("right", "10", arguments, &[("WB_MEMORY_LIMIT", "1")]);
        assert_eq!(code, Some(1), "{arguments:?}: {text}");
        for few in [2, 4] {
            let probe = format!("a pass on {few} ranks to estimate the memory for 64");
            assert!(text.contains(&probe), "{arguments:?}: {text}");
        }
        assert!(
            text.contains("P = 64: it would take about ") && text.contains("and there are 1.0 MB"),
            "{text}"
        );
        let (text, code) = run_orchestrator("right", "10", arguments, &[]);
        assert!(code == Some(0) && text.contains("estimate the memory") == probes, "{arguments:?}: {text}");
    }
}
