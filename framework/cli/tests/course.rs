//! The commands on a whole course, in a synthetic one: it is made once, and every test works in it.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
    sync::LazyLock,
    time::Instant,
};

use serde_json::Value;

/// The secret of its pseudonyms.
const SECRET: &str = "0123456789abcdef";

/// A course of 60 students.
static COURSE: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let made =
        wb(Path::new("."), &["course", "demo", &folder.path().display().to_string(), "--students", "60"]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made));
    fs::write(folder.path().join("grades/pseudonyms.secret"), SECRET).expect("written");
    folder
});

fn wb(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    command.args(arguments).current_dir(folder).env("WB_LANG", "en");
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
    let foreign = in_course(&["course", "scoreboard", "--out", "tasks"], 2);
    assert!(foreign.contains("tasks is not empty and has no scoreboard.json"), "{foreign}");
}

/// The login of the first student.
fn first_login() -> String {
    let roster = read("tasks/roster.csv");
    roster.lines().nth(1).and_then(|row| row.split(',').next()).expect("a student").to_owned()
}

/// What identifies a student: login, name, group.
fn identities() -> Vec<String> {
    let roster = read("tasks/roster.csv");
    let rows = roster.lines().skip(1).flat_map(|row| row.split(','));
    rows.map(|field| field.trim_matches('"').to_owned()).collect()
}

#[test]
fn a_public_scoreboard_has_pseudonyms_and_nothing_that_identifies_a_student() {
    let login = first_login();
    in_course(&["course", "scoreboard", "--private", "--out", "private"], 0);
    assert!(read("private/index.html").contains(&login) && read("private/scoreboard.json").contains(&login));
    let first = in_course(&["course", "scoreboard", "--out", "public"], 0);
    assert!(first.contains("60 students, 124 pages"), "{first}");
    let public = read("public/scoreboard.json");
    for identity in identities() {
        assert!(!public.contains(&identity), "{identity}");
        assert!(!read("public/index.html").contains(&identity), "{identity}");
        assert!(!read("public/grades.csv").contains(&identity), "{identity}");
    }
    assert!(read("public/class.html").contains("Synthetic data"));
    let pseudonym = in_course(&["course", "scoreboard", "--pseudonym", &login], 0);
    assert!(pseudonym.trim().len() == 9 && public.contains(pseudonym.trim()), "{pseudonym}");
    let unknown = in_course(&["course", "scoreboard", "--pseudonym", "no.one"], 2);
    assert!(unknown.contains("the login `no.one` is not in tasks/roster.csv"), "{unknown}");
    // The pseudonyms stay, since the secret does; the moment is that of the grades.
    let again = in_course(&["course", "scoreboard", "--out", "public"], 0);
    assert!(!again.contains("pseudonyms"), "{again}");
    assert_eq!(read("public/scoreboard.json"), public);
    assert!(public.contains("\"at\": \"2027-05-20T09:00:00"), "the moment of the demo's grades");
}

#[test]
fn the_secret_of_the_course_makes_the_pseudonyms() {
    let login = first_login();
    let of = |login: &str| in_course(&["course", "scoreboard", "--pseudonym", login], 0).trim().to_owned();
    let pseudonym = of(&login);
    assert_eq!(pseudonym, wb_course::pseudonym(SECRET.as_bytes(), &login));
    assert_eq!(of(&login.to_uppercase()), pseudonym);
    in_course(&["course", "scoreboard", "--out", "of-secret"], 0);
    assert!(read("of-secret/scoreboard.json").contains(&pseudonym));
}

#[test]
fn the_page_of_a_student_who_left_does_not_stay() {
    let page = COURSE.path().join("renewed/students/left.html");
    in_course(&["course", "scoreboard", "--out", "renewed"], 0);
    fs::write(&page, "of an earlier roster").expect("written");
    in_course(&["course", "scoreboard", "--out", "renewed"], 0);
    assert!(
        !page.exists() && page.with_file_name("").read_dir().is_ok_and(|mut pages| pages.next().is_some())
    );
}

#[test]
fn a_folder_of_the_other_kind_is_left_as_it_is() {
    let missing = in_course(&["course", "scoreboard", "--grades", "none.json"], 4);
    assert!(missing.contains("none.json") && missing.contains("`cargo wb grade --all`"), "{missing}");
    for (kind, other, part) in [
        ("--private", "--public", "has a private scoreboard"),
        ("--public", "--private", "has a public scoreboard"),
    ] {
        let out = format!("kind{kind}");
        in_course(&["course", "scoreboard", kind, "--out", &out], 0);
        let before = read(format!("{out}/scoreboard.json"));
        let refused = in_course(&["course", "scoreboard", other, "--out", &out], 2);
        assert!(refused.contains(part), "{refused}");
        assert_eq!(read(format!("{out}/scoreboard.json")), before);
        in_course(&["course", "scoreboard", kind, "--out", &out], 0);
    }
}

