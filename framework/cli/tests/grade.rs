//! `cargo wb grade` in a small workspace with a repository: evidence is collected and read, grades are written.

#[path = "grade/judged.rs"]
mod judged;

use std::{fs, path::Path, process::Command, time::Instant};

use crate::workspace::{output_text, wb, write};
use tempfile::TempDir;
use wb_course::{CourseGrades, Evidence, Letter, SolutionPart, TaskGrade};
use wb_record::{
    Backend, ComputingCost, FunctionalRecord, MeasuredWorkload, Measurement, Prediction, Record, Series,
    TimedRegion, Traffic, Version,
};

const COURSE: &str = include_str!("../../../tasks/course.yaml");
const TASK: &str = "\
student: Ivan Ivanov
group: 3823B1PR1
task_number: 2
variant: 11
kind: computation
status: { seq: enabled, mpi: enabled }
performance:
  workloads:
    - { name: int, size: 1000 }
  ranks: [1, 2]
";

/// A course with one task, committed on the main branch on 10 April 2027.
fn course() -> TempDir {
    let root = crate::workspace::workspace(TASK);
    let file = |path: &str, text: &str| write(&root.path().join(path), text);
    file("tasks/course.yaml", COURSE);
    let roster = "login,name,group\nivanov_i,Ivan Ivanov,3823B1PR1\nexample_p,Example P.,staff\n";
    file("tasks/roster.csv", roster);
    file("tasks/variants.csv", "login,assignment,variant\nivanov_i,2,11\n");
    file(".gitignore", "/target\n/Cargo.lock\n/grades\n");
    git(root.path(), &["init", "-q", "-b", "main"]);
    git(root.path(), &["add", "-A"]);
    git(root.path(), &["commit", "-q", "-m", "a task"]);
    root
}

fn git(root: &Path, arguments: &[&str]) {
    let date = "2027-04-10T09:00:00Z";
    let mut command = Command::new("git");
    command.args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"]);
    command.args(arguments).current_dir(root).env("GIT_COMMITTER_DATE", date).env("GIT_AUTHOR_DATE", date);
    assert!(command.status().expect("git runs").success(), "{arguments:?}");
}

fn evidence() -> Evidence {
    Evidence { login: "ivanov_i".into(), variant: 11, ..Evidence::example() }
}

fn grades(root: &Path) -> Vec<TaskGrade> {
    let text = fs::read_to_string(root.join("grades/grades.json")).expect("written");
    serde_json::from_str::<CourseGrades>(&text).expect("grades").grades
}

/// The grade of the only task.
fn second_grade(root: &Path) -> TaskGrade {
    grades(root).swap_remove(1)
}

#[test]
fn all_grades_follow_from_the_evidence_and_are_the_same_each_time() {
    let root = course();
    write(&root.path().join("grades/evidence/ivanov_i_scatter.json"), &evidence().to_json());
    let at = ["grade", "--all", "--at", "2027-05-01"];
    let shown = output_text(&wb(root.path(), &at), 0);
    assert!(
        shown.contains("Ivan Ivanov") && shown.contains("23") && shown.contains("not submitted"),
        "{shown}"
    );
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    let first = fs::read(root.path().join("grades/grades.json")).expect("written");
    let listed: Vec<_> = grades(root.path()).iter().map(|one| (one.login.clone(), one.assignment)).collect();
    assert_eq!(listed.len(), 6, "two students with three assignments each: {listed:?}");
    assert_eq!(second_grade(root.path()).total, "23".parse().expect("points"), "the task was merged");
    output_text(&wb(root.path(), &at), 0);
    let second = fs::read(root.path().join("grades/grades.json")).expect("written");
    assert!(second == first, "the grades of the same evidence differ: {}", String::from_utf8_lossy(&second));
    // Before the merge nothing is submitted.
    output_text(&wb(root.path(), &["grade", "--all", "--at", "2027-04-01"]), 0);
    assert_eq!(second_grade(root.path()).total, "0".parse().expect("points"), "not merged yet");
    let shown = output_text(&wb(root.path(), &["grade", "--group", "staff"]), 0);
    assert!(shown.contains("Example P.") && !shown.contains("Ivan Ivanov"), "{shown}");
    let shown = output_text(&wb(root.path(), &["grade", "--all", "--lang", "ru"]), 0);
    assert!(shown.contains("не сдана"), "{shown}");
}

