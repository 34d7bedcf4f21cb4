//! The command itself: what it prints and how it ends, in small workspaces made for the purpose.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use crate::workspace::{TASK, output_text, wb, workspace, write};

#[test]
fn the_list_shows_the_task_from_any_folder_of_the_workspace() {
    let root = workspace(TASK);
    for folder in ["", "tasks", "tasks/ivanov_i_scatter/src"] {
        let message = output_text(&wb(&root.path().join(folder), &["list"]), 0);
        for word in ["ivanov_i_scatter 2.4 seq      Ivan Ivanov Scatter", "task", "versions"] {
            assert!(message.contains(word), "{word} in {message}");
        }
        assert_eq!(message.lines().count(), 2, "one line a task: {message}");
    }
}

#[test]
fn the_list_for_programs() {
    let root = workspace(TASK);
    let message = output_text(&wb(root.path(), &["list", "--json"]), 0);
    let tasks: serde_json::Value = serde_json::from_str(&message).expect("JSON");
    assert_eq!(tasks[0]["task"], "ivanov_i_scatter");
    assert_eq!((&tasks[0]["seq"], &tasks[0]["mpi"]), (&true.into(), &false.into()));
}

#[test]
fn a_misprint_is_shown_with_its_line_in_both_languages() {
    let root = workspace(&TASK.replace("variant: 4", "variant: 24"));
    let english = output_text(&wb(root.path(), &["list"]), 1);
    for word in ["task.yaml:4:10: ", "variant: 24", "expected a whole number from 1 to 23"] {
        assert!(english.contains(word), "{word} in {english}");
    }
    let russian = output_text(&wb(root.path(), &["list", "--lang", "ru"]), 1);
    assert!(russian.contains("task.yaml:4:10: `variant`"), "{russian}");
    // Before any build: the test commands also report errors in a task's settings.
    for command in [&["perf", "-p", "ivanov_i_scatter"][..], &["test", "-p", "ivanov_i_scatter"], &["test"]] {
        let refused = output_text(&wb(root.path(), command), 3);
        assert!(refused.starts_with("error: ") && refused.contains("task.yaml:4:10: "), "{refused}");
    }
}

/// Which rules a task has depends on its variant.
#[test]
fn rules_are_not_checked_without_the_settings_of_the_task() {
    let root = workspace(&TASK.replace("variant: 4", "variant: 24"));
    for arguments in [&["rules"][..], &["rules", "-p", "ivanov_i_scatter"]] {
        let refused = output_text(&wb(root.path(), arguments), 3);
        for part in ["ivanov_i_scatter: its settings are refused", "task.yaml:4:10: ", "1 to 23"] {
            assert!(refused.contains(part) && !refused.contains("no rule is broken"), "{part}: {refused}");
        }
    }
    let rows = wb(root.path(), &["rules", "--json"]);
    assert_eq!(rows.status.code(), Some(3));
    let rows: serde_json::Value = serde_json::from_slice(&rows.stdout).expect("JSON");
    let why = rows[0]["settings_refused"].as_str().expect("the reason");
    assert!(why.contains("task.yaml:4:10: ") && rows[0]["findings"].is_null(), "{rows}");
}

#[test]
fn a_task_that_is_its_own_assignment_is_none() {
    let root = workspace(TASK);
    let manifest = root.path().join("tasks/ivanov_i_scatter/Cargo.toml");
    let own = "[package.metadata.assignment]\nnumber = 2\nvariant = 4\nproblem = \"P\"\noutput = \"Home\"\n";
    let text = fs::read_to_string(&manifest).expect("the manifest");
    fs::write(&manifest, format!("{text}\n{own}")).expect("written");
    let new = ["new", "petrov_p_own", "--student", "P", "--group", "staff", "--task", "2", "--variant", "4"];
    output_text(&wb(root.path(), &new), 0);
    let manifest =
        fs::read_to_string(root.path().join("tasks/petrov_p_own/Cargo.toml")).expect("the manifest");
    assert!(!manifest.contains("ivanov_i_scatter"), "{manifest}");
}

