//! The commands on the files of a course: checking them, giving variants, and the folder of a task made from them.

use std::{fs, path::Path};

use crate::workspace::{TASK, output_text, wb, workspace, write};

/// A workspace with this repository's course and a roster of one group with `students` beside the one of its task.
fn course(students: usize) -> tempfile::TempDir {
    let root = workspace(&TASK.replace("3823B1PR1", "G1").replace("variant: 4", "variant: 7"));
    let rows =
        (0..students).map(|number| format!("student{number:03},Student {number},G{}\n", number / 25 + 1));
    let roster = "login,name,group\nivanov_i,Ivan Ivanov,G1\n".to_owned() + &rows.collect::<String>();
    write(&root.path().join("tasks/roster.csv"), &roster);
    write(&root.path().join("tasks/variants.csv"), "login,assignment,variant\nivanov_i,2,7");
    let groups: Vec<_> = (1..=students.div_ceil(25).max(1)).map(|number| format!("G{number}")).collect();
    replace(root.path(), "groups: [3823B1PR1]", &format!("groups: [{}]", groups.join(", ")));
    replace(root.path(), "  - { name: Examples, groups: [staff] }\n", "");
    root
}

/// Replaces a part of the course's file.
fn replace(root: &Path, from: &str, to: &str) {
    let file = root.join("tasks/course.yaml");
    let text = fs::read_to_string(&file).expect("the course");
    assert_eq!(text.matches(from).count(), 1, "`{from}` must be unique");
    fs::write(&file, text.replace(from, to)).expect("written");
}

fn variants(root: &Path) -> String {
    fs::read_to_string(root.join("tasks/variants.csv")).expect("the given variants")
}

