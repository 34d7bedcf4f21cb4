//! The records that a run of this tool accepts: those that its own programs have written since it began.

use jiff::{SignedDuration, Timestamp};
use wb_messages::{Lang, document};
use wb_record::{Measurement, Record, Series};

use crate::workspace::Workspace;

/// The times of records are rounded to seconds.
const ROUNDING: SignedDuration = SignedDuration::from_secs(1);

/// The task, the workloads and the times of the accepted records.
pub(crate) struct ExpectedRecords {
    pub(crate) task: String,
    /// Name and size of the workloads; empty where nothing is measured.
    workloads: Vec<(String, u64)>,
    /// When the run began.
    since: Timestamp,
}

impl ExpectedRecords {
    /// Of a run of this task that begins now.
    pub(super) fn for_task(workspace: &Workspace, task: &str) -> Self {
        let settings = workspace.find_task(task).and_then(|entry| entry.settings.ok());
        let workloads = settings.map(|settings| settings.performance.workloads);
        let pair = |workload: &wb_config::WorkloadSettings| (workload.name.clone(), workload.size as u64);
        let workloads = workloads.iter().flatten().map(pair).collect();
        Self { task: task.to_owned(), workloads, since: Timestamp::now() }
    }

    /// The position of the first record that this run has not requested, and why it is refused.
    pub(super) fn find_unexpected(&self, records: &[Record], lang: Lang) -> Option<String> {
        let of_run = self.since - ROUNDING..=Timestamp::now() + ROUNDING;
        let reason = |record: &Record| {
            let workload = series(record).map(|series| &series.workload);
            let known = |w: &wb_record::MeasuredWorkload| {
                self.workloads.iter().any(|(name, size)| *name == w.name && *size == w.size)
            };
            if !record.at.parse().is_ok_and(|at| of_run.contains(&at)) {
                Some(document::other_run(lang))
            } else if record.subject.task != self.task {
                Some(document::other_task(lang, &record.subject.task))
            } else {
                workload.filter(|w| !known(w)).map(|w| document::other_workload(lang, &w.name, w.size))
            }
        };
        records.iter().enumerate().find_map(|(at, record)| {
            reason(record).map(|reason| document::not_accepted(lang, at + 1, reason))
        })
    }
}

/// The series of a record, if it belongs to one.
fn series(record: &Record) -> Option<&Series> {
    match &record.measurement {
        Measurement::Timing(timing) => Some(&timing.series),
        Measurement::Outcome(outcome) => Some(&outcome.series),
        Measurement::Prediction(prediction) => Some(&prediction.series),
        _ => None,
    }
}
