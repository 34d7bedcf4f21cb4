//! A task whose settings disagree with the course, the roster or the given variants is refused at its line.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use wb_config::{CourseSettings, Enrolment, GivenVariants, Roster, TaskSettings};

const ROSTER: &str = "\
login,name,group
ivanov_i,Ivan Ivanov,G1
petrov_p,Пётр Петров,G2
";

const VARIANTS: &str = "\
login,assignment,variant
Ivanov_I,1,20
ivanov_i,2,4
petrov_p,1,3
";

const TASK: &str = "\
student: Ivan Ivanov
group: G1
task_number: 1
variant: 20
kind: computation
status: { seq: enabled, mpi: enabled }
performance: { workloads: [{ name: small, size: 3 }], ranks: [1, 2] }
";

/// A workspace with this repository's course and a task; a file without content is left out.
fn workspace(roster: &str, variants: &str, task: &str) -> (tempfile::TempDir, PathBuf) {
    let root = tempfile::tempdir().expect("a folder");
    let course = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks/course.yaml");
    let folder = root.path().join("tasks/x");
    fs::create_dir_all(&folder).expect("created");
    fs::copy(course, root.path().join("tasks/course.yaml")).expect("the course of this workspace");
    let files =
        [("Cargo.toml", "[workspace]\n"), ("tasks/roster.csv", roster), ("tasks/variants.csv", variants)];
    for (file, text) in files.into_iter().filter(|(_, text)| !text.is_empty()) {
        fs::write(root.path().join(file), text).expect("written");
    }
    fs::write(folder.join("task.yaml"), task).expect("written");
    (root, folder)
}

/// The first line of the error of a task, without its folder.
fn error(roster: &str, variants: &str, task: &str) -> Option<String> {
    let (_root, folder) = workspace(roster, variants, task);
    let course = CourseSettings::find(&folder).expect("the course");
    let settings = TaskSettings::load(&folder).expect("the settings alone are right");
    let enrolment = Enrolment::find(&folder).expect("roster and variants");
    let message = enrolment.check_task(&course, &folder, &settings).err()?.to_string();
    let line = message.lines().next().unwrap_or_default();
    Some(line.split_once("/x/").map_or(line, |(_, rest)| rest).to_owned())
}

#[test]
fn settings_that_agree_are_accepted_with_and_without_a_login() {
    assert_eq!(error(ROSTER, VARIANTS, TASK), None);
    let login = TASK.replace("group: G1", "login: IVANOV_I\ngroup: G1");
    assert_eq!(error(ROSTER, VARIANTS, &login), None);
}

#[test]
fn each_disagreement_is_named_with_its_line() {
    let cases = [
        (
            "Ivan Ivanov",
            "I. Ivanov",
            "1:10: student: the student `I. Ivanov` of the group `G1` is not in tasks/roster.csv",
        ),
        (
            "group: G1",
            "group: G2",
            "1:10: student: the student `Ivan Ivanov` of the group `G2` is not in tasks/roster.csv",
        ),
        (
            "group: G1",
            "login: ivanov\ngroup: G1",
            "2:8: login: the login `ivanov` is not in tasks/roster.csv",
        ),
        (
            "group: G1",
            "login: petrov_p\ngroup: G2",
            "1:10: student: `petrov_p` is `Пётр Петров` in tasks/roster.csv",
        ),
        (
            "group: G1",
            "login: ivanov_i\ngroup: G2",
            "3:8: group: `ivanov_i` is in the group `G1` in tasks/roster.csv",
        ),
        (
            "variant: 20",
            "variant: 19",
            "4:10: variant: tasks/variants.csv gives `ivanov_i` variant 20 of assignment 1",
        ),
        (
            "variant: 20",
            "variant: 28",
            "4:10: variant: assignment 1 has no variant 28, expected a whole number from 1 to 27",
        ),
        (
            "task_number: 1",
            "task_number: 3",
            "3:14: task_number: tasks/variants.csv gives `ivanov_i` no variant of assignment 3",
        ),
    ];
    for (from, to, expected) in cases {
        let found = error(ROSTER, VARIANTS, &TASK.replace(from, to));
        assert_eq!(found.as_deref(), Some(format!("task.yaml:{expected}").as_str()), "{from} -> {to}");
    }
}

#[test]
fn a_course_without_a_roster_knows_its_variants_only() {
    let stranger = TASK.replace("Ivan Ivanov", "A Stranger").replace("variant: 20", "variant: 1");
    assert_eq!(error("", "", &stranger), None);
    let missing =
        error("", "", &TASK.replace("variant: 20", "variant: 28")).expect("a variant that does not exist");
    assert!(missing.contains("assignment 1 has no variant 28"), "{missing}");
}

#[test]
fn what_was_written_is_read_again() {
    let given = GivenVariants::parse(Path::new("variants.csv"), VARIANTS).expect("it is right");
    assert_eq!(given.to_csv(), VARIANTS);
    assert_eq!((given.variant("IVANOV_i", 2), given.variant("petrov_p", 2)), (Some(4), None));
    assert_eq!(given.rows[2].line, 4);
    let twice = VARIANTS.replace("ivanov_i,2,4", "ivanov_i,1,4");
    GivenVariants::parse(Path::new("variants.csv"), &twice).expect_err("a login in another case");
    let empty = GivenVariants::default().to_csv();
    assert_eq!(
        GivenVariants::parse(Path::new("variants.csv"), &empty).expect("a header"),
        GivenVariants::default()
    );
}

#[test]
fn the_first_wrong_row_is_the_error_of_a_table() {
    let wrong = ROSTER.replace("petrov_p", "ivanov_i");
    let error = Roster::parse(Path::new("roster.csv"), &wrong).expect_err("a student twice").to_string();
    assert_eq!(
        error,
        "roster.csv:3:1: login: the login `ivanov_i` is in line 2 already, expected each student once\n \
         3 | ivanov_i,Пётр Петров,G2\n   | ^"
    );
}

/// Every test of a task does this before its runs. The limit is generous for an unoptimised build on a busy machine.
#[test]
fn a_roster_of_150_students_is_checked_in_no_time() {
    let students = (0..150).map(|number| format!("student{number},Name {number},G{}\n", number / 25));
    let roster = ROSTER.to_owned() + &students.collect::<String>();
    let rows =
        (0..450).map(|number| format!("student{},{},{}\n", number / 3, number % 3 + 1, number % 23 + 1));
    let variants = VARIANTS.to_owned() + &rows.collect::<String>();
    let (_root, folder) = workspace(&roster, &variants, TASK);
    let course = CourseSettings::find(&folder).expect("the course");
    let settings = TaskSettings::load(&folder).expect("the settings");
    let fastest = (0..5).map(|_| {
        let start = Instant::now();
        let enrolment = Enrolment::find(&folder).expect("roster and variants");
        enrolment.check_task(&course, &folder, &settings).expect("they agree");
        start.elapsed()
    });
    let fastest = fastest.min().expect("five of them");
    println!("{fastest:?}");
    assert!(fastest < Duration::from_millis(50), "{fastest:?}");
}
