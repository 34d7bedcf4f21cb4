//! A binary named like a task's tests has opted in by its name; it tests itself by starting itself.

mod call_stack;
mod jobs;

use std::{
    path::Path,
    process::{Command, Output},
};

fn this_binary(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("own path"));
    wb_process::remove_launcher_variables(&mut command);
    command.args(arguments).env("WB_LANG", "en");
    command
}

fn run(command: &mut Command) -> Output {
    command.output().expect("starting myself")
}

#[test]
fn the_constructor_acted() {
    assert!(wb_process::before_main::has_run());
}

#[test]
fn a_filter_that_selects_no_test_ends_with_its_own_code() {
    let output = run(&mut this_binary(&["no_such_test"]));
    assert_eq!(output.status.code(), Some(wb_process::EMPTY_FILTER_EXIT_CODE));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the filter `no_such_test` selects no test"), "{said}");
}

#[test]
fn an_exact_name_must_match_exactly() {
    let output = run(&mut this_binary(&["rank_output_process", "--exact", "--ignored"]));
    assert_eq!(output.status.code(), Some(0));
    let output = run(&mut this_binary(&["rank_output", "--exact", "--ignored"]));
    assert_eq!(output.status.code(), Some(wb_process::EMPTY_FILTER_EXIT_CODE));
}

#[test]
fn skipping_everything_selects_nothing() {
    let output =
        run(&mut this_binary(&["rank_output_process", "--ignored", "--skip", "rank_output_process"]));
    assert_eq!(output.status.code(), Some(wb_process::EMPTY_FILTER_EXIT_CODE));
}

#[test]
fn a_list_is_never_refused() {
    assert_eq!(run(&mut this_binary(&["--list", "no_such_test"])).status.code(), Some(0));
}

#[test]
fn the_message_speaks_russian() {
    let output = run(this_binary(&["no_such_test"]).env("WB_LANG", "ru"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("не выбирает ни одного теста"));
}

fn run_as_rank(rank: &str, logs: &Path) -> Output {
    let mut command = this_binary(&["rank_output_process", "--exact", "--ignored", "--nocapture"]);
    command.env("OMPI_COMM_WORLD_RANK", rank).env("OMPI_COMM_WORLD_SIZE", "2");
    run(command.env(wb_process::before_main::RANK_DIR, logs))
}

#[test]
fn a_rank_above_0_prints_to_its_own_file_and_keeps_the_real_stderr() {
    let logs = tempfile::tempdir().expect("a folder");
    let output = run_as_rank("1", logs.path());
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "seen by all\n");
    let log = std::fs::read_to_string(logs.path().join("rank-1.log")).expect("the log");
    assert!(
        log.contains("running 1 test") && log.contains("on stdout") && log.contains("on stderr"),
        "{log}"
    );
}

#[test]
fn rank_0_prints_as_always() {
    let logs = tempfile::tempdir().expect("a folder");
    let output = run_as_rank("0", logs.path());
    assert!(String::from_utf8_lossy(&output.stdout).contains("on stdout"));
    assert!(std::fs::read_dir(logs.path()).expect("the folder").next().is_none());
}

#[test]
fn a_test_that_ends_its_program_with_0_fails_whatever_it_prints() {
    let output = run(&mut this_binary(&["exiting_process", "--exact", "--ignored"]));
    let said = [&output.stdout, &output.stderr].map(|stream| String::from_utf8_lossy(stream).into_owned());
    assert!(said[0].contains("55 passed"), "{said:?}");
    assert_eq!(output.status.code(), Some(101), "{said:?}");
    assert!(said[1].contains("the test `exiting_process` has ended its test program"), "{said:?}");
}

#[test]
#[ignore = "a stand-in that the other tests start"]
fn exiting_process() {
    use std::io::Write as _;
    std::io::stdout().write_all(b"test result: ok. 55 passed; 0 failed; 0 ignored\n").expect("a pipe");
    std::process::exit(0)
}

#[test]
#[ignore = "a stand-in that the other tests start"]
fn rank_output_process() {
    use std::io::Write as _;
    println!("on stdout");
    eprintln!("on stderr");
    writeln!(wb_process::before_main::real_stderr(), "seen by all").expect("the real stderr");
}
