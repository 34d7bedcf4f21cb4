//! The given variants, as `cargo wb course assign` gives them to a course without any.

use std::{collections::HashMap, fmt::Write};

use wb_config::CourseSettings;
use wb_course::{EnrolledStudent, VariantPool, assign_variants};

use crate::demo::people::DemoStudent;

/// The variant of one student for one assignment.
pub(crate) struct DemoVariant {
    /// The place in the list of students.
    pub(crate) student: usize,
    pub(crate) assignment: u8,
    pub(crate) variant: u8,
}

/// A variant for every student and assignment, by student.
pub(crate) fn given(course: &CourseSettings, students: &[DemoStudent]) -> Vec<DemoVariant> {
    let count =
        |assignment: u8| u8::try_from(course.assignment(assignment).variants.len()).unwrap_or(u8::MAX);
    let pool = VariantPool { variants: [count(1), count(2), count(3)], seed: course.variant_seed };
    let enrolled: Vec<EnrolledStudent> = students
        .iter()
        .map(|student| EnrolledStudent { login: student.login.clone(), group: student.group.clone() })
        .collect();
    let places: HashMap<&str, usize> =
        students.iter().enumerate().map(|(place, student)| (student.login.as_str(), place)).collect();
    let choices = assign_variants(&pool, &enrolled, &[]);
    let given = choices.iter().map(|choice| DemoVariant {
        student: places[choice.row.login.as_str()],
        assignment: choice.row.assignment,
        variant: choice.row.variant,
    });
    let mut given: Vec<DemoVariant> = given.collect();
    given.sort_by_key(|one| (one.student, one.assignment));
    given
}

/// `variants.csv`.
pub(crate) fn table(students: &[DemoStudent], given: &[DemoVariant]) -> String {
    let mut text = "login,assignment,variant\n".to_owned();
    for one in given {
        let _ = writeln!(text, "{},{},{}", students[one.student].login, one.assignment, one.variant);
    }
    text
}
