//! The solutions that are compared: tasks of the workspace and of archives, read by all cores.

use std::{
    path::{Path, PathBuf},
    thread,
};

use serde::Serialize;
use wb_config::TaskSettings;
use wb_escape::line as escaped_line;
use wb_messages::{Lang, similar as text};
use wb_source::{
    SourceFile, SourcePart,
    similarity::{CommonCode, ComparedProgram, MIN_FINGERPRINTS, UnreadableFile},
};

use super::part_title;

use crate::{
    arguments::SimilarArgs,
    error::{CliError, Result},
    task_sources::TaskSources,
    workspace::Workspace,
};

/// Folders below an archive: years, `tasks`, task.
const ARCHIVE_DEPTH: usize = 4;

/// What the code of examples begins with.
const EXAMPLE: &str = "example_";

/// One solution.
pub(crate) struct Solution {
    /// The task, with the archive that it is from.
    pub(crate) name: String,
    pub(crate) login: Option<String>,
    student: String,
    pub(crate) assignment: u8,
    pub(crate) variant: u8,
    pub(crate) is_archived: bool,
    pub(crate) files: Vec<SourceFile>,
    pub(crate) program: ComparedProgram,
}

/// All solutions.
pub(crate) struct SolutionSet {
    pub(crate) solutions: Vec<Solution>,
    /// Folders whose settings cannot be read, and why.
    pub(crate) refused: Vec<(PathBuf, String)>,
}

/// What is not compared, and why: it is neither similar nor not similar.
#[derive(Serialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub(crate) enum Skipped<'a> {
    /// The settings of a folder are refused, so its variant is not known.
    SettingsRefused { folder: &'a Path, message: &'a str },
    /// A file is not Rust.
    Unreadable { task: &'a str, file: &'a str, line: usize, message: &'a str },
    /// A part has too few fingerprints for a score.
    TooShort { task: &'a str, part: SourcePart, fingerprints: usize, needed: usize },
}

impl Skipped<'_> {
    pub(crate) fn render(&self, lang: Lang) -> String {
        match self {
            Self::SettingsRefused { folder, message } => text::skipped(lang, folder.display(), message),
            Self::Unreadable { task, file, line, message } => {
                text::unreadable(lang, task, escaped_line(file), line, message)
            }
            Self::TooShort { task, part, fingerprints, needed } => {
                text::too_short(lang, task, part_title(*part), fingerprints, needed)
            }
        }
    }
}

/// A task before it is read.
struct Candidate {
    name: String,
    folder: PathBuf,
    settings: TaskSettings,
    is_archived: bool,
}

impl Solution {
    fn skipped(&self) -> Vec<Skipped<'_>> {
        let task = self.name.as_str();
        let unreadable = self.program.unreadable().iter().map(|found| {
            let UnreadableFile { file, line, message } = found;
            Skipped::Unreadable { task, file, line: *line, message }
        });
        let part = |part: SourcePart| {
            let fingerprints = self.program.part(part);
            fingerprints.is_too_short().then(|| {
                let (fingerprints, needed) = (fingerprints.len(), MIN_FINGERPRINTS);
                Skipped::TooShort { task, part, fingerprints, needed }
            })
        };
        unreadable.chain([SourcePart::Seq, SourcePart::Mpi].into_iter().filter_map(part)).collect()
    }

    /// Two archived solutions were compared in their year; no student is compared with an own solution.
    pub(crate) fn may_be_paired(&self, other: &Self) -> bool {
        let is_same = match (&self.login, &other.login) {
            (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
            _ => self.student == other.student,
        };
        !(is_same || self.is_archived && other.is_archived)
    }
}

