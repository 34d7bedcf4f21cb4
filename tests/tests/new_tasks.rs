//! What `cargo wb new` makes is a task: it is listed, its library, tests and benchmark build, and its tests name the next step.
//!
//! The tasks lie in a folder of their own. Their crates are compiled as cargo would compile them, against the libraries of
//! this workspace, because cargo would build all of these again for another folder.
use std::{fs, path::Path, process::Command};

use cargo_metadata::MetadataCommand;
use wb_tests::{
    artifacts::{self, Artifacts},
    sources,
    task_compiler::{TaskCompiler, assert_success},
};

/// A name that a shell, YAML, TOML, JSON and Rust would each take for something else.
const STUDENT: &str = r#"O'Brien "Bo" \ {{group}}"#;

/// Where cargo puts a test target of this name; by it a functional test knows itself.
const FUNCTIONAL: &str = "deps/functional-0123456789abcdef";

/// The assignment on which a new task is made.
const ASSIGNMENT: &str = "assignment_1_20_integral";

/// A workspace whose crates are this one's and whose tasks are new.
fn workspace(folder: &Path) {
    let manifest = fs::read_to_string(sources::root().join("Cargo.toml")).expect("the manifest");
    let members =
        manifest.replace("members = [\"framework/*\", \"tasks/*\", \"tests\"]", "members = [\"tasks/*\"]");
    assert_ne!(members, manifest, "the members are the tasks only");
    let framework = format!("path = \"{}/framework/", sources::root().display());
    let manifest = members.replace("path = \"framework/", &framework);
    fs::write(folder.join("Cargo.toml"), manifest).expect("written");
    fs::copy(sources::root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("copied");
    // Cargo refuses a pattern of members that no folder fits.
    let other = folder.join("tasks/not_a_task");
    fs::create_dir_all(other.join("src")).expect("made");
    fs::write(other.join("Cargo.toml"), "[package]\nname = \"not_a_task\"\nversion = \"0.1.0\"\n")
        .expect("written");
    fs::write(other.join("src/lib.rs"), "//! Nothing.\n").expect("written");
    fs::copy(sources::root().join("tasks/course.yaml"), folder.join("tasks/course.yaml")).expect("copied");
    let (from, to) = [sources::root(), folder].map(|root| root.join("tasks").join(ASSIGNMENT)).into();
    fs::create_dir_all(to.join("src")).expect("made");
    fs::create_dir_all(to.join("tests")).expect("made");
    let statements = ["statement.en.md", "statement.ru.md"];
    for file in
        ["Cargo.toml", "assignment.yaml", "src/lib.rs", "tests/functional.rs"].into_iter().chain(statements)
    {
        fs::copy(from.join(file), to.join(file)).expect("copied");
    }
}

/// A task that the test makes: its name, its language, its number and variant, and the beginning of its tests' output.
type MadeTask<'a> = (&'a str, &'a str, [&'a str; 2], &'a str);

/// Makes the tasks with `cargo wb new`; gives what `cargo wb list` prints then.
fn make_tasks(wb: &Path, root: &Path, tasks: &[MadeTask<'_>]) -> String {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(wb);
        command.args(arguments).current_dir(root).env("WB_LANG", "en").env_remove("CARGO_TARGET_DIR");
        assert_success(&command.output().expect("wb starts"))
    };
    for (task, lang, [number, variant], _) in tasks {
        let student = ["new", task, "--student", STUDENT, "--group", "3823B1PR1"];
        let made = run(&[&student[..], &["--task", number, "--variant", variant, "--lang", lang]].concat());
        let files: Vec<_> =
            made.split_whitespace().filter(|word| word.ends_with(".rs") || word.ends_with(".md")).collect();
        assert!(files.len() >= 4, "the next steps name files: {made}");
        let missing = files
            .iter()
            .filter(|file| !root.join(file).is_file() && !root.join("tasks").join(task).join(file).is_file());
        assert_eq!(missing.collect::<Vec<_>>(), [&""; 0], "{made}");
    }
    run(&["list", "--json"])
}

