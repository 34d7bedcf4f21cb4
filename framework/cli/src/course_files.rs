//! The files of a course that commands on all students read: settings, roster, decisions, and the evidence of all tasks.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use wb_config::{ConfirmedSimilarities, CourseSettings, GivenVariants, Overrides, Roster, RosterStudent};
use wb_course::{Evidence, GradingFiles};
use wb_messages::{Lang, course as text, enrolment};

use crate::{
    error::{CliError, Result},
    record_input, suggest,
};

/// The evidence of all tasks, below the root of the workspace.
const EVIDENCE: &str = "grades/evidence";

/// The files of the course in `root`.
pub(crate) fn read_course(root: &Path, lang: Lang) -> Result<GradingFiles> {
    Ok(GradingFiles {
        course: CourseSettings::find(root)?,
        roster: Roster::find(root)?.ok_or_else(|| CliError::Usage(text::no_roster(lang)))?,
        given: GivenVariants::find(root)?,
        overrides: Overrides::find(root)?,
        similarities: ConfirmedSimilarities::find(root)?,
    })
}

pub(crate) fn enrolled_student<'a>(roster: &'a Roster, login: &str, lang: Lang) -> Result<&'a RosterStudent> {
    roster.student(login).ok_or_else(|| {
        let near =
            suggest::nearest_names(login, roster.students.iter().map(|student| student.login.as_str()));
        let login = wb_text::escape::line(login);
        CliError::Usage(match near {
            Some(near) => enrolment::unknown_login_suggest(lang, login, near),
            None => enrolment::unknown_login(lang, login),
        })
    })
}

/// The evidence of all tasks, by the names of its files; none where there is no such folder.
pub(crate) fn read_evidence(root: &Path, lang: Lang) -> Result<Vec<Evidence>> {
    evidence_files(&root.join(EVIDENCE))?.iter().map(|file| read_evidence_file(file, lang)).collect()
}

fn read_evidence_file(file: &Path, lang: Lang) -> Result<Evidence> {
    let text = record_input::read(file).map_err(CliError::system("read", file))?;
    let refused = |error: String| io::Error::new(io::ErrorKind::InvalidData, error);
    Evidence::parse(&text).map_err(|error| CliError::system("read", file)(refused(error.render(lang))))
}

/// Writes the evidence of one task.
pub(crate) fn write_evidence(root: &Path, evidence: &Evidence) -> Result<()> {
    let folder = root.join(EVIDENCE);
    fs::create_dir_all(&folder).map_err(CliError::system("create", &folder))?;
    let file = folder.join(format!("{}.json", evidence.task));
    wb_process::write_atomically(&file, evidence.to_json()).map_err(CliError::system("write", &file))
}

fn evidence_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
        entries => entries.map_err(CliError::system("read", folder))?,
    };
    let mut files = vec![];
    for entry in entries {
        files.push(entry.map_err(CliError::system("read", folder))?.path());
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    Ok(files)
}
