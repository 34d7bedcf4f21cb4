//! `cargo wb list`.

use comfy_table::Table;
use serde_json::json;
use wb_config::{TaskSettings, VersionStatus};
use wb_messages::{Lang, assignment, cli as text};

use crate::{
    CommandStatus,
    error::{Result, describe_config_error},
    terminal,
    workspace::{TaskEntry, Workspace},
};

pub(crate) fn run(lang: Lang, json: bool) -> Result<CommandStatus> {
    let tasks = Workspace::find()?.tasks();
    if json {
        println!("{:#}", serde_json::Value::from_iter(tasks.iter().map(|task| task_json(task, lang))));
    } else if tasks.is_empty() {
        println!("{}", text::no_tasks(lang));
    } else {
        println!("{}", table(&tasks, lang));
        let wrong = tasks.iter().filter_map(|task| task.settings.as_ref().err());
        wrong.for_each(|error| eprintln!("\n{}", describe_config_error(error, lang)));
    }
    Ok(CommandStatus::from_success(tasks.iter().all(|task| task.settings.is_ok())))
}

/// The title of a task: its own, or that of its variant.
pub(crate) fn title(settings: &TaskSettings, lang: Lang) -> String {
    let own = match lang {
        Lang::En => &settings.title.en,
        Lang::Ru => &settings.title.ru,
    };
    let of_variant =
        || assignment::title(lang, settings.task_number, settings.variant).unwrap_or_default().into();
    own.clone().unwrap_or_else(of_variant)
}

/// Two lines a task, so that it fits a terminal of 80 columns: a name that is broken cannot be copied.
fn table(tasks: &[TaskEntry], lang: Lang) -> Table {
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
            Ok(settings) => table.add_row(row(&task.name, settings, lang)),
            Err(_) => table.add_row([two_lines(&task.name, &text::column_settings_wrong(lang))]),
        };
    }
    table
}

fn row(name: &str, settings: &TaskSettings, lang: Lang) -> [String; 6] {
    let word = |status| match status {
        VersionStatus::Enabled => text::enabled(lang),
        VersionStatus::Disabled => text::disabled_word(lang),
    };
    [
        two_lines(name, &title(settings, lang)),
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

fn task_json(task: &TaskEntry, lang: Lang) -> serde_json::Value {
    match &task.settings {
        Err(error) => json!({ "task": task.name, "folder": task.folder, "error": error.to_string() }),
        Ok(settings) => json!({
            "task": task.name,
            "folder": task.folder,
            "student": settings.student,
            "group": settings.group,
            "task_number": settings.task_number,
            "variant": settings.variant,
            "title": title(settings, lang),
            "seq": settings.status.seq == VersionStatus::Enabled,
            "mpi": settings.status.mpi == VersionStatus::Enabled,
        }),
    }
}
