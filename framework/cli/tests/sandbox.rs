//! `--sandbox` of `cargo wb test` and `cargo wb perf`: what builds and programs of a task see, and the refusal without one.
//! Where there is no sandbox, the tests that need one are skipped, and counted as that.

use std::{path::Path, process::Command};

use libtest_mimic::Trial;
use wb_process::sandbox::Sandbox;

use crate::workspace::{TASK, output_text, wb, workspace, write};

/// The tests, and whether they need a sandbox.
const TESTS: [(&str, fn(), bool); 10] = [
    (
        "neither_build_script_nor_test_sees_other_students_grades_or_repository",
        neither_build_script_nor_test_sees_other_students_grades_or_repository,
        true,
    ),
    (
        "a_macro_cannot_include_the_solution_of_another_student",
        a_macro_cannot_include_the_solution_of_another_student,
        true,
    ),
    (
        "a_benchmark_in_a_sandbox_locks_its_records_and_cannot_replace_their_file",
        a_benchmark_in_a_sandbox_locks_its_records_and_cannot_replace_their_file,
        true,
    ),
    (
        "a_build_in_a_sandbox_takes_what_is_built_already",
        a_build_in_a_sandbox_takes_what_is_built_already,
        true,
    ),
    (
        "a_change_in_a_sandbox_has_its_tasks_tested_and_nothing_else",
        a_change_in_a_sandbox_has_its_tasks_tested_and_nothing_else,
        true,
    ),
    (
        "a_test_that_sleeps_in_a_sandbox_is_ended_with_its_processes",
        a_test_that_sleeps_in_a_sandbox_is_ended_with_its_processes,
        true,
    ),
    ("a_dry_run_in_a_sandbox_tests_inside", a_dry_run_in_a_sandbox_tests_inside, true),
    (
        "the_page_of_a_change_comes_from_programs_in_the_sandbox",
        the_page_of_a_change_comes_from_programs_in_the_sandbox,
        true,
    ),
    (
        "a_missing_sandbox_is_refused_before_anything_runs",
        a_missing_sandbox_is_refused_before_anything_runs,
        false,
    ),
    ("a_sandbox_is_for_tasks", a_sandbox_is_for_tasks, false),
];

/// The tests, of which those that need a sandbox are skipped where there is none.
pub(crate) fn trials() -> impl Iterator<Item = Trial> {
    let found = Sandbox::find();
    if let Err(error) = &found {
        println!("SKIP: {error}");
    }
    TESTS.into_iter().map(move |(name, test, needs_sandbox)| {
        let run = move || {
            test();
            Ok(())
        };
        Trial::test(name, run).with_ignored_flag(needs_sandbox && found.is_err())
    })
}

/// Files of the workspace that no build of a task may read.
const SECRETS: [&str; 6] = [
    "tasks/petrov_p_ring/src/lib.rs",
    "tasks/roster.csv",
    "grades/grades.json",
    "grades/evidence/petrov_p_ring.json",
    ".git/config",
    "target/debug/deps/performance-0123456789abcdef",
];

/// A workspace with secrets beside the task, whose build script and tests are these.
fn workspace_with_secrets(build: &str, test: &str) -> tempfile::TempDir {
    let root = workspace(TASK);
    for secret in SECRETS {
        write(&root.path().join(secret), "//! SECRET\n");
    }
    let manifest = "[package]\nname = \"petrov_p_ring\"\nversion = \"0.1.0\"\n[package.metadata.task]\n";
    write(&root.path().join("tasks/petrov_p_ring/Cargo.toml"), manifest);
    // The statement of a variant with an overlapping course is not part of this test.
    write(&root.path().join("tasks/petrov_p_ring/task.yaml"), TASK);
    let task = root.path().join("tasks/ivanov_i_scatter");
    write(&task.join("build.rs"), build);
    write(&task.join("tests/functional.rs"), test);
    root
}

/// Rust that prints `LEAKED` for each secret that it can read, and writes into another task.
fn reading(root: &Path) -> String {
    let (root, secrets) = (root.display(), SECRETS);
    format!(
        "for file in {secrets:?} {{ \
             if std::fs::read(format!(\"{root}/{{file}}\")).is_ok() {{ panic!(\"LEAKED {{file}}\") }} \
         }} \
         if std::fs::write(\"{root}/tasks/petrov_p_ring/forged\", \"\").is_ok() {{ panic!(\"WROTE\") }}"
    )
}