#[test]
fn a_second_task_is_named_and_a_removed_one_does_not_count() {
    let root = course();
    let put = |task: &str, merged: &str| {
        let mut one = Evidence { task: task.into(), ..evidence() };
        one.submission.as_mut().expect("submitted").merged_at = merged.parse().expect("a moment");
        write(&root.path().join(format!("grades/evidence/{task}.json")), &one.to_json());
    };
    put("ivanov_i_scatter", "2027-04-11T10:00:00Z");
    put("ivanov_i_removed", "2027-04-11T11:00:00Z");
    let all = ["grade", "--all", "--at", "2027-05-01"];
    let shown = output_text(&wb(root.path(), &all), 0);
    assert!(shown.contains("ivanov_i_removed: there is no such task"), "{shown}");
    let counted = || second_grade(root.path()).task;
    assert_eq!(counted().as_deref(), Some("ivanov_i_scatter"), "the task that is there counts");
    let second = root.path().join("tasks/ivanov_i_removed");
    let manifest = fs::read_to_string(root.path().join("tasks/ivanov_i_scatter/Cargo.toml")).expect("a task");
    write(&second.join("Cargo.toml"), &manifest.replace("ivanov_i_scatter", "ivanov_i_removed"));
    write(&second.join("src/lib.rs"), "//! Nothing.\n");
    write(&second.join("benches/performance.rs"), "fn main() {}\n");
    let shown = output_text(&wb(root.path(), &all), 0);
    let expected = "ivanov_i, assignment 2: two tasks for this assignment: ivanov_i_removed counts, since it was merged last; \
                ivanov_i_scatter does not";
    assert!(shown.contains(expected), "{shown}");
    assert_eq!(counted().as_deref(), Some("ivanov_i_removed"), "the task that was merged last counts");
}

#[test]
fn evidence_of_one_task_is_collected_with_its_date_and_written() {
    let root = course();
    let shown = output_text(&wb(root.path(), &["grade", "-p", "ivanov_i_scatter", "--at", "2027-04-12"]), 0);
    for part in [
        "SEQ: no functional test ran",
        "write a test with `functional(Seq)` in tests/functional.rs",
        "without measurements: it left no record",
        "last change 2027-04-10 12:00, deadline 2027-04-11",
        "nothing was measured",
        "there is no report in reports/ivanov_i_scatter",
        "0 of 23",
    ] {
        let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(part), "`{part}` is not in\n{shown}");
    }
    let text =
        fs::read_to_string(root.path().join("grades/evidence/ivanov_i_scatter.json")).expect("written");
    let evidence = Evidence::parse(&text).expect("evidence");
    let submission = evidence.submission.expect("it is on the main branch");
    assert_eq!(submission.changed_at.to_string(), "2027-04-10T09:00:00Z", "the date of the commit");
    let shown =
        output_text(&wb(root.path(), &["grade", "-p", "ivanov_i_scatter", "--from-evidence", "--json"]), 0);
    let grade: TaskGrade = serde_json::from_str(&shown).expect("a grade");
    let solution = grade.letter(Letter::Solution).filter(|letter| !letter.reasons.is_empty());
    assert!(solution.is_some(), "S has its reasons: {grade:#?}");
}

