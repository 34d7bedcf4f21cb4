//! Files of records, one line of JSON for each record: reading, with errors that name the line.

use std::borrow::Cow;

use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    ReadError, SCHEMA_VERSION,
    fields::{FieldVisitor, VisitFields, WrongField},
    identity::{LineIdentity, SeenLines},
};

/// Replaces the texts of any kind of record.
pub(crate) fn map_texts(record: &mut impl VisitFields, text: &mut dyn FnMut(&str) -> String) {
    // Numbers are not checked here.
    let _of_a_number = FieldVisitor::visit(record, &mut |found| *found = text(found));
}

/// A line of any kind of record: its schema is checked first, its numbers after the whole line is parsed. Hidden characters of
/// its texts are escaped, so that no reader has to handle them.
pub(crate) fn parse<T: DeserializeOwned + VisitFields>(line: &str) -> Result<T, ReadError> {
    #[derive(Deserialize)]
    struct OnlySchema {
        schema: u32,
    }
    let peek: OnlySchema = serde_json::from_str(line).map_err(|error| ReadError::not_a_record(&error))?;
    if peek.schema > SCHEMA_VERSION {
        return Err(ReadError::NewerSchema { line: 1, found: peek.schema });
    }
    let mut record: T = serde_json::from_str(line).map_err(|error| ReadError::not_a_record(&error))?;
    let checked = FieldVisitor::visit(&mut record, &mut |text| {
        if let Cow::Owned(visible) = wb_text::escape::terminal(text) {
            *text = visible;
        }
    });
    match checked {
        Ok(()) => Ok(record),
        Err(WrongField { field, value, allowed }) => Err(ReadError::Field { line: 1, field, value, allowed }),
    }
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
        ElapsedFrom, MeasuredWorkload, Measurement, Record, Repetition, Series, SeriesFailure, SeriesOutcome,
        Stages, TimedRegion, Timing, Version, example, read_all,
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
            elapsed_from: ElapsedFrom::LocalClocks,
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
