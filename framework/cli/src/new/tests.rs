//! Tests of the templates and the settings of new tasks.
use super::*;

fn request(number: u8, variant: u8) -> TaskRequest {
    let [name, student, group] = ["ivanov_i_scatter", "Ivan Ivanov", "3823B1PR1"].map(String::from);
    TaskRequest { name, login: None, student, group, number, variant }
}

fn course() -> CourseSettings {
    CourseSettings::find(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("the course of this workspace")
}

/// The template, filled for `request`.
fn fill(template: &str, request: &TaskRequest, lang: Lang) -> String {
    NewTask::new(request, &course(), lang).unwrap_or_else(|error| panic!("{error}")).fill(template, lang)
}

/// The files of a new task on an assignment, filled for `request`.
fn files_of_assignment(request: &TaskRequest, lang: Lang) -> Vec<(&'static str, String)> {
    let [name, problem, output] =
        ["assignment_2_1_broadcast", "Broadcasting", "Everywhere"].map(String::from);
    let entry = AssignmentEntry { name, folder: "".into(), number: 2, variant: 1, problem, output };
    let course = course();
    let new = NewTask::new(request, &course, lang).unwrap_or_else(|error| panic!("{error}"));
    let task = NewTask { assignment: Some(entry), ..new };
    task.files().iter().map(|(path, template)| (*path, task.fill(template.text(lang), lang))).collect()
}

#[test]
fn a_task_on_an_assignment_uses_its_problem_and_sets_nothing_that_it_sets() {
    for lang in Lang::ALL {
        let files = files_of_assignment(&request(2, 1), lang);
        let of = |wanted: &str| &files.iter().find(|(path, _)| *path == wanted).expect("a file").1;
        assert!(files.iter().all(|(_, text)| !text.contains("{{")));
        assert!(
            of("Cargo.toml").contains("assignment_2_1_broadcast = { path = \"../assignment_2_1_broadcast\"")
        );
        assert!(of("src/mpi.rs").contains("use assignment_2_1_broadcast::Broadcasting;"));
        assert!(of("src/seq.rs").contains("const OUTPUT: Place = Place::Everywhere;"));
        assert!(of("tests/functional.rs").contains("functional(Mpi).against_reference().graded()"));
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks/assignment_2_1_broadcast");
        let read = wb_config::TaskSettings::parse_for(Path::new(SETTINGS), of(SETTINGS), &root);
        let read = read.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((read.task_number, read.variant, read.kind), (2, 1, TaskKind::Communication));
    }
    let [english, russian] = Lang::ALL.map(|lang| files_of_assignment(&request(2, 1), lang));
    for ((path, english), (_, russian)) in
        english.iter().zip(&russian).filter(|((path, _), _)| path.ends_with(".rs"))
    {
        assert_eq!(code(english), code(russian), "{path}");
    }
}

/// `dup` is a collective verb, and a topology needs it; send and receive alone are a rule of variants 1 to 5.
#[test]
fn collective_verbs_are_forbidden_where_the_course_forbids_them() {
    let (_, template) = FILES.iter().find(|(path, _)| *path == "tests/functional.rs").expect("a template");
    for lang in Lang::ALL {
        for variant in 1..=10 {
            let text = fill(template.text(lang), &request(2, variant), lang);
            assert_eq!(text.contains(".point_to_point_only()"), variant <= 5, "2.{variant}:\n{text}");
            assert_eq!(text.contains("`cart_create`"), variant > 5, "2.{variant}:\n{text}");
        }
        let text = fill(template.text(lang), &request(2, 11), lang);
        assert!(!text.contains(".point_to_point_only()") && !text.contains("`cart_create`"), "{text}");
    }
}

/// The error of a wish, if any.
fn check(request: &TaskRequest, lang: Lang) -> std::result::Result<(), String> {
    NewTask::new(request, &course(), lang).map(drop)
}

#[test]
fn the_settings_of_every_new_task_are_accepted() {
    let course = course();
    for assignment in &course.assignments {
        for variant in &assignment.variants {
            for lang in Lang::ALL {
                let request = request(assignment.number, variant.number);
                let task = NewTask::new(&request, &course, lang).unwrap_or_else(|error| panic!("{error}"));
                let text = task.fill(FILES[1].1.text(lang), lang);
                let read = wb_config::TaskSettings::parse(Path::new("task.yaml"), &text);
                read.unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}

#[test]
fn every_template_is_filled_in_its_language() {
    for (path, template) in FILES {
        for (lang, request) in
            Lang::ALL.into_iter().flat_map(|lang| [(lang, request(2, 4)), (lang, request(1, 1))])
        {
            let filled = fill(template.text(lang), &request, lang);
            assert!(!filled.contains("{{"), "{path}");
            let is_russian = |line: &str| line.contains(|c: char| ('а'..='я').contains(&c));
            let comments: Vec<_> =
                filled.lines().filter(|line| line.trim_start().starts_with("//")).collect();
            let russian = comments.iter().any(|line| is_russian(line));
            assert_eq!(russian, lang == Lang::Ru && !comments.is_empty(), "{path}: {filled}");
        }
    }
}

/// Code without comments and texts.
fn code(source: &str) -> String {
    let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let parts = lines.map(|line| line.split('"').step_by(2).collect::<Vec<_>>().join("\"").trim().to_owned());
    // A text of several lines is a text in both languages.
    parts.filter(|line| !line.is_empty() && !line.ends_with('\\')).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_templates_of_both_languages_are_one_program() {
    for (path, template) in
        FILES.iter().filter(|(path, _)| path.ends_with(".rs") && *path != "src/problem.rs")
    {
        let [english, russian] = Lang::ALL.map(|lang| code(&fill(template.text(lang), &request(2, 4), lang)));
        assert_eq!(english, russian, "{path}");
    }
}

#[test]
fn what_tests_and_benchmark_import_is_exported() {
    for lang in Lang::ALL {
        let of = |wanted: &str| {
            let (_, template) = FILES.iter().find(|(path, _)| *path == wanted).expect("a file of a task");
            fill(template.text(lang), &request(1, 1), lang)
        };
        let names = |line: &str| -> Vec<String> {
            let list = line.rsplit("::").next().unwrap_or_default().trim_matches(['{', '}', ';']);
            list.split(", ").map(|name| name.trim_matches(['{', '}', ';']).to_owned()).collect()
        };
        let library = of("src/lib.rs");
        let exported: Vec<_> =
            library.lines().filter(|line| line.starts_with("pub use ")).flat_map(names).collect();
        for file in ["tests/functional.rs", "benches/performance.rs"] {
            let text = of(file);
            let import = text.lines().find(|line| line.starts_with("use ivanov_i_scatter::"));
            let imported = names(import.expect("the task is imported"));
            assert!(imported.len() >= 2, "{file}: {imported:?}");
            for name in imported {
                assert!(exported.contains(&name), "{file} imports {name}; exported are {exported:?}");
            }
        }
    }
    assert!(FILES[0].1.text(Lang::En).contains("\n[package.metadata.task]\n"), "tasks are found by it");
}

#[test]
fn a_login_is_in_the_settings() {
    let request = TaskRequest { login: Some("2e3".into()), ..request(2, 4) };
    for lang in Lang::ALL {
        let text = fill(FILES[1].1.text(lang), &request, lang);
        let read = wb_config::TaskSettings::parse(Path::new("task.yaml"), &text).expect("valid settings");
        assert_eq!(read.login.as_deref(), Some("2e3"), "{text}");
    }
}

#[test]
fn names_are_quoted_and_never_taken_for_places() {
    for name in ["{{group}}", "O'Brien \"Bo\" \\ {{name}}", "Пётр: # - |", "yes", "a: {b}", "'t Hooft"] {
        let request = TaskRequest { student: name.into(), ..request(2, 4) };
        assert_eq!(check(&request, Lang::En), Ok(()), "{name}");
        let text = fill(FILES[1].1.text(Lang::Ru), &request, Lang::Ru);
        let read = wb_config::TaskSettings::parse(Path::new("task.yaml"), &text).expect(name);
        assert_eq!((read.student.as_str(), read.group.as_str()), (name, "3823B1PR1"));
    }
    for name in ["a\nb", "a\0", "\u{202e}a", "a\u{200b}b", "\u{1b}[2J", " \t "] {
        let request = TaskRequest { student: name.into(), ..request(2, 4) };
        assert!(check(&request, Lang::En).is_err_and(|error| error.contains("--student")), "{name:?}");
    }
}

#[test]
fn a_wish_that_cannot_be_granted_is_told() {
    assert!(check(&request(2, 23), Lang::En).is_ok());
    let error = check(&request(2, 24), Lang::En).expect_err("task 2 has 23 variants");
    assert_eq!(error, "task 2 has no variant 24, only 1 to 23");
    for (request, option) in [
        (TaskRequest { student: "  ".into(), ..request(2, 23) }, "student"),
        (TaskRequest { group: String::new(), ..request(2, 23) }, "group"),
    ] {
        assert_eq!(check(&request, Lang::En), Err(text::bad_text(Lang::En, option)));
    }
    for hidden in ['\u{1b}', '\u{202e}', '\u{3164}'] {
        let named = TaskRequest { student: format!("Ivan{hidden}"), ..request(2, 23) };
        let error = check(&named, Lang::En).expect_err("a name that is not seen");
        assert_eq!(error, text::bad_quote(Lang::En, "student"));
    }
}
