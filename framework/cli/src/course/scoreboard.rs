//! `cargo wb course scoreboard`: grades in, a folder of pages out.

use std::{collections::BTreeMap, fs, io, path::Path};

use jiff::Timestamp;
use serde_json::json;
use wb_course::{GradingFiles, HistoryPoint, Scoreboard, ScoreboardInput, Visibility, pseudonym};
use wb_messages::{Lang, course as text};
use wb_scoreboard::{ScoreboardError, ScoreboardFile, add_measurement, files, read_grades, read_history};

use super::pseudonym_secret;
use crate::{
    CommandStatus,
    arguments::ScoreboardArgs,
    course_files::{read_course, read_evidence},
    error::{CliError, Result},
    output, record_input,
    workspace::Workspace,
};

/// Measurements by login, which every scoreboard adds to.
const HISTORY: &str = "grades/history.json";

pub(crate) fn run(wanted: &ScoreboardArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let root = workspace.root();
    let course = read_course(root, lang)?;
    if let Some(login) = &wanted.pseudonym {
        return print_pseudonym(root, &course, login, lang);
    }
    let grades = parsed(&wanted.grades, lang, read_grades)?;
    let history = updated_history(root, lang)?;
    let visibility = if wanted.private { Visibility::Private } else { Visibility::Public };
    let secret = match visibility {
        Visibility::Private => vec![],
        Visibility::Public => pseudonym_secret::find_or_make(root, lang)?,
    };
    let board = Scoreboard::build(&ScoreboardInput {
        files: &course,
        grades: &grades,
        history: &history,
        visibility,
        secret: &secret,
        synthetic: course.course.synthetic,
        at: wanted.at.map_or_else(Timestamp::now, |at| at.last_instant(&course.course.time_zone)),
    });
    let made = files(&board).map_err(|error| invalid(&wanted.grades, &error, lang))?;
    prepare(&wanted.out, lang)?;
    made.iter().try_for_each(|file| write(&wanted.out, file))?;
    let pages = made.iter().filter(|file| file.path.ends_with(".html")).count();
    match json {
        true => output::print_json(&json!({
            "folder": wanted.out, "pages": pages, "students": board.students.len(),
        })),
        false => {
            println!("{}", text::scoreboard_written(lang, wanted.out.display(), board.students.len(), pages));
        }
    }
    Ok(CommandStatus::Success)
}

/// Prints how a student is called on public scoreboards.
fn print_pseudonym(root: &Path, course: &GradingFiles, login: &str, lang: Lang) -> Result<CommandStatus> {
    let student = course.roster.student(login);
    let student =
        student.ok_or_else(|| CliError::Usage(text::unknown_login(lang, wb_escape::line(login))))?;
    println!("{}", pseudonym(&pseudonym_secret::find_or_make(root, lang)?, &student.login));
    Ok(CommandStatus::Success)
}

/// The value in a file.
fn parsed<T>(
    path: &Path,
    lang: Lang,
    parse: fn(&str) -> std::result::Result<T, ScoreboardError>,
) -> Result<T> {
    let text = record_input::read(path).map_err(CliError::system("read", path))?;
    parse(&text).map_err(|error| invalid(path, &error, lang))
}

fn invalid(path: &Path, error: &ScoreboardError, lang: Lang) -> CliError {
    CliError::system("read", path)(io::Error::new(io::ErrorKind::InvalidData, error.render(lang)))
}

/// The measurements of earlier scoreboards and those of the evidence, which are added to the file.
fn updated_history(root: &Path, lang: Lang) -> Result<BTreeMap<String, Vec<HistoryPoint>>> {
    let path = root.join(HISTORY);
    let mut history = if path.exists() { parsed(&path, lang, read_history)? } else { BTreeMap::new() };
    let mut is_changed = false;
    for evidence in read_evidence(root)? {
        is_changed |= add_measurement(&mut history, &evidence);
    }
    if is_changed {
        let text = serde_json::to_string_pretty(&history).expect("keys are strings");
        wb_process::write_atomically(&path, text + "\n").map_err(CliError::system("write", &path))?;
    }
    Ok(history)
}

/// Makes the folder, and removes the pages of students from an earlier scoreboard: a public one must not keep pages with names.
fn prepare(out: &Path, lang: Lang) -> Result<()> {
    fs::create_dir_all(out).map_err(CliError::system("create", out))?;
    let mut entries = fs::read_dir(out).map_err(CliError::system("read", out))?;
    if entries.next().is_some() && !out.join("scoreboard.json").is_file() {
        return Err(CliError::Usage(text::foreign_folder(lang, out.display())));
    }
    let students = out.join("students");
    match fs::remove_dir_all(&students) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(CliError::system("remove", students)(error))
        }
        _ => Ok(()),
    }
}

fn write(out: &Path, file: &ScoreboardFile) -> Result<()> {
    let path = out.join(&file.path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(CliError::system("create", folder))?;
    }
    fs::write(&path, &file.text).map_err(CliError::system("write", path))
}
