//! Reading evidence: once, strictly, with the range of every number.

use std::fmt;

use wb_text::{Lang, Text, evidence as text};

use super::{EVIDENCE_SCHEMA, Evidence, PerformanceEvidence};
use crate::task_grade::MeasuredInterval;

/// The most ranks that a measurement can have.
const MAX_RANKS: u32 = 1 << 20;

/// The text is not evidence, or a number in it is out of range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidEvidence {
    /// The line, from 1; 0 where the error concerns the whole text.
    pub line: usize,
    /// The problem, and what is expected.
    pub problem: Text,
}

impl InvalidEvidence {
    /// The message, with the line where there is one.
    pub fn render(&self, lang: Lang) -> String {
        match self.line {
            0 => self.problem.in_language(lang).to_owned(),
            line => text::in_line(line, &self.problem).in_language(lang).to_owned(),
        }
    }
}

impl fmt::Display for InvalidEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Lang::En))
    }
}

impl std::error::Error for InvalidEvidence {}

impl Evidence {
    /// Reads the text of a file of evidence.
    ///
    /// # Errors
    /// [`InvalidEvidence`]: it is not JSON, a field is missing or unknown, the schema is newer, or a number is out of range.
    pub fn parse(json: &str) -> Result<Self, InvalidEvidence> {
        let json = json.trim_start_matches('\u{feff}');
        let schema = serde_json::from_str::<SchemaOnly>(json).map_err(|error| not_evidence(&error))?;
        if schema.schema > EVIDENCE_SCHEMA {
            let problem = text::newer_schema(schema.schema, EVIDENCE_SCHEMA);
            return Err(InvalidEvidence { line: 0, problem });
        }
        let evidence: Self = serde_json::from_str(json).map_err(|error| not_evidence(&error))?;
        match evidence.problem() {
            None => Ok(evidence),
            Some(problem) => Err(InvalidEvidence { line: 0, problem }),
        }
    }

    /// The first value that no evidence can have.
    fn problem(&self) -> Option<Text> {
        let names = [("task", &self.task), ("login", &self.login)];
        let empty = names.into_iter().find(|(_, value)| value.trim().is_empty());
        let versions = [("seq", &self.seq), ("mpi", &self.mpi)].into_iter();
        empty
            .map(|(field, _)| text::empty(field))
            .or_else(|| range("schema", self.schema, 1, EVIDENCE_SCHEMA))
            .or_else(|| range("assignment", u32::from(self.assignment), 1, 3))
            .or_else(|| range("variant", u32::from(self.variant), 1, 255))
            .or_else(|| {
                versions.into_iter().find_map(|(field, version)| {
                    let (listed, failed) = (version.failures.len() as u32, version.failed);
                    range(format!("{field}.passed_on_mpi"), version.passed_on_mpi, 0, version.passed).or_else(
                        || range(text::number_of(format!("{field}.failures")), listed, failed.min(1), failed),
                    )
                })
            })
            .or_else(|| {
                self.broken_rules.iter().find_map(|rule| range("broken_rules.line", rule.line, 1, u32::MAX))
            })
            .or_else(|| performance_problem(&self.performance))
    }
}

#[derive(serde::Deserialize)]
struct SchemaOnly {
    schema: u32,
}

/// The error of the parser; its own mention of the line is left out, since the line is a field.
fn not_evidence(error: &serde_json::Error) -> InvalidEvidence {
    let problem = error.to_string();
    let end = problem.rfind(" at line ").unwrap_or(problem.len());
    InvalidEvidence { line: error.line(), problem: Text::verbatim(problem[..end].to_owned()) }
}

fn range(field: impl Into<Text>, value: u32, least: u32, most: u32) -> Option<Text> {
    let outside = !(least..=most).contains(&value);
    outside.then(|| text::out_of_range(field.into(), value, least, most))
}

fn performance_problem(performance: &PerformanceEvidence) -> Option<Text> {
    match performance {
        PerformanceEvidence::Missing { .. } => None,
        PerformanceEvidence::Scaling(scaling) => interval_problem("performance.speedup", &scaling.speedup)
            .or_else(|| interval_problem("performance.efficiency", &scaling.efficiency)),
        PerformanceEvidence::Communication(found) => {
            let intervals = found.ratios.iter();
            range("performance.counts_right", found.counts_right, 0, found.counted)
                .or_else(|| range("performance.ranks", found.ranks, 1, MAX_RANKS))
                .or_else(|| {
                    intervals.into_iter().find_map(|ratio| interval_problem("performance.ratios", ratio))
                })
        }
    }
}

fn interval_problem(field: &'static str, interval: &MeasuredInterval) -> Option<Text> {
    let MeasuredInterval { low, value, high, ranks } = *interval;
    let is_ordered = 0.0 <= low && low <= value && value <= high && high <= 1e9;
    let ends = [low, value, high].map(|number| number.to_string()).join(", ");
    (!is_ordered)
        .then(|| text::disordered(field, ends))
        .or_else(|| range(format!("{field}.ranks"), ranks, 1, MAX_RANKS))
}
