//! The files of a scoreboard: the same bytes again, both languages, small pages, nothing that a public page must not have.

use wb_course::{Points, Scoreboard, TaskGrade};
use wb_messages::Lang;

use super::board::{HOSTILE, class, public_class};
use crate::scoreboard::{ScoreboardError, ScoreboardFile, files, read};

fn made(board: &Scoreboard) -> Vec<ScoreboardFile> {
    files(board).unwrap_or_else(|error| panic!("{error}"))
}

fn text<'a>(files: &'a [ScoreboardFile], path: &str) -> &'a str {
    &files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path}")).text
}

#[test]
fn the_same_scoreboard_gives_the_same_files_also_after_it_was_read_from_its_json() {
    let board = class(40);
    let first = made(&board);
    let again = read(text(&first, "scoreboard.json")).expect("it was written so");
    assert_eq!(again, board);
    assert_eq!(made(&again), first);
    assert_eq!(first.len(), 2 + 2 * (2 + 40));
}

#[test]
fn the_pages_of_a_course_are_small() {
    let files = made(&class(150));
    let size = |path: &str| text(&files, path).len();
    let all: usize = files.iter().map(|file| file.text.len()).sum();
    println!("index.html {}, index.ru.html {}, all {all}", size("index.html"), size("index.ru.html"));
    assert!(size("index.html") < 1_500_000 && size("index.ru.html") < 1_500_000);
    assert!(size("students/user003.html") < 60_000 && all < 20_000_000);
}

#[test]
fn every_page_says_that_it_is_synthetic_and_only_then() {
    let mut board = class(10);
    let pages = |board: &Scoreboard| -> Vec<String> {
        made(board).into_iter().filter(|file| file.path.ends_with(".html")).map(|file| file.text).collect()
    };
    let says = |page: &String| page.contains("Synthetic data") || page.contains("Синтетические данные");
    assert!(pages(&board).iter().all(says));
    board.synthetic = false;
    assert!(!pages(&board).iter().any(says));
}

#[test]
fn no_page_has_unescaped_markup_or_an_address() {
    for file in made(&class(12)).iter().filter(|file| file.path.ends_with(".html")) {
        for part in
            ["<script>document", "<img", "<b>\"", "http://", "https://", "style=\"", "onclick=", "\u{202e}"]
        {
            let text = file.text.replace("http://www.w3.org/2000/svg", "");
            assert!(!text.contains(part), "{}: {part}", file.path);
        }
        assert_eq!(
            file.text.matches("</script>").count(),
            file.text.matches("<script").count(),
            "{}",
            file.path
        );
    }
}

#[test]
fn a_public_page_has_neither_names_nor_instructors_nor_packages() {
    let private = made(&class(150));
    let public = made(&public_class(150));
    let secrets = [
        "Громова",
        "user003",
        "user003_task_1",
        "A. Instructor",
        "defended",
        "3823B1PR",
        "Stream 1",
        "functional.rs",
        "2027-04-03",
        "Problem 7",
    ];
    for secret in secrets.iter().chain(&HOSTILE[..1]) {
        let is_text = |file: &&ScoreboardFile| !(*secret == "Problem 7" && file.path == "scoreboard.json");
        let all: Vec<&ScoreboardFile> =
            public.iter().filter(is_text).filter(|file| file.text.contains(secret)).collect();
        assert!(all.is_empty(), "{secret}: {:?}", all[0].path);
        let escaped = secret.replace('<', "&lt;").replace('>', "&gt;");
        assert!(private.iter().any(|file| file.text.contains(&escaped)), "canary: {secret}");
    }
}

#[test]
fn a_public_scoreboard_with_a_name_is_refused() {
    type Change = fn(&mut Scoreboard);
    let fields: [(&str, Change); 12] = [
        ("name", |board| board.students[1].name = Some("A".to_owned())),
        ("stream", |board| board.students[1].stream = Some("Stream 1".to_owned())),
        ("instructor_owned", |board| board.students[1].tasks[0].instructor_owned = Some(true)),
        ("overrides", |board| {
            let overridden = class(150).students.into_iter().flat_map(|student| student.tasks);
            let overrides = overridden.map(|task| task.overrides).find(|overrides| !overrides.is_empty());
            board.students[1].tasks[0].overrides = overrides.expect("an override");
        }),
        ("group", |board| board.students[1].group = Some("3823B1PR1".to_owned())),
        ("login", |board| board.students[1].tasks[0].login = "ivanov".to_owned()),
        ("variant", |board| board.students[1].tasks[0].variant = 3),
        ("task", |board| board.students[1].tasks[2].task = Some("ivanov_i_sum".to_owned())),
        ("commit", |board| board.students[1].tasks[2].commit = Some("feed".to_owned())),
        ("history", |board| board.students[1].history = class(7).students[6].history.clone()),
        ("letters", |board| {
            let letters = board.students.iter_mut().skip(1).flat_map(|student| &mut student.tasks);
            let reasons = letters.flat_map(|task| &mut task.letters).flat_map(|letter| &mut letter.reasons);
            reasons
                .take(100)
                .for_each(|reason| reason.text = wb_text::Text::untranslated("my program panicked"));
        }),
        ("letters", |board| {
            let tasks = board.students[1].tasks.iter_mut().flat_map(|task| &mut task.letters);
            tasks.filter_map(|letter| letter.measured.as_mut()).for_each(|measured| measured.value = 1.8364);
        }),
    ];
    for (field, change) in fields {
        let mut board = public_class(9);
        assert!(files(&board).is_ok());
        change(&mut board);
        let id = board.students[1].id.clone();
        assert_eq!(files(&board), Err(ScoreboardError::NameOnPublic { id, field }));
    }
}

