//! `cargo wb top`: jobs as their runners publish them, and a runner that is gone. Ranks that are asked: `tests/tests/canaries/observed.rs`.

use std::{fs, path::Path, process::Command, time::Duration};

use wb_comm::{BlockedCall, CallSite, Source, Verb};
use wb_process::{
    ProcessIdentity,
    job_status::{JobStatus, RankStatus},
};

use crate::{
    pseudo_terminal::PseudoTerminal,
    workspace::{TASK, output_text, wb, workspace},
};

fn publish(root: &Path, program: &str, status: JobStatus) {
    let folder = root.join("target/wb").join(format!("run-{program}"));
    fs::create_dir_all(&folder).expect("made");
    JobStatus { program: program.to_owned(), ..status }.publish(&folder).expect("written");
}

#[test]
fn each_rank_is_shown_with_its_call_and_line_and_a_measured_run_is_named() {
    let root = workspace(TASK);
    let measured = || JobStatus::new(String::new(), None);
    publish(root.path(), "sort", measured());
    let mut child = Command::new("true").spawn().expect("started");
    let runner = ProcessIdentity::of(child.id()).expect("not collected yet");
    child.wait().expect("it ends");
    publish(root.path(), "gone", JobStatus { runner, ..measured() });
    let russian = output_text(&wb(root.path(), &["top", "--lang", "ru"]), 0);
    assert_eq!(russian, "sort: измеряемый запуск: не наблюдается\n");
    let site = CallSite::caller(Verb::Recv);
    let call = BlockedCall { peer: Some(Source::Rank(1)), tag: Some(7), ..BlockedCall::new(0, site) };
    let last_call = Some(BlockedCall { verb: Verb::Send, ..call.clone() }.location());
    let (stage, host) = (Some("run".into()), "node\u{1b}1".into());
    let (call, since) = (Some(call), Some(Duration::from_millis(12_340)));
    let waiting = RankStatus { rank: 0, host, stage, call, last_call, since, sent_bytes: Some(24) };
    let computing = RankStatus { rank: 1, call: None, ..waiting.clone() };
    let idle = RankStatus { rank: 2, ..RankStatus::default() };
    publish(
        root.path(),
        "ring",
        JobStatus::new("sums [MPI, P = 3]".into(), Some(vec![waiting, computing, idle])),
    );
    let shown = output_text(&wb(root.path(), &["top"]), 0);
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let place = format!("run 12.3 s 24 B framework/cli/tests/top.rs:{}", site.location.line());
    let expected = [
        "ring: sums [MPI, P = 3]".to_owned(),
        "rank stage since sent line call host".to_owned(),
        format!("0 {place} recv from 1, tag 7 node\\u{{1b}}1"),
        format!("1 {place} outside of calls, after send node\\u{{1b}}1"),
        "2 — — — — —".to_owned(),
        "sort: a measured run: not looked at".to_owned(),
    ];
    assert_eq!(shown.lines().map(words).collect::<Vec<_>>(), expected);
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
    publish(root.path(), "sort", JobStatus::new(String::new(), None));
    terminal.wait_for("a job that has begun", shows("sort: a measured run: not looked at"));
    terminal.press(b"xq");
    assert_eq!(terminal.end().code(), Some(0));
    assert!(terminal.is_restored());
}
