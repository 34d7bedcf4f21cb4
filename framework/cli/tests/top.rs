//! `cargo wb top`: jobs as their runners publish them, and a runner that is gone. Ranks that are asked: `tests/tests/canaries/observed.rs`.

use std::{fs, path::Path, process::Command, time::Duration};

use wb_comm::{BlockedCall, CallSite, Source, Verb};
use wb_process::{
    ProcessIdentity,
    job_status::{JobStatus, JobWork, RankStatus, TestedRun},
};

use crate::{
    pseudo_terminal::PseudoTerminal,
    workspace::{TASK, output_text, wb, workspace},
};

fn publish(root: &Path, name: &str, status: &JobStatus) {
    let folder = root.join("target/wb").join(name);
    fs::create_dir_all(&folder).expect("made");
    status.publish(&folder).expect("written");
}

/// Rank 0 waits for a message of rank 1, which computes.
fn tests() -> JobWork {
    let site = CallSite::caller(Verb::Recv);
    let call = BlockedCall { peer: Some(Source::Rank(1)), tag: Some(7), ..BlockedCall::new(0, site) };
    let waiting = RankStatus {
        stage: Some("run".into()),
        since: Some(Duration::from_millis(12_340)),
        sent_bytes: Some(24),
        call: Some(call.clone()),
        host: "node\u{1b}1".into(),
        ..RankStatus::default()
    };
    let computing = RankStatus {
        rank: 1,
        call: None,
        last_call: Some(BlockedCall { verb: Verb::Send, ..call }.location()),
        host: "node2".into(),
        ..waiting.clone()
    };
    let run = Some(TestedRun { test: "sums".into(), ranks: 2, input: 3 });
    JobWork::Tests { backend: "Open MPI".into(), run, ranks: vec![waiting, computing] }
}

#[test]
fn each_rank_is_shown_with_its_call_and_line_and_a_measured_run_is_named() {
    let root = workspace(TASK);
    let nothing = output_text(&wb(root.path(), &["top"]), 0);
    assert_eq!(nothing, "No job of this workspace runs.\n");
    let job = |program: &str, work| JobStatus { program: program.into(), ..JobStatus::new(work) };
    publish(root.path(), "run-b", &job("ring", JobWork::Measured));
    let mut child = Command::new("true").spawn().expect("started");
    let runner = ProcessIdentity::of(child.id()).expect("not collected yet");
    child.wait().expect("it ends");
    publish(root.path(), "run-c", &JobStatus { runner, ..job("gone", JobWork::Measured) });
    let russian = output_text(&wb(root.path(), &["top", "--lang", "ru"]), 0);
    assert_eq!(russian, "ring: измеряемый запуск: не наблюдается\n");
    publish(root.path(), "run-a", &job("ring", tests()));
    let shown = output_text(&wb(root.path(), &["top"]), 0);
    let lines: Vec<_> =
        shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let line = |rank: &RankStatus| rank.call.as_ref().map_or(0, |call| call.line);
    let JobWork::Tests { ranks, .. } = tests() else { unreachable!("it is") };
    let place = format!("run 12.3 s 24 B framework/cli/tests/top.rs:{}", line(&ranks[0]));
    let expected = [
        "ring: sums [Open MPI, P = 2], input 3".to_owned(),
        "rank stage since sent line call host".to_owned(),
        format!("0 {place} recv from 1, tag 7 node\\u{{1b}}1"),
        format!("1 {place} outside of calls, after send node2"),
        "ring: a measured run: not looked at".to_owned(),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_terminal_is_redrawn_until_q_and_restored() {
    let root = workspace(TASK);
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    command.arg("top").current_dir(root.path()).env("WB_LANG", "en").env("TERM", "xterm-256color");
    command.env_remove("CARGO_TARGET_DIR");
    let mut terminal = PseudoTerminal::start(&command);
    let shows = |text: &'static str| move |rows: &[String]| rows.iter().any(|row| row.contains(text));
    terminal.wait_for("no job", shows("No job of this workspace runs."));
    publish(root.path(), "run-a", &JobStatus::new(JobWork::Measured));
    terminal.wait_for("a job that has begun", shows("a measured run: not looked at"));
    terminal.press(b"xq");
    assert_eq!(terminal.end().code(), Some(0));
    assert!(terminal.is_restored());
}
