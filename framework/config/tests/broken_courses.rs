//! Forty broken rosters, courses, overrides and similarity files: each is named with its file, line, what is wrong and what is
//! allowed, and all problems of one course are named together.

use std::fs;

use wb_config::{CourseCheck, CourseCounts, CourseFiles};
use wb_text::Lang;

const COURSE: &str = "\
title: { en: Processes, ru: Процессы }
time_zone: Europe/Moscow
streams:
  - { name: Stream 1, groups: [G1, G2] }
  - { name: Stream 2, groups: [G3] }
limits: { functional_seconds: 1.0, performance_seconds: 10, program_seconds: 600 }
efficiency_bands: [{ from_percent: 50, points_percent: 100 }]
total_points: 20
marks: [{ from_percent: 90, mark: \"5\" }, { from_percent: 50, mark: \"3\" }]
penalties: { late_points_per_day: 1, copied_share_of_solution: 0.5 }
extensions:
  - { login: petrov_p, assignment: 2, until: 2027-04-20, reason: illness, by: Sysoev }
assignments:
  - number: 1
    title: { en: Vectors, ru: Векторы }
    points: { mpi: 2, seq: 1, performance: 0, report: 1 }
    deadline: 2027-03-07
    deadlines: { G3: 2027-03-09 }
    rules: [communicates, distributes-computing]
    variants:
      - { number: 1, short: sum, title: { en: Sum, ru: Сумма } }
      - { number: 2, short: max, title: { en: Maximum, ru: Максимум } }
  - number: 2
    title: { en: Transfers, ru: Передачи }
    points: { mpi: 3, seq: 1, performance: 1, report: 1 }
    deadline: 2027-04-11T18:00
    rules: [communicates, distributes-computing]
    variants:
      - { number: 1, short: tree, title: { en: Tree, ru: Дерево }, kind: communication, rules: [tree, communicates] }
      - { number: 2, short: jacobi, title: { en: Jacobi, ru: Якоби } }
  - number: 3
    title: { en: Methods, ru: Методы }
    points: { mpi: 5, seq: 1, performance: 2, report: 2 }
    deadline: 2027-05-16
    rules: [communicates]
    variants:
      - { number: 1, short: sort, title: { en: Sort, ru: Сортировка } }
      - { number: 2, short: hull, title: { en: Hull, ru: Оболочка } }
";

const ROSTER: &str = "\
login,name,group
ivanov_i,Иванов Иван,G1
petrov_p,Пётр Петров,G2
sidorov_s,\"Сидоров, Семён\",G3
";

const VARIANTS: &str = "\
login,assignment,variant
ivanov_i,1,1
ivanov_i,2,1
ivanov_i,3,1
petrov_p,1,1
petrov_p,2,1
petrov_p,3,2
gone_g,1,2
";

const OVERRIDES: &str = "\
- { login: ivanov_i, assignment: 1, letter: S, points: 2.5, by: Sysoev, at: 2027-03-20, reason: seen in class }
";

const SIMILARITY: &str = "\
- { assignment: 1, variant: 1, logins: [ivanov_i, petrov_p], part: seq, by: Sysoev, at: 2027-03-20, reason: talk }
";

/// The files of a right course.
const FILES: [(&str, &str); 5] = [
    ("course.yaml", COURSE),
    ("roster.csv", ROSTER),
    ("variants.csv", VARIANTS),
    ("overrides.yaml", OVERRIDES),
    ("similarity.yaml", SIMILARITY),
];

/// A workspace with the right course.
fn right_course() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    let tasks = root.path().join("tasks");
    fs::create_dir(&tasks).expect("created");
    fs::write(root.path().join("Cargo.toml"), "[workspace]\n").expect("written");
    for (name, text) in FILES {
        fs::write(tasks.join(name), text).expect("written");
    }
    root
}

/// Checks the right course with another content of `file`.
fn check(file: &str, content: &[u8]) -> CourseCheck {
    let root = right_course();
    fs::write(root.path().join("tasks").join(file), content).expect("written");
    CourseFiles::find(root.path()).expect("there is a course").check()
}

/// The problems of [`check`]: the first line of each, without the folder.
fn problems(file: &str, content: &[u8]) -> (Vec<String>, CourseCounts) {
    let checked = check(file, content);
    let line = |error: &wb_config::ConfigError| {
        let message = error.to_string();
        let line = message.lines().next().unwrap_or_default();
        line.split_once("/tasks/").map_or(line, |(_, rest)| rest).to_owned()
    };
    (checked.problems.iter().map(line).collect(), checked.counts)
}

/// The problems of the right course with `from` replaced by `to` in `file`.
#[track_caller]
fn changed(file: &str, from: &str, to: &str) -> Vec<String> {
    let (_, text) = FILES.iter().find(|(name, _)| *name == file).expect("a file of the course");
    assert_eq!(text.matches(from).count(), 1, "`{from}` must be unique in {file}");
    problems(file, text.replacen(from, to, 1).as_bytes()).0
}

#[test]
fn the_right_course_has_no_problem() {
    let (problems, counts) = problems("course.yaml", COURSE.as_bytes());
    assert_eq!(problems, Vec::<String>::new());
    let expected = CourseCounts {
        variants: 6,
        groups: 3,
        students: 3,
        given: 7,
        departed: 1,
        extensions: 1,
        overrides: 1,
        similarities: 1,
    };
    assert_eq!(counts, expected);
}

/// The other student of a case with an archive is of an earlier year: neither the roster nor the given variants name that login.
#[test]
fn a_similarity_with_a_task_of_an_earlier_year_is_right() {
    let archived = SIMILARITY.replace("petrov_p]", "former_f], archive: 2026/tasks/former_f_dot");
    let checked = check("similarity.yaml", archived.as_bytes());
    assert!(checked.problems.is_empty(), "{:?}", checked.problems);
    let here =
        SIMILARITY.replace("[ivanov_i, petrov_p]", "[former_f, ivanov_i], archive: 2026/tasks/former_f_dot");
    assert_eq!(check("similarity.yaml", here.as_bytes()).problems.len(), 1);
    let without = SIMILARITY.replace("petrov_p", "former_f");
    assert_eq!(check("similarity.yaml", without.as_bytes()).problems.len(), 1);
}

/// Each case is a line `file: text => other text`, in which `\n` and `\u{202e}` are characters, followed by all problems.
const CASES: &str = include_str!("broken_courses.txt");

/// The cases: file, what is replaced, by what, and the problems.
fn cases() -> Vec<(&'static str, String, String, Vec<&'static str>)> {
    let unescape = |text: &str| text.replace("\\n", "\n").replace("\\u{202e}", "\u{202e}");
    let mut cases: Vec<(_, _, _, Vec<_>)> = Vec::new();
    for line in CASES.lines() {
        match line.strip_prefix("    ") {
            Some(problem) => cases.last_mut().expect("a case").3.push(problem),
            None => {
                let (file, change) = line.split_once(": ").expect("a file");
                let (from, to) = change.split_once(" => ").expect("a change");
                cases.push((file, unescape(from), unescape(to), Vec::new()));
            }
        }
    }
    cases
}

#[test]
fn every_broken_file_is_named_with_its_place_and_what_is_allowed() {
    let cases = cases();
    assert!(cases.len() >= 60, "{}", cases.len());
    for (file, from, to, expected) in cases {
        assert!(!expected.is_empty(), "{file}: {from} => {to}");
        assert_eq!(changed(file, &from, &to), expected, "{file}: {from} => {to}");
    }
}

#[test]
fn every_problem_is_said_in_russian_too() {
    for (file, from, to, _) in cases() {
        let (_, text) = FILES.iter().find(|(name, _)| *name == file).expect("a file of the course");
        for error in check(file, text.replacen(&from, &to, 1).as_bytes()).problems {
            let russian = error.text().render(Lang::Ru);
            let problem = russian.lines().next().unwrap_or_default();
            // English words are left where they are keys, values or names of files.
            assert!(problem.contains(|c: char| ('а'..='я').contains(&c)), "{problem}");
            for english in ["expected", "invalid", " the ", " is ", " of "] {
                assert!(!problem.contains(english), "{problem}");
            }
        }
    }
}

#[test]
fn spreadsheets_write_marks_and_line_ends_of_their_own() {
    let marked = format!("\u{feff}{}", ROSTER.replace('\n', "\r\n"));
    assert_eq!(problems("roster.csv", marked.as_bytes()).0, Vec::<String>::new());
    let spaced = ROSTER.replace(",Пётр Петров,", " , Пётр Петров , ").replace('\n', "\n\n  \n");
    assert_eq!(problems("roster.csv", spaced.as_bytes()).0, Vec::<String>::new());
    // The line and the column are those of the file, behind the mark and with its ends of lines.
    let wrong =
        marked.replace("petrov_p", "Ivanov_I").replace("Пётр Петров,G2\r\n", "\"Пётр, Петров\",G2\r\n\r\n");
    assert_eq!(
        problems("roster.csv", wrong.as_bytes()).0,
        ["roster.csv:3:1: login: the login `Ivanov_I` is in line 2 already, expected each student once"]
    );
    let group = wrong.replace("Ivanov_I", "petrov_p").replace(",G3", ",G4");
    assert_eq!(
        problems("roster.csv", group.as_bytes()).0,
        [
            "roster.csv:5:28: group: the group `G4` is in no stream of tasks/course.yaml, expected one of `G1`, `G2`, `G3`",
            "course.yaml:5:32: streams[1].groups[0]: no student of tasks/roster.csv is in the group `G3`",
        ]
    );
    let course = format!("\u{feff}{}", COURSE.replace('\n', "\r\n"));
    assert_eq!(problems("course.yaml", course.as_bytes()).0, Vec::<String>::new());
}

#[test]
fn other_encodings_and_sizes_are_named() {
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(ROSTER.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let windows: Vec<u8> = b"login,name,group\nivanov_i,\xc8\xe2\xe0\xed\xee\xe2,G1\n".to_vec();
    let many = ROSTER.to_owned() + &"x".repeat(1 << 20);
    let cases: [(&[u8], &str); 6] = [
        (
            &utf16,
            "roster.csv:1:1: the text is in UTF-16, expected a text in UTF-8: save the file so (in a spreadsheet: CSV UTF-8)",
        ),
        (
            &windows,
            "roster.csv:2:10: byte 0xc8 is not UTF-8, expected a text in UTF-8: save the file so (in a spreadsheet: CSV UTF-8)",
        ),
        (b"", "roster.csv:1:1: the file is empty, expected the columns `login,name,group` in the first line"),
        (
            b"\xef\xbb\xbf\r\n",
            "roster.csv:1:1: the file is empty, expected the columns `login,name,group` in the first line",
        ),
        (
            b"login,name,group\na\0,A,G1\n",
            "roster.csv:2:2: character U+0000 is a control, expected a text without",
        ),
        (many.as_bytes(), "roster.csv has more than 1048576 bytes"),
    ];
    for (content, expected) in cases {
        assert_eq!(problems("roster.csv", content).0[0], expected);
    }
}

#[test]
fn a_file_that_cannot_be_read_does_not_hide_the_problems_of_the_others() {
    let root = tempfile::tempdir().expect("a folder");
    let tasks = root.path().join("tasks");
    fs::create_dir_all(tasks.join("variants.csv")).expect("created");
    fs::write(root.path().join("Cargo.toml"), "[workspace]\n").expect("written");
    fs::write(tasks.join("course.yaml"), COURSE.replace("total_points: 20", "total_points: 21"))
        .expect("written");
    fs::write(tasks.join("overrides.yaml"), "nothing").expect("written");
    let checked = CourseFiles::find(root.path()).expect("there is a course").check();
    let problems: Vec<_> = checked.problems.iter().map(ToString::to_string).collect();
    let parts = [
        "roster.csv: there is no such file",
        "variants.csv is not a regular file",
        "overrides.yaml:1:1: invalid type: string \"nothing\", expected a sequence",
        "the course has 21 points, but the assignments add up to 20",
    ];
    assert_eq!(problems.len(), parts.len(), "{problems:#?}");
    for (problem, part) in problems.iter().zip(parts) {
        assert!(problem.contains(part), "{problem}");
    }
}

#[test]
fn the_settings_of_every_assignment_are_read_too() {
    let root = right_course();
    let right = "kind: computation\nperformance:\n  workloads: [{ name: sine, size: 9 }]\n  ranks: [1]\n";
    let wrong = format!("{right}unknown: 1\n");
    let assignments = [
        ("assignment_1_1_right", Some(right)),
        ("assignment_1_2_wrong", Some(wrong.as_str())),
        ("assignment_1_3_empty", None),
    ];
    for (name, text) in assignments {
        let folder = root.path().join("tasks").join(name);
        fs::create_dir(&folder).expect("created");
        fs::write(folder.join("Cargo.toml"), "").expect("written");
        if let Some(text) = text {
            fs::write(folder.join("assignment.yaml"), text).expect("written");
        }
    }
    let checked = CourseFiles::find(root.path()).expect("there is a course").check();
    let problems: Vec<_> = checked.problems.iter().map(ToString::to_string).collect();
    let parts = [
        "assignment_1_3_empty/assignment.yaml: there is no such file",
        "assignment_1_2_wrong/assignment.yaml:5:1: unknown field `unknown`",
    ];
    assert_eq!(problems.len(), parts.len(), "{problems:#?}");
    for (problem, part) in problems.iter().zip(parts) {
        assert!(problem.contains(part), "{problem}");
    }
}