/// The simulated passes of the parallel version on one rank, and on one number of ranks of each other range of the rule, of so many
/// milliseconds.
fn predicted(alone_ms: u64, divided_ms: u64) -> String {
    let record = |ranks, milliseconds: u64, mode| {
        let workload = MeasuredWorkload { name: "int".into(), size: 1000, unit: String::new() };
        let prediction = Prediction {
            series: Series { workload, version: Version::Mpi, mode, ranks },
            machine: "distributes-computing".into(),
            faults: vec![],
            computing: ComputingCost::Measured,
            elapsed_ns: milliseconds * 1_000_000,
            worked_ns: 0,
            worked_max_ns: 0,
            traffic: Traffic { messages: 3, bytes: 24, messages_max_rank: 1, bytes_max_rank: 8 },
            correct: Some(true),
        };
        record_line(prediction).replace("2026-03-01T10:15:00Z", "NOW")
    };
    let both = |ranks, ms| [TimedRegion::TaskRun, TimedRegion::Pipeline].map(|mode| record(ranks, ms, mode));
    [both(1, alone_ms), both(4, divided_ms), both(12, divided_ms)].concat().concat()
}

#[test]
fn a_rule_that_runs_break_is_shown_and_is_evidence_against_the_parallel_version() {
    let root = course();
    let task = root.path().join("tasks/ivanov_i_scatter");
    write(&task.join("src/lib.rs"), "pub struct Seq;\npub struct Mpi;\n");
    let manifest = fs::read_to_string(task.join("Cargo.toml")).expect("a task");
    write(&task.join("Cargo.toml"), &(manifest + "[dependencies]\nworkbench.workspace = true\n"));
    write(&task.join("benches/performance.rs"), "workbench::performance!((), ());\n");
    let collect = |ms| {
        write(&task.join("predicted.jsonl"), &predicted(100, ms));
        let shown = output_text(&wb(root.path(), &["grade", "-p", "ivanov_i_scatter"]), 0);
        let file = root.path().join("grades/evidence/ivanov_i_scatter.json");
        let evidence = Evidence::parse(&fs::read_to_string(file).expect("written")).expect("evidence");
        let seed = evidence.rule_runs_seed.expect("numbers of ranks were drawn").to_string();
        assert!(shown.contains(&seed), "the runs were drawn from {seed}: {shown}");
        let arguments =
            fs::read_to_string(root.path().join("target/arguments.txt")).expect("it was measured");
        assert!(arguments.contains(&format!("--wb-seed {seed}")), "so were the inputs: {arguments}");
        let of_mpi = evidence.broken_rules.into_iter().filter(|one| one.part == Some(SolutionPart::Mpi));
        of_mpi.map(|one| format!("{}: {}", one.rule, one.text)).collect::<Vec<_>>()
    };
    assert_eq!(collect(25), [""; 0], "a quarter of the time at P = 4 breaks no rule");
    let broken = collect(100);
    let part = "distributes-computing: `run` takes 100.00 ms at P = 4";
    assert!(broken.len() == 1 && broken[0].starts_with(part), "{broken:?}");
    let rules = |code| output_text(&wb(root.path(), &["rules", "-p", "ivanov_i_scatter", "--runs"]), code);
    let shown = rules(1);
    let part = "rule distributes-computing: ivanov_i_scatter: `run` takes 100.00 ms at P = 4";
    assert!(shown.contains(part) && shown.contains("ask your instructor"), "{shown}");
    write(&task.join("predicted.jsonl"), &predicted(100, 25));
    let shown = rules(0);
    assert!(!shown.contains("rule distributes-computing: ivanov_i_scatter: `run` takes"), "{shown}");
}

