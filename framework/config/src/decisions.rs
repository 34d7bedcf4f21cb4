//! What an instructor has decided by hand: `tasks/overrides.yaml` and `tasks/similarity.yaml`.

use std::{fmt, path::Path};

use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, Error, Unexpected, Visitor},
};
use wb_text::{Text, settings};

use crate::{
    CourseDate,
    course::tasks_file,
    error::Result,
    source,
    value::{self, RealVisitor},
    yaml,
};

/// The name of the file of overrides, in the folder `tasks`.
pub(crate) const OVERRIDES_FILE: &str = "overrides.yaml";

/// The name of the file of confirmed similarities, in the folder `tasks`.
pub(crate) const SIMILARITY_FILE: &str = "similarity.yaml";

/// The letters that can be overridden: the others show measured numbers and have no points.
const LETTERS: [&str; 5] = ["S", "P", "D", "C", "R"];

/// The grades that an instructor has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The changes, in the order of the file.
    pub list: Vec<OverrideSettings>,
}

/// One letter of a grade that an instructor has changed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverrideSettings {
    /// The student.
    #[serde(deserialize_with = "value::login")]
    pub login: String,
    /// The assignment.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 3>")]
    pub assignment: u8,
    /// The letter: `S`, `P`, `D`, `C` or `R`.
    #[serde(deserialize_with = "letter")]
    pub letter: char,
    /// The points that count, in hundredths.
    #[serde(rename = "points", deserialize_with = "hundredths")]
    pub points_hundredths: i32,
    /// The instructor.
    #[serde(deserialize_with = "value::text")]
    pub by: String,
    /// When.
    pub at: CourseDate,
    /// The reason.
    #[serde(deserialize_with = "value::text")]
    pub reason: String,
}

/// The cases of copying that an instructor has confirmed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfirmedSimilarities {
    /// The cases, in the order of the file.
    pub list: Vec<ConfirmedSimilarity>,
}

/// One case of copying.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfirmedSimilarity {
    /// The assignment.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 3>")]
    pub assignment: u8,
    /// The variant.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 99>")]
    pub variant: u8,
    /// The two students.
    pub logins: [SimilarityLogin; 2],
    /// The task of the second student as `cargo wb similar --archive` names it, if it is of an earlier year: that student need not be in
    /// the roster, and loses nothing.
    #[serde(default, deserialize_with = "value::optional_text")]
    pub archive: Option<String>,
    /// The version that is alike.
    pub part: SimilarPart,
    /// The instructor.
    #[serde(deserialize_with = "value::text")]
    pub by: String,
    /// When.
    pub at: CourseDate,
    /// The reason.
    #[serde(deserialize_with = "value::text")]
    pub reason: String,
}

/// The login of a student in a case of copying.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct SimilarityLogin(#[serde(deserialize_with = "value::login")] pub String);

/// The version of a task that is alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SimilarPart {
    /// The sequential version.
    Seq,
    /// The version for MPI.
    Mpi,
}

impl Overrides {
    /// Reads the overrides of the course around `start`; none where the file is missing.
    ///
    /// # Errors
    /// When a value in the file is invalid.
    pub fn find(start: &Path) -> Result<Self> {
        load(start, OVERRIDES_FILE, Self::parse)
    }

    /// Reads `text`, the content of `file`.
    ///
    /// # Errors
    /// When a value in it is invalid.
    pub fn parse(file: &Path, text: &str) -> Result<Self> {
        let list = list(file, text, |one: &OverrideSettings, earlier| {
            let is_same = |other: &&OverrideSettings| {
                other.login.eq_ignore_ascii_case(&one.login)
                    && (other.assignment, other.letter) == (one.assignment, one.letter)
            };
            let again = earlier.iter().find(is_same)?;
            let problem = settings::override_again(&again.login, again.assignment, again.letter);
            Some((None, problem))
        })?;
        Ok(Self { list })
    }
}

