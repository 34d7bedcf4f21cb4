//! What makes two lines of a file the same measurement.

use std::collections::HashMap;

use crate::{BarrierLine, Measurement, ReadError, Record};

/// What a line tells, where a file may tell it only once.
pub(crate) trait LineIdentity {
    /// What it is called and by which values it is told from others; `None` where a file may hold it again.
    fn identity(&self) -> Option<(&'static str, String)>;
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

impl LineIdentity for BarrierLine {
    fn identity(&self) -> Option<(&'static str, String)> {
        Some(match self {
            Self::BarrierRun(run) => ("run", run.run.clone()),
            Self::BarrierSeries(of) => ("series", format!("{} {:?} {}", of.run, of.form, of.ranks)),
        })
    }
}

/// The lines so far.
#[derive(Default)]
pub(crate) struct SeenLines<'t> {
    lines: HashMap<&'t str, usize>,
    identities: HashMap<(&'static str, String), usize>,
}

impl<'t> SeenLines<'t> {
    /// Notes a line.
    ///
    /// # Errors
    /// [`ReadError::Duplicate`]: the same line was there, or another one that tells the same.
    pub(crate) fn check_unique(
        &mut self,
        record: &impl LineIdentity,
        line: &'t str,
        number: usize,
    ) -> Result<(), ReadError> {
        let duplicate = |first, what| ReadError::Duplicate { line: number, first, what };
        if let Some(first) = self.lines.insert(line, number) {
            return Err(duplicate(first, "record"));
        }
        let Some((what, key)) = record.identity() else { return Ok(()) };
        match self.identities.insert((what, key), number) {
            None => Ok(()),
            Some(first) => Err(duplicate(first, what)),
        }
    }
}
