//! Processes that a task started and did not wait for: they have been ended, and the run has failed.
use wb_messages::{Lang, functional as text};
use wb_record::Verdict;

use super::finding::Finding;

/// The finding on these processes, as a run's evidence names them.
pub(super) fn left(processes: &[String], lang: Lang) -> Option<Finding> {
    let headline = text::processes_left(lang, processes.len());
    let finding = Finding::new(Verdict::Fail, headline, text::hint_processes_left(lang));
    (!processes.is_empty()).then(|| finding.with(processes.to_vec()))
}
