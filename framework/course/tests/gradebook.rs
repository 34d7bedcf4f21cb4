//! Grades and scoreboards of a whole course, from its files.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use jiff::Timestamp;
use wb_config::{ConfirmedSimilarities, CourseSettings, GivenVariants, Overrides, Roster};
use wb_course::{
    CourseGrades, Evidence, GradingFiles, HistoryPoint, Letter, Points, ReasonKind, Scoreboard,
    ScoreboardInput, TaskGrade, Visibility, pseudonym,
};

const COURSE: &str = include_str!("../../../tasks/course.yaml");

fn at(text: &str) -> Timestamp {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn points(text: &str) -> Points {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A course of three students; the second one's evidence is late, copied, overridden and extended.
fn files(course: &str) -> GradingFiles {
    let roster =
        "login,name,group\npetrov_p,Пётр Петров,3823B1PR1\nivanov_i,Ivan Ivanov,3823B1PR1\nzorin_z,Z,staff\n";
    let given = "login,assignment,variant\npetrov_p,2,11\nIVANOV_I,2,11\n";
    let overrides = "- { login: ivanov_i, assignment: 2, letter: P, points: 1.5, by: Anna, at: 2027-04-20, reason: secret illness }\n\
         - { login: ivanov_i, assignment: 2, letter: D, points: -3, by: Anna, at: 2027-04-20, reason: another secret }\n";
    let similar = "- { assignment: 2, variant: 11, logins: [ivanov_i, petrov_p], part: seq, by: Anna, at: 2027-04-20, reason: they met }\n";
    GradingFiles {
        course: CourseSettings::parse(Path::new("course.yaml"), course)
            .unwrap_or_else(|error| panic!("{error}")),
        roster: Roster::parse(Path::new("roster.csv"), roster).expect("a roster"),
        given: GivenVariants::parse(Path::new("variants.csv"), given).expect("variants"),
        overrides: Overrides::parse(Path::new("overrides.yaml"), overrides).expect("overrides"),
        similarities: ConfirmedSimilarities::parse(Path::new("similarity.yaml"), similar)
            .expect("similarities"),
    }
}

fn extended() -> String {
    let extension =
        "extensions: [{ login: ivanov_i, assignment: 2, until: 2027-04-12, reason: a hospital, by: Anna }]";
    assert!(COURSE.contains("extensions: []"));
    COURSE.replace("extensions: []", extension)
}

fn evidence(login: &str, task: &str, changed: &str) -> Evidence {
    let mut evidence =
        Evidence { login: login.into(), task: task.into(), variant: 11, ..Evidence::example() };
    let submission = evidence.submission.as_mut().expect("submitted");
    (submission.changed_at, submission.merged_at) = (at(changed), at(changed));
    evidence
}

fn graded(files: &GradingFiles) -> Vec<TaskGrade> {
    let both = [
        evidence("petrov_p", "petrov_p_scatter", "2027-04-11T20:00:00Z"),
        evidence("Ivanov_I", "ivanov_i_scatter", "2027-04-14T10:00:00Z"),
    ];
    files.grade_all(&both, at("2027-05-01T00:00:00Z"))
}

#[test]
fn each_student_has_a_grade_for_each_assignment() {
    let files = files(&extended());
    let grades = graded(&files);
    let keys: Vec<(&str, u8)> = grades.iter().map(|grade| (grade.login.as_str(), grade.assignment)).collect();
    assert_eq!(keys.len(), 9);
    assert_eq!(keys[3..6], [("ivanov_i", 1), ("ivanov_i", 2), ("ivanov_i", 3)]);
    assert_eq!((grades[1].total, grades[1].variant), (points("21.5"), 11), "{:#?}", grades[1]);
    assert_eq!(grades[8].variant, 0);
    assert_eq!(grades[8].total, Points::ZERO);
    assert_eq!(
        (files.total_points(), files.mark(points("69.3")), files.mark(points("35"))),
        (points("70"), Some("5.5"), Some("3"))
    );
    assert_eq!(files.mark(points("34.99")), None);
}

#[test]
fn overrides_extensions_and_confirmed_copying_reach_their_student_only() {
    let late = |course: &str| {
        let files = files(course);
        graded(&files)[4].clone()
    };
    let grade = late(&extended());
    assert_eq!(grade.overrides.iter().map(|one| one.from).collect::<Vec<_>>(), [points("5"), points("-2")]);
    assert_eq!(grade.letter(Letter::Deadline).expect("D").points, points("-3"));
    assert_eq!(grade.letter(Letter::Copying).expect("C").points, points("-1.5"));
    assert_eq!(late(COURSE).overrides[1].from, points("-3"), "without the extension");
}

#[test]
fn decisions_count_from_the_first_instant_of_their_day_in_the_zone_of_the_course() {
    let files = files(COURSE);
    let one = [evidence("ivanov_i", "ivanov_i_scatter", "2027-04-14T10:00:00Z")];
    let grade = |moment| files.grade_all(&one, at(moment))[4].clone();
    let decided =
        |moment| (grade(moment).overrides.len(), grade(moment).letter(Letter::Copying).expect("C").points);
    assert_eq!(decided("2027-04-19T20:59:59Z"), (0, Points::ZERO));
    assert_eq!(decided("2027-04-19T21:00:00Z"), (2, points("-1.5")));
}

#[test]
fn decisions_and_extensions_are_for_their_assignment_only() {
    let files = files(&extended());
    let late = Evidence { assignment: 1, ..evidence("ivanov_i", "ivanov_i_first", "2027-05-20T10:00:00Z") };
    let grade = files.grade_all(&[late], at("2027-06-01T00:00:00Z"))[3].clone();
    assert!(grade.submitted && grade.overrides.is_empty(), "{grade:?}");
    let letter = grade.letter(Letter::Deadline).expect("D");
    assert!(letter.reasons.iter().all(|reason| reason.kind != ReasonKind::Extension), "{letter:?}");
    assert!(letter.points < Points::ZERO, "{letter:?}");
}

#[test]
fn of_several_tasks_the_one_of_the_given_variant_counts_then_the_last() {
    let files = files(COURSE);
    let (old, new) = ("2027-04-01T00:00:00Z", "2027-04-02T00:00:00Z");
    let mut tasks = vec![evidence("petrov_p", "petrov_p_a", new), evidence("petrov_p", "petrov_p_b", old)];
    let counted = |tasks: &[Evidence]| files.grade_all(tasks, at("2027-05-01T00:00:00Z"))[1].task.clone();
    assert_eq!(counted(&tasks).as_deref(), Some("petrov_p_a"));
    tasks.reverse();
    assert_eq!(counted(&tasks).as_deref(), Some("petrov_p_a"));
    tasks[1].variant = 5;
    assert_eq!(counted(&tasks).as_deref(), Some("petrov_p_b"));
}

fn board(visibility: Visibility) -> Scoreboard {
    let files = files(&extended());
    let point = HistoryPoint {
        assignment: 2,
        commit: "feedfacefeedface".into(),
        at: at("2027-04-01T00:00:00Z"),
        speedup: None,
        efficiency: None,
    };
    let history = BTreeMap::from([("ivanov_i".to_owned(), vec![point])]);
    Scoreboard::build(&ScoreboardInput {
        files: &files,
        grades: &CourseGrades::new(at("2027-05-01T00:00:00Z"), graded(&files)),
        history: &history,
        visibility,
        secret: b"a secret of this test",
        synthetic: true,
    })
}

#[test]
fn a_private_scoreboard_has_names_and_a_public_one_nothing_that_identifies() {
    let private = board(Visibility::Private);
    let names: Vec<_> =
        private.students.iter().map(|student| student.name.as_deref().unwrap_or("-")).collect();
    assert_eq!(names, ["Ivan Ivanov", "Пётр Петров", "Z"]);
    let text = serde_json::to_string(&private).expect("data");
    let secrets = [
        "ivanov",
        "Ivan",
        "petrov",
        "Пётр",
        "zorin",
        "0123456789",
        "feedface",
        "secret",
        "hospital",
        "they met",
        "2027-04",
        "3823B1PR1",
        "\"variant\":11",
        "1.84",
        "_scatter",
    ];
    assert!(
        secrets.iter().all(|secret| text.contains(secret)),
        "the canary: a private scoreboard contains them"
    );
    let public = board(Visibility::Public);
    let text = serde_json::to_string(&public).expect("data");
    let found: Vec<_> = secrets.iter().filter(|secret| text.contains(**secret)).collect();
    assert!(found.is_empty(), "{found:?}");
    assert!(
        public.students.iter().any(|student| student.id == pseudonym(b"a secret of this test", "ivanov_i"))
    );
    let totals = |board: &Scoreboard| {
        let mut totals: Vec<_> =
            board.students.iter().map(|student| (student.total, student.mark.clone())).collect();
        totals.sort();
        totals
    };
    assert_eq!(totals(&public), totals(&private));
    let ids: Vec<_> = public.students.iter().map(|student| &student.id).collect();
    assert!(ids.is_sorted(), "{ids:?}");
}

#[test]
fn a_public_student_has_rounded_numbers_and_one_reason_of_each_kind() {
    let public = board(Visibility::Public);
    let late =
        public.students.iter().find(|student| student.id == pseudonym(b"a secret of this test", "ivanov_i"));
    let late = late.expect("the second student");
    let task = &late.tasks[1];
    let measured = |letter| task.letter(letter).and_then(|grade| grade.measured).expect("measured");
    assert_eq!((measured(Letter::Acceleration).value, measured(Letter::Acceleration).low), (2.0, 2.0));
    assert_eq!((measured(Letter::Efficiency).value, measured(Letter::Efficiency).high), (90.0, 90.0));
    assert!(task.submitted && task.instructor_owned.is_none() && late.history.is_empty());
    for letter in &task.letters {
        let kinds: Vec<ReasonKind> = letter.reasons.iter().map(|reason| reason.kind).collect();
        let mut distinct = kinds.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), kinds.len(), "{kinds:?}");
        let is_of_kind =
            |reason: &wb_course::Reason| Some(&reason.text) == reason.kind.public_text().as_ref();
        assert!(letter.reasons.iter().all(is_of_kind), "{letter:#?}");
    }
    assert!(public.students.iter().all(wb_course::ScoreboardStudent::is_public));
    assert!(!board(Visibility::Private).students.iter().any(wb_course::ScoreboardStudent::is_public));
}

