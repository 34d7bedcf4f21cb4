//! One line of JSON a record: writing, and reading with errors that name the line.

use std::borrow::Cow;

use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    Record, SCHEMA,
    fields::{AllowedValues, FieldVisitor, VisitFields, WrongField},
    identity::{LineIdentity, SeenLines},
};

/// The longest reason, in characters: it may hold a part of the line.
const REASON_CHARS_MAX: usize = 500;

/// Why a text is not a list of records.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The line was written by a newer program.
    #[error(
        "line {line}: the record has schema {found}, and this program reads up to {SCHEMA}; update the workbench"
    )]
    NewerSchema {
        /// The line, from 1.
        line: usize,
        /// The schema of that line.
        found: u32,
    },
    /// The line is no record of any schema this program knows.
    #[error("line {line}, column {column}: not a record: {reason}")]
    NotARecord {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is missing or wrong.
        reason: String,
    },
    /// A number that no measurement can have.
    #[error("line {line}: {field} is {value}, expected {allowed}")]
    Field {
        /// The line, from 1.
        line: usize,
        /// The path of the field, for example `measurement.series.ranks`.
        field: String,
        /// What it holds.
        value: String,
        /// What it may hold.
        allowed: AllowedValues,
    },
    /// The measurement of an earlier line once more: a sample that counts twice makes an interval too narrow.
    #[error("line {line}: the same {what} as line {first}, expected each once; remove one of the two")]
    Duplicate {
        /// The line, from 1.
        line: usize,
        /// The earlier line.
        first: usize,
        /// What both tell.
        what: &'static str,
    },
}

impl ReadError {
    /// The line the error is on, from 1.
    pub fn line(&self) -> usize {
        match self {
            Self::NewerSchema { line, .. }
            | Self::NotARecord { line, .. }
            | Self::Field { line, .. }
            | Self::Duplicate { line, .. } => *line,
        }
    }

    /// The same error on another line: [`Record::parse_line`] always says 1.
    pub fn on_line(mut self, number: usize) -> Self {
        match &mut self {
            Self::NewerSchema { line, .. }
            | Self::NotARecord { line, .. }
            | Self::Field { line, .. }
            | Self::Duplicate { line, .. } => *line = number,
        }
        self
    }

    fn not_a_record(error: &serde_json::Error) -> Self {
        let text = error.to_string();
        // serde_json appends its own "at line 1 column n"; the line is ours to tell.
        let reason = text.rsplit_once(" at line ").map_or(&*text, |(reason, _)| reason);
        let reason = wb_escape::line(reason).chars().take(REASON_CHARS_MAX).collect();
        Self::NotARecord { line: 1, column: error.column().max(1), reason }
    }
}

impl Record {
    /// The record as one line of JSON, without the line end.
    ///
    /// # Panics
    /// If the record holds a number that JSON cannot hold (NaN, an infinity) or that no measurement can have: such a line
    /// could not be read back.
    pub fn to_line(&self) -> String {
        let line =
            serde_json::to_string(self).expect("records have string keys only, so they always serialise");
        if let Err(error) = Self::parse_line(&line) {
            panic!("a record must be readable again: {error}: {line}");
        }
        line
    }

    /// Reads one line.
    ///
    /// # Errors
    /// [`ReadError::NewerSchema`] for a line of a newer program, [`ReadError::Field`] for a number that cannot be,
    /// [`ReadError::NotARecord`] for anything else that is no record; all say line 1, see [`ReadError::on_line`].
    pub fn parse_line(line: &str) -> Result<Self, ReadError> {
        parse(line)
    }

    /// Replaces every text of the record by what `text` makes of it: names, reasons, facts of the environment.
    pub fn map_texts(&mut self, text: &mut dyn FnMut(&str) -> String) {
        map_texts(self, text);
    }
}

/// The texts of any kind of record, replaced.
pub(crate) fn map_texts(record: &mut impl VisitFields, text: &mut dyn FnMut(&str) -> String) {
    // Numbers are not looked at here.
    let _of_a_number = FieldVisitor::visit(record, &mut |found| *found = text(found));
}

/// A line of any kind of record: its schema is looked at before anything else, its numbers when they are all there. Hidden
/// characters of its texts are spelt out, so that no reader has to think of them.
pub(crate) fn parse<T: DeserializeOwned + VisitFields>(line: &str) -> Result<T, ReadError> {
    #[derive(Deserialize)]
    struct OnlySchema {
        schema: u32,
    }
    let peek: OnlySchema = serde_json::from_str(line).map_err(|error| ReadError::not_a_record(&error))?;
    if peek.schema > SCHEMA {
        return Err(ReadError::NewerSchema { line: 1, found: peek.schema });
    }
    let mut record: T = serde_json::from_str(line).map_err(|error| ReadError::not_a_record(&error))?;
    let checked = FieldVisitor::visit(&mut record, &mut |text| {
        if let Cow::Owned(visible) = wb_escape::terminal(text) {
            *text = visible;
        }
    });
    match checked {
        Ok(()) => Ok(record),
        Err(WrongField { field, value, allowed }) => Err(ReadError::Field { line: 1, field, value, allowed }),
    }
}

/// Reads a whole file of records; blank lines are allowed and ignored, and so is a byte order mark.
///
/// # Errors
/// That of the first line that is not a record, or that repeats an earlier one, with its number.
pub fn read_all(text: &str) -> Result<Vec<Record>, ReadError> {
    lines(text)
}

