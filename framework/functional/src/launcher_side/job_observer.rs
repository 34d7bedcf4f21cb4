//! Publishes what the ranks of a job of tests do while it runs, for observers such as `cargo wb top`.
//!
//! No rank is asked unless the job is observed, and none again before it has answered: a rank that is stopped gets one question.
use std::{
    collections::BTreeMap,
    path::PathBuf,
    time::{Duration, Instant},
};

use wb_messages::{Lang, functional as text};
use wb_process::job_status::{self, JobStatus, RankStatus};

use crate::{report::BackendLabel, test::RunId};

/// The time between two questions to a rank.
const INTERVAL: Duration = Duration::from_millis(800);

/// A process of the job, and its last answer.
#[derive(Default)]
struct ObservedProcess {
    host: String,
    is_asked: bool,
    run: Option<RunId>,
    ranks: Vec<RankStatus>,
}

/// The answers of a job's processes.
pub(crate) struct JobObserver {
    folder: PathBuf,
    backend: BackendLabel,
    processes: BTreeMap<usize, ObservedProcess>,
    checked: Instant,
}

impl JobObserver {
    /// Publishes the job whose run has this folder.
    pub(crate) fn new(folder: PathBuf, backend: BackendLabel) -> Self {
        let observer = Self { folder, backend, processes: BTreeMap::new(), checked: Instant::now() };
        observer.publish();
        observer
    }

    /// A process has connected.
    pub(crate) fn join(&mut self, process: usize, host: &str) {
        self.processes
            .insert(process, ObservedProcess { host: host.to_owned(), ..ObservedProcess::default() });
    }

    /// A process has ended.
    pub(crate) fn close(&mut self, process: usize) {
        self.processes.remove(&process);
    }

    /// A process has answered.
    pub(crate) fn answer(&mut self, process: usize, run: Option<RunId>, ranks: Vec<RankStatus>) {
        let Some(answered) = self.processes.get_mut(&process) else { return };
        (answered.is_asked, answered.run, answered.ranks) = (false, run, ranks);
        answered.ranks.iter_mut().for_each(|rank| rank.host.clone_from(&answered.host));
        if !self.processes.values().any(|process| process.is_asked) {
            self.publish();
        }
    }

    /// The processes to ask now.
    pub(crate) fn processes_to_ask(&mut self, now: Instant) -> Vec<usize> {
        if now - self.checked < INTERVAL {
            return vec![];
        }
        self.checked = now;
        if !job_status::is_requested(&self.folder) {
            return vec![];
        }
        if self.processes.values().any(|process| process.is_asked) {
            // Those that have answered are shown without the others.
            self.publish();
        }
        let idle = self.processes.iter_mut().filter(|(_, process)| !process.is_asked);
        idle.map(|(number, process)| (*number, process.is_asked = true).0).collect()
    }

    fn publish(&self) {
        let run = self.processes.values().find_map(|process| process.run.as_ref());
        let work = run.map_or_else(
            || self.backend.0.clone(),
            |run| {
                format!(
                    "{} [{}]",
                    run.test,
                    text::on_ranks(Lang::from_environment(), &self.backend.0, run.ranks)
                )
            },
        );
        let ranks = self.processes.values().flat_map(|process| process.ranks.clone()).collect();
        // An observer then sees no job; the tests run all the same.
        let _unpublished = JobStatus::new(work, Some(ranks)).publish(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_asked_while_the_job_is_observed_and_not_again_before_they_have_answered() {
        let state = tempfile::tempdir().expect("a folder");
        let folder = state.path().join("run-1");
        std::fs::create_dir(&folder).expect("made");
        let mut observer = JobObserver::new(folder, BackendLabel::threads());
        [0, 1].into_iter().for_each(|process| observer.join(process, "node1"));
        let mut later = Instant::now();
        let mut asked = |observer: &mut JobObserver| {
            later += INTERVAL;
            observer.processes_to_ask(later)
        };
        assert_eq!(asked(&mut observer), [0; 0]);
        let observe = || job_status::observe(&[state.path().to_owned()]).remove(0).0.ranks;
        assert_eq!(observe(), Some(vec![]));
        assert_eq!((asked(&mut observer), asked(&mut observer)), (vec![0, 1], vec![]));
        observer.answer(1, None, vec![RankStatus { rank: 1, ..RankStatus::default() }]);
        assert_eq!(asked(&mut observer), [1]);
        let host = observe().and_then(|ranks| Some(ranks.first()?.host.clone()));
        assert_eq!(host.as_deref(), Some("node1"));
    }
}
