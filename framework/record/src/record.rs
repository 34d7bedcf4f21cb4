//! One line of a file of records: what was measured, where and when, and the result.

use serde::{Deserialize, Serialize};

use crate::fields::{ANY, FieldVisitor, VisitFields, fields, plain};
use crate::{
    Ceiling, ElapsedFrom, Environment, FunctionalRecord, MeasurementPlan, Prediction, PredictionModel,
    ReadError, SCHEMA_VERSION, SeriesOutcome, Subject, Sweep, Text, Timing, Trace, identity::LineIdentity,
    line,
};

/// One measurement with everything that is needed to judge it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The format of this line; see [`SCHEMA_VERSION`].
    pub schema: u32,
    /// Shared by all lines of one invocation of the measuring program, unique among invocations.
    pub run: String,
    /// The program that measured, if it was not the measured one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// When the measurement ended, RFC 3339, for example `2026-03-01T10:15:00Z`.
    pub at: String,
    /// The subject of the measurement.
    pub subject: Subject,
    /// Where it was measured.
    pub environment: Environment,
    /// The measurement.
    pub measurement: Measurement,
}

impl Record {
    /// A record of the current [`SCHEMA_VERSION`].
    pub fn new(
        run: impl Into<String>,
        at: impl Into<String>,
        subject: Subject,
        environment: Environment,
        measurement: impl Into<Measurement>,
    ) -> Self {
        Self {
            schema: SCHEMA_VERSION,
            run: run.into(),
            provenance: None,
            at: at.into(),
            subject,
            environment,
            measurement: measurement.into(),
        }
    }
}

impl Record {
    /// The record with this provenance.
    #[must_use]
    pub fn with_provenance(self, provenance: Option<Provenance>) -> Self {
        Self { provenance, ..self }
    }
}

/// The program that measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Provenance {
    /// A judge: another process than the measured program, with inputs, oracle and clock of its own.
    Judge,
}

/// The result in one line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Measurement {
    /// The plan of the run; the first line of a run.
    Plan(MeasurementPlan),
    /// The repetitions of one launch of one version.
    Timing(Timing),
    /// The communication-free spin kernel at some number of ranks: the limit of the machine.
    Ceiling(Ceiling),
    /// One size of a communication assignment beside the library's own call.
    Sweep(Sweep),
    /// The outcome of the sampling of one series.
    Outcome(SeriesOutcome),
    /// The verdict of one functional test.
    Functional(FunctionalRecord),
    /// One pass in virtual time on a model of a machine.
    Prediction(Prediction),
    /// The machine of such passes.
    Model(PredictionModel),
    /// One pass with every call recorded: it shows where the time goes, not how fast the program is.
    Trace(Box<Trace>),
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
    /// [`ReadError::NewerSchema`] for a line of a newer program, [`ReadError::Field`] for a number that is out of range,
    /// [`ReadError::NotARecord`] for any other text that is not a record. All report line 1, see [`ReadError::on_line`].
    pub fn parse_line(line: &str) -> Result<Self, ReadError> {
        line::parse(line)
    }

    /// Replaces every text of the record by what `text` makes of it: names, reasons, facts of the environment.
    pub fn map_texts(&mut self, text: &mut dyn FnMut(&str) -> String) {
        line::map_texts(self, text);
    }
}

/// Reads a whole file of records; blank lines are allowed and ignored, and so is a byte order mark.
///
/// # Errors
/// The error of the first line that is not a record, or that repeats an earlier one, with its number.
pub fn read_all(text: &str) -> Result<Vec<Record>, ReadError> {
    line::lines(text)
}

impl LineIdentity for Record {
    fn identity(&self) -> Option<(&'static str, String)> {
        let (what, key) = match &self.measurement {
            Measurement::Plan(_) => ("plan", String::new()),
            Measurement::Timing(timing) => ("launch", format!("{:?} {}", timing.series, timing.launch)),
            Measurement::Outcome(outcome) => ("outcome", format!("{:?}", outcome.series)),
            Measurement::Sweep(of) => {
                let library = (&of.library_call, &of.library_algorithm);
                let size = (&of.element, of.count, of.bytes, of.launch);
                ("size", format!("{:?}", (&of.operation, of.ranks, of.root, size, library)))
            }
            // The ceiling is measured before and after; tests, predictions and traces may be made again.
            Measurement::Ceiling(_)
            | Measurement::Functional(_)
            | Measurement::Prediction(_)
            | Measurement::Model(_)
            | Measurement::Trace(_) => return None,
        };
        Some((what, format!("{} {} {key}", self.subject.task, self.run)))
    }
}

macro_rules! measurement_from {
    ($($variant:ident($type:ty))*) => {$(
        impl From<$type> for Measurement {
            fn from(value: $type) -> Self {
                Self::$variant(value)
            }
        }
    )*};
}
measurement_from! {
    Plan(MeasurementPlan) Timing(Timing) Ceiling(Ceiling) Sweep(Sweep) Outcome(SeriesOutcome)
    Functional(FunctionalRecord) Prediction(Prediction) Model(PredictionModel)
}

impl From<Trace> for Measurement {
    fn from(trace: Trace) -> Self {
        Self::Trace(Box::new(trace))
    }
}

/// A small complete record, for documentation and tests.
pub fn example() -> Record {
    let subject = Subject {
        task: "example_p_integral".to_owned(),
        title: Text {
            en: "Integration by trapezoids".to_owned(),
            ru: "Интегрирование методом трапеций".to_owned(),
        },
        student: "Example Person".to_owned(),
        group: "0000".to_owned(),
        task_number: 1,
        variant: 20,
    };
    let ceiling = Ceiling {
        ranks: 2,
        launch: 0,
        elapsed_from: ElapsedFrom::CommonClock,
        samples_ns: vec![50_100_000, 50_000_000, 50_300_000],
    };
    Record::new("example-run", "2026-03-01T10:15:00Z", subject, Environment::example(), ceiling)
}

fields! {
    Record { schema: ANY, run, at, provenance, subject, environment, measurement }
}

plain! { Provenance }

impl VisitFields for Measurement {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        match self {
            Self::Plan(of) => of.visit_fields(visitor),
            Self::Timing(of) => of.visit_fields(visitor),
            Self::Ceiling(of) => of.visit_fields(visitor),
            Self::Sweep(of) => of.visit_fields(visitor),
            Self::Outcome(of) => of.visit_fields(visitor),
            Self::Functional(of) => of.visit_fields(visitor),
            Self::Prediction(of) => of.visit_fields(visitor),
            Self::Model(of) => of.visit_fields(visitor),
            Self::Trace(of) => of.visit_fields(visitor),
        }
    }
}
