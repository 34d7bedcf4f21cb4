//! `task.yaml`: the student, the variant, the versions that count, and the measured workloads.

use std::path::Path;

use serde::Deserialize;

use crate::{
    AssignmentCrate, AssignmentFiles, CourseSettings, PerformanceSettings, TaskKind, TitleSettings,
    error::{ConfigError, Result},
    performance::find_contradiction,
    source, value, yaml,
};

/// The settings of one task, together with those of its assignment's crate where there is one ([`AssignmentCrate`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskSettings {
    /// The student's name, in the student's own spelling.
    pub student: String,
    /// The student's login in the roster; without it, name and group find the student there.
    pub login: Option<String>,
    /// The student's group.
    pub group: String,
    /// The assignment: 1, 2 or 3.
    pub task_number: u8,
    /// The variant, from 1; the course has their number ([`Enrolment::check_task`](crate::Enrolment::check_task)).
    pub variant: u8,
    /// The task's title in reports.
    pub title: TitleSettings,
    /// The criterion of performance.
    pub kind: TaskKind,
    /// The versions that are tested, measured and graded.
    pub status: Versions,
    /// The measured workloads.
    pub performance: PerformanceSettings,
    /// The files that it may read; `None` without an assignment's crate, where the rules on sources alone decide.
    pub files: Option<AssignmentFiles>,
}

/// The contents of `task.yaml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskFile {
    #[serde(deserialize_with = "value::text")]
    student: String,
    #[serde(default, deserialize_with = "value::optional_login")]
    login: Option<String>,
    #[serde(deserialize_with = "value::text")]
    group: String,
    #[serde(deserialize_with = "value::whole::<_, _, 1, 3>")]
    task_number: u8,
    #[serde(deserialize_with = "value::whole::<_, _, 1, 99>")]
    variant: u8,
    #[serde(default)]
    title: TitleSettings,
    /// Absent where an assignment's crate sets it.
    kind: Option<TaskKind>,
    status: Versions,
    /// Absent where an assignment's crate sets it.
    performance: Option<PerformanceSettings>,
}

/// The state of both versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Versions {
    /// The sequential version.
    pub seq: VersionStatus,
    /// The version for MPI.
    pub mpi: VersionStatus,
}

/// Whether a version counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VersionStatus {
    /// The version is tested and measured.
    Enabled,
    /// The version is skipped, and shown as skipped.
    Disabled,
}

impl TaskSettings {
    /// Reads `task.yaml` of the task in `folder`, and `assignment.yaml` of its assignment's crate where there is one.
    ///
    /// # Errors
    /// When a file is missing, or a value in it is invalid, or both set the same, or a `course.yaml` other than the
    /// course's is in or above the folder.
    pub fn load(folder: &Path) -> Result<Self> {
        if let Some(file) = CourseSettings::ignored_files(folder).into_iter().next() {
            return Err(ConfigError::CourseElsewhere { file });
        }
        let file = folder.join("task.yaml");
        let text = source::load(&file)?;
        let task = TaskFile::parse(&file, &text)?;
        match AssignmentCrate::folder(folder, task.task_number, task.variant)? {
            None => {
                let (number, variant) = (task.task_number, task.variant);
                let own = task.with_own_problem(&file, &text);
                // A variant that does not exist has no crate, so the keys that such a crate sets are not what is missing.
                own.map_err(|error| {
                    missing_variant_error(folder, (&file, &text), number, variant).unwrap_or(error)
                })
            }
            Some(assignment) => task.of_assignment(&file, &text, &assignment),
        }
    }

    /// Reads `text`, the content of `file`, of a task without an assignment's crate.
    ///
    /// # Errors
    /// When a value in it is invalid.
    pub fn parse(file: &Path, text: &str) -> Result<Self> {
        TaskFile::parse(file, text)?.with_own_problem(file, text)
    }

    /// Reads `text`, the content of `file`, of a task of the assignment whose crate is in `assignment`.
    ///
    /// # Errors
    /// When a value in it or in `assignment.yaml` is invalid.
    pub fn parse_for(file: &Path, text: &str, assignment: &Path) -> Result<Self> {
        TaskFile::parse(file, text)?.of_assignment(file, text, assignment)
    }
}

/// The error of a variant that the course around `folder` does not have.
fn missing_variant_error(
    folder: &Path,
    (file, text): (&Path, &str),
    number: u8,
    variant: u8,
) -> Option<ConfigError> {
    let course = CourseSettings::find(folder).ok()?;
    let (key, problem) = course.missing_variant(number, variant)?;
    Some(yaml::refusal(file, text, &[key.to_owned()], problem))
}

impl TaskFile {
    fn parse(file: &Path, text: &str) -> Result<Self> {
        let task: Self = yaml::read(file, text)?;
        match task.performance.as_ref().and_then(find_contradiction) {
            None => Ok(task),
            Some((path, problem)) => Err(yaml::refusal(file, text, &path, problem)),
        }
    }

    /// Without an assignment's crate the task has all settings of its own.
    fn with_own_problem(mut self, file: &Path, text: &str) -> Result<TaskSettings> {
        let missing = |key: &str| yaml::missing(file, text, key);
        let kind = self.kind.take().ok_or_else(|| missing("kind"))?;
        let performance = self.performance.take().ok_or_else(|| missing("performance"))?;
        Ok(self.with(kind, performance, None))
    }

    /// The crate in `assignment` sets what is measured, so the task must not.
    fn of_assignment(self, file: &Path, text: &str, assignment: &Path) -> Result<TaskSettings> {
        let given = [("kind", self.kind.is_some()), ("performance", self.performance.is_some())];
        if let Some((key, _)) = given.into_iter().find(|(_, given)| *given) {
            let problem = AssignmentCrate::refuse(assignment, key);
            return Err(yaml::refusal(file, text, &[key.to_owned()], problem));
        }
        let settings = AssignmentCrate::load(assignment)?;
        let files = settings.files_in(assignment);
        Ok(self.with(settings.kind, settings.performance, Some(files)))
    }

    fn with(
        self,
        kind: TaskKind,
        performance: PerformanceSettings,
        files: Option<AssignmentFiles>,
    ) -> TaskSettings {
        let Self { student, login, group, task_number, variant, title, status, .. } = self;
        TaskSettings { student, login, group, task_number, variant, title, kind, status, performance, files }
    }
}
