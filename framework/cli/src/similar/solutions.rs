//! The solutions that are compared: tasks of the workspace and of archives, read by all cores.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    thread,
};

use serde::Serialize;
use wb_config::TaskSettings;
use wb_course::source::{
    SourceFile, SourcePart,
    similarity::{CommonCode, ComparedProgram, MIN_FINGERPRINTS, PartFingerprints, UnreadableFile},
};
use wb_messages::{Lang, similar as text};
use wb_text::escape::line as escaped_line;

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

pub(crate) struct Solution {
    /// The task, with the archive that it is from.
    pub(crate) name: String,
    pub(crate) login: Option<String>,
    student: String,
    pub(crate) assignment: u8,
    pub(crate) variant: u8,
    pub(crate) origin: Origin,
    pub(crate) files: Vec<SourceFile>,
    /// The program without the code of the examples, which students may use.
    program: ComparedProgram,
    /// With it, where an example solves the variant.
    beside_example: Option<ComparedProgram>,
}

/// The origin of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A student's task of this course.
    Course,
    /// A task of a former year.
    Archive,
    /// An example, which every student can read.
    Example,
}

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
    origin: Origin,
}

impl Solution {
    fn skipped(&self) -> Vec<Skipped<'_>> {
        let task = self.name.as_str();
        let unreadable = self.program.unreadable().iter().map(|found| {
            let UnreadableFile { file, line, message } = found;
            Skipped::Unreadable { task, file, line: *line, message }
        });
        let part = |part: SourcePart| {
            let fingerprints = self.part_beside(self, part);
            fingerprints.is_too_short().then(|| {
                let (fingerprints, needed) = (fingerprints.len(), MIN_FINGERPRINTS);
                Skipped::TooShort { task, part, fingerprints, needed }
            })
        };
        unreadable.chain([SourcePart::Seq, SourcePart::Mpi].into_iter().filter_map(part)).collect()
    }

    /// A pair has a student of this course; no student is compared with an own solution.
    pub(crate) fn may_be_paired(&self, other: &Self) -> bool {
        let is_same = match (&self.login, &other.login) {
            (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
            _ => self.student == other.student,
        };
        !is_same && [self, other].iter().any(|solution| solution.origin == Origin::Course)
    }

    /// What is compared with the other solution: the code of examples counts only beside an example.
    pub(crate) fn part_beside(&self, other: &Self, part: SourcePart) -> &PartFingerprints {
        let is_with_example = [self, other].iter().any(|solution| solution.origin == Origin::Example);
        self.beside_example.as_ref().filter(|_| is_with_example).unwrap_or(&self.program).part(part)
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
        for task in workspace.tasks() {
            let is_example = task.name.starts_with(EXAMPLE);
            let origin = if is_example { Origin::Example } else { Origin::Course };
            match task.settings {
                Ok(settings) => {
                    candidates.push(Candidate { name: task.name, folder: task.folder, settings, origin });
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
        let solutions = read_all(candidates, &GivenCode::read(workspace)?)?;
        Ok(Self { solutions, refused: skipped })
    }
}

/// The code that every student is given.
struct GivenCode {
    /// The template and the assignments' crates.
    base: CommonCode,
    /// These and the examples.
    all: CommonCode,
}

impl GivenCode {
    fn read(workspace: &Workspace) -> Result<Self> {
        let mut base = CommonCode::default();
        let template = [
            ("src/mpi.rs", include_str!("../../templates/mpi.rs.template")),
            ("src/seq.rs", include_str!("../../templates/seq.rs.template")),
            ("src/problem.rs", include_str!("../../templates/problem.rs.template")),
        ];
        base.add(&template.map(|(path, text)| SourceFile::new(path, text)));
        for assignment in workspace.assignments() {
            base.add(&TaskSources::read(&assignment.folder)?.files);
        }
        let mut all = base.clone();
        for (_, folder) in workspace.task_folders().into_iter().filter(|(task, _)| task.starts_with(EXAMPLE))
        {
            all.add(&TaskSources::read(&folder)?.files);
        }
        Ok(Self { base, all })
    }
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
                let (folder, origin) = (folder.to_owned(), Origin::Archive);
                candidates.push(Candidate { name, folder, settings, origin });
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

/// Reads the solutions in as many parts as there are cores; examples only of variants that a student has.
fn read_all(mut candidates: Vec<Candidate>, given: &GivenCode) -> Result<Vec<Solution>> {
    let variants = |origin: Origin, candidates: &[Candidate]| -> BTreeSet<(u8, u8)> {
        candidates.iter().filter(|one| one.origin == origin).map(Candidate::variant).collect()
    };
    let of_students = variants(Origin::Course, &candidates);
    candidates.retain(|one| one.origin != Origin::Example || of_students.contains(&one.variant()));
    let of_examples = variants(Origin::Example, &candidates);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut parts: Vec<Vec<Candidate>> = (0..cores).map(|_| vec![]).collect();
    for (at, candidate) in candidates.into_iter().enumerate() {
        parts[at % cores].push(candidate);
    }
    let read_part = |part: Vec<Candidate>| {
        part.into_iter().map(|candidate| candidate.read(given, &of_examples)).collect::<Result<Vec<_>>>()
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
    /// The numbers of the assignment and of the variant.
    fn variant(&self) -> (u8, u8) {
        (self.settings.task_number, self.settings.variant)
    }

    /// Reads the task; `of_examples` are the variants that an example solves.
    fn read(self, given: &GivenCode, of_examples: &BTreeSet<(u8, u8)>) -> Result<Solution> {
        let files = TaskSources::read(&self.folder)?.files;
        let program = ComparedProgram::new(&files, &given.all);
        let has_example = of_examples.contains(&self.variant());
        let beside_example = has_example.then(|| ComparedProgram::new(&files, &given.base));
        let TaskSettings { login, student, task_number: assignment, variant, .. } = self.settings;
        let (name, origin) = (self.name, self.origin);
        Ok(Solution { name, login, student, assignment, variant, origin, files, program, beside_example })
    }
}
