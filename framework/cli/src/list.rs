//! `cargo wb list`.

use std::path::Path;

use comfy_table::Table;
use serde::Serialize;
use wb_config::{CourseSettings, TaskSettings, VersionStatus};
use wb_messages::{Lang, cli as text};

use crate::{
    CommandStatus,
    error::{Result, describe_config_error},
    output, terminal,
    workspace::{TaskEntry, Workspace},
};

pub(crate) fn run(lang: Lang, json: bool) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let course = CourseSettings::file(workspace.root()).map(|_| CourseSettings::find(workspace.root()));
    let (course, tasks) = (course.transpose()?, workspace.tasks());
    if json {
        let rows: Vec<_> = tasks.iter().map(|task| TaskRow::new(task, course.as_ref(), lang)).collect();
        output::print_json(&rows);
    } else if tasks.is_empty() {
        println!("{}", text::no_tasks(lang));
    } else {
        println!("{}", table(&tasks, course.as_ref(), lang));
        let wrong = tasks.iter().filter_map(|task| task.settings.as_ref().err());
        wrong.for_each(|error| eprintln!("\n{}", describe_config_error(error, lang)));
    }
    Ok(CommandStatus::from_success(tasks.iter().all(|task| task.settings.is_ok())))
}

/// The title in the settings of a task, else the title of its variant.
fn title(settings: &TaskSettings, course: Option<&CourseSettings>, lang: Lang) -> String {
    let own_title = match lang {
        Lang::En => &settings.title.en,
        Lang::Ru => &settings.title.ru,
    };
    let variant_title = || {
        let variant = course.and_then(|course| course.variant(settings.task_number, settings.variant));
        variant.map_or_else(String::new, |variant| variant.title.in_language(lang).to_owned())
    };
    own_title.clone().unwrap_or_else(variant_title)
}

/// Two lines for each task, so that the table fits a terminal of 80 columns: a broken name cannot be copied.
fn table(tasks: &[TaskEntry], course: Option<&CourseSettings>, lang: Lang) -> Table {
    let mut table = terminal::table();
    table.set_header([
        two_lines(&text::column_task(lang), &text::column_title(lang)),
        text::column_number(lang),
        text::column_variant(lang),
        two_lines(&text::column_student(lang), &text::column_group(lang)),
        "seq".to_owned(),
        "mpi".to_owned(),
    ]);
    for task in tasks {
        match &task.settings {
            Ok(settings) => table.add_row(row(&task.name, settings, course, lang)),
            Err(_) => table.add_row([two_lines(&task.name, &text::column_settings_wrong(lang))]),
        };
    }
    table
}

fn row(name: &str, settings: &TaskSettings, course: Option<&CourseSettings>, lang: Lang) -> [String; 6] {
    let word = |status| match status {
        VersionStatus::Enabled => text::enabled(lang),
        VersionStatus::Disabled => text::disabled_word(lang),
    };
    [
        two_lines(name, &title(settings, course, lang)),
        settings.task_number.to_string(),
        settings.variant.to_string(),
        two_lines(&settings.student, &settings.group),
        word(settings.status.seq),
        word(settings.status.mpi),
    ]
}

fn two_lines(above: &str, below: &str) -> String {
    format!("{above}\n{below}")
}

/// A task in the answer with `--json`.
#[derive(Serialize)]
struct TaskRow<'a> {
    task: &'a str,
    folder: &'a Path,
    #[serde(flatten)]
    settings: SettingsRow<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum SettingsRow<'a> {
    Read {
        student: &'a str,
        group: &'a str,
        task_number: u8,
        variant: u8,
        title: String,
        seq: bool,
        mpi: bool,
    },
    Wrong {
        error: String,
    },
}

impl<'a> TaskRow<'a> {
    fn new(task: &'a TaskEntry, course: Option<&CourseSettings>, lang: Lang) -> Self {
        let settings = match &task.settings {
            Err(error) => SettingsRow::Wrong { error: error.to_string() },
            Ok(settings) => SettingsRow::Read {
                student: &settings.student,
                group: &settings.group,
                task_number: settings.task_number,
                variant: settings.variant,
                title: title(settings, course, lang),
                seq: settings.status.seq == VersionStatus::Enabled,
                mpi: settings.status.mpi == VersionStatus::Enabled,
            },
        };
        Self { task: &task.name, folder: &task.folder, settings }
    }
}
