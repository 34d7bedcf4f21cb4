//! Who is in the course with which variants, and whether a task's settings agree.

use std::path::Path;

use wb_text::{Text, settings};

use crate::{
    CourseSettings, GivenVariants, Roster, RosterStudent, TaskSettings,
    error::{ConfigError, Result},
    source, yaml,
};

/// The roster of a course and the variants that were given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Enrolment {
    /// The roster; `None` for a course without one, in which any name and variant is accepted.
    pub roster: Option<Roster>,
    /// The given variants.
    pub given: GivenVariants,
}

impl Enrolment {
    /// Reads the roster and the given variants of the course around `start`.
    ///
    /// # Errors
    /// At the first invalid row of either.
    pub fn find(start: &Path) -> Result<Self> {
        Ok(Self { roster: Roster::find(start)?, given: GivenVariants::find(start)? })
    }

    /// Whether the settings of the task in `folder` agree with the course, the roster and the given variants.
    ///
    /// # Errors
    /// When the variant does not exist or is not the given one, or the student is not in the roster or has another name or group
    /// there; at the line of `task.yaml`.
    pub fn check_task(&self, course: &CourseSettings, folder: &Path, task: &TaskSettings) -> Result<()> {
        let disagreement =
            course.missing_variant(task.task_number, task.variant).or_else(|| self.disagreement(task));
        let Some((key, problem)) = disagreement else { return Ok(()) };
        let file = folder.join("task.yaml");
        let text = source::load(&file)?;
        Err(ConfigError::from(yaml::diagnostic_at(&file, &text, &[key], problem)))
    }

    /// The key of `task.yaml` that disagrees with the roster or the given variants, and the disagreement.
    pub fn disagreement(&self, task: &TaskSettings) -> Option<(&'static str, Text)> {
        let roster = self.roster.as_ref()?;
        let Some(student) = roster.student_of(task) else {
            return Some(match &task.login {
                Some(login) => ("login", settings::unknown_login(login)),
                None => ("student", settings::unknown_student(&task.student, &task.group)),
            });
        };
        other_name(student, task).or_else(|| self.other_variant(student, task))
    }

    fn other_variant(&self, student: &RosterStudent, task: &TaskSettings) -> Option<(&'static str, Text)> {
        let (login, assignment) = (&student.login, task.task_number);
        match self.given.variant(login, assignment) {
            None => Some(("task_number", settings::variant_not_given(login, assignment))),
            Some(given) if given == task.variant => None,
            Some(given) => Some(("variant", settings::other_variant(login, given, assignment))),
        }
    }
}

fn other_name(student: &RosterStudent, task: &TaskSettings) -> Option<(&'static str, Text)> {
    if student.name != task.student {
        return Some(("student", settings::other_student(&student.login, &student.name)));
    }
    (student.group != task.group).then(|| ("group", settings::other_group(&student.login, &student.group)))
}