impl ConfirmedSimilarity {
    /// The students of this course: one of them, where the other task is of an earlier year.
    pub fn students(&self) -> &[SimilarityLogin] {
        match self.archive {
            None => &self.logins,
            Some(_) => &self.logins[..1],
        }
    }
}

impl ConfirmedSimilarities {
    /// Reads the confirmed cases of the course around `start`; none where the file is missing.
    ///
    /// # Errors
    /// When a value in the file is invalid.
    pub fn find(start: &Path) -> Result<Self> {
        load(start, SIMILARITY_FILE, Self::parse)
    }

    /// Reads `text`, the content of `file`.
    ///
    /// # Errors
    /// When a value in it is invalid.
    pub fn parse(file: &Path, text: &str) -> Result<Self> {
        let list = list(file, text, |one: &ConfirmedSimilarity, earlier| {
            let key = |case: &ConfirmedSimilarity| {
                let mut logins = case.logins.clone().map(|SimilarityLogin(login)| login.to_ascii_lowercase());
                logins.sort();
                (case.assignment, case.variant, case.part, logins, case.archive.clone())
            };
            let logins = key(one).3;
            if logins[0] == logins[1] {
                return Some((Some("logins"), settings::similar_to_oneself(&one.logins[0].0)));
            }
            let is_again = earlier.iter().any(|other| key(other) == key(one));
            is_again.then(|| (None, settings::similarity_again()))
        })?;
        Ok(Self { list })
    }
}

fn load<T: Default>(start: &Path, name: &str, parse: fn(&Path, &str) -> Result<T>) -> Result<T> {
    let Some(file) = tasks_file(start, name) else { return Ok(T::default()) };
    parse(&file, &source::load(&file)?)
}

/// A list, of which no element may contradict the ones before it: `contradiction` gives the key and the problem.
fn list<T: DeserializeOwned>(
    file: &Path,
    text: &str,
    contradiction: impl Fn(&T, &[T]) -> Option<(Option<&'static str>, Text)>,
) -> Result<Vec<T>> {
    let list: Vec<T> = yaml::read(file, text)?;
    let wrong = (0..list.len()).find_map(|at| Some((at, contradiction(&list[at], &list[..at])?)));
    match wrong {
        None => Ok(list),
        Some((at, (key, problem))) => {
            let at = at.to_string();
            let path: Vec<&str> = [Some(at.as_str()), key].into_iter().flatten().collect();
            Err(yaml::diagnostic_at(file, text, &path, problem).into())
        }
    }
}

fn letter<'de, D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<char, D::Error> {
    let parse = |text: &str| LETTERS.contains(&text).then(|| text.chars().next()).flatten();
    value::parsed(deserializer, wb_text::yaml::letter(), parse)
}

/// Points in hundredths, since sums of floating-point numbers depend on their order.
fn hundredths<'de, D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<i32, D::Error> {
    deserializer.deserialize_any(HundredthsVisitor)
}

struct HundredthsVisitor;

impl HundredthsVisitor {
    fn range() -> RealVisitor {
        RealVisitor { min: -1000.0, max: 1000.0, expected: wb_text::yaml::amount() }
    }
}

impl Visitor<'_> for HundredthsVisitor {
    type Value = i32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::range().expecting(f)
    }

    fn visit_f64<E: Error>(self, value: f64) -> std::result::Result<i32, E> {
        let points: f64 = Self::range().visit_f64(value)?;
        let hundredths = (points * 100.0).round();
        match (hundredths / 100.0 - points).abs() < 1e-9 {
            true => Ok(hundredths as i32),
            false => Err(E::invalid_value(Unexpected::Float(value), &self)),
        }
    }

    fn visit_i64<E: Error>(self, value: i64) -> std::result::Result<i32, E> {
        self.visit_f64(Self::range().visit_i64(value)?)
    }

    fn visit_u64<E: Error>(self, value: u64) -> std::result::Result<i32, E> {
        self.visit_f64(Self::range().visit_u64(value)?)
    }
}