impl SolutionSet {
    /// Everything that is not compared.
    pub(crate) fn skipped(&self) -> Vec<Skipped<'_>> {
        let refused = self.refused.iter();
        let refused = refused.map(|(folder, message)| Skipped::SettingsRefused { folder, message });
        refused.chain(self.solutions.iter().flat_map(Solution::skipped)).collect()
    }

    pub(crate) fn read(workspace: &Workspace, wanted: &SimilarArgs) -> Result<Self> {
        let (mut candidates, mut skipped) = (vec![], vec![]);
        let common = common_code(workspace)?;
        for task in workspace.tasks() {
            match task.settings {
                Ok(_) if task.name.starts_with(EXAMPLE) => {}
                Ok(settings) => {
                    candidates.push(Candidate {
                        name: task.name,
                        folder: task.folder,
                        settings,
                        is_archived: false,
                    });
                }
                Err(error) => skipped.push((task.folder, error.to_string())),
            }
        }
        for archive in &wanted.archives {
            add_archive(archive, archive, 0, &mut candidates, &mut skipped)?;
        }
        let is_wanted = |candidate: &Candidate| {
            wanted.assignment.is_none_or(|number| number == candidate.settings.task_number)
                && wanted.variant.is_none_or(|number| number == candidate.settings.variant)
        };
        candidates.retain(is_wanted);
        let solutions = read_all(candidates, &common)?;
        Ok(Self { solutions, refused: skipped })
    }
}

/// The template, the assignments' crates and the examples.
fn common_code(workspace: &Workspace) -> Result<CommonCode> {
    let mut common = CommonCode::default();
    let template = [
        ("src/mpi.rs", include_str!("../../templates/mpi.rs.template")),
        ("src/seq.rs", include_str!("../../templates/seq.rs.template")),
        ("src/problem.rs", include_str!("../../templates/problem.rs.template")),
    ];
    common.add(&template.map(|(path, text)| SourceFile::new(path, text)));
    let examples = workspace.task_folders().into_iter().filter(|(task, _)| task.starts_with(EXAMPLE));
    let assignments = workspace.assignments().into_iter().map(|entry| entry.folder);
    let folders = examples.map(|(_, folder)| folder).chain(assignments);
    for folder in folders {
        common.add(&TaskSources::read(&folder)?.files);
    }
    Ok(common)
}

/// Finds the tasks below a folder: a folder with `task.yaml` is one.
fn add_archive(
    archive: &Path,
    folder: &Path,
    depth: usize,
    candidates: &mut Vec<Candidate>,
    skipped: &mut Vec<(PathBuf, String)>,
) -> Result<()> {
    if folder.join("task.yaml").is_file() {
        let below = folder.strip_prefix(archive).unwrap_or(folder);
        let label = archive.file_name().unwrap_or_default();
        let name = Path::new(label).join(below).to_string_lossy().into_owned();
        match TaskSettings::load(folder) {
            Ok(settings) => {
                candidates.push(Candidate { name, folder: folder.to_owned(), settings, is_archived: true });
            }
            Err(error) => skipped.push((folder.to_owned(), error.to_string())),
        }
        return Ok(());
    }
    if depth == ARCHIVE_DEPTH {
        return Ok(());
    }
    let mut below = vec![];
    for entry in std::fs::read_dir(folder).map_err(CliError::system("read", folder))? {
        let entry = entry.map_err(CliError::system("read", folder))?;
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            below.push(entry.path());
        }
    }
    below.sort();
    below.iter().try_for_each(|folder| add_archive(archive, folder, depth + 1, candidates, skipped))
}

/// Reads the solutions in as many parts as there are cores.
fn read_all(candidates: Vec<Candidate>, common: &CommonCode) -> Result<Vec<Solution>> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut parts: Vec<Vec<Candidate>> = (0..cores).map(|_| vec![]).collect();
    for (at, candidate) in candidates.into_iter().enumerate() {
        parts[at % cores].push(candidate);
    }
    let read_part = |part: Vec<Candidate>| {
        part.into_iter().map(|candidate| candidate.read(common)).collect::<Result<Vec<_>>>()
    };
    let read = thread::scope(|scope| {
        let running: Vec<_> = parts.into_iter().map(|part| scope.spawn(|| read_part(part))).collect();
        let ended = running.into_iter().map(|part| part.join().expect("reading a solution does not panic"));
        ended.collect::<Result<Vec<_>>>()
    })?;
    let mut solutions: Vec<Solution> = read.into_iter().flatten().collect();
    solutions.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(solutions)
}

impl Candidate {
    fn read(self, common: &CommonCode) -> Result<Solution> {
        let files = TaskSources::read(&self.folder)?.files;
        let program = ComparedProgram::new(&files, common);
        let TaskSettings { login, student, task_number, variant, .. } = self.settings;
        let (assignment, is_archived) = (task_number, self.is_archived);
        Ok(Solution { name: self.name, login, student, assignment, variant, is_archived, files, program })
    }
}