/// The output of the tests of the task; its style does not matter here.
fn test_of_task(root: &Path, sandbox: &[&str]) -> String {
    let arguments = ["test", "-p", "ivanov_i_scatter", "--backend", "threads"];
    let output = wb(root, &[&arguments, sandbox].concat());
    [output.stdout, output.stderr].map(|stream| String::from_utf8_lossy(&stream).into_owned()).concat()
}

fn neither_build_script_nor_test_sees_other_students_grades_or_repository() {
    let root = workspace_with_secrets("fn main() {}\n", "");
    let attempt = reading(root.path());
    let task = root.path().join("tasks/ivanov_i_scatter");
    write(&task.join("tests/functional.rs"), &format!("#[test]\nfn reads() {{\n    {attempt}\n}}\n"));
    let outside = test_of_task(root.path(), &[]);
    assert!(
        outside.contains("LEAKED tasks/petrov_p_ring/src/lib.rs"),
        "outside a test reads them: {outside}"
    );
    write(&task.join("build.rs"), &format!("fn main() {{\n    {attempt}\n}}\n"));
    let inside = test_of_task(root.path(), &["--sandbox"]);
    assert!(inside.contains("1 passed, 0 failed") && !inside.contains("panicked"), "{inside}");
    assert!(!root.path().join("tasks/petrov_p_ring/forged").exists());
}

fn a_macro_cannot_include_the_solution_of_another_student() {
    let include = "const OTHER: &str = include_str!(\"../../petrov_p_ring/src/lib.rs\");\n\
        #[test]\nfn has_it() {\n    assert!(OTHER.contains(\"SECRET\"));\n}\n";
    let root = workspace_with_secrets("fn main() {}\n", include);
    assert!(test_of_task(root.path(), &[]).contains("1 passed"), "outside it is included");
    let inside = test_of_task(root.path(), &["--sandbox"]);
    assert!(inside.contains("couldn't read") && !inside.contains("1 passed"), "{inside}");
}

fn a_build_in_a_sandbox_takes_what_is_built_already() {
    let root = workspace_with_secrets("fn main() {}\n", "#[test]\nfn calls() {\n    workbench::call();\n}\n");
    let task = root.path().join("tasks/ivanov_i_scatter");
    let manifest = std::fs::read_to_string(task.join("Cargo.toml")).expect("a manifest");
    let framework = root.path().join("workbench");
    write(&framework.join("src/lib.rs"), "//! Something.\n\n/// Does nothing.\npub fn call() {}\n");
    write(
        &task.join("Cargo.toml"),
        &(manifest + "[dependencies]\nworkbench = { path = \"../../workbench\" }\n"),
    );
    let build = |sandbox: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
        command.args(["test", "-p", "ivanov_i_scatter", "--backend", "threads"]).args(sandbox);
        // As in CI.
        command.current_dir(root.path()).env("CARGO_INCREMENTAL", "0").env_remove("CARGO_TARGET_DIR");
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{output:?}");
    };
    let libraries = |target: &str| {
        let entries = std::fs::read_dir(root.path().join(target).join("debug/deps")).expect("it is built");
        let files = entries.map(|entry| entry.expect("an entry"));
        let of_framework =
            files.filter(|file| file.file_name().to_string_lossy().starts_with("libworkbench-"));
        let mut libraries: Vec<_> =
            of_framework.map(|file| (file.file_name(), file.path().is_symlink())).collect();
        libraries.sort();
        libraries
    };
    build(&[]);
    let built = libraries("target");
    build(&["--sandbox"]);
    assert!(!built.is_empty());
    // A library that is built in the sandbox takes the place of the link.
    let linked: Vec<_> = built.into_iter().map(|(name, _)| (name, true)).collect();
    assert_eq!(libraries("target/sandbox/ivanov_i_scatter/target"), linked);
}

