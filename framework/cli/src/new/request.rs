//! Whose task is to be made, and for which variant: from the command line, or from the roster and the given variants.

use std::path::Path;

use wb_config::{CourseSettings, GivenVariants, Roster};
use wb_messages::{Lang, enrolment as text};

use super::task_name::task_name;
use crate::{
    arguments::NewArgs,
    course_files::enrolled_student,
    error::{CliError, Result},
};

/// The student and the variant of the task to make.
#[derive(Clone, Debug, Default)]
pub(super) struct TaskRequest {
    pub(super) name: String,
    /// The login; `None` for a task that is not made from the roster.
    pub(super) login: Option<String>,
    pub(super) student: String,
    pub(super) group: String,
    pub(super) number: u8,
    pub(super) variant: u8,
}

impl TaskRequest {
    /// What the command line asks for; `root` is the root of the workspace.
    pub(super) fn new(wanted: &NewArgs, course: &CourseSettings, root: &Path, lang: Lang) -> Result<Self> {
        match (&wanted.login, wanted.assignment) {
            (Some(login), Some(assignment)) => Self::from_roster(login, assignment, course, root, lang),
            _ => Ok(Self::from_options(wanted)),
        }
    }

    /// The options, all of which `clap` requires where there is no login.
    fn from_options(wanted: &NewArgs) -> Self {
        Self {
            name: wanted.name.clone().unwrap_or_default(),
            login: None,
            student: wanted.student.clone().unwrap_or_default(),
            group: wanted.group.clone().unwrap_or_default(),
            number: wanted.number.unwrap_or(1),
            variant: wanted.variant.unwrap_or(1),
        }
    }

    fn from_roster(
        login: &str,
        number: u8,
        course: &CourseSettings,
        root: &Path,
        lang: Lang,
    ) -> Result<Self> {
        let roster = Roster::find(root)?;
        let roster = roster.ok_or_else(|| CliError::Usage(text::no_roster(lang, "tasks/roster.csv")))?;
        let student = enrolled_student(&roster, login, lang)?;
        let given = GivenVariants::find(root)?.variant(&student.login, number);
        let not_given = || CliError::Usage(text::not_given(lang, &student.login, number));
        let variant = given.ok_or_else(not_given)?;
        let word = course.variant(number, variant).map_or("task", |variant| variant.short.as_str());
        Ok(Self {
            name: task_name(&roster, student, word),
            login: Some(student.login.clone()),
            student: student.name.clone(),
            group: student.group.clone(),
            number,
            variant,
        })
    }
}
