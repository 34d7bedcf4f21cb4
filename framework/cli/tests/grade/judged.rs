//! Grading under a judge: a program of the test stands for it.

use std::{fs, path::Path};

use tempfile::TempDir;
use wb_course::{Evidence, PerformanceEvidence, PerformanceGap};
use wb_record::{
    MeasuredWorkload, MeasurementPlan, Series, SeriesFailure, SeriesOutcome, TimedRegion, Version,
};

use super::{COURSE, TASK, course, git, grades, record_line, verdict};
use crate::workspace::{PRODUCT, output_text, solution, wb, write};

/// A course whose task depends on an assignment; `judge` is the program of its judge.
pub(crate) fn judged_course(judge: &str) -> TempDir {
    let root = course();
    let (task, assignment) =
        (root.path().join("tasks/ivanov_i_scatter"), root.path().join("tasks/assignment_2_11_product"));
    write(&task.join("src/lib.rs"), &solution("assignment_2_11_product::Product"));
    let (own, measured) = TASK.split_once("kind: computation\n").expect("the kind");
    let status = measured.lines().next().expect("the status");
    write(&task.join("task.yaml"), &format!("{own}{status}\n"));
    let manifest = "[package]\nname = \"assignment_2_11_product\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
        [package.metadata.assignment]\nnumber = 2\nvariant = 11\nproblem = \"Product\"\noutput = \"Home\"\n\
        [dependencies]\nworkbench.workspace = true\n[[bench]]\nname = \"judge\"\nharness = false\n";
    write(&assignment.join("Cargo.toml"), manifest);
    write(&assignment.join("src/lib.rs"), PRODUCT);
    write(&assignment.join("benches/judge.rs"), judge);
    let performance = "performance:\n  workloads:\n    - { name: int, size: 1000 }\n  ranks: [1, 2]\n";
    write(&assignment.join("assignment.yaml"), &format!("kind: computation\n{performance}"));
    root
}

#[test]
fn a_task_without_private_inputs_is_an_error_and_leaves_no_evidence() {
    let root = judged_course("fn main() {}\n");
    let private = root.path().join("private");
    fs::create_dir(&private).expect("a folder");
    let private = private.to_str().expect("a name");
    let grade = wb(root.path(), &["grade", "--all", "--judge", "--private", private]);
    let message = output_text(&grade, 1);
    let missing = format!("there is no folder {private}/assignment_2_11_product");
    assert!(message.contains(&missing), "{message}");
    let is_written = root.path().join("grades/evidence/ivanov_i_scatter.json").exists();
    assert!(!is_written, "evidence without private inputs is written: {message}");
    assert_eq!(grades(root.path()).len(), 6, "the others are graded");
}

fn commit(root: &Path) {
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "-m", "a change"]);
}

/// A judge that writes the records of `judged.jsonl`, counts its runs in `runs`, keeps its arguments in `words`, and fails.
const FAILING_JUDGE: &str = r#"use std::{env, fs};
fn main() {
    let folder = env!("CARGO_MANIFEST_DIR").to_owned();
    let words: Vec<String> = env::args().collect();
    let records = words.iter().position(|word| word == "--wb-records").unwrap() + 1;
    fs::write(&words[records], fs::read(folder.clone() + "/judged.jsonl").unwrap()).unwrap();
    let runs = folder.clone() + "/../../target/runs";
    fs::write(&runs, fs::read_to_string(&runs).unwrap_or_default() + ".").unwrap();
    fs::write(folder + "/../../target/words", words.join(" ")).unwrap();
    std::process::exit(1);
}
"#;

/// Verdicts that pass, on one rank and on two.
fn passing_verdicts() -> String {
    let line = |version, ranks| record_line(verdict(version, ranks, true));
    line(Version::Seq, 1) + &line(Version::Mpi, 2)
}

/// A measured run that was ended.
fn failed_measurement() -> String {
    let workload = MeasuredWorkload { name: "int".into(), size: 1000, unit: "numbers".into() };
    let (version, mode) = (Version::Mpi, TimedRegion::TaskRun);
    let plan = MeasurementPlan {
        quick: false,
        ranks: vec![1, 2],
        ranks_chosen_by: "task.yaml".into(),
        launches: 10,
        target_half_width: 0.03,
        budget_s: 30.0,
        least_repetition_ns: 50_000_000,
        bands: vec![],
        performance_points: Some(5.0),
        graded_ranks: None,
        pipeline_decides_below: None,
    };
    let outcome = SeriesOutcome {
        series: Series { workload, version, mode, ranks: 2 },
        converged: false,
        half_width: None,
        budget_s: 30.0,
        spent_s: 5.0,
        repeated_launches: 0,
        failure: Some(SeriesFailure::Crashed { reason: "rank 1 ended by signal 11".into() }),
    };
    record_line(plan) + &record_line(outcome)
}

