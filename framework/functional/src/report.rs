//! Verdicts as the user sees them: the report of a failed test, counts, and records.
pub(crate) mod mistake;
pub(crate) mod records;
pub(crate) mod summary;
pub(crate) mod test_report;
pub(crate) mod verdict;

pub(crate) use verdict::{BackendLabel, BackendOutcome};
