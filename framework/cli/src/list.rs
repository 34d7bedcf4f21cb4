//! `cargo wb list`.

use std::path::Path;

use serde::Serialize;
use wb_config::{CourseSettings, TaskSettings, VersionStatus};
use wb_messages::{
    Lang, cli as text,
    layout::{Align, aligned, shortened},
};

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
        println!("{}", table(&tasks, course.as_ref(), terminal::width().into(), lang));
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

/// The most columns of a student's name.
const STUDENT: usize = 20;

/// A line of the table: task, assignment and variant, enabled versions, student, title.
type Row = [String; 5];

/// One line for each task, in `width` columns: the title has what the others leave.
fn table(tasks: &[TaskEntry], course: Option<&CourseSettings>, width: usize, lang: Lang) -> String {
    let header = [
        text::column_task(lang),
        text::column_number(lang),
        text::column_versions(lang),
        text::column_student(lang),
        text::column_title(lang),
    ];
    let rows = tasks.iter().map(|task| match &task.settings {
        Ok(settings) => row(&task.name, settings, course, lang),
        Err(_) => {
            let wrong = text::column_settings_wrong(lang);
            [task.name.clone(), String::new(), String::new(), String::new(), wrong]
        }
    });
    let rows: Vec<Row> = std::iter::once(header).chain(rows).collect();
    let lines = aligned(&rows, &[Align::Left; 5]);
    lines.iter().map(|line| shortened(line.trim_end(), width)).collect::<Vec<_>>().join("\n")
}

fn row(name: &str, settings: &TaskSettings, course: Option<&CourseSettings>, lang: Lang) -> Row {
    let versions = [(settings.status.seq, "seq"), (settings.status.mpi, "mpi")];
    let enabled = versions.iter().filter(|(status, _)| *status == VersionStatus::Enabled);
    let enabled: Vec<&str> = enabled.map(|(_, version)| *version).collect();
    [
        name.to_owned(),
        format!("{}.{}", settings.task_number, settings.variant),
        if enabled.is_empty() { "—".to_owned() } else { enabled.join("+") },
        shortened(&settings.student, STUDENT),
        title(settings, course, lang),
    ]
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
