//! A binary named like a task's tests has opted in by its name; it tests itself by starting itself.

mod call_stack;
mod jobs;

use std::process::{Command, Output};

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
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(printed.contains("the filter `no_such_test` selects no test"), "{printed}");
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

fn run_as_rank(rank: &str, test: &str) -> Command {
    let mut command = this_binary(&[test, "--exact", "--ignored", "--nocapture"]);
    command.env("OMPI_COMM_WORLD_RANK", rank).env("OMPI_COMM_WORLD_SIZE", "2");
    command
}

#[test]
fn a_rank_above_0_prints_to_its_own_file_and_keeps_the_real_stderr() {
    for is_of_ours in [false, true] {
        let mut command = run_as_rank("1", "rank_output_process");
        if is_of_ours {
            command.env(wb_process::before_main::RUNNER_VARIABLE, "any");
        }
        let output = run(&mut command);
        assert_eq!(output.status.code(), Some(0));
        assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
        let seen = String::from_utf8_lossy(&output.stderr);
        let (path, log) = seen.split_once('\n').expect("the path of the log");
        let own = if is_of_ours { "/proc/self/fd/" } else { "wb/functional/rank-1.log" };
        assert!(path.contains(own), "{seen}");
        let has = |part| log.contains(part);
        assert!(has("running 1 test") && has("on stdout") && has("on stderr"), "{seen}");
    }
}

#[test]
fn rank_0_prints_as_always() {
    let output = run(&mut run_as_rank("0", "rank_output_process"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("on stdout"));
    assert!(String::from_utf8_lossy(&output.stderr).ends_with("no log\n"));
}

#[test]
fn a_test_that_ends_its_program_with_0_fails_whatever_it_prints() {
    let output = run(&mut this_binary(&["exiting_process", "--exact", "--ignored"]));
    let printed = [&output.stdout, &output.stderr].map(|stream| String::from_utf8_lossy(stream).into_owned());
    assert!(printed[0].contains("55 passed"), "{printed:?}");
    assert_eq!(output.status.code(), Some(101), "{printed:?}");
    assert!(printed[1].contains("the test `exiting_process` has ended its test program"), "{printed:?}");
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
    let mut real = wb_process::before_main::real_stderr();
    match wb_process::before_main::rank_log() {
        Some(log) => {
            let text = std::fs::read_to_string(log).expect("its own output");
            writeln!(real, "{}\n{text}", log.display()).expect("the real stderr");
        }
        None => writeln!(real, "no log").expect("the real stderr"),
    }
}