#[test]
fn of_two_tasks_the_grade_says_which_counts_and_why() {
    let files = files(COURSE);
    let (old, new) = ("2027-04-01T00:00:00Z", "2027-04-02T00:00:00Z");
    let mut tasks = vec![evidence("petrov_p", "petrov_p_a", old), evidence("petrov_p", "petrov_p_b", new)];
    let explained = |tasks: &[Evidence]| {
        let grade = files.grade_all(tasks, at("2027-05-01T00:00:00Z"))[1].clone();
        let reasons = &grade.letter(Letter::Solution).expect("S").reasons;
        let found = reasons.iter().find(|reason| reason.kind == ReasonKind::SecondTask);
        found.map(|reason| reason.text.en.to_string()).unwrap_or_default()
    };
    assert_eq!(
        explained(&tasks),
        "two tasks for this assignment: petrov_p_b counts, since it was merged last; petrov_p_a does not"
    );
    tasks[0].submission.as_mut().expect("submitted").merged_at = at(new);
    assert!(explained(&tasks).contains("petrov_p_b counts, since its name is the last in the alphabet"));
    tasks[1].variant = 5;
    assert!(explained(&tasks).contains("petrov_p_a counts, since it solves the given variant 11"));
    assert_eq!(explained(&tasks[..1]), "");
}

