//! `cargo wb new`: one folder that compiles, and whose tests name the next step.

mod request;
mod task_name;
mod template;

use std::{fs, path::Path};

use wb_config::{CourseSettings, TaskKind, VariantSettings};
use wb_messages::{Lang, cli as text};

use crate::{
    CommandStatus, arguments,
    error::{CliError, Result},
    workspace::Workspace,
};
use request::TaskRequest;
use task_name::is_task_name;
use template::{ANSWERS, EXCHANGES, FILES, SETTINGS, VERB};

/// A task to make: whose it is, and its variant.
struct NewTask<'a> {
    wanted: &'a TaskRequest,
    variant: &'a VariantSettings,
}

pub(crate) fn run(wanted: &arguments::NewArgs, lang: Lang) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let course = CourseSettings::find(workspace.root())?;
    let wanted = TaskRequest::new(wanted, &course, workspace.root(), lang)?;
    let task = NewTask::new(&wanted, &course, lang).map_err(CliError::Usage)?;
    let folder = workspace.root().join("tasks").join(&wanted.name);
    if folder.exists() {
        return Err(CliError::Usage(text::exists(lang, folder.display())));
    }
    for (path, template) in FILES {
        write(&folder.join(path), &task.fill(template.text(lang), lang))?;
    }
    let title = task.variant.title.in_language(lang);
    println!("{}", text::new_made(lang, folder.display()));
    println!("{}", text::new_title(lang, wanted.number, wanted.variant, title));
    println!("{}", text::new_next(lang, &wanted.name));
    Ok(CommandStatus::Success)
}

impl<'a> NewTask<'a> {
    /// The task that is wanted, or why there can be none.
    fn new(
        wanted: &'a TaskRequest,
        course: &'a CourseSettings,
        lang: Lang,
    ) -> std::result::Result<Self, String> {
        if !is_task_name(&wanted.name) {
            return Err(text::bad_name(lang, &wanted.name));
        }
        let Some(variant) = course.variant(wanted.number, wanted.variant) else {
            let last = course.assignment(wanted.number).variants.len();
            return Err(text::bad_variant(lang, wanted.number, last, wanted.variant));
        };
        for (option, value) in [("student", &wanted.student), ("group", &wanted.group)] {
            if value.trim().is_empty() {
                return Err(text::bad_text(lang, option));
            }
            if value.contains(wb_escape::is_hidden) {
                return Err(text::bad_quote(lang, option));
            }
        }
        let task = Self { wanted, variant };
        let settings = task.fill(FILES[1].1.text(lang), lang);
        match wb_config::TaskSettings::parse(Path::new(SETTINGS), &settings) {
            Ok(read) if read.student == wanted.student.trim() && read.group == wanted.group.trim() => {
                Ok(task)
            }
            _ => Err(text::bad_names(lang)),
        }
    }