fn a_missing_sandbox_is_refused_before_anything_runs() {
    let root = workspace(TASK);
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    command.args(["perf", "-p", "ivanov_i_scatter", "--backend", "threads", "--sandbox"]);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let programs = Path::new(&cargo).parent().expect("a folder").to_owned();
    command.current_dir(root.path()).env("WB_LANG", "en").env("PATH", programs);
    let refused = output_text(&command.output().expect("it starts"), 4);
    assert!(refused.contains("no sandbox: ") && refused.contains("apt-get install bubblewrap"), "{refused}");
    assert!(!root.path().join("target/sandbox").exists());
}

fn a_sandbox_is_for_tasks() {
    let root = workspace(TASK);
    let refused = output_text(&wb(root.path(), &["test", "--sandbox"]), 2);
    assert!(refused.contains("--package") && refused.contains("--changed"), "{refused}");
    let refused = output_text(&wb(root.path(), &["grade", "--all", "--from-evidence", "--sandbox"]), 2);
    assert!(refused.contains("--from-evidence"), "{refused}");
}

fn git(root: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Student", "-c", "user.email=student@example.org"]).args(arguments);
    command.current_dir(root).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let output = command.output().expect("starting git");
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
}

/// A repository on a branch that changes the task: its test fails where it can read the secrets.
fn changed_task() -> tempfile::TempDir {
    let root = workspace_with_secrets("fn main() {}\n", "");
    // The secret in the folder of git is git's own file here.
    std::fs::remove_dir_all(root.path().join(".git")).expect("made above");
    write(&root.path().join(".gitignore"), "/target\n/Cargo.lock\n/grades\n/page.md\n");
    git(root.path(), &["init", "--quiet", "--initial-branch", "main"]);
    git(root.path(), &["add", "-A"]);
    git(root.path(), &["commit", "--quiet", "-m", "The course"]);
    git(root.path(), &["switch", "--quiet", "-c", "branch"]);
    let test = format!("#[test]\nfn reads() {{\n    {}\n}}\n", reading(root.path()));
    write(&root.path().join("tasks/ivanov_i_scatter/tests/functional.rs"), &test);
    root
}

fn a_change_in_a_sandbox_has_its_tasks_tested_and_nothing_else() {
    let root = changed_task();
    write(&root.path().join("workbench/src/lib.rs"), "//! Something.\n");
    write(&root.path().join("docs/page.md"), "A document.\n");
    let changed = ["test", "--backend", "threads", "--changed", "main", "--sandbox"];
    // The style of the test is not that of the course.
    let shown = output_text(&wb(root.path(), &changed), 1);
    for part in [
        "workbench/src/lib.rs can affect everything: in a sandbox only tasks are tested",
        "documents or workflows: in a sandbox they are not tested",
        "[4/4] cargo test -p ivanov_i_scatter",
        "1 passed, 0 failed",
    ] {
        assert!(shown.contains(part), "`{part}` is not in {shown}");
    }
    assert!(!shown.contains("cargo test --workspace") && !shown.contains("panicked"), "{shown}");
    let outside = test_of_task(root.path(), &[]);
    assert!(outside.contains("LEAKED tasks/petrov_p_ring/src/lib.rs"), "{outside}");
}

