//! A binary with another name opts in by one line.

wb_process::test_binary!();

#[test]
fn the_line_opts_in() {
    assert!(wb_process::before_main::has_run());
}

#[test]
fn an_empty_filter_is_refused_here_too() {
    let myself = std::env::current_exe().expect("own path");
    let output = std::process::Command::new(myself).arg("no_such_test").output().expect("starting myself");
    assert_eq!(output.status.code(), Some(wb_process::EMPTY_FILTER_EXIT_CODE));
}
