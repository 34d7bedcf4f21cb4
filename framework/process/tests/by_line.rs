//! A binary with another name opts in by one line.

use std::{fs, os::unix::fs::PermissionsExt, process::Command};

wb_process::test_binary!();

#[test]
fn the_line_opts_in() {
    assert!(wb_process::before_main::has_run());
}

#[test]
fn an_empty_filter_is_refused_here_too() {
    let myself = std::env::current_exe().expect("own path");
    let output = Command::new(myself).arg("no_such_test").output().expect("starting myself");
    assert_eq!(output.status.code(), Some(wb_process::EMPTY_FILTER_EXIT_CODE));
}

/// cargo gives its filter to all test programs of a task and stops at the first that fails, whichever of them has the test.
#[test]
fn a_filter_that_selects_a_test_of_another_program_of_the_task_is_accepted() {
    for (this, other) in [("functional", "more"), ("more", "functional")] {
        let package = tempfile::tempdir().expect("a folder");
        let built = package.path().join("target/deps");
        fs::create_dir_all(&built).expect("created");
        fs::create_dir_all(package.path().join("tests")).expect("created");
        let binary = built.join(format!("{this}-0123456789abcdef"));
        fs::copy(std::env::current_exe().expect("own path"), &binary).expect("copied");
        let run_filter = |filter: &str| {
            let mut command = Command::new(&binary);
            wb_process::remove_launcher_variables(&mut command);
            command.arg(filter).env("WB_LANG", "en").env("CARGO_MANIFEST_DIR", package.path());
            let output = command.output().expect("starting myself");
            (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let source = package.path().join(format!("tests/{other}.rs"));
        fs::write(&source, "").expect("written");
        let program = built.join(format!("{other}-0123456789abcdef"));
        let list = "#!/bin/sh\ncase \"$*\" in *there*) echo 'there: test';; esac\n";
        fs::write(&program, list).expect("written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("executable");
        let empty = Some(wb_process::EMPTY_FILTER_EXIT_CODE);
        // In another package not every program has libtest's command line.
        assert_eq!(run_filter("there").0, empty, "{this}");
        fs::write(package.path().join("task.yaml"), "").expect("written");
        let (code, output) = run_filter("there");
        assert_eq!(code, Some(0), "{this}: {output}");
        assert!(output.contains(&format!("it selects tests of `{other}`")), "{output}");
        assert_eq!(run_filter("nowhere").0, empty, "{this}");
        // A program that is left from an earlier build is not one of the package.
        fs::remove_file(source).expect("written above");
        assert_eq!(run_filter("there").0, empty, "{this}");
    }
}