    /// The template with its placeholders `{{...}}` replaced in one pass: a value is never searched for placeholders.
    fn fill(&self, template: &str, lang: Lang) -> String {
        let mut parts = template.split("{{");
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (place, rest) = part.split_once("}}").expect("a place of a template ends");
            filled += &self.value(place, lang);
            filled += rest;
        }
        filled
    }

    /// The value of a placeholder of a template.
    fn value(&self, place: &str, lang: Lang) -> String {
        let (wanted, title) = (self.wanted, &self.variant.title);
        let is_communication = self.variant.kind == TaskKind::Communication;
        // A JSON string is a double-quoted scalar of YAML.
        let quoted = |text: &str| serde_json::Value::from(text.trim()).to_string();
        match place {
            "name" => wanted.name.clone(),
            "student" => quoted(&wanted.student),
            "login" => {
                wanted.login.as_ref().map_or_else(String::new, |login| format!("login: {}\n", quoted(login)))
            }
            "group" => quoted(&wanted.group),
            "number" => wanted.number.to_string(),
            "variant" => wanted.variant.to_string(),
            "title_en" => title.in_language(Lang::En).to_owned(),
            "title_ru" => title.in_language(Lang::Ru).to_owned(),
            "yaml_en" => quoted(title.in_language(Lang::En)),
            "yaml_ru" => quoted(title.in_language(Lang::Ru)),
            "kind" if is_communication => "communication".to_owned(),
            "kind" => "computation".to_owned(),
            "verb" if is_communication => VERB.text(lang).to_owned(),
            "verb" => String::new(),
            "rules" if is_communication => EXCHANGES.text(lang).to_owned(),
            "rules" => ANSWERS.to_owned(),
            unknown => unreachable!("no template has a place {unknown}"),
        }
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(CliError::system("create", folder))?;
    }
    fs::write(path, text).map_err(CliError::system("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(number: u8, variant: u8) -> TaskRequest {
        let [name, student, group] = ["ivanov_i_scatter", "Ivan Ivanov", "3823B1PR1"].map(String::from);
        TaskRequest { name, login: None, student, group, number, variant }
    }

    fn course() -> CourseSettings {
        CourseSettings::find(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("the course of this workspace")
    }

    /// The template, filled for `wish`.
    fn fill(template: &str, wish: &TaskRequest, lang: Lang) -> String {
        NewTask::new(wish, &course(), lang).unwrap_or_else(|error| panic!("{error}")).fill(template, lang)
    }

    /// The error of a wish, if any.
    fn check(wish: &TaskRequest, lang: Lang) -> std::result::Result<(), String> {
        NewTask::new(wish, &course(), lang).map(drop)
    }

    #[test]
    fn the_settings_of_every_new_task_are_accepted() {
        let course = course();
        for assignment in &course.assignments {
            for variant in &assignment.variants {
                for lang in Lang::ALL {
                    let wish = wish(assignment.number, variant.number);
                    let task = NewTask::new(&wish, &course, lang).unwrap_or_else(|error| panic!("{error}"));
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
            for (lang, wish) in
                Lang::ALL.into_iter().flat_map(|lang| [(lang, wish(2, 4)), (lang, wish(1, 1))])
            {
                let filled = fill(template.text(lang), &wish, lang);
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
        let parts =
            lines.map(|line| line.split('"').step_by(2).collect::<Vec<_>>().join("\"").trim().to_owned());
        // A text of several lines is a text in both languages.
        parts.filter(|line| !line.is_empty() && !line.ends_with('\\')).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_templates_of_both_languages_are_one_program() {
        for (path, template) in
            FILES.iter().filter(|(path, _)| path.ends_with(".rs") && *path != "src/problem.rs")
        {
            let [english, russian] =
                Lang::ALL.map(|lang| code(&fill(template.text(lang), &wish(2, 4), lang)));
            assert_eq!(english, russian, "{path}");
        }
    }

    #[test]
    fn what_tests_and_benchmark_import_is_exported() {
        for lang in Lang::ALL {
            let of = |wanted: &str| {
                let (_, template) = FILES.iter().find(|(path, _)| *path == wanted).expect("a file of a task");
                fill(template.text(lang), &wish(1, 1), lang)
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
        let wish = TaskRequest { login: Some("2e3".into()), ..wish(2, 4) };
        for lang in Lang::ALL {
            let text = fill(FILES[1].1.text(lang), &wish, lang);
            let read = wb_config::TaskSettings::parse(Path::new("task.yaml"), &text).expect("valid settings");
            assert_eq!(read.login.as_deref(), Some("2e3"), "{text}");
        }
    }

    #[test]
    fn names_are_quoted_and_never_taken_for_places() {
        for name in ["{{group}}", "O'Brien \"Bo\" \\ {{name}}", "Пётр: # - |", "yes", "a: {b}", "'t Hooft"]
        {
            let wish = TaskRequest { student: name.into(), ..wish(2, 4) };
            assert_eq!(check(&wish, Lang::En), Ok(()), "{name}");
            let text = fill(FILES[1].1.text(Lang::Ru), &wish, Lang::Ru);
            let read = wb_config::TaskSettings::parse(Path::new("task.yaml"), &text).expect(name);
            assert_eq!((read.student.as_str(), read.group.as_str()), (name, "3823B1PR1"));
        }
        for name in ["a\nb", "a\0", "\u{202e}a", "a\u{200b}b", "\u{1b}[2J", " \t "] {
            let wish = TaskRequest { student: name.into(), ..wish(2, 4) };
            assert!(check(&wish, Lang::En).is_err_and(|error| error.contains("--student")), "{name:?}");
        }
    }

    #[test]
    fn a_wish_that_cannot_be_granted_is_told() {
        assert!(check(&wish(2, 23), Lang::En).is_ok());
        let error = check(&wish(2, 24), Lang::En).expect_err("task 2 has 23 variants");
        assert_eq!(error, "task 2 has no variant 24, only 1 to 23");
        for hidden in ['\u{1b}', '\u{202e}', '\u{3164}'] {
            let named = TaskRequest { student: format!("Ivan{hidden}"), ..wish(2, 23) };
            let error = check(&named, Lang::En).expect_err("a name that is not seen");
            assert_eq!(error, text::bad_quote(Lang::En, "student"));
        }
    }
}