#[test]
fn a_task_that_does_not_exist_is_a_wrong_command_line() {
    let root = workspace(TASK);
    let message = output_text(&wb(root.path(), &["perf", "-p", "petrov_p_gather"]), 2);
    assert_eq!(message, "error: there is no task `petrov_p_gather`; the tasks are: ivanov_i_scatter\n");
}

#[test]
fn an_unknown_task_of_a_whole_course_is_not_answered_with_all_names() {
    let root = workspace(TASK);
    for student in 'a'..='l' {
        let name = format!("student_{student}_ring");
        let new = ["new", &name, "--student", "S", "--group", "G", "--task", "2", "--variant", "7"];
        output_text(&wb(root.path(), &new), 0);
    }
    let message = output_text(&wb(root.path(), &["perf", "-p", "zzz"]), 2);
    let expected = "error: there is no task `zzz`; `cargo wb list` shows the tasks, there are 13\n";
    assert_eq!(message, expected);
}

#[test]
fn outside_of_a_workspace_nothing_is_guessed() {
    let nowhere = tempfile::tempdir().expect("a folder");
    let message = output_text(&wb(nowhere.path(), &["list"]), 3);
    assert!(message.contains("this is not a folder of the workbench"), "{message}");
}

#[test]
fn new_makes_one_folder_that_the_list_finds() {
    let root = workspace(TASK);
    let new = ["new", "petrov_p_ring", "--student", "Пётр Петров", "--group", "3823B1PR2", "--task", "2"];
    let made = output_text(&wb(root.path(), &[&new[..], &["--variant", "7"]].concat()), 0);
    assert!(
        made.contains("assignment 2, variant 7: Ring") && made.contains("cargo wb test -p petrov_p_ring"),
        "{made}"
    );
    let settings =
        fs::read_to_string(root.path().join("tasks/petrov_p_ring/task.yaml")).expect("its settings");
    assert!(settings.contains("student: \"Пётр Петров\""), "{settings}");
    let benches = root.path().join("tasks/petrov_p_ring/benches/performance.rs");
    let benches = fs::read_to_string(benches).expect("its measurement");
    assert!(
        settings.contains("kind: communication") && benches.contains("workbench::Communication"),
        "{benches}"
    );
    let listed = output_text(&wb(root.path(), &["list"]), 0);
    assert!(listed.contains("petrov_p_ring") && listed.contains("Пётр Петров"), "{listed}");
    let again = output_text(&wb(root.path(), &[&new[..], &["--variant", "7"]].concat()), 2);
    assert!(again.contains("exists already and is left as it is"), "{again}");
}

/// The order of imports depends on the name of the task, so one comes before all others and one after. Variant 1.20 is an
/// assignment with a crate.
#[test]
fn what_new_makes_is_formatted() {
    let root = workspace(TASK);
    let assignment = root.path().join("tasks/assignment_1_20_integral");
    let manifest = "[package]\nname = \"assignment_1_20_integral\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
        [package.metadata.assignment]\nnumber = 1\nvariant = 20\nproblem = \"Integral\"\noutput = \"Home\"\n";
    write(&assignment.join("Cargo.toml"), manifest);
    write(&assignment.join("src/lib.rs"), "//! Nothing.\n");
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rustfmt.toml");
    fs::copy(rules, root.path().join("rustfmt.toml")).expect("the rules of this workspace");
    for (name, lang, [number, variant], first) in [
        ("aa_a_ring", "ru", ["2", "7"], "src/problem.rs"),
        ("zz_z_a_long_name_for_a_task_about_a_ring", "en", ["2", "7"], "src/problem.rs"),
        ("aa_a_integral", "en", ["1", "20"], "tasks/assignment_1_20_integral/statement.en.md"),
        ("zz_z_integral", "ru", ["1", "20"], "tasks/assignment_1_20_integral/statement.ru.md"),
    ] {
        let options = ["new", name, "--student", "P", "--group", "G", "--task", number, "--variant", variant];
        let made = output_text(&wb(root.path(), &[&options[..], &["--lang", lang]].concat()), 0);
        assert!(made.contains(first), "{made}");
        let mut check = Command::new("cargo");
        check.args(["fmt", "--check", "--package", name]).current_dir(root.path());
        output_text(&check.output().expect("starting cargo"), 0);
    }
}

