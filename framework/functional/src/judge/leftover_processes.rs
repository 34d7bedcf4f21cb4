//! Processes that a task started and did not wait for: they have been ended, and the run has failed.
use wb_messages::{Lang, functional as text};

use crate::judge::{failure_kind::FailureKind, failure_report::FailureReport};

/// The finding on these processes, as a run's evidence names them.
pub(crate) fn leftover_finding(processes: &[String], lang: Lang) -> Option<FailureReport> {
    let headline = text::processes_left(lang, processes.len());
    let finding = FailureReport::new(FailureKind::ProcessesLeft, headline, text::hint_processes_left(lang));
    (!processes.is_empty()).then(|| finding.with_details(processes.to_vec()))
}