#[test]
fn an_exported_scoreboard_is_public_and_its_pages_need_no_secret() {
    in_course(&["course", "scoreboard", "--export", "grades/public.json"], 0);
    in_course(&["course", "scoreboard", "--export", "grades/public.json"], 0);
    in_course(&["course", "scoreboard", "--out", "direct"], 0);
    let exported = read("grades/public.json");
    assert_eq!(exported, read("direct/scoreboard.json"));
    // The workflow that publishes has the exported file alone.
    let elsewhere = tempfile::tempdir().expect("a folder");
    fs::write(elsewhere.path().join("public.json"), &exported).expect("written");
    let made = wb(elsewhere.path(), &["course", "scoreboard", "--from", "public.json", "--out", "site"]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made));
    let page = fs::read_to_string(elsewhere.path().join("site/index.html")).expect("a page");
    assert_eq!(page, read("direct/index.html"));
    in_course(&["course", "scoreboard", "--private", "--out", "named"], 0);
    let refused = in_course(&["course", "scoreboard", "--from", "named/scoreboard.json", "--out", "site"], 2);
    assert!(refused.contains("has names"), "{refused}");
    let kept = in_course(&["course", "scoreboard", "--export", "tasks/course.yaml"], 2);
    assert!(
        kept.contains("left as it is") && read("tasks/course.yaml").contains("synthetic: true"),
        "{kept}"
    );
    let kept = in_course(&["course", "scoreboard", "--export", "named/scoreboard.json"], 2);
    assert!(kept.contains("left as it is"), "{kept}");
}

#[test]
fn the_files_of_a_course_keep_their_json_schemas_and_changed_ones_do_not() {
    let schema = |name: &str| -> Value {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas").join(name);
        serde_json::from_str(&fs::read_to_string(path).expect("committed")).expect("JSON")
    };
    let (grades, scoreboard) = (schema("grades.schema.json"), schema("scoreboard.schema.json"));
    in_course(&["course", "scoreboard", "--private", "--out", "checked"], 0);
    in_course(&["course", "scoreboard", "--export", "grades/checked.json"], 0);
    let value = |path: &str| -> Value { serde_json::from_str(&read(path)).expect("JSON") };
    assert_eq!(crate::json_schema::problem(&grades, &value("grades/grades.json")), None);
    assert_eq!(crate::json_schema::problem(&scoreboard, &value("checked/scoreboard.json")), None);
    assert_eq!(crate::json_schema::problem(&scoreboard, &value("grades/checked.json")), None);
    assert!(crate::json_schema::problem(&scoreboard, &value("grades/grades.json")).is_some());
    // One wrong value of each kind is found, with its place.
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 6] = [
        ("$.grades[0].variant", |file| file["grades"][0]["variant"] = "11".into()),
        ("$.grades[0].letters[0].letter", |file| file["grades"][0]["letters"][0]["letter"] = "X".into()),
        ("$.grades[1].total", |file| file["grades"][1]["total"] = 20_000.into()),
        ("required", |file| drop(file.as_object_mut().map(|fields| fields.remove("at")))),
        ("additionalProperties", |file| file["grades"][0]["reason"] = "new".into()),
        ("$.grades[0].letters[0].reasons[0].kind", |file| {
            file["grades"][0]["letters"][0]["reasons"][0]["kind"] = "unknown".into();
        }),
    ];
    for (part, change) in changes {
        let mut file = value("grades/grades.json");
        change(&mut file);
        let problem = crate::json_schema::problem(&grades, &file).expect(part);
        assert!(problem.contains(part), "{part} is not in {problem}");
    }
}

#[test]
fn the_same_evidence_and_moment_give_the_same_bytes() {
    let grade = ["grade", "--all", "--at", "2027-05-20T12:00"];
    let made = read("grades/grades.json");
    in_course(&grade, 0);
    let graded = read("grades/grades.json");
    assert_eq!(graded, made, "the demo's grades are those of the command");
    in_course(&grade, 0);
    assert_eq!(read("grades/grades.json"), graded);
}

#[test]
fn wrong_grades_are_refused_with_their_line() {
    let path = COURSE.path().join("wrong.json");
    fs::write(&path, "{\n\"schema\": 1, \"at\": 1}").expect("written");
    let refused = in_course(&["course", "scoreboard", "--grades", "wrong.json", "--out", "none"], 1);
    assert!(refused.contains("cannot read wrong.json: line 2, column 20"), "{refused}");
    assert!(!COURSE.path().join("none").exists());
}