#[test]
fn new_refuses_what_it_cannot_make() {
    let root = workspace(TASK);
    for (name, variant, problem) in [
        ("Ring", "7", "`Ring` is not a valid task name"),
        ("petrov_p_ring", "24", "task 2 has no variant 24, only 1 to 23"),
        ("petrov_p_ring", "7", "--group must not contain line breaks"),
    ] {
        let group = if variant == "7" && name != "Ring" { "G\u{202e}" } else { "G" };
        let options = ["new", name, "--student", "P", "--group", group, "--task", "2", "--variant", variant];
        let message = output_text(&wb(root.path(), &options), 2);
        assert!(message.contains(problem), "{message}");
    }
}

#[test]
fn the_style_of_one_task_is_checked_with_its_tests() {
    let root = workspace(TASK);
    let source = root.path().join("tasks/ivanov_i_scatter/src/lib.rs");
    for (text, wrong) in [
        ("//! Nothing.\npub fn three()->i32{3}\n", "fmt"),
        ("//! Nothing.\n\npub fn three() -> i32 {\n    return 3;\n}\n", "needless_return"),
    ] {
        write(&source, text);
        let message =
            output_text(&wb(root.path(), &["test", "-p", "ivanov_i_scatter", "--backend", "threads"]), 1);
        assert!(message.contains(wrong) && message.contains("FAILED"), "{message}");
        assert!(message.lines().any(|line| line == "1 passed, 0 failed, 1 skipped"), "{message}");
    }
}

#[test]
fn a_style_of_one_task_is_mended_by_a_command_for_this_task_and_shown_without_colours() {
    let root = workspace(TASK);
    write(&root.path().join("tasks/ivanov_i_scatter/src/lib.rs"), "//! Nothing.\npub fn  f( ) {}\n");
    let mut test = Command::new(env!("CARGO_BIN_EXE_wb"));
    test.args(["test", "-p", "ivanov_i_scatter", "--backend", "threads"]).current_dir(root.path());
    // rustfmt takes what this terminal knows for what a pipe knows.
    test.env("TERM", "xterm").env("WB_LANG", "en").env_remove("CARGO_TARGET_DIR");
    let message = output_text(&test.output().expect("starting wb"), 1);
    assert!(message.contains("to repair: cargo fmt -p ivanov_i_scatter\n"), "{message}");
    assert!(message.contains("+pub fn f() {}") && !message.contains("u{1b}"), "{message}");
}

#[test]
fn what_does_not_compile_is_reported_once() {
    let root = workspace(TASK);
    write(&root.path().join("tasks/ivanov_i_scatter/src/lib.rs"), "pub fn f() -> i32 {\n    \"\"\n}\n");
    let message =
        output_text(&wb(root.path(), &["test", "-p", "ivanov_i_scatter", "--backend", "threads"]), 1);
    assert_eq!(message.matches("error[E0308]").count(), 1, "{message}");
    assert!(
        message.contains("[2/4] cargo build -p ivanov_i_scatter --tests") && !message.contains("[3/4]"),
        "{message}"
    );
}

#[test]
fn a_filter_that_selects_no_test_is_a_wrong_command_line() {
    let root = workspace(TASK);
    let test = ["test", "-p", "ivanov_i_scatter", "--backend", "threads", "--"];
    let refused = output_text(&wb(root.path(), &[&test[..], &["nosuch"]].concat()), 2);
    assert!(refused.contains("error: no test ran: `nosuch` selects none of them"), "{refused}");
    output_text(&wb(root.path(), &[&test[..], &["passes"]].concat()), 0);
    output_text(&wb(root.path(), &[&test[..], &["--list"]].concat()), 0);
}

#[test]
fn the_tests_of_one_task_end_with_the_plain_total() {
    let root = workspace(TASK);
    let passed =
        output_text(&wb(root.path(), &["test", "-p", "ivanov_i_scatter", "--backend", "threads"]), 0);
    assert!(passed.lines().any(|line| line == "1 passed, 0 failed, 1 skipped"), "{passed}");
    write(
        &root.path().join("tasks/ivanov_i_scatter/tests/functional.rs"),
        "#[test] fn fails() { panic!() }\n",
    );
    let failed =
        output_text(&wb(root.path(), &["test", "-p", "ivanov_i_scatter", "--backend", "threads"]), 1);
    assert!(failed.lines().any(|line| line == "0 passed, 1 failed, 0 skipped"), "{failed}");
}