/// A sandbox limits the time of the processor only.
fn a_test_that_sleeps_in_a_sandbox_is_ended_with_its_processes() {
    let root = workspace(TASK);
    write(&root.path().join(".cargo/config.toml"), "[env]\nRUST_TEST_THREADS = \"1\"\n");
    let test = "#[test]\nfn sleeps() {\n    loop {\n        std::thread::park();\n    }\n}\n";
    write(&root.path().join("tasks/ivanov_i_scatter/tests/functional.rs"), test);
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    command.args(["test", "-p", "ivanov_i_scatter", "--backend", "threads", "--sandbox"]);
    command.current_dir(root.path()).env("WB_LANG", "en").env_remove("CARGO_TARGET_DIR");
    // Of each of the three programs.
    let course = root.path().join("tasks/course.yaml");
    let text = std::fs::read_to_string(&course).expect("the course");
    write(&course, &text.replace("program_seconds: 600", "program_seconds: 2"));
    let output = command.output().expect("starting wb");
    let shown = output_text(&output, 1).split_whitespace().collect::<Vec<_>>().join(" ");
    let report = "did not end within 6 s and was ended; tests that had not ended: sleeps";
    assert!(shown.contains(report), "{shown}");
    let place = root.path().to_string_lossy().into_owned();
    let is_of_workspace = |process: &std::fs::DirEntry| {
        let words = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains(&place)
    };
    let processes = std::fs::read_dir("/proc").expect("the processes").flatten();
    let left: Vec<_> = processes.filter(is_of_workspace).map(|process| process.path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Enrols the student of the task.
fn enrol(root: &Path) {
    write(&root.join("tasks/roster.csv"), "login,name,group\nivanov_i,Ivan Ivanov,3823B1PR1\n");
    write(&root.join("tasks/variants.csv"), "login,assignment,variant\nivanov_i,2,4\n");
}

fn a_dry_run_in_a_sandbox_tests_inside() {
    let root = changed_task();
    enrol(root.path());
    let dry_run = |sandbox: &[&str]| {
        let output = wb(root.path(), &[&["grade", "-p", "ivanov_i_scatter", "--dry-run"], sandbox].concat());
        output_text(&output, 0)
    };
    let outside = dry_run(&[]);
    assert!(outside.contains("LEAKED tasks/petrov_p_ring/src/lib.rs"), "{outside}");
    let inside = dry_run(&["--sandbox"]);
    assert!(!inside.contains("panicked") && !inside.contains("FAILED"), "{inside}");
}

fn the_page_of_a_change_comes_from_programs_in_the_sandbox() {
    let root = changed_task();
    let file = |path: &str, text: &str| write(&root.path().join(path), text);
    // An example in the documentation is a program, too, whose syntax no rule reads.
    let example = format!("//! A sum.\n//!\n//! ```\n//! {}\n//! ```\n", reading(root.path()));
    file("tasks/ivanov_i_scatter/src/lib.rs", &example);
    std::fs::remove_file(root.path().join("tasks/ivanov_i_scatter/build.rs")).expect("it breaks a rule");
    file("tasks/ivanov_i_scatter/tests/functional.rs", "#[test]\nfn passes() {}\n");
    file("tasks/ivanov_i_scatter/benches/performance.rs", "fn main() {\n    println!(\"measured\");\n}\n");
    enrol(root.path());
    let page_of = |sandbox: &[&str]| {
        let summary = ["summary", "main", "--backend", "threads", "--output", "page.md"];
        let _failed = wb(root.path(), &[&summary, sandbox].concat());
        let page = std::fs::read_to_string(root.path().join("page.md")).expect("a page");
        std::fs::remove_file(root.path().join("page.md")).expect("ours");
        page
    };
    let inside = page_of(&["--sandbox"]);
    let lines = inside.lines().filter(|line| line.starts_with("| cargo wb"));
    let in_sandbox = lines.filter(|line| line.contains(" --sandbox | ")).count();
    assert_eq!(in_sandbox, 3, "tests, measurement and grade: {inside}");
    for part in ["--changed", "(line 3) ... ok", "measured", "--dry-run --sandbox | passed |"] {
        assert!(inside.contains(part), "`{part}` is not in {inside}");
    }
    let outside = page_of(&[]);
    assert!(outside.contains("LEAKED") && !inside.contains("panicked"), "{outside}");
}

fn a_benchmark_in_a_sandbox_locks_its_records_and_cannot_replace_their_file() {
    let root = workspace(TASK);
    let victim = root.path().join("victim");
    write(&victim, "unharmed");
    let bench = "fn main() {\n    let file = std::env::args().skip_while(|word| word != \"--wb-records\").nth(1).unwrap();\n    \
        println!(\"wrote {}\", std::fs::write(&file, \"{}\").is_ok());\n    \
        println!(\"removed {}\", std::fs::remove_file(&file).is_ok());\n    \
        let lock = std::fs::File::create(std::path::Path::new(&file).with_extension(\"lock\"));\n    \
        println!(\"locked {}\", lock.is_ok_and(|lock| lock.lock().is_ok()));\n}\n";
    let task = root.path().join("tasks/ivanov_i_scatter");
    write(&task.join("benches/performance.rs"), bench);
    let arguments = ["perf", "-p", "ivanov_i_scatter", "--backend", "threads", "--sandbox"];
    let shown = output_text(&wb(root.path(), &arguments), 1);
    for expected in ["wrote true", "removed false", "locked true"] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
}