#[test]
fn the_reasons_of_a_public_grade_still_add_up() {
    for student in board(Visibility::Public).students {
        assert_eq!(student.tasks.len(), 3);
        for letter in student.tasks.iter().flat_map(|task| &task.letters) {
            let lost: Points = letter.reasons.iter().map(|reason| reason.lost).sum();
            assert_eq!(lost, letter.of.unwrap_or(Points::ZERO) - letter.points, "{letter:?}");
        }
    }
}

#[test]
fn a_scoreboard_is_read_as_it_is_written() {
    let board = board(Visibility::Private);
    assert_eq!((board.time_zone.as_str(), board.assignments[2].variants.len()), ("Europe/Moscow", 32));
    let text = serde_json::to_string(&board).expect("data");
    assert_eq!(serde_json::from_str::<Scoreboard>(&text).expect("a scoreboard"), board);
}

#[test]
fn a_course_of_150_students_is_graded_fast() {
    let mut roster = String::from("login,name,group\n");
    let mut given = String::from("login,assignment,variant\n");
    let mut all = Vec::new();
    for number in 0..150 {
        let login = format!("student{number}");
        let _ = writeln!(roster, "{login},Student {number},3823B1PR1");
        for assignment in 1..=3 {
            let _ = writeln!(given, "{login},{assignment},11");
            all.push(Evidence {
                assignment,
                ..evidence(&login, &format!("{login}_{assignment}"), "2027-02-01T00:00:00Z")
            });
        }
    }
    let texts: Vec<String> = all.iter().map(Evidence::to_json).collect();
    let mut files = files(COURSE);
    files.roster = Roster::parse(Path::new("roster.csv"), &roster).expect("a roster");
    files.given = GivenVariants::parse(Path::new("variants.csv"), &given).expect("variants");
    let start = std::time::Instant::now();
    let all: Vec<Evidence> = texts.iter().map(|text| Evidence::parse(text).expect("evidence")).collect();
    let grades = files.grade_all(&all, at("2027-05-01T00:00:00Z"));
    let took = start.elapsed();
    assert_eq!(grades.len(), 450);
    assert!(grades.iter().all(|grade| grade.task.is_some() && grade.total > points("11")));
    assert!(took.as_secs() < 5, "{took:?}");
    println!("450 tasks in {took:?}");
}

#[test]
fn reasons_of_one_kind_are_one_public_reason_with_all_their_points() {
    let mut student = board(Visibility::Private).students.remove(0);
    let letters = student.tasks[0].letters.iter_mut();
    let lost_of = |letter: &wb_course::LetterGrade| letter.reasons.first().map(|reason| reason.lost);
    let mut lost_points = letters.filter(|letter| lost_of(letter) > Some(Points::ZERO));
    let letter = lost_points.next().expect("a letter that lost points");
    letter.reasons.truncate(1);
    letter.reasons.push(letter.reasons[0].clone());
    let (name, lost) = (letter.letter, letter.reasons[0].lost);
    let public = student.published(b"a secret of this test");
    let reasons = &public.tasks[0].letter(name).expect("the letter").reasons;
    assert_eq!(reasons.iter().map(|reason| reason.lost).collect::<Vec<_>>(), [lost + lost]);
}