/// Builds all targets of a task on the assignment, runs its first test, and compares the output.
fn check_task_of_assignment(artifacts: &Artifacts, folder: &Path, (task, lang, _, first): MadeTask<'_>) {
    let compiler = TaskCompiler { artifacts, task, folder: folder.to_owned() };
    let library = ["--crate-type", "lib", "--crate-name", task];
    compiler.compile("src/lib.rs", &library, &["workbench", ASSIGNMENT], "lib.rlib");
    compiler.compile("benches/performance.rs", &[], &["workbench", task], "performance");
    let functional = compiler.compile("tests/functional.rs", &["--test"], &["workbench", task], FUNCTIONAL);
    for (test, file) in
        [("seq_answers_the_assignment", "src/seq.rs"), ("mpi_answers_the_assignment", "src/mpi.rs")]
    {
        let (code, text) = run_test(&functional, test, folder, task, lang);
        assert_eq!(code, Some(101), "{text}");
        assert!(text.contains(file) && (test.starts_with("mpi") || text.contains(first)), "{text}");
    }
}

/// Runs one test; gives its exit code and its output in one line.
fn run_test(program: &Path, test: &str, folder: &Path, task: &str, lang: &str) -> (Option<i32>, String) {
    let mut tests = Command::new(program);
    tests.args([test, "--test-threads", "1"]).current_dir(folder);
    tests.env("CARGO_MANIFEST_DIR", folder).env("CARGO_PKG_NAME", task).env("WB_LANG", lang);
    wb_process::remove_launcher_variables(&mut tests);
    let output = tests.output().expect("the tests start");
    let streams = [&output.stdout, &output.stderr].map(|stream| String::from_utf8_lossy(stream).into_owned());
    (output.status.code(), streams.concat().split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Builds all targets of a task, runs one of its tests, and compares the output.
fn check_task(artifacts: &Artifacts, folder: &Path, (task, lang, _, first): MadeTask<'_>) {
    let compiler = TaskCompiler { artifacts, task, folder: folder.to_owned() };
    let library = ["--crate-type", "lib", "--crate-name", task];
    compiler.compile("src/lib.rs", &library, &["workbench"], "lib.rlib");
    compiler.compile("benches/performance.rs", &[], &["workbench", task], "performance");
    let crates = ["workbench", "rstest", "approx", task];
    let functional = compiler.compile("tests/functional.rs", &["--test"], &crates, FUNCTIONAL);
    let (code, text) = run_test(&functional, "case_2_one_number", folder, task, lang);
    assert_eq!(code, Some(101), "{text}");
    for expected in ["answers::case_2_one_number [", first, "src/problem.rs", "src/seq.rs"] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
}

#[test]
fn what_new_makes_is_listed_builds_and_says_what_to_write() {
    let artifacts = artifacts::artifacts(&["--test", "commands", "--test", "functional"]);
    let wb = artifacts.programs.iter().map(|built| &built.path).find(|path| path.ends_with("wb"));
    let root = tempfile::tempdir().expect("a folder");
    workspace(root.path());
    let cases = [
        ("aa_a_sum", "en", ["1", "1"], "nothing is written yet"),
        ("bb_b_integral", "en", ["1", "20"], "nothing is written yet"),
        ("yy_y_integral", "ru", ["1", "20"], "пока ничего не написано"),
        ("zz_z_ring", "ru", ["2", "7"], "пока ничего не написано"),
    ];
    let listed = make_tasks(wb.expect("the command"), root.path(), &cases);
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    let listed = listed.as_array().expect("a list");
    let names: Vec<_> = listed.iter().map(|task| (task["task"].as_str(), task["student"].as_str())).collect();
    assert_eq!(names, cases.map(|(task, ..)| (Some(task), Some(STUDENT))));
    let metadata = MetadataCommand::new().current_dir(root.path()).no_deps().exec();
    let packages = metadata.expect("manifests that cargo reads").packages;
    for case in cases {
        let task = case.0;
        let package = packages.iter().find(|package| package.name.as_str() == task).expect("a package");
        let targets: Vec<_> =
            package.targets.iter().map(|target| (target.name.as_str(), target.test)).collect();
        assert_eq!(targets, [(task, false), ("functional", true), ("performance", false)]);
        assert_eq!(package.features["default"], ["mpi"]);
        let folder = root.path().join("tasks").join(task);
        match case.2 {
            ["1", "20"] => check_task_of_assignment(&artifacts, &folder, case),
            _ => check_task(&artifacts, &folder, case),
        }
    }
}