/// Where the assignment has a crate, neither the task's tests and benchmarks nor its manifest decide, and they have no date.
#[test]
fn of_a_task_with_an_assignment_its_library_alone_is_graded() {
    let root = judged::judged_course("fn main() {}\n");
    let file = |path: &str, text: &str| write(&root.path().join(path), text);
    file(
        "tasks/ivanov_i_scatter/tests/functional.rs",
        "#[test]\nfn fails() {\n    panic!(\"never run\");\n}\n",
    );
    file("tasks/ivanov_i_scatter/benches/performance.rs", "not Rust");
    file("tasks/ivanov_i_scatter/Cargo.toml", "no manifest");
    let shown = output_text(&wb(root.path(), &["grade", "-p", "ivanov_i_scatter", "--at", "2027-04-12"]), 0);
    assert!(shown.contains("cargo refuses the manifest of a task, on which no grade depends"), "{shown}");
    let text = fs::read_to_string(root.path().join("grades/evidence/ivanov_i_scatter.json"));
    let evidence = Evidence::parse(&text.expect("written")).expect("evidence");
    assert!(evidence.instructor_owned && !evidence.incomplete, "{evidence:#?}");
    let of_sources = evidence.broken_rules.iter().filter(|broken| broken.rule != "distributes-computing");
    assert_eq!(of_sources.count(), 0, "{evidence:#?}");
    file("tasks/ivanov_i_scatter/src/lib.rs", "pub struct Seq;\npub struct Mpi;\n");
    let shown = output_text(&wb(root.path(), &["grade", "-p", "ivanov_i_scatter"]), 0);
    assert!(shown.contains("the trait bound `Seq: Task` is not satisfied"), "{shown}");
    // The word is not in a source of the workspace.
    let library = ["#![allow(", "unsafe", "_code)]\npub fn f() {\n    ", "unsafe", " {}\n}\n"].concat();
    file("tasks/ivanov_i_scatter/src/lib.rs", &library);
    let shown = output_text(&wb(root.path(), &["grade", "-p", "ivanov_i_scatter"]), 0);
    assert!(shown.contains("usage of an `unsafe` block"), "{shown}");
}

/// A manifest that is none, and one with the name of another task: cargo refuses the whole workspace for each.
#[test]
fn a_broken_manifest_is_no_matter_of_another_task() {
    let root = course();
    let file = |path: &str, text: &str| write(&root.path().join(path), text);
    for (folder, manifest) in
        [("petrov_p_ring", "no manifest"), ("aaa_a_thief", "[package]\nname = \"ivanov_i_scatter\"\n")]
    {
        file(&format!("tasks/{folder}/Cargo.toml"), manifest);
        file(&format!("tasks/{folder}/task.yaml"), TASK);
    }
    let shown = output_text(&wb(root.path(), &["grade", "-p", "ivanov_i_scatter", "--at", "2027-04-12"]), 0);
    assert!(shown.contains("cargo refuses the manifest of a task, on which no grade depends"), "{shown}");
    assert!(shown.contains("SEQ: no functional test ran"), "{shown}");
    file("tasks/petrov_p_ring/src/lib.rs", "//! Nothing.\n");
    let shown = output_text(&wb(root.path(), &["grade", "-p", "petrov_p_ring"]), 0);
    assert!(shown.contains("petrov_p_ring: without measurements"), "{shown}");
}

