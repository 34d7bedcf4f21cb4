//! Lets somebody look at a job of tests while it runs: the ranks are asked what they do, and the answers are published.
//!
//! No rank is asked unless somebody looks, and none again before it has answered: a rank that is stopped gets one question.
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    time::{Duration, Instant},
};

use wb_process::job_status::{self, JobStatus, JobWork, RankStatus, TestedRun};

use crate::{report::BackendLabel, test::RunId};

/// The time between two questions to a rank.
const INTERVAL: Duration = Duration::from_millis(800);

/// The answers of a job's processes.
pub(crate) struct JobObserver {
    folder: PathBuf,
    backend: BackendLabel,
    hosts: BTreeMap<usize, String>,
    answers: BTreeMap<usize, (Option<RunId>, Vec<RankStatus>)>,
    /// The processes that have not answered yet.
    asked: BTreeSet<usize>,
    checked: Instant,
}

impl JobObserver {
    /// Publishes the job whose run has this folder.
    pub(crate) fn new(folder: PathBuf, backend: BackendLabel) -> Self {
        let (hosts, answers, asked) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        let observer = Self { folder, backend, hosts, answers, asked, checked: Instant::now() };
        observer.publish();
        observer
    }

    /// A process has connected.
    pub(crate) fn join(&mut self, process: usize, host: &str) {
        self.hosts.insert(process, host.to_owned());
    }

    /// A process has ended.
    pub(crate) fn close(&mut self, process: usize) {
        self.hosts.remove(&process);
        self.answers.remove(&process);
        self.asked.remove(&process);
    }

    /// A process has answered.
    pub(crate) fn answer(&mut self, process: usize, run: Option<RunId>, mut ranks: Vec<RankStatus>) {
        let host = self.hosts.get(&process).cloned().unwrap_or_default();
        ranks.iter_mut().for_each(|rank| rank.host.clone_from(&host));
        self.asked.remove(&process);
        self.answers.insert(process, (run, ranks));
        if self.asked.is_empty() {
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
        if !self.asked.is_empty() {
            // Those that have answered are shown without the others.
            self.publish();
        }
        let idle = self.hosts.keys().copied().filter(|process| !self.asked.contains(process));
        let idle: Vec<_> = idle.collect();
        self.asked.extend(&idle);
        idle
    }

    fn publish(&self) {
        let run = self.answers.values().find_map(|(run, _)| run.as_ref());
        let run = run.map(|RunId { test, ranks, input }| TestedRun {
            test: test.clone(),
            ranks: *ranks,
            input: input + 1,
        });
        let ranks = self.answers.values().flat_map(|(_, ranks)| ranks.clone()).collect();
        let work = JobWork::Tests { backend: self.backend.0.clone(), run, ranks };
        // Who looks then sees no job; the tests run all the same.
        let _unpublished = JobStatus::new(work).publish(&self.folder);
    }
}
