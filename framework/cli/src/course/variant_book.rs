//! The course with everything that has been given, and what is to be given.

use std::path::Path;

use wb_config::{CourseSettings, GivenVariants, Roster};
use wb_course::{AssignedVariant, EnrolledStudent, VariantChoice, VariantPool, assign_variants};
use wb_messages::{Lang, enrolment as text};

use crate::error::{CliError, Result};

/// The course with everything that has been given, and what is new.
pub(super) struct VariantBook {
    pub(super) course: CourseSettings,
    pub(super) roster: Roster,
    /// The rows of the file.
    pub(super) given: GivenVariants,
    pub(super) choices: Vec<VariantChoice>,
}

impl VariantBook {
    pub(super) fn read(root: &Path, lang: Lang) -> Result<Self> {
        let course = CourseSettings::find(root)?;
        let roster = Roster::find(root)?;
        let roster = roster.ok_or_else(|| CliError::Usage(text::no_roster(lang, "tasks/roster.csv")))?;
        let given = GivenVariants::find(root)?;
        let mut variants = [0; 3];
        for (at, assignment) in course.assignments.iter().enumerate() {
            variants[at] = assignment.variants.last().map_or(0, |last| last.number);
            if variants[at] == 0 {
                return Err(CliError::Usage(text::no_variants(lang, assignment.number)));
            }
        }
        let pool = VariantPool { variants, seed: course.variant_seed };
        let students = roster
            .students
            .iter()
            .map(|student| EnrolledStudent { login: student.login.clone(), group: student.group.clone() });
        let rows = given.rows.iter().map(|row| AssignedVariant {
            login: row.login.clone(),
            assignment: row.assignment,
            variant: row.variant,
        });
        let choices = assign_variants(&pool, &students.collect::<Vec<_>>(), &rows.collect::<Vec<_>>());
        Ok(Self { course, roster, given, choices })
    }

    /// The variant of a student, given before or new.
    pub(super) fn variant(&self, login: &str, assignment: u8) -> Option<u8> {
        let new = || {
            self.choices
                .iter()
                .find(|choice| is_of(choice, login, assignment))
                .map(|choice| choice.row.variant)
        };
        self.given.variant(login, assignment).or_else(new)
    }
}

/// Whether a choice is the student's for that assignment.
pub(super) fn is_of(choice: &VariantChoice, login: &str, assignment: u8) -> bool {
    choice.row.assignment == assignment && choice.row.login.eq_ignore_ascii_case(login)
}
