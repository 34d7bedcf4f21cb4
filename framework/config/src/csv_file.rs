//! The one file that knows which library reads CSV: rows with their lines, and the errors of all of them.
//!
//! A table is written by hand or by a spreadsheet: UTF-8 with or without a byte order mark, lines that end in any way, fields in
//! quotes where they need them, commas between them.

use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};
use wb_text::{Text, settings};

use crate::{
    error::{ConfigDiagnostic, shown_value},
    source,
};

/// A table whose first line names the columns.
pub(crate) struct CsvFile<'a, const COLUMNS: usize> {
    pub(crate) file: &'a Path,
    pub(crate) columns: [&'static str; COLUMNS],
    text: &'a str,
    /// The lines of the text, and where each begins.
    lines: Vec<(usize, &'a str)>,
}

pub(crate) struct CsvRow<const COLUMNS: usize> {
    /// Its line, counted from 1.
    pub(crate) line: usize,
    /// Its fields without surrounding space.
    pub(crate) fields: [String; COLUMNS],
}

/// A row or its errors.
type CsvRowResult<const COLUMNS: usize> = Result<CsvRow<COLUMNS>, Box<ConfigDiagnostic>>;

impl<'a, const COLUMNS: usize> CsvFile<'a, COLUMNS> {
    /// The rows of `text`, the content of `file`, below the line of `columns`; rows without that many fields as errors.
    pub(crate) fn read(
        file: &'a Path,
        text: &'a str,
        columns: [&'static str; COLUMNS],
    ) -> Result<(Self, Vec<CsvRowResult<COLUMNS>>), Box<ConfigDiagnostic>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        source::check(file, text, settings::csv_empty(columns.join(",")))?;
        let table = Self { file, columns, text, lines: lines(text) };
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(Trim::All)
            .from_reader(text.as_bytes());
        let records =
            reader.records().map(|record| record.expect("a text in memory is UTF-8 and can be read"));
        let mut records = records.filter(|record| record.iter().any(|field| !field.is_empty()));
        table.check_header(records.next().as_ref())?;
        let rows = records.map(|record| table.row(&record)).collect();
        Ok((table, rows))
    }

    fn check_header(&self, header: Option<&StringRecord>) -> Result<(), Box<ConfigDiagnostic>> {
        let found: Vec<&str> = header.map(|record| record.iter().collect()).unwrap_or_default();
        if found == self.columns {
            return Ok(());
        }
        let (line, found) = (header.map_or(1, |record| self.line(record)), found.join(","));
        let expected = self.columns.join(",");
        let separator = [';', '\t'].into_iter().find(|separator| found.contains(*separator));
        Err(self.error(
            line,
            1,
            match separator {
                Some(';') => settings::csv_separator(";", expected),
                Some(_) => settings::csv_tabs(expected),
                None => settings::csv_header(shown_value(&found), expected),
            },
        ))
    }

    fn row(&self, record: &StringRecord) -> CsvRowResult<COLUMNS> {
        let line = self.line(record);
        if self.lines[line - 1].1.matches('"').count() % 2 == 1 {
            return Err(self.error(line, 1, settings::csv_open_quote()));
        }
        let fields: Vec<String> = record.iter().map(str::to_owned).collect();
        let problem = settings::csv_columns(fields.len(), self.columns.join(","));
        let fields = fields.try_into().map_err(|_| self.error(line, 1, problem))?;
        Ok(CsvRow { line, fields })
    }

    /// The line of a record; the library counts from the end of the one before, which may be followed by empty lines.
    fn line(&self, record: &StringRecord) -> usize {
        let at = record.position().map_or(0, |position| position.byte() as usize);
        let rest = &self.text[at..];
        let begin = at + rest.len() - rest.trim_start_matches(['\n', '\r']).len();
        // Lines of spaces are records of their own, so this is the first line of the record.
        self.lines.partition_point(|(first, _)| *first <= begin)
    }

    /// An error of the field in `column` of `row`.
    pub(crate) fn field_error(
        &self,
        row: &CsvRow<COLUMNS>,
        column: usize,
        problem: Text,
    ) -> Box<ConfigDiagnostic> {
        let place = FieldPlace { line: row.line, column, name: self.columns[column] };
        Box::new(place.error(self.file, self.text, problem))
    }

    fn error(&self, line: usize, column: usize, problem: Text) -> Box<ConfigDiagnostic> {
        Box::new(ConfigDiagnostic::new(self.file, self.text, (line, column), problem))
    }
}

/// The lines of a text, and where each begins.
fn lines(text: &str) -> Vec<(usize, &str)> {
    let mut begin = 0;
    let line = |line| {
        let here = begin;
        begin += str::len(line);
        (here, line)
    };
    text.split_inclusive('\n').map(line).collect()
}

/// A field of a table.
#[derive(Clone, Copy)]
pub(crate) struct FieldPlace {
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// The name of the column.
    pub(crate) name: &'static str,
}

impl FieldPlace {
    /// An error of this field of `text`, the content of `file`.
    pub(crate) fn error(self, file: &Path, text: &str, problem: Text) -> ConfigDiagnostic {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let source = text.lines().nth(self.line - 1).unwrap_or_default();
        let column = field_begin(source, self.column);
        ConfigDiagnostic::new(file, text, (self.line, column), settings::at(self.name, problem))
    }
}

/// The position at which field `column` of a line begins, in characters from 1.
fn field_begin(line: &str, column: usize) -> usize {
    let (mut quoted, mut left) = (false, column);
    let mut begin = 0;
    for (at, c) in line.chars().enumerate() {
        quoted ^= c == '"';
        if left == 0 {
            break;
        }
        if c == ',' && !quoted {
            (left, begin) = (left - 1, at + 1);
        }
    }
    begin + 1 + line.chars().skip(begin).take_while(|c| *c == ' ').count()
}

#[cfg(test)]
mod tests {
    use super::field_begin;

    #[test]
    fn a_field_is_found_behind_commas_in_quotes() {
        let line = r#"login, "Name, ""A""" ,group"#;
        assert_eq!([0, 1, 2].map(|column| field_begin(line, column)), [1, 8, 23]);
        assert_eq!(field_begin("", 2), 1);
    }
}