#[test]
fn a_test_program_that_does_not_end_is_ended_and_the_next_task_is_graded() {
    let root = course();
    let file = |path: &str, text: &str| write(&root.path().join(path), text);
    let task = root.path().join("tasks/ivanov_i_scatter");
    let manifest = fs::read_to_string(task.join("Cargo.toml")).expect("a task");
    file("tasks/petrov_p_ring/Cargo.toml", &manifest.replace("ivanov_i_scatter", "petrov_p_ring"));
    file("tasks/petrov_p_ring/task.yaml", &TASK.replace("Ivan Ivanov", "Petr Petrov"));
    file("tasks/petrov_p_ring/src/lib.rs", "//! Nothing.\n");
    file("tasks/petrov_p_ring/tests/functional.rs", "#[test]\nfn passes() {}\n");
    file("tasks/petrov_p_ring/benches/performance.rs", "fn main() {}\n");
    let people = "login,name,group\nivanov_i,Ivan Ivanov,3823B1PR1\npetrov_p,Petr Petrov,3823B1PR1\n";
    file("tasks/roster.csv", people);
    file("tasks/variants.csv", "login,assignment,variant\nivanov_i,2,11\npetrov_p,2,11\n");
    let spins = "#[test]\nfn passes() {}\n#[test]\nfn waits() {\n    loop {\n        std::hint::spin_loop();\n    }\n}\n";
    file("tasks/ivanov_i_scatter/tests/functional.rs", spins);
    file("tasks/course.yaml", &COURSE.replace("program_seconds: 600", "program_seconds: 1"));
    let run = |arguments: &[&str], code| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
        command.args(arguments).current_dir(root.path()).env("WB_LANG", "en").env("RUST_TEST_THREADS", "1");
        command.env_remove("CARGO_TARGET_DIR");
        let shown = output_text(&command.output().expect("starting wb"), code);
        shown.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let report = "ivanov_i_scatter tests/functional.rs did not end within 1 s and was ended; tests that had not ended: waits";
    let shown = run(&["grade", "--all", "--collect"], 0);
    assert!(shown.contains(report), "{shown}");
    for (task, is_incomplete) in [("ivanov_i_scatter", true), ("petrov_p_ring", false)] {
        let text = fs::read_to_string(root.path().join(format!("grades/evidence/{task}.json")));
        let evidence = Evidence::parse(&text.expect("written")).expect("evidence");
        let ended = (evidence.incomplete, evidence.unended.map(|tests| tests.en.into_owned()));
        let expected = (is_incomplete, is_incomplete.then(|| report.to_owned()));
        assert_eq!(ended, expected, "{task}: tests were ended early, and which");
    }
    // The unit tests, the functional tests and the examples are three programs.
    let shown = run(&["test", "-p", "ivanov_i_scatter", "--backend", "threads"], 1);
    assert!(shown.contains(&report.replace("1 s", "3 s")), "{shown}");
}

/// A verdict that passes.
fn verdict(version: Version, ranks: u32, graded: bool) -> FunctionalRecord {
    let backend = if ranks > 1 { Backend::Mpi } else { Backend::Threads };
    FunctionalRecord { version, ranks, backend, graded, ..FunctionalRecord::example() }
}

/// The line of a record of the task.
fn record_line(measurement: impl Into<Measurement>) -> String {
    let mut record = Record { measurement: measurement.into(), ..wb_record::example() };
    record.subject.task = "ivanov_i_scatter".into();
    record.to_line() + "\n"
}

#[test]
fn a_dry_run_in_the_folder_of_a_task_writes_nothing() {
    let root = course();
    write(&root.path().join("tasks/ivanov_i_scatter/src/new.rs"), "//! Not merged.\n");
    let folder = root.path().join("tasks/ivanov_i_scatter");
    let shown = output_text(&wb(&folder, &["grade", "--dry-run", "--at", "2027-04-13"]), 0);
    assert!(shown.contains("0 of 23 now"), "{shown}");
    assert!(shown.contains("3 more for S: SEQ: no functional test ran"), "{shown}");
    assert!(shown.contains("2 lost for D: days late: 2"), "{shown}");
    assert!(!root.path().join("grades").exists(), "a dry run has written grades");
    let shown = output_text(&wb(root.path(), &["grade", "--dry-run"]), 2);
    assert!(shown.contains("name what to grade"), "{shown}");
}