#[test]
fn a_measurement_that_fails_under_the_judge_is_not_a_failed_test() {
    let root = judged_course(FAILING_JUDGE);
    let judged = |records: &str| {
        write(&root.path().join("tasks/assignment_2_11_product/judged.jsonl"), records);
        commit(root.path());
        output_text(
            &wb(root.path(), &["grade", "-p", "ivanov_i_scatter", "--judge", "--at", "2027-05-01"]),
            0,
        )
    };
    let shown = judged(&(passing_verdicts() + &failed_measurement()));
    assert!(shown.contains("a measured run failed: rank 1 ended by signal 11"), "{shown}");
    assert!(!shown.contains("the tests failed without a verdict"), "{shown}");
    let shown = judged(&passing_verdicts());
    assert!(
        shown.contains("the tests failed without a verdict"),
        "the canary, a judge that was ended early: {shown}"
    );
}

#[test]
fn only_what_changed_since_its_evidence_is_collected_again() {
    let root = judged_course(FAILING_JUDGE);
    let file = |path: &str, text: &str| write(&root.path().join(path), text);
    let all = ["grade", "--all", "--judge", "--changed", "--at", "2027-05-01"];
    // The runs of the judge so far, after each of these commands.
    let asked = |expected: &[usize], why: &str| {
        let after = |_: &usize| {
            output_text(&wb(root.path(), &all), 0);
            fs::read_to_string(root.path().join("target/runs")).unwrap_or_default().len()
        };
        let runs: Vec<usize> = expected.iter().map(after).collect();
        assert_eq!(runs, expected, "the runs of the judge after these commands: {why}");
    };
    file("tasks/assignment_2_11_product/judged.jsonl", &(passing_verdicts() + &failed_measurement()));
    commit(root.path());
    asked(&[1, 1], "nothing was known, then nothing had changed");
    file("tasks/ivanov_i_scatter/src/new.rs", "fn new() {}\n");
    commit(root.path());
    asked(&[2], "the task has changed");
    file("tasks/assignment_2_11_product/src/lib.rs", &format!("//! Another input.\n{PRODUCT}"));
    commit(root.path());
    asked(&[3], "the assignment has changed");
    file("tasks/course.yaml", &format!("# A comment.\n{COURSE}"));
    commit(root.path());
    asked(&[3], "the settings of the course are no evidence");
    let evidence = root.path().join("grades/evidence/ivanov_i_scatter.json");
    let known = Evidence::parse(&fs::read_to_string(&evidence).expect("written")).expect("evidence");
    let unmeasured = PerformanceEvidence::missing(PerformanceGap::NotMeasured);
    assert!(known.judged && known.performance != unmeasured, "judged, and measured: {known:#?}");
    write(&evidence, &Evidence { judged: false, ..known }.to_json());
    asked(&[4], "no judge was asked before");
    fs::remove_file(&evidence).expect("removed");
    asked(&[5], "the evidence is gone");
    let shown = output_text(&wb(root.path(), &all), 0);
    assert!(shown.contains("evidence that is up to date, and was not collected again: 1"), "{shown}");
    file("tasks/ivanov_i_scatter/src/new.rs", "fn newer() {}\n");
    asked(&[6, 7], "files that are not committed may have changed again");
    // A judge that was ended before it measured is asked again.
    file("tasks/assignment_2_11_product/judged.jsonl", &passing_verdicts());
    commit(root.path());
    asked(&[8, 9], "a judge that was ended early is asked again");
}

#[test]
fn a_judge_measures_only_what_earns_points() {
    let root = judged_course(&FAILING_JUDGE.replace("exit(1)", "exit(0)"));
    let file = |path: &str, text: &str| write(&root.path().join(path), text);
    file("tasks/assignment_2_11_product/judged.jsonl", &passing_verdicts());
    let target = |name: &str| fs::read_to_string(root.path().join("target").join(name)).expect("written");
    let grade = |course: &str| {
        if fs::read_to_string(root.path().join("tasks/course.yaml")).expect("the course") != course {
            file("tasks/course.yaml", course);
            commit(root.path());
        }
        output_text(&wb(root.path(), &["grade", "--all", "--judge", "--changed", "--at", "2027-05-01"]), 0);
        let evidence = fs::read_to_string(root.path().join("grades/evidence/ivanov_i_scatter.json"));
        let evidence = Evidence::parse(&evidence.expect("written")).expect("evidence");
        (target("runs").len(), target("words").contains("--wb-verdicts-only"), evidence.incomplete)
    };
    let of_parts = "points: { mpi: 12, seq: 3, performance: 5, report: 3 }";
    let without = COURSE.replace(of_parts, "points: { mpi: 17, seq: 3, performance: 0, report: 3 }");
    assert_ne!(without, COURSE, "the course has other points");
    // Runs of the judge, whether the last one was for verdicts only, whether the evidence is incomplete.
    assert_eq!(grade(&without), (1, true, false), "tested, which is all that earns points");
    assert_eq!(grade(&without), (1, true, false), "what is complete is not judged again");
    assert_eq!(grade(COURSE), (2, false, true), "this judge ended before it measured");
    file("tasks/assignment_2_11_product/benches/judge.rs", FAILING_JUDGE);
    assert_eq!(grade(&without), (3, true, true), "a judge that fails was ended early");
    assert_eq!(grade(&without), (4, true, true), "it is asked again");
}
