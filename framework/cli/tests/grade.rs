//! `cargo wb grade` in a small workspace with a repository: evidence is collected and read, grades are written.

mod workspace;

use std::{fs, path::Path, process::Command, time::Instant};

use tempfile::TempDir;
use wb_course::{Evidence, Letter, TaskGrade};
use workspace::{output_text, wb, write};

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
    let root = workspace::workspace(TASK);
    let file = |path: &str, text: &str| write(&root.path().join(path), text);
    file("tasks/course.yaml", COURSE);
    file(
        "tasks/roster.csv",
        "login,name,group\nivanov_i,Ivan Ivanov,3823B1PR1\nexample_p,Example P.,staff\n",
    );
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
    serde_json::from_str(&text).expect("grades")
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
    assert_eq!(listed.len(), 6);
    assert_eq!(grades(root.path())[1].total, "23".parse().expect("points"));
    output_text(&wb(root.path(), &at), 0);
    assert_eq!(fs::read(root.path().join("grades/grades.json")).expect("written"), first);
    // Before the merge nothing is submitted.
    output_text(&wb(root.path(), &["grade", "--all", "--at", "2027-04-01"]), 0);
    assert_eq!(grades(root.path())[1].total, "0".parse().expect("points"));
    let shown = output_text(&wb(root.path(), &["grade", "--group", "staff"]), 0);
    assert!(shown.contains("Example P.") && !shown.contains("Ivan Ivanov"), "{shown}");
    let shown = output_text(&wb(root.path(), &["grade", "--all", "--lang", "ru"]), 0);
    assert!(shown.contains("не сдана"), "{shown}");
}

#[test]
fn evidence_of_one_task_is_collected_with_its_date_and_written() {
    let root = course();
    let shown = output_text(&wb(root.path(), &["grade", "-p", "ivanov_i_scatter", "--at", "2027-04-12"]), 0);
    for part in [
        "SEQ: no functional test ran",
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
    assert_eq!(submission.changed_at.to_string(), "2027-04-10T09:00:00Z");
    let shown =
        output_text(&wb(root.path(), &["grade", "-p", "ivanov_i_scatter", "--from-evidence", "--json"]), 0);
    let grade: TaskGrade = serde_json::from_str(&shown).expect("a grade");
    assert!(grade.letter(Letter::Solution).is_some_and(|letter| !letter.reasons.is_empty()));
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
    assert!(!root.path().join("grades").exists());
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
    refused(&["grade", "--all", "--at", "yesterday"], 2, "`yesterday` is not allowed");
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
        }
    }
    write(&root.path().join("tasks/roster.csv"), &roster);
    let start = Instant::now();
    output_text(&wb(root.path(), &["grade", "--all"]), 0);
    let took = start.elapsed();
    println!("450 tasks in {took:?}");
    assert!(took.as_secs() < 5, "{took:?}");
    assert_eq!(grades(root.path()).len(), 450);
}
