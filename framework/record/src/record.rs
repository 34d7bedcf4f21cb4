//! One line: who was measured, where, when, and what was seen.

use serde::{Deserialize, Serialize};

use crate::fields::{ANY, AllowedValues, CheckedNumber as _, FieldVisitor, VisitFields, fields};
use crate::{
    Ceiling, Environment, FunctionalRecord, MeasurementPlan, Prediction, PredictionModel, SeriesOutcome,
    Sweep, Timing, Trace,
};

/// The version of the record format this crate writes, and the newest one it reads.
pub const SCHEMA: u32 = 1;

/// One measurement with everything that is needed to judge it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The format of this line; see [`SCHEMA`].
    pub schema: u32,
    /// Shared by all lines of one invocation of the measuring program, unique among invocations.
    pub run: String,
    /// What the program that asked for the measurement gave along: it accepts records with this nonce only. `None` when
    /// nobody gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// When the measurement ended, RFC 3339, for example `2026-03-01T10:15:00Z`.
    pub at: String,
    /// What was measured.
    pub subject: Subject,
    /// Where it was measured.
    pub environment: Environment,
    /// What was seen.
    pub measurement: Measurement,
}

impl Record {
    /// A record of the current [`SCHEMA`].
    pub fn new(
        run: impl Into<String>,
        at: impl Into<String>,
        subject: Subject,
        environment: Environment,
        measurement: impl Into<Measurement>,
    ) -> Self {
        Self {
            schema: SCHEMA,
            run: run.into(),
            nonce: None,
            at: at.into(),
            subject,
            environment,
            measurement: measurement.into(),
        }
    }
}

impl Record {
    /// The record with this nonce.
    #[must_use]
    pub fn with_nonce(self, nonce: Option<String>) -> Self {
        Self { nonce, ..self }
    }
}

/// The task that was measured and whose it is, as its settings file says.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Subject {
    /// The task's folder and package name, for example `nalitov_d_broadcast`.
    pub task: String,
    /// What the task is about, in words.
    pub title: Title,
    /// The author.
    pub student: String,
    /// The author's group, for example `3823B1PR1`.
    pub group: String,
    /// The number of the assignment in the course: 1, 2 or 3.
    pub task_number: u32,
    /// The variant of the assignment.
    pub variant: u32,
}

/// The title of a task in the languages of the reports.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Title {
    /// In English.
    pub en: String,
    /// In Russian.
    pub ru: String,
}

/// What one line tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Measurement {
    /// What the run set out to do; the first line of a run.
    Plan(MeasurementPlan),
    /// The repetitions of one launch of one version.
    Timing(Timing),
    /// The communication-free spin kernel at some number of ranks: what the machine itself allows.
    Ceiling(Ceiling),
    /// One size of a communication assignment beside the library's own call.
    Sweep(Sweep),
    /// How the sampling of one series ended.
    Outcome(SeriesOutcome),
    /// The verdict of one functional test.
    Functional(FunctionalRecord),
    /// One pass in virtual time on a model of a machine.
    Prediction(Prediction),
    /// Of which machine such passes are.
    Model(PredictionModel),
    /// One pass of which every call was written down: where the time goes, never how much there is.
    Trace(Box<Trace>),
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
        title: Title {
            en: "Integration by trapezoids".to_owned(),
            ru: "Интегрирование методом трапеций".to_owned(),
        },
        student: "Example Person".to_owned(),
        group: "0000".to_owned(),
        task_number: 1,
        variant: 20,
    };
    let ceiling = Ceiling { ranks: 2, launch: 0, samples_ns: vec![50_100_000, 50_000_000, 50_300_000] };
    Record::new("example-run", "2026-03-01T10:15:00Z", subject, Environment::example(), ceiling)
}

fields! {
    Record { schema: ANY, run, at, nonce, subject, environment, measurement }
    Title { en, ru }
}

impl VisitFields for Subject {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        let Self { task, title, student, group, task_number, variant } = self;
        visitor.field("task", |visitor| {
            visitor.package(task);
            task.visit_fields(visitor);
        });
        visitor.field("title", |visitor| title.visit_fields(visitor));
        visitor.field("student", |visitor| student.visit_fields(visitor));
        visitor.field("group", |visitor| group.visit_fields(visitor));
        visitor.field("task_number", |visitor| task_number.check(AllowedValues::Whole(0, 1000), visitor));
        visitor.field("variant", |visitor| variant.check(AllowedValues::Whole(0, 1000), visitor));
    }
}

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
