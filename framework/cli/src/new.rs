//! `cargo wb new`: one folder that compiles, and whose tests name the next step.

mod of_assignment;
mod request;
mod task_name;
mod template;

use std::{fs, path::Path};

use request::TaskRequest;
use task_name::is_task_name;
use template::{ANSWERS, EXCHANGES, FILES, ROUTES, SETTINGS, Template, VERB};
use wb_config::{AssignmentRule, CourseSettings, Enrolment, TaskKind, TaskSettings, VariantSettings};
use wb_messages::{Lang, cli as text};

use crate::{
    CommandStatus, arguments,
    error::{CliError, Result},
    workspace::{AssignmentEntry, Workspace},
};

/// A task to make: whose it is, and its variant.
struct NewTask<'a> {
    wanted: &'a TaskRequest,
    variant: &'a VariantSettings,
    /// What the course demands of the variant.
    rules: &'a [AssignmentRule],
    /// The instructor's crate of the variant, if there is one.
    assignment: Option<AssignmentEntry>,
}

pub(crate) fn run(wanted: &arguments::NewArgs, lang: Lang) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let course = CourseSettings::find(workspace.root())?;
    let wanted = TaskRequest::new(wanted, &course, workspace.root(), lang)?;
    let assignment = workspace.assignment(wanted.number, wanted.variant);
    let task = NewTask { assignment, ..NewTask::new(&wanted, &course, lang).map_err(CliError::Usage)? };
    if let Some(problem) = task.disagreement(&Enrolment::find(workspace.root())?, lang) {
        return Err(CliError::Usage(text::new_not_enrolled(lang, problem)));
    }
    let folder = workspace.root().join("tasks").join(&wanted.name);
    if folder.exists() {
        return Err(CliError::Usage(text::exists(lang, folder.display())));
    }
    for (path, template) in task.files() {
        write(&folder.join(path), &task.fill(template.text(lang), lang))?;
    }
    let title = task.variant.title.in_language(lang);
    println!("{}", text::new_made(lang, folder.display()));
    println!("{}", text::new_title(lang, wanted.number, wanted.variant, title));
    println!("{}", task.next_steps(lang));
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
            if value.contains(wb_text::escape::is_hidden) {
                return Err(text::bad_quote(lang, option));
            }
        }
        let rules = course.assignment(wanted.number).rules_of(wanted.variant);
        let task = Self { wanted, variant, rules, assignment: None };
        match task.settings(lang) {
            Ok(read) if read.student == wanted.student.trim() && read.group == wanted.group.trim() => {
                Ok(task)
            }
            _ => Err(text::bad_names(lang)),
        }
    }

    /// The settings of the task, as they will be read from its file.
    fn settings(&self, lang: Lang) -> wb_config::Result<TaskSettings> {
        TaskSettings::parse(Path::new(SETTINGS), &self.fill(FILES[1].1.text(lang), lang))
    }

    /// What in the settings disagrees with the roster or the given variants.
    fn disagreement(&self, enrolment: &Enrolment, lang: Lang) -> Option<String> {
        let (_, problem) = enrolment.disagreement(&self.settings(lang).ok()?)?;
        Some(problem.render(lang))
    }

    /// What the student does next, as a list.
    fn next_steps(&self, lang: Lang) -> String {
        match &self.assignment {
            Some(it) => {
                text::new_next_of_assignment(lang, &self.wanted.name, of_assignment::statement(it, lang))
            }
            None => text::new_next(lang, &self.wanted.name),
        }
    }

    /// The files, with their templates.
    fn files(&self) -> &'static [(&'static str, Template)] {
        match self.assignment {
            Some(_) => &of_assignment::FILES,
            None => &FILES,
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
            "rules" if self.rules.contains(&AssignmentRule::SendAndReceiveOnly) => {
                EXCHANGES.text(lang).to_owned()
            }
            "rules" if is_communication => ROUTES.text(lang).to_owned(),
            "rules" => ANSWERS.to_owned(),
            other => {
                let value = self.assignment.as_ref().and_then(|it| of_assignment::value(other, it));
                value.unwrap_or_else(|| unreachable!("no template has a place {other}"))
            }
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
mod tests;