/// What needs an MPI does not even compile here, so the run shows that it was left out, and that nothing else was.
#[test]
fn without_mpi_everything_is_checked_that_can_be_built() {
    let (root, outside) = (workspace(TASK), tempfile::tempdir().expect("a folder"));
    let package = |name: &str, dependency: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n{dependency}\n"
        )
    };
    let member = |name: &str, dependency: &str| package(name, dependency).replace("[workspace]\n", "");
    write(&outside.path().join("Cargo.toml"), &package("mpi", ""));
    write(&outside.path().join("src/lib.rs"), "compile_error!(\"no MPI here\");\n");
    let on_mpi = format!("mpi = {{ path = {:?} }}", outside.path());
    for (name, dependency) in
        [("on_mpi", on_mpi.as_str()), ("on_on_mpi", "on_mpi = { path = \"../on_mpi\" }")]
    {
        write(&root.path().join("tasks").join(name).join("Cargo.toml"), &member(name, dependency));
        write(&root.path().join("tasks").join(name).join("src/lib.rs"), "//! Nothing.\n");
    }
    let output = wb(root.path(), &["test", "--backend", "threads"]);
    output_text(&output, 0);
    let passed = String::from_utf8_lossy(&output.stdout);
    for step in ["[1/4] cargo fmt", "[2/4] cargo clippy", "[3/4] cargo doc", "[4/4] cargo test"] {
        assert!(passed.contains(step), "{step} in {passed}");
    }
    assert_eq!(passed.lines().last(), Some("1 passed, 0 failed, 1 skipped"), "{passed}");
}

const BOTH_RUN: &str = r#"#[test]
fn both_run() {
    println!("OWN runs");
    let package = std::env::var("CARGO_PKG_NAME");
    assert_eq!(package.as_deref(), Ok("ivanov_i_scatter"));
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(Into::into);
    assert_eq!(folder, std::env::current_dir().ok());
    std::fs::write("OWN.txt", "").unwrap();
    let start = std::time::Instant::now();
    while !std::path::Path::new("OTHER.txt").exists() {
        assert!(start.elapsed().as_secs() < 60);
        std::thread::yield_now();
    }
    assert_ne!("OWN", "second");
}
"#;

/// A program that waits for the other one ends well only when both run at the same time, each as cargo would start it.
#[test]
fn test_programs_run_side_by_side_and_show_what_failed() {
    let root = workspace(TASK);
    let task = root.path().join("tasks/ivanov_i_scatter");
    let program = |own: &str, other: &str| BOTH_RUN.replace("OWN", own).replace("OTHER", other);
    write(&task.join("tests/first.rs"), &program("first", "second"));
    write(&task.join("tests/second.rs"), &program("second", "first"));
    let message = output_text(&wb(root.path(), &["test", "--backend", "threads"]), 1);
    assert!(
        message.contains("second runs") && message.contains("assertion `left != right` failed"),
        "{message}"
    );
    assert!(!message.contains("first runs"), "{message}");
    let repeat = "failed: cargo test -p ivanov_i_scatter --test second";
    assert!(message.lines().any(|line| line == repeat), "{message}");
    assert!(message.lines().any(|line| line == "2 passed, 1 failed, 1 skipped"), "{message}");
}

/// The first failure stops, and shows its output.
#[test]
fn bad_style_stops_before_the_tests() {
    let root = workspace(TASK);
    write(&root.path().join("tasks/ivanov_i_scatter/src/lib.rs"), "pub fn  f( ) {}\n");
    let failed = output_text(&wb(root.path(), &["test", "--backend", "threads"]), 1);
    assert!(failed.contains("[1/4] cargo fmt --all --check") && failed.contains("pub fn f() {}"), "{failed}");
    assert!(!failed.contains("[2/4]"), "{failed}");
}

