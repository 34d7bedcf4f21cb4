//! `cargo wb course scoreboard`: grades in, a folder of pages out.

use std::{collections::BTreeMap, fs, io, path::Path};

use serde_json::json;
use wb_course::{GradingFiles, HistoryPoint, Scoreboard, ScoreboardInput, Visibility, pseudonym};
use wb_messages::{Lang, course as text};
use wb_report::scoreboard::{
    ScoreboardError, ScoreboardFile, add_measurement, files, read, read_grades, read_history, read_visibility,
};

use super::pseudonym_secret;
use crate::{
    CommandStatus,
    arguments::ScoreboardArgs,
    course_files::{enrolled_student, read_course, read_evidence},
    error::{CliError, Result},
    output, record_input,
    workspace::Workspace,
};

/// Measurements by login, which every scoreboard adds to.
const HISTORY: &str = "grades/history.json";

pub(crate) fn run(wanted: &ScoreboardArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    // Pages of an exported file are also made where there is no course.
    if let Some(file) = &wanted.from {
        let board = parsed(file, lang, read)?;
        return match board.visibility {
            Visibility::Public => write_pages(&board, file, &wanted.out, lang, json),
            Visibility::Private => Err(CliError::Usage(text::not_public(lang, file.display()))),
        };
    }
    let workspace = Workspace::find()?;
    let root = workspace.root();
    let course = read_course(root, lang)?;
    if let Some(login) = &wanted.pseudonym {
        return print_pseudonym(root, &course, login, lang);
    }
    if !wanted.grades.exists() {
        return Err(CliError::Missing(text::no_grades(lang, wanted.grades.display())));
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
    });
    match &wanted.export {
        Some(file) => export(&board, file, &wanted.grades, lang, json),
        None => write_pages(&board, &wanted.grades, &wanted.out, lang, json),
    }
}

/// Writes the pages and the data of a scoreboard, which was made of `source`.
fn write_pages(
    board: &Scoreboard,
    source: &Path,
    out: &Path,
    lang: Lang,
    json: bool,
) -> Result<CommandStatus> {
    let made = files(board).map_err(|error| invalid(source, &error, lang))?;
    prepare(out, board.visibility, lang)?;
    made.iter().try_for_each(|file| write(out, file))?;
    let pages = made.iter().filter(|file| file.path.ends_with(".html")).count();
    let students = board.students.len();
    match json {
        true => output::print_json(&json!({ "folder": out, "pages": pages, "students": students })),
        false => println!("{}", text::scoreboard_written(lang, out.display(), students, pages)),
    }
    Ok(CommandStatus::Success)
}

/// Writes the data of a public scoreboard. A file that is something else stays.
fn export(board: &Scoreboard, file: &Path, source: &Path, lang: Lang, json: bool) -> Result<CommandStatus> {
    let data = wb_report::scoreboard::json(board).map_err(|error| invalid(source, &error, lang))?;
    let is_export =
        || record_input::read(file).is_ok_and(|old| read_visibility(&old) == Ok(Visibility::Public));
    if file.exists() && !is_export() {
        return Err(CliError::Usage(text::not_an_export(lang, file.display())));
    }
    wb_process::write_atomically(file, data).map_err(CliError::system("write", file))?;
    let students = board.students.len();
    match json {
        true => output::print_json(&json!({ "file": file, "students": students })),
        false => println!("{}", text::exported(lang, file.display(), students)),
    }
    Ok(CommandStatus::Success)
}

/// Prints how a student is called on public scoreboards.
fn print_pseudonym(root: &Path, course: &GradingFiles, login: &str, lang: Lang) -> Result<CommandStatus> {
    let student = enrolled_student(&course.roster, login, lang)?;
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
    for evidence in read_evidence(root, lang)? {
        is_changed |= add_measurement(&mut history, &evidence);
    }
    if is_changed {
        let text = serde_json::to_string_pretty(&history).expect("keys are strings");
        wb_process::write_atomically(&path, text + "\n").map_err(CliError::system("write", &path))?;
    }
    Ok(history)
}

/// Makes the folder, and removes the pages of students from an earlier scoreboard. A folder of another kind stays: pages with names must
/// neither be published in the place of public ones nor get lost.
fn prepare(out: &Path, visibility: Visibility, lang: Lang) -> Result<()> {
    fs::create_dir_all(out).map_err(CliError::system("create", out))?;
    let is_empty = fs::read_dir(out).map_err(CliError::system("read", out))?.next().is_none();
    let data = record_input::read(&out.join("scoreboard.json")).ok();
    match data.and_then(|data| read_visibility(&data).ok()) {
        None if !is_empty => {
            return Err(CliError::Usage(text::foreign_folder(lang, out.display())));
        }
        Some(Visibility::Private) if visibility == Visibility::Public => {
            return Err(CliError::Usage(text::private_folder(lang, out.display())));
        }
        Some(Visibility::Public) if visibility == Visibility::Private => {
            return Err(CliError::Usage(text::public_folder(lang, out.display())));
        }
        _ => {}
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