#[test]
fn a_right_course_is_checked_and_a_wrong_one_fails_with_all_its_problems() {
    let root = course(3);
    let right = output_text(&wb(root.path(), &["course", "check"]), 0);
    assert!(
        right.contains("variants: 82, groups: 1, students: 4, given variants: 1\nno problem found\n"),
        "{right}"
    );
    replace(root.path(), "total_points: 70", "total_points: 71");
    replace(
        root.path(),
        "extensions: []",
        "extensions:\n  - { login: nobody, assignment: 1, until: 2027-04-01, reason: r, by: b }",
    );
    let wrong = output_text(&wb(root.path(), &["course", "check"]), 1);
    for part in
        ["but the assignments add up to 70", "the login `nobody` is not in tasks/roster.csv", "problems: 2"]
    {
        assert!(wrong.contains(part), "{part}\n{wrong}");
    }
    let russian = output_text(&wb(root.path(), &["course", "check", "--lang", "ru"]), 1);
    assert!(
        russian.contains("логина `nobody` нет в tasks/roster.csv") && russian.contains("ошибок: 2"),
        "{russian}"
    );
    let json = wb(root.path(), &["course", "check", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(json["problems"].as_array().map(Vec::len), Some(2));
    assert!(json["problems"][0]["line"].is_u64() && json["counts"]["students"] == 4, "{json}");
}

#[test]
fn variants_are_added_and_never_changed() {
    let root = course(26);
    let before = variants(root.path());
    let shown = output_text(&wb(root.path(), &["course", "assign", "--dry-run"]), 0);
    assert!(shown.starts_with("80 variants would be given to 27 students:"), "{shown}");
    assert_eq!(variants(root.path()), before, "a dry run writes nothing");
    let page = root.path().join("variants.html");
    let given = output_text(&wb(root.path(), &["course", "assign", "--page", "variants.html"]), 0);
    assert!(given.contains("80 variants given to 27 students, in tasks/variants.csv"), "{given}");
    // 26 students of the first group have 23 variants of the second assignment.
    assert!(given.contains("3 of them are shared within a group"), "{given}");
    let first = variants(root.path());
    assert!(first.starts_with(&format!("{before}\n")) && first.lines().count() == 1 + 81, "{first}");
    let html = fs::read_to_string(page).expect("the page");
    assert!(html.contains("Student 25") && html.contains("7. Ring"), "{html}");
    let roster = root.path().join("tasks/roster.csv");
    let students = fs::read_to_string(&roster).expect("the roster");
    let changed = students.replace("student003,Student 3,G1\n", "") + "late_l,Late Lena,G2\n";
    fs::write(&roster, changed).expect("written");
    output_text(&wb(root.path(), &["course", "assign"]), 0);
    let second = variants(root.path());
    assert_eq!(second.strip_prefix(&first).map(|rows| rows.lines().count()), Some(3), "{second}");
    let nothing = output_text(&wb(root.path(), &["course", "assign"]), 0);
    assert!(nothing.contains("each of the 27 students has all variants already"), "{nothing}");
    assert_eq!(variants(root.path()), second);
    let check = output_text(&wb(root.path(), &["course", "check"]), 0);
    assert!(check.contains("of students who are not in the roster: 3"), "{check}");
}

#[test]
fn the_variants_of_a_student_are_explained() {
    let root = course(3);
    let message = output_text(&wb(root.path(), &["course", "assign", "--explain", "Ivanov_I"]), 0);
    let words = message.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "ivanov_i: Ivan Ivanov, group G1",
        "assignment 2: variant 7 (Ring), given before: line 2 of tasks/variants.csv",
        "- no other student of the group G1 has it: 27 of 27 variants were free there",
        "- the seed 2027 drew it from",
    ] {
        assert!(words.contains(part), "{part}\n{message}");
    }
    assert!(variants(root.path()).ends_with("ivanov_i,2,7"), "an explanation writes nothing");
    let unknown = output_text(&wb(root.path(), &["course", "assign", "--explain", "nobody"]), 2);
    assert!(unknown.contains("the login `nobody` is not in tasks/roster.csv"), "{unknown}");
}

#[test]
fn a_task_is_made_from_the_roster_and_a_task_of_another_variant_is_refused() {
    let root = course(3);
    let new = ["new", "--for", "student001", "--assignment", "1"];
    let misspelt = output_text(&wb(root.path(), &["new", "--for", "student01", "--assignment", "1"]), 2);
    let near = "the login `student01` is not in tasks/roster.csv; do you mean `student001`";
    assert!(misspelt.split_whitespace().collect::<Vec<_>>().join(" ").contains(near), "{misspelt}");
    let early = output_text(&wb(root.path(), &new), 2);
    assert!(early.contains("`student001` has no variant of assignment 1"), "{early}");
    let file = root.path().join("tasks/variants.csv");
    fs::write(&file, variants(root.path()) + "\nstudent001,1,19\n").expect("written");
    let made = output_text(&wb(root.path(), &new), 0);
    assert!(made.contains("assignment 1, variant 19: Integration: rectangles"), "{made}");
    let yaml = root.path().join("tasks/student001_s_rectangles/task.yaml");
    let settings = fs::read_to_string(&yaml).expect("the settings");
    assert!(
        settings.contains("login: \"student001\"\n") && settings.contains("student: \"Student 1\""),
        "{settings}"
    );
    output_text(&wb(root.path(), &["list"]), 0);
    fs::write(&yaml, settings.replace("variant: 19", "variant: 20")).expect("written");
    let listed = output_text(&wb(root.path(), &["list"]), 1);
    assert!(listed.contains("tasks/variants.csv gives `student001` variant 19 of assignment 1"), "{listed}");
    let by_hand =
        ["new", "stranger_s_ring", "--student", "Stranger", "--group", "G1", "--task", "2", "--variant", "7"];
    let refused = output_text(&wb(root.path(), &by_hand), 2);
    let place =
        "the student `Stranger` of the group `G1` is not in tasks/roster.csv; `cargo wb new --for LOGIN";
    assert!(refused.split_whitespace().collect::<Vec<_>>().join(" ").contains(place), "{refused}");
    assert!(!root.path().join("tasks/stranger_s_ring").exists(), "a refused task leaves no folder");
    let other = ["--student", "Student 1", "--group", "G1", "--task", "1", "--variant", "20"];
    let other = [&["new", "student001_s_other"], &other[..]].concat();
    let refused = output_text(&wb(root.path(), &other), 2);
    let given = "tasks/variants.csv gives `student001` variant 19 of assignment 1";
    assert!(refused.split_whitespace().collect::<Vec<_>>().join(" ").contains(given), "{refused}");
    assert!(!root.path().join("tasks/student001_s_other").exists());
    let both = output_text(&wb(root.path(), &[&new[..], &["--student", "S"]].concat()), 2);
    assert!(both.contains("--student") && both.contains("--for"), "{both}");
    let alone = output_text(&wb(root.path(), &["new", "--for", "student001"]), 2);
    assert!(alone.contains("--assignment"), "{alone}");
}

#[test]
fn a_task_for_a_login_needs_a_roster() {
    let root = workspace(TASK);
    let refused = output_text(&wb(root.path(), &["new", "--for", "ivanov_i", "--assignment", "2"]), 2);
    assert!(refused.contains("tasks/roster.csv is missing"), "{refused}");
}
