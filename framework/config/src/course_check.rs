//! All problems of the files of a course together, and not only the first.
//!
//! The types of this crate refuse values that cannot be read; the checks here find values that contradict each other, and keys
//! that have no effect. A file that cannot be read does not hide the problems of the others.

mod deadlines;
mod decisions;
mod file_texts;
mod numbers;
mod people;
mod problems;
mod rules;

use std::path::Path;

use serde::Serialize;

pub use file_texts::{CourseFiles, FileText};
use problems::Problems;

use crate::{
    AssignmentCrate, ConfirmedSimilarities, CourseSettings, GivenVariants, Overrides, Roster,
    error::{ConfigError, Result},
};

/// The result of checking the files of a course.
#[derive(Debug)]
pub struct CourseCheck {
    /// All problems, file by file.
    pub problems: Vec<ConfigError>,
    /// The counts of what was read.
    pub counts: CourseCounts,
}

/// The numbers of entries in the files of a course.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CourseCounts {
    /// Variants of all assignments.
    pub variants: usize,
    /// Groups of all streams.
    pub groups: usize,
    /// Students of the roster.
    pub students: usize,
    /// Given variants.
    pub given: usize,
    /// Given variants of students who are no longer in the roster; they stay given.
    pub departed: usize,
    /// Extensions.
    pub extensions: usize,
    /// Overrides.
    pub overrides: usize,
    /// Confirmed cases of copying.
    pub similarities: usize,
}

impl CourseFiles {
    /// Checks the files, each alone and all against each other.
    pub fn check(mut self) -> CourseCheck {
        let mut problems = std::mem::take(&mut self.unreadable);
        let (roster, wrong_rows) = read_roster(self.roster.as_ref());
        let whole_roster = roster.clone().filter(|_| wrong_rows.is_empty());
        problems.extend(wrong_rows);
        let assignments = self.assignments.iter();
        problems.extend(assignments.filter_map(|file| AssignmentCrate::parse(&file.path, &file.text).err()));
        let read = CourseContent {
            course: read(&self.course, &mut problems, CourseSettings::parse),
            roster,
            given: read_given(self.variants.as_ref(), &mut problems),
            overrides: read(&self.overrides, &mut problems, Overrides::parse).unwrap_or_default(),
            similarities: read(&self.similarity, &mut problems, ConfirmedSimilarities::parse)
                .unwrap_or_default(),
        };
        let mut found = Problems { files: &self, list: problems };
        if let Some(course) = &read.course {
            numbers::check(course, &mut found);
            rules::check(course, &mut found);
            people::variants(course, &read.given, &mut found);
            if let Some(roster) = &read.roster {
                people::students(course, roster, &mut found);
            }
            // A login that cannot be read would be missing in every other file.
            deadlines::check(course, whole_roster.as_ref(), &mut found);
            if let Some(roster) = &whole_roster {
                people::check(course, roster, &read.given, &mut found);
                decisions::overrides(course, roster, &read.overrides, &mut found);
                decisions::similarities(course, roster, (&read.similarities, &read.given), &mut found);
            }
        }
        CourseCheck { problems: found.list, counts: read.counts() }
    }
}

/// The content of the files.
struct CourseContent {
    course: Option<CourseSettings>,
    roster: Option<Roster>,
    given: GivenVariants,
    overrides: Overrides,
    similarities: ConfirmedSimilarities,
}

impl CourseContent {
    fn counts(&self) -> CourseCounts {
        let is_departed =
            |login: &str| self.roster.as_ref().is_some_and(|roster| roster.student(login).is_none());
        let course = self.course.as_ref();
        CourseCounts {
            variants: course
                .map_or(0, |course| course.assignments.iter().map(|one| one.variants.len()).sum()),
            groups: course.map_or(0, |course| course.streams.iter().map(|stream| stream.groups.len()).sum()),
            students: self.roster.as_ref().map_or(0, |roster| roster.students.len()),
            given: self.given.rows.len(),
            departed: self.given.rows.iter().filter(|row| is_departed(&row.login)).count(),
            extensions: course.map_or(0, |course| course.extensions.len()),
            overrides: self.overrides.list.len(),
            similarities: self.similarities.list.len(),
        }
    }
}

fn read<T>(
    file: &Option<FileText>,
    problems: &mut Vec<ConfigError>,
    parse: fn(&Path, &str) -> Result<T>,
) -> Option<T> {
    let file = file.as_ref()?;
    parse(&file.path, &file.text).map_err(|error| problems.push(error)).ok()
}

fn read_roster(file: Option<&FileText>) -> (Option<Roster>, Vec<ConfigError>) {
    let Some(FileText { path, text }) = file else { return (None, Vec::new()) };
    let (roster, errors) = Roster::parse_all(path, text);
    (Some(roster), errors.into_iter().map(|error| Box::new(error).into()).collect())
}

fn read_given(file: Option<&FileText>, problems: &mut Vec<ConfigError>) -> GivenVariants {
    let Some(FileText { path, text }) = file else { return GivenVariants::default() };
    let (given, errors) = GivenVariants::parse_all(path, text);
    problems.extend(errors.into_iter().map(|error| ConfigError::from(Box::new(error))));
    given
}