#[test]
fn the_doctor_speaks_json_and_tells_by_its_exit_code() {
    let output = wb(Path::new("."), &["doctor", "--json"]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = found["findings"].as_array().expect("a list");
    let well = findings.iter().all(|finding| finding["well"] == true);
    assert_eq!(output.status.code(), Some(i32::from(!well)));
    for finding in findings.iter().filter(|finding| finding["well"] == false) {
        assert!(finding["mend"].is_string(), "{finding}");
    }
}

/// `wb` on a machine whose PATH has these programs and nothing else.
fn wb_with_only(programs: &[(&str, &str)], arguments: &[&str]) -> Output {
    let tools = tempfile::tempdir().expect("a folder");
    for (name, script) in programs {
        let program = tools.path().join(name);
        write(&program, &format!("#!/bin/sh\n{script}\n"));
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&program, executable).expect("making it executable");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    command.args(arguments).env("PATH", tools.path()).env("WB_LANG", "en").env_remove("MPICC");
    command.env("LIBCLANG_PATH", tools.path()).output().expect("starting wb")
}

#[test]
fn without_the_tools_the_doctor_says_what_mends_it_and_setup_what_it_would_install() {
    let apt = [("apt-get", "exit 1"), ("sudo", "exit 1")];
    let doctor = output_text(&wb_with_only(&apt, &["doctor"]), 1);
    let packages = "apt-get install --yes --no-install-recommends openmpi-bin libopenmpi-dev";
    assert!(doctor.contains(packages) && doctor.contains("✗ libclang: missing"), "{doctor}");
    let plan = output_text(&wb_with_only(&apt, &["setup", "--dry-run", "--mpi", "mpich"]), 0);
    let wanted = "setup: installing the packages build-essential pkg-config libclang-dev mpich libmpich-dev";
    assert!(plan.contains(wanted) && plan.contains("nothing was installed"), "{plan}");
    let failed = output_text(&wb_with_only(&apt, &["setup"]), 4);
    for command in
        ["apt-get update` failed (exit code 1)", "libopenmpi-dev bubblewrap util-linux` failed (exit code 1)"]
    {
        assert!(failed.contains(command), "{command}\n{failed}");
    }
}

/// A command to be copied is not broken.
#[test]
fn the_doctor_keeps_to_80_columns() {
    for lang in ["en", "ru"] {
        let doctor = output_text(
            &wb_with_only(&[("apt-get", "exit 1"), ("mpicc", "exit 1")], &["doctor", "--lang", lang]),
            1,
        );
        let is_command = |line: &&str| line.contains("apt-get install");
        for line in doctor.lines().filter(|line| !is_command(line)) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn a_long_usage_line_is_broken() {
    for lang in ["en", "ru"] {
        let help = output_text(&wb(Path::new("."), &["new", "--help", "--lang", lang]), 0);
        let usage: Vec<&str> = help.lines().skip(2).take_while(|line| !line.is_empty()).collect();
        assert!(usage.len() > 1 && usage.concat().contains("<NAME>"), "{help}");
        assert!(usage.iter().all(|line| line.chars().count() <= 80), "{help}");
    }
}

#[test]
fn other_package_managers_are_told_and_not_run() {
    let message = output_text(&wb_with_only(&[("pacman", "echo RUN")], &["setup"]), 4);
    assert!(message.contains("pacman -S --needed base-devel pkgconf clang openmpi"), "{message}");
    assert!(!message.contains("RUN"), "{message}");
}

#[test]
fn a_wrapper_that_cannot_compile_is_no_mpi() {
    let message = output_text(&wb_with_only(&[("mpicc", "exit 1")], &["doctor"]), 1);
    assert!(message.contains("✗ MPI: mpicc cannot compile a program that includes mpi.h"), "{message}");
    let program = r#"[ "$1" ] && echo "mpich;4" || { echo "m;0;2"; echo "m;1;2"; }"#;
    let mpicc = format!("printf '#!/bin/sh\\n%s\\n' '{program}' > \"$3\"; /bin/chmod +x \"$3\"");
    let other = [("mpicc", "exit 1"), ("mpicc.mpich", &*mpicc), ("mpirun.mpich", "exec \"$3\"")];
    let message = output_text(&wb_with_only(&other, &["doctor"]), 1);
    assert!(message.starts_with("✗ MPI: the default one does not work: mpicc cannot"), "{message}");
}
