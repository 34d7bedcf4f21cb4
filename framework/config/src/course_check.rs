//! All problems of the files of a course together, and not only the first.
//!
//! The types of this crate refuse values that cannot be read; the checks here find values that contradict each other, and keys
//! that have no effect. A file that cannot be read does not hide the problems of the others.

mod deadlines;
mod decisions;
mod numbers;
mod people;
mod rules;

use std::path::{Path, PathBuf};

use serde::Serialize;
use wb_text::Text;

use crate::{
    ConfirmedSimilarities, CourseSettings, GivenVariants, Overrides, Roster,
    course::tasks_file,
    csv_file::FieldPlace,
    decisions::{OVERRIDES_FILE, SIMILARITY_FILE},
    error::{ConfigError, Result},
    given_variants::VARIANTS_FILE,
    roster::ROSTER_FILE,
    source, yaml,
};

/// The result of checking the files of a course.
#[derive(Debug)]
pub struct CourseCheck {
    /// All problems, file by file.
    pub problems: Vec<ConfigError>,
    /// What was read.
    pub counts: CourseCounts,
}

/// How much is in the files of a course.
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

/// The texts of the files of a course; `None` for a file that is missing or cannot be read.
#[derive(Debug, Default)]
pub struct CourseFileTexts {
    /// `tasks/course.yaml`.
    pub course: Option<CourseFileText>,
    /// `tasks/roster.csv`.
    pub roster: Option<CourseFileText>,
    /// `tasks/variants.csv`.
    pub variants: Option<CourseFileText>,
    /// `tasks/overrides.yaml`.
    pub overrides: Option<CourseFileText>,
    /// `tasks/similarity.yaml`.
    pub similarity: Option<CourseFileText>,
    /// The errors of the files that cannot be read.
    pub unreadable: Vec<ConfigError>,
}

/// One file of a course.
#[derive(Debug)]
pub struct CourseFileText {
    /// Its path, as shown.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

impl CourseFileTexts {
    /// Reads the files of the course around `start`. The course and the roster must be there.
    ///
    /// # Errors
    /// When there is no `tasks/course.yaml`.
    pub fn find(start: &Path) -> Result<Self> {
        let course =
            CourseSettings::file(start).ok_or_else(|| ConfigError::NoCourse { start: start.into() })?;
        let roster = course.with_file_name(ROSTER_FILE);
        let mut unreadable = Vec::new();
        let mut read = |path: PathBuf| match source::load(&path) {
            Ok(text) => Some(CourseFileText { path, text }),
            Err(error) => {
                unreadable.push(error);
                None
            }
        };
        let (course, roster) = (read(course), read(roster));
        let mut find = |name| tasks_file(start, name).and_then(&mut read);
        let (variants, overrides, similarity) =
            (find(VARIANTS_FILE), find(OVERRIDES_FILE), find(SIMILARITY_FILE));
        Ok(Self { course, roster, variants, overrides, similarity, unreadable })
    }

    /// Checks the files, each alone and all against each other.
    pub fn check(mut self) -> CourseCheck {
        let mut problems = std::mem::take(&mut self.unreadable);
        let (roster, wrong_rows) = read_roster(self.roster.as_ref());
        let whole_roster = roster.clone().filter(|_| wrong_rows.is_empty());
        problems.extend(wrong_rows);
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
                decisions::check(course, roster, &read, &mut found);
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
    file: &Option<CourseFileText>,
    problems: &mut Vec<ConfigError>,
    parse: fn(&Path, &str) -> Result<T>,
) -> Option<T> {
    let file = file.as_ref()?;
    parse(&file.path, &file.text).map_err(|error| problems.push(error)).ok()
}

fn read_roster(file: Option<&CourseFileText>) -> (Option<Roster>, Vec<ConfigError>) {
    let Some(CourseFileText { path, text }) = file else { return (None, Vec::new()) };
    let (roster, errors) = Roster::parse_all(path, text);
    (Some(roster), errors.into_iter().map(|error| Box::new(error).into()).collect())
}

fn read_given(file: Option<&CourseFileText>, problems: &mut Vec<ConfigError>) -> GivenVariants {
    let Some(CourseFileText { path, text }) = file else { return GivenVariants::default() };
    let (given, errors) = GivenVariants::parse_all(path, text);
    problems.extend(errors.into_iter().map(|error| ConfigError::from(Box::new(error))));
    given
}

/// The problems found so far.
struct Problems<'a> {
    files: &'a CourseFileTexts,
    list: Vec<ConfigError>,
}

/// A path of keys and indices.
type KeyPath<'a> = &'a [&'a str];

impl Problems<'_> {
    /// Of the value at `path` of the course.
    fn course(&mut self, path: KeyPath<'_>, problem: Text) {
        self.yaml(self.files.course.as_ref(), path, problem);
    }

    /// Of the value at `path` of the overrides.
    fn overrides(&mut self, path: KeyPath<'_>, problem: Text) {
        self.yaml(self.files.overrides.as_ref(), path, problem);
    }

    /// Of the value at `path` of the confirmed similarities.
    fn similarity(&mut self, path: KeyPath<'_>, problem: Text) {
        self.yaml(self.files.similarity.as_ref(), path, problem);
    }

    fn yaml(&mut self, file: Option<&CourseFileText>, path: KeyPath<'_>, problem: Text) {
        let Some(CourseFileText { path: file, text }) = file else { return };
        self.list.push(yaml::diagnostic_at(file, text, path, problem).into());
    }

    /// Of a field of the roster.
    fn roster(&mut self, line: usize, (column, name): (usize, &'static str), problem: Text) {
        self.field(self.files.roster.as_ref(), FieldPlace { line, column, name }, problem);
    }

    /// Of a field of the given variants.
    fn variants(&mut self, line: usize, (column, name): (usize, &'static str), problem: Text) {
        self.field(self.files.variants.as_ref(), FieldPlace { line, column, name }, problem);
    }

    fn field(&mut self, file: Option<&CourseFileText>, place: FieldPlace, problem: Text) {
        let Some(CourseFileText { path: file, text }) = file else { return };
        self.list.push(Box::new(place.error(file, text, problem)).into());
    }
}
