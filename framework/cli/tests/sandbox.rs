//! `--sandbox` of `cargo wb test` and `cargo wb perf`: what builds and programs of a task see, and the refusal without one.
//! Where there is no sandbox, the tests that need one are skipped, and counted as that.
#![cfg(target_os = "linux")]
mod workspace;

use std::path::Path;

use libtest_mimic::{Arguments, Trial};
use wb_sandbox::Sandbox;
use workspace::{TASK, output_text, wb, workspace, write};

/// The tests, and whether they need a sandbox.
const TESTS: [(&str, fn(), bool); 5] = [
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
        "a_benchmark_in_a_sandbox_cannot_replace_the_file_of_its_records",
        a_benchmark_in_a_sandbox_cannot_replace_the_file_of_its_records,
        true,
    ),
    (
        "a_missing_sandbox_is_refused_before_anything_runs",
        a_missing_sandbox_is_refused_before_anything_runs,
        false,
    ),
    ("a_sandbox_is_for_one_task", a_sandbox_is_for_one_task, false),
];

fn main() {
    let found = Sandbox::find();
    if let Err(error) = &found {
        println!("SKIP: {error}");
    }
    let trials = TESTS.map(|(name, test, needs_sandbox)| {
        let run = move || {
            test();
            Ok(())
        };
        Trial::test(name, run).with_ignored_flag(needs_sandbox && found.is_err())
    });
    libtest_mimic::run(&Arguments::from_args(), trials.into()).exit();
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

fn a_missing_sandbox_is_refused_before_anything_runs() {
    let root = workspace(TASK);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_wb"));
    command.args(["perf", "-p", "ivanov_i_scatter", "--backend", "threads", "--sandbox"]);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let programs = Path::new(&cargo).parent().expect("a folder").to_owned();
    command.current_dir(root.path()).env("WB_LANG", "en").env("PATH", programs);
    let refused = output_text(&command.output().expect("it starts"), 4);
    assert!(refused.contains("no sandbox: ") && refused.contains("apt-get install bubblewrap"), "{refused}");
    assert!(!root.path().join("target/sandbox").exists());
}

fn a_sandbox_is_for_one_task() {
    let root = workspace(TASK);
    let refused = output_text(&wb(root.path(), &["test", "--sandbox"]), 2);
    assert!(refused.contains("--package"), "{refused}");
}

fn a_benchmark_in_a_sandbox_cannot_replace_the_file_of_its_records() {
    let root = workspace(TASK);
    let victim = root.path().join("victim");
    write(&victim, "unharmed");
    let bench = "fn main() {\n    let file = std::env::args().skip_while(|word| word != \"--wb-records\").nth(1).unwrap();\n    \
        println!(\"wrote {}\", std::fs::write(&file, \"{}\").is_ok());\n    \
        println!(\"removed {}\", std::fs::remove_file(&file).is_ok());\n}\n";
    let task = root.path().join("tasks/ivanov_i_scatter");
    write(&task.join("benches/performance.rs"), bench);
    let arguments = ["perf", "-p", "ivanov_i_scatter", "--backend", "threads", "--sandbox"];
    let shown = output_text(&wb(root.path(), &arguments), 1);
    assert!(shown.contains("wrote true") && shown.contains("removed false"), "{shown}");
}