#[test]
fn a_wrong_file_is_refused_with_its_line_and_the_reason() {
    let json = text(&made(&class(2)), "scoreboard.json").to_owned();
    let newer = json.replace("\"schema\": 2", "\"schema\": 3").replace("\"synthetic\"", "\"new_field\"");
    let cases = [
        ("".to_owned(), "line 1, column 0: EOF while parsing a value"),
        (json.replacen("\"at\"", "\"when\"", 1), "unknown field `when`, expected one of `schema`"),
        (newer, "schema 3, this program knows 2"),
        (json.replace("\"schema\": 2", "\"schema\": 1"), "schema 1, this program reads 2"),
        (r#"{"schema": 1, "at": "2027-06-01T00:00:00Z", "grades": []}"#.to_owned(), "these are grades"),
        (json.replace("Europe/Moscow", "Europe/Atlantis"), "`Europe/Atlantis` is unknown"),
        (json.replace("user001", "USER000"), "two students have the id `USER000`"),
        (
            json.replacen("\"assignment\": 2", "\"assignment\": 3", 1),
            "one grade is expected for each assignment",
        ),
        (json.replacen("\"private\"", "\"secret\"", 1), "unknown variant `secret`"),
    ];
    for (text, reason) in cases {
        let error = read(&text).expect_err(reason);
        assert!(error.to_string().contains(reason), "{error}");
        assert_ne!(error.render(Lang::Ru), error.to_string());
    }
}

#[test]
fn the_gradebook_has_a_row_for_each_student_and_no_formula() {
    let mut board = class(8);
    board.students[2].name = Some("=HYPERLINK(\"x\")".to_owned());
    board.students[3].tasks.iter_mut().for_each(|task| (task.submitted, task.letters) = (false, vec![]));
    let files = made(&board);
    let table = text(&files, "grades.csv");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().expect("a header").clone();
    assert_eq!(header.len(), 4 + 3 * 9 + 3);
    assert_eq!(
        header.iter().skip(4).take(9).collect::<Vec<_>>().join(","),
        "a1_variant,a1_S,a1_P,a1_A,a1_E,a1_D,a1_C,a1_R,a1_total"
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 8);
    assert_eq!(&rows[2][1], "'=HYPERLINK(\"x\")");
    for (row, student) in rows.iter().zip(&board.students) {
        if !student.tasks.iter().any(TaskGrade::is_graded) {
            assert_eq!(&row[header.len() - 3], "", "no grade, and not 0: {row:?}");
            continue;
        }
        let total: Points = row[header.len() - 3].parse().expect("points");
        assert_eq!(total, student.total);
        let points = |field: &str| (!field.is_empty()).then(|| field.parse::<Points>().expect("points"));
        let sum: Points = [12, 21, 30].iter().filter_map(|at| points(&row[*at])).sum();
        assert_eq!(sum, total, "{row:?}");
        for (first, task) in [4, 13, 22].iter().zip(&student.tasks) {
            let is_empty = row.iter().skip(first + 1).take(8).all(str::is_empty);
            assert_eq!(is_empty, !task.submitted, "a missing grade is empty, not 0: {row:?}");
        }
    }
}

#[test]
fn a_submitted_task_without_points_is_shown_as_submitted_and_a_missing_one_is_not() {
    let mut board = public_class(3);
    let says = |board: &Scoreboard| {
        let files = made(board);
        let page = text(&files, &format!("students/{}.html", board.students[0].id.to_lowercase()));
        page.matches("Nothing was submitted for this assignment.").count()
    };
    let mut missing = 0;
    for task in &mut board.students[0].tasks {
        (task.total, task.submitted) = (Points::ZERO, true);
        for letter in &mut task.letters {
            (letter.points, letter.measured, letter.reasons) = (Points::ZERO, None, vec![]);
        }
    }
    assert_eq!(says(&board), missing);
    for at in 0..3 {
        board.students[0].tasks[at].submitted = false;
        missing += 1;
        assert_eq!(says(&board), missing);
    }
}

#[test]
fn an_override_is_shown_once_in_the_time_zone_of_the_course() {
    let board = class(150);
    let files = made(&board);
    let changed =
        board.students.iter().find(|student| student.tasks.iter().any(|task| !task.overrides.is_empty()));
    let page = text(&files, &format!("students/{}.html", changed.expect("one of them").id));
    assert_eq!(page.matches("the report was defended").count(), 1);
    assert!(page.contains("on 2027-05-01 11:00: the report was defended"), "08:00 in UTC");
}

#[test]
fn russian_pages_have_commas_and_no_english_word_of_the_frame() {
    let files = made(&class(30));
    let page = text(&files, "index.ru.html");
    assert!(page.contains("<html lang=\"ru\">") && page.contains(">Σ</button>"));
    for word in [">Students<", ">Search<", "Assignment 1", "Shown:", "Colours: light", ">Reset<", "not given"]
    {
        assert!(text(&files, "index.html").contains(word), "canary: {word}");
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains(">0,97<") || page.contains(",13<"), "no decimal comma");
}

#[test]
fn an_empty_course_has_pages() {
    let mut board = class(0);
    board.assignments.clear();
    let files = made(&board);
    assert_eq!(files.len(), 6);
    assert!(text(&files, "class.html").contains("There is no data yet."));
}