#[test]
fn wrong_words_and_wrong_evidence_are_refused() {
    let root = course();
    let refused = |arguments: &[&str], code, part: &str| {
        let shown = output_text(&wb(root.path(), arguments), code);
        assert!(shown.contains(part), "`{part}` is not in\n{shown}");
    };
    refused(&["grade"], 2, "name what to grade");
    refused(&["grade", "--all", "--at", "yesterday"], 2, "`yesterday` is neither a day");
    refused(&["grade", "--group", "nobody"], 2, "the groups are 3823B1PR1, staff");
    refused(&["grade", "--all", "--group", "staff"], 2, "--all");
    write(&root.path().join("grades/evidence/a.json"), "{\n  \"schema\": 9\n}\n");
    refused(&["grade", "--all"], 1, "schema 9 is newer than 1");
    write(&root.path().join("tasks/roster.csv"), "login,name,group\nexample_p,Example P.,staff\n");
    refused(&["grade", "-p", "ivanov_i_scatter"], 2, "is not in tasks/roster.csv");
}

#[test]
fn the_evidence_of_450_tasks_is_graded_in_less_than_5_seconds() {
    let root = course();
    let mut roster = String::from("login,name,group\n");
    for number in 0..150 {
        roster += &format!("student{number},Student {number},3823B1PR1\n");
        for assignment in 1..=3 {
            let task = format!("student{number}_{assignment}");
            let one =
                Evidence { login: format!("student{number}"), task: task.clone(), assignment, ..evidence() };
            write(&root.path().join(format!("grades/evidence/{task}.json")), &one.to_json());
            let manifest = format!("[package]\nname = \"{task}\"\n[package.metadata.task]\n");
            write(&root.path().join(format!("tasks/{task}/Cargo.toml")), &manifest);
            write(&root.path().join(format!("tasks/{task}/src/lib.rs")), "");
        }
    }
    write(&root.path().join("tasks/roster.csv"), &roster);
    let start = Instant::now();
    output_text(&wb(root.path(), &["grade", "--all"]), 0);
    let took = start.elapsed();
    println!("450 tasks in {took:?}");
    assert!(took.as_secs() < 5, "450 tasks in {took:?}");
    assert_eq!(grades(root.path()).len(), 450, "a grade for each student and assignment");
}

#[test]
fn a_clone_that_cannot_say_what_was_merged_is_an_error_and_no_evidence_is_written() {
    let root = course();
    let task = ["grade", "-p", "ivanov_i_scatter", "--at", "2027-04-12"];
    let refused = |more: &[&str], code, part: &str| {
        let shown = output_text(&wb(root.path(), &[&task, more].concat()), code);
        assert!(shown.contains(part), "`{part}` is not in\n{shown}");
        assert!(!root.path().join("grades").exists(), "evidence of a refused command is written");
    };
    refused(&["--main", "mian"], 2, "there is no commit `mian`");
    refused(&["--main", "mian", "--dry-run"], 2, "there is no commit `mian`");
    let tip = fs::read_to_string(root.path().join(".git/refs/heads/main")).expect("a branch");
    write(&root.path().join(".git/shallow"), &tip);
    refused(&[], 1, "git fetch --unshallow");
    refused(&["--dry-run"], 0, "the date of the submission is left out: the clone is shallow");
    fs::remove_dir_all(root.path().join(".git")).expect("removed");
    refused(&[], 1, "is not in a git repository");
}

#[test]
fn a_task_whose_history_cannot_be_read_is_left_out_and_the_others_are_graded() {
    let root = course();
    write(&root.path().join("grades/evidence/ivanov_i_scatter.json"), &evidence().to_json());
    let mut asked = Command::new("git");
    asked.args(["rev-parse", "HEAD:tasks/ivanov_i_scatter/task.yaml"]).current_dir(root.path());
    let object = String::from_utf8(asked.output().expect("git runs").stdout).expect("a name");
    let (folder, file) = object.trim().split_at(2);
    fs::remove_file(root.path().join(".git/objects").join(folder).join(file)).expect("the settings' object");
    let shown = output_text(&wb(root.path(), &["grade", "--all", "--changed", "--at", "2027-05-01"]), 1);
    assert!(shown.contains("ivanov_i_scatter is left out: "), "{shown}");
    assert_eq!(grades(root.path()).len(), 6, "the others are graded");
}
