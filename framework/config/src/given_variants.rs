//! `tasks/variants.csv`: which variant of which assignment each student was given.

use std::{collections::HashMap, path::Path};

use wb_text::{settings, yaml};

use crate::{
    VARIANTS_MAX,
    course::tasks_file,
    csv_file::{CsvFile, CsvRow},
    error::{ConfigDiagnostic, Result, shown_value},
    source, value,
};

/// The name of the file, in the folder `tasks`.
pub(crate) const VARIANTS_FILE: &str = "variants.csv";

/// The columns of the file.
const COLUMNS: [&str; 3] = ["login", "assignment", "variant"];

/// All variants that were given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenVariants {
    /// One row for each student and assignment, in the order of the file.
    pub rows: Vec<GivenVariant>,
}

/// The variant of one student for one assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenVariant {
    /// The student.
    pub login: String,
    /// The assignment: 1, 2 or 3.
    pub assignment: u8,
    /// The variant, from 1.
    pub variant: u8,
    /// The line in the file, from 1.
    pub line: usize,
}

impl GivenVariants {
    /// Reads the given variants of the course around `start`; none where the file is missing.
    ///
    /// # Errors
    /// At the first invalid row.
    pub fn find(start: &Path) -> Result<Self> {
        let Some(file) = tasks_file(start, VARIANTS_FILE) else { return Ok(Self::default()) };
        Self::parse(&file, &source::load(&file)?)
    }

    /// Reads `text`, the content of `file`.
    ///
    /// # Errors
    /// At the first invalid row.
    pub fn parse(file: &Path, text: &str) -> Result<Self> {
        let (given, errors) = Self::parse_all(file, text);
        errors.into_iter().next().map_or(Ok(given), |error| Err(Box::new(error).into()))
    }

    /// The valid rows of `text`, the content of `file`, and the errors of all others.
    pub fn parse_all(file: &Path, text: &str) -> (Self, Vec<ConfigDiagnostic>) {
        let (table, read) = match CsvFile::read(file, text, COLUMNS) {
            Ok(read) => read,
            Err(error) => return (Self::default(), vec![*error]),
        };
        let (mut rows, mut errors): (Vec<GivenVariant>, _) = (Vec::new(), Vec::new());
        let mut lines: HashMap<(String, u8), usize> = HashMap::new();
        for row in read {
            let given = row.and_then(|row| given_variant(&table, &row).map(|given| (row, given)));
            match given {
                Err(error) => errors.push(*error),
                Ok((row, given)) => {
                    let first = *lines
                        .entry((given.login.to_ascii_lowercase(), given.assignment))
                        .or_insert(row.line);
                    if first == row.line {
                        rows.push(given);
                    } else {
                        let problem = settings::variant_given_again(&given.login, given.assignment, first);
                        errors.push(*table.field_error(&row, 0, problem));
                    }
                }
            }
        }
        (Self { rows }, errors)
    }

    /// The text of the file with these rows.
    pub fn to_csv(&self) -> String {
        let rows = self.rows.iter().map(|row| format!("{},{},{}\n", row.login, row.assignment, row.variant));
        COLUMNS.join(",") + "\n" + &rows.collect::<String>()
    }

    /// The variant of a student for an assignment.
    pub fn variant(&self, login: &str, assignment: u8) -> Option<u8> {
        let is_meant =
            |row: &&GivenVariant| row.assignment == assignment && row.login.eq_ignore_ascii_case(login);
        self.rows.iter().find(is_meant).map(|row| row.variant)
    }
}

fn given_variant(
    table: &CsvFile<'_, 3>,
    row: &CsvRow<3>,
) -> std::result::Result<GivenVariant, Box<ConfigDiagnostic>> {
    let refuse = |column: usize, expected| {
        let found = yaml::string(shown_value(&row.fields[column]));
        Err(table.field_error(row, column, yaml::invalid_value(found, expected)))
    };
    let number = |column: usize, max: u8| {
        let read = row.fields[column].parse::<u8>().ok();
        match read.filter(|number| (1..=max).contains(number)) {
            Some(number) => Ok(number),
            None => refuse(column, yaml::whole(1, u64::from(max))),
        }
    };
    if !value::is_login(&row.fields[0]) {
        refuse(0, yaml::login())?;
    }
    let (assignment, variant) = (number(1, 3)?, number(2, VARIANTS_MAX)?);
    Ok(GivenVariant { login: row.fields[0].clone(), assignment, variant, line: row.line })
}
