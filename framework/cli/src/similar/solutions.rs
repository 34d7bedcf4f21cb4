//! The solutions that are compared: tasks of the workspace and of archives, read by all cores.

use std::{
    path::{Path, PathBuf},
    thread,
};

use wb_config::TaskSettings;
use wb_source::{
    SourceFile,
    similarity::{CommonCode, ComparedProgram},
};

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
    is_archived: bool,
    pub(crate) files: Vec<SourceFile>,
    pub(crate) program: ComparedProgram,
}

/// All solutions.
pub(crate) struct SolutionSet {
    pub(crate) solutions: Vec<Solution>,
    /// Folders whose settings cannot be read, and why.
    pub(crate) skipped: Vec<(PathBuf, String)>,
}

/// A task before it is read.
struct Candidate {
    name: String,
    folder: PathBuf,
    settings: TaskSettings,
    is_archived: bool,
}

impl Solution {
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
        Ok(Self { solutions, skipped })
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
    let examples = workspace.tasks().into_iter().filter(|task| task.name.starts_with(EXAMPLE));
    let folders =
        examples.map(|task| task.folder).chain(workspace.assignments().into_iter().map(|entry| entry.folder));
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