/// The lines of a file of any kind of record.
pub(crate) fn lines<T: DeserializeOwned + VisitFields + LineIdentity>(
    text: &str,
) -> Result<Vec<T>, ReadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut seen = SeenLines::default();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            let record: T = parse(line).map_err(|error| error.on_line(index + 1))?;
            seen.check_unique(&record, line, index + 1)?;
            Ok(record)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        MeasuredWorkload, Measurement, Repetition, Series, SeriesFailure, SeriesOutcome, Stages, TimedRegion,
        Timing, Version, example,
    };

    fn series() -> Series {
        let workload = MeasuredWorkload { name: "matrix".into(), size: 512, unit: "rows".into() };
        Series { workload, version: Version::Mpi, mode: TimedRegion::TaskRun, ranks: 2 }
    }

    fn timing() -> Timing {
        let repetition = Repetition {
            elapsed_ns: 1 << 62,
            entry_skew_ns: 7,
            correct: Some(true),
            involuntary_switches: 1,
            cpu_share: Some(0.1 + 0.2),
            queued_ns: Some(1 << 62),
        };
        let stages = Stages { validation_ns: 1, preprocessing_ns: 2, run_ns: 3, postprocessing_ns: 4 };
        Timing {
            series: series(),
            launch: 3,
            fresh_inputs: Some(true),
            warmup_dropped: 1,
            inner_iterations: 2,
            repetitions: vec![repetition],
            stages: vec![stages],
            traffic: None,
            sentinel: None,
        }
    }

    #[test]
    fn every_number_survives_writing_and_reading() {
        let mut record = example();
        record.measurement = timing().into();
        let line = record.to_line();
        assert!(!line.contains('\n'));
        assert_eq!(Record::parse_line(&line).unwrap(), record);
        assert_eq!(Record::parse_line(&line).unwrap().to_line(), line);
    }

    #[test]
    fn the_kind_and_the_names_are_readable_in_the_line() {
        let mut record = example();
        record.measurement = timing().into();
        let line = record.to_line();
        for expected in [r#""schema":1"#, r#""kind":"timing""#, r#""mode":"task_run""#, r#""version":"mpi""#]
        {
            assert!(line.contains(expected), "{expected} in {line}");
        }
    }

    #[test]
    fn failures_are_records_too() {
        let failure = SeriesFailure::TooShort { measured_ns: 200_000, required_ns: 50_000_000 };
        let mut record = example();
        record.measurement = Measurement::Outcome(SeriesOutcome {
            series: series(),
            converged: false,
            half_width: None,
            budget_s: 10.0,
            spent_s: 0.5,
            repeated_launches: 0,
            failure: Some(failure),
        });
        assert_eq!(Record::parse_line(&record.to_line()).unwrap(), record);
    }

    #[test]
    fn a_trace_and_a_model_are_measurements_like_others() {
        let fit = crate::FitQuality {
            date: "2026-03-01".into(),
            library: "Open MPI 4.1.4".into(),
            points: 24,
            median_residual: 0.1 + 0.2,
            largest_residual: 0.4,
        };
        let model = crate::PredictionModel {
            machine: "this-host".into(),
            about: example().subject.title,
            is_host: true,
            cores: Some(2),
            ranks: vec![1, 2],
            fit: Some(fit),
            failure: None,
        };
        for measurement in [Measurement::from(model), crate::example_trace().into()] {
            let record = Record { measurement, ..example() };
            assert_eq!(Record::parse_line(&record.to_line()).unwrap(), record);
        }
    }

    #[test]
    fn a_newer_schema_is_refused_by_name_and_line() {
        let newer = example().to_line().replace(r#""schema":1"#, r#""schema":2"#);
        let error = read_all(&format!("{}\n\n{newer}\n", example().to_line())).unwrap_err();
        assert!(matches!(error, ReadError::NewerSchema { line: 3, found: 2 }), "{error:?}");
        assert_eq!(error.line(), 3);
        assert!(error.to_string().contains("schema 2"));
    }

    #[test]
    fn a_newer_schema_is_refused_even_if_its_fields_are_unknown() {
        let error = Record::parse_line(r#"{"schema":9,"whatever":[]}"#).unwrap_err();
        assert!(matches!(error, ReadError::NewerSchema { found: 9, .. }));
    }

    #[test]
    fn garbage_names_line_column_and_what_is_missing() {
        let error = read_all(&format!("{}\n{{\"schema\":1}}\n", example().to_line())).unwrap_err();
        assert_eq!(error.to_string(), "line 2, column 12: not a record: missing field `run`");
        assert!(matches!(read_all("not json").unwrap_err(), ReadError::NotARecord { line: 1, .. }));
    }

    #[test]
    fn a_field_of_a_later_program_of_the_same_schema_is_no_error() {
        let line = example().to_line().replace(r#""schema":1"#, r#""schema":1,"weather":"fine""#);
        assert_eq!(Record::parse_line(&line).unwrap(), example());
    }

    #[test]
    #[should_panic(expected = "must be readable again")]
    fn a_number_json_cannot_hold_is_never_written() {
        let mut record = example();
        record.environment.clock.resolution_ns = f64::NAN;
        let _ = record.to_line();
    }

    #[test]
    fn samples_are_per_iteration_and_drift_is_relative() {
        let mut timing = timing();
        timing.repetitions[0].elapsed_ns = 10;
        assert_eq!(timing.samples_ns(), vec![5.0]);
        let sentinel = crate::Sentinel { before_ns: vec![100, 100], after_ns: vec![101, 96] };
        assert!((sentinel.drift().unwrap() - 0.04).abs() < 1e-12);
        assert_eq!(crate::Sentinel { before_ns: vec![0], after_ns: vec![1] }.drift(), None);
    }
}
