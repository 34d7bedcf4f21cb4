//! The commands on a whole course, in a synthetic one: it is made once, and every test works in it.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
    sync::LazyLock,
    time::Instant,
};

use serde_json::Value;

/// The moment of the demo's grades.
const AT: &str = "2027-05-20T12:00";

/// A course of 60 students.
static COURSE: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let made =
        wb(Path::new("."), &["course", "demo", &folder.path().display().to_string(), "--students", "60"]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made));
    folder
});

fn wb(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    command.args(arguments).current_dir(folder).env("WB_LANG", "en").env_remove("WB_PSEUDONYM_SECRET");
    command.output().expect("starting wb")
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|stream| String::from_utf8_lossy(stream).into_owned()).concat()
}

#[track_caller]
fn in_course(arguments: &[&str], code: i32) -> String {
    let start = Instant::now();
    let output = wb(COURSE.path(), arguments);
    println!("{arguments:?}: {:.2} s", start.elapsed().as_secs_f64());
    let text = text(&output);
    assert_eq!(output.status.code(), Some(code), "{text}");
    text
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(COURSE.path().join(path)).expect("the command has written it")
}

#[test]
fn a_synthetic_course_has_nothing_to_complain_about() {
    in_course(&["course", "check"], 0);
    let tasks: Value = serde_json::from_str(&in_course(&["list", "--json"], 0)).expect("JSON");
    let count = tasks.as_array().expect("a list").len();
    assert!((150..=180).contains(&count), "{count}");
}

#[test]
fn a_folder_that_is_used_is_left_as_it_is() {
    let path = COURSE.path().display().to_string();
    let refused = wb(Path::new("."), &["course", "demo", &path]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused).contains("is not empty"), "{}", text(&refused));
    let foreign = in_course(&["course", "scoreboard", "--out", "tasks", "--at", AT], 2);
    assert!(foreign.contains("tasks is not empty and has no scoreboard.json"), "{foreign}");
}

#[test]
fn a_public_scoreboard_has_pseudonyms_and_replaces_the_pages_of_a_private_one() {
    let roster = read("tasks/roster.csv");
    let login = roster.lines().nth(1).and_then(|row| row.split(',').next()).expect("a student");
    in_course(&["course", "scoreboard", "--private", "--out", "board", "--at", AT], 0);
    assert!(read("board/index.html").contains(login) && read("board/scoreboard.json").contains(login));
    let page = format!("board/students/{login}.html");
    assert!(COURSE.path().join(&page).is_file());
    let first = in_course(&["course", "scoreboard", "--out", "board", "--at", AT], 0);
    assert!(first.contains("60 students, 124 pages"), "{first}");
    let public = read("board/scoreboard.json");
    assert!(!COURSE.path().join(&page).exists(), "a page with a name is left");
    assert!(
        !public.contains(login)
            && !read("board/index.html").contains(login)
            && !read("board/grades.csv").contains(login)
    );
    assert!(read("board/class.html").contains("Synthetic data"));
    let pseudonym = in_course(&["course", "scoreboard", "--pseudonym", login], 0);
    assert!(pseudonym.trim().len() == 9 && public.contains(pseudonym.trim()), "{pseudonym}");
    let unknown = in_course(&["course", "scoreboard", "--pseudonym", "no.one"], 2);
    assert!(unknown.contains("no student `no.one`"), "{unknown}");
    // The pseudonyms stay, since the secret does.
    let again = in_course(&["course", "scoreboard", "--out", "board", "--at", AT], 0);
    assert!(!again.contains("pseudonyms"), "{again}");
    assert_eq!(read("board/scoreboard.json"), public);
}

#[test]
fn wrong_grades_are_refused_with_their_line() {
    let path = COURSE.path().join("wrong.json");
    fs::write(&path, "[\n{\"login\": 1}]").expect("written");
    let refused = in_course(&["course", "scoreboard", "--grades", "wrong.json", "--out", "none"], 1);
    assert!(refused.contains("cannot read wrong.json: line 2, column 11"), "{refused}");
    assert!(!COURSE.path().join("none").exists());
    let moment = in_course(&["course", "scoreboard", "--at", "yesterday"], 2);
    assert!(moment.contains("--at: `yesterday`"), "{moment}");
}
