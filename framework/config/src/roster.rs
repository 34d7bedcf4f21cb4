//! `tasks/roster.csv`: the students with their logins and groups.

use std::{collections::HashMap, path::Path};

use wb_text::{settings, yaml};

use crate::{
    TaskSettings,
    course::tasks_file,
    csv_file::{CsvFile, CsvRow},
    error::{ConfigDiagnostic, Result},
    source, value,
};

/// The name of the file, in the folder `tasks`.
pub(crate) const ROSTER_FILE: &str = "roster.csv";

/// The columns of the file.
const COLUMNS: [&str; 3] = ["login", "name", "group"];

/// The students of the course.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roster {
    /// The students, in the order of the file.
    pub students: Vec<RosterStudent>,
}

/// One student.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RosterStudent {
    /// The login; upper and lower case are the same.
    pub login: String,
    /// The name, in the student's own spelling.
    pub name: String,
    /// The group.
    pub group: String,
    /// The line in the file, from 1.
    pub line: usize,
}

impl Roster {
    /// Reads the roster of the course around `start`; `None` where the course has none.
    ///
    /// # Errors
    /// At the first invalid row.
    pub fn find(start: &Path) -> Result<Option<Self>> {
        let Some(file) = tasks_file(start, ROSTER_FILE) else { return Ok(None) };
        Self::parse(&file, &source::load(&file)?).map(Some)
    }

    /// Reads `text`, the content of `file`.
    ///
    /// # Errors
    /// At the first invalid row.
    pub fn parse(file: &Path, text: &str) -> Result<Self> {
        let (roster, errors) = Self::parse_all(file, text);
        errors.into_iter().next().map_or(Ok(roster), |error| Err(Box::new(error).into()))
    }

    /// The valid rows of `text`, the content of `file`, and the errors of all others.
    pub fn parse_all(file: &Path, text: &str) -> (Self, Vec<ConfigDiagnostic>) {
        let (table, rows) = match CsvFile::read(file, text, COLUMNS) {
            Ok(read) => read,
            Err(error) => return (Self::default(), vec![*error]),
        };
        let (mut students, mut errors): (Vec<RosterStudent>, _) = (Vec::new(), Vec::new());
        let mut lines: HashMap<String, usize> = HashMap::new();
        for row in rows {
            let student = row.and_then(|row| student(&table, &row).map(|student| (row, student)));
            match student {
                Err(error) => errors.push(*error),
                Ok((row, student)) => match lines.insert(student.login.to_ascii_lowercase(), row.line) {
                    None => students.push(student),
                    Some(first) => {
                        lines.insert(student.login.to_ascii_lowercase(), first);
                        let problem = settings::login_again(&student.login, first);
                        errors.push(*table.field_error(&row, 0, problem));
                    }
                },
            }
        }
        (Self { students }, errors)
    }

    /// The student with `login`.
    pub fn student(&self, login: &str) -> Option<&RosterStudent> {
        self.students.iter().find(|student| student.login.eq_ignore_ascii_case(login))
    }

    /// The student whose task has these settings: the one with its login, else the one with its name and group.
    pub fn student_of(&self, task: &TaskSettings) -> Option<&RosterStudent> {
        match &task.login {
            Some(login) => self.student(login),
            None => self
                .students
                .iter()
                .find(|student| student.name == task.student && student.group == task.group),
        }
    }
}

fn student(
    table: &CsvFile<'_, 3>,
    row: &CsvRow<3>,
) -> std::result::Result<RosterStudent, Box<ConfigDiagnostic>> {
    let [login, name, group] = &row.fields;
    if !value::is_login(login) {
        let shown = crate::error::shown_value(login);
        let problem = match login.chars().find(|letter| letter.is_alphabetic() && !letter.is_ascii()) {
            Some(letter) => settings::login_letter(shown, letter, format!("{:04X}", u32::from(letter))),
            None => yaml::invalid_value(yaml::string(shown), yaml::login()),
        };
        return Err(table.field_error(row, 0, problem));
    }
    let visible = |column: usize, text: &str| {
        value::parse_text(text).map_err(|problem| table.field_error(row, column, problem))
    };
    let (name, group) = (visible(1, name)?, visible(2, group)?);
    Ok(RosterStudent { login: login.clone(), name, group, line: row.line })
}
