//! A run of ranks that share a process: on threads, or in virtual time.
use std::{
    panic::resume_unwind,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use wb_comm::{
    BlockedCall, RankFunction, ThreadRanks,
    job::{JobOutcome, RankTermination},
};
use wb_messages::{Lang, functional as text};
use wb_process::{
    stack::{StackSample, Thread},
    thread_exit,
};
use wb_task::Progress;

use crate::{
    evidence::{
        event::LeakReport,
        rank_report::{RankOutcome, RankReport},
    },
    test::test_run::{StageResult, TestRun},
};

/// The result of a run.
pub(crate) struct ThreadsRun {
    /// One per rank.
    pub(crate) reports: Vec<RankReport>,
    pub(crate) leaks: LeakReport,
    /// Whether a rank is lost: its thread continues and may take a core from later runs.
    pub(crate) has_lost_rank: bool,
}

/// The data that the ranks share with the thread that started them.
struct SharedRun {
    test_run: Arc<dyn TestRun>,
    progress: Arc<[Progress]>,
    results: Vec<Mutex<Option<StageResult>>>,
    /// The thread of each rank, once it has begun.
    threads: Vec<OnceLock<Thread>>,
}

/// Runs `trial` on ranks of this process; `progress` has one entry for each rank.
pub(crate) fn run(
    threads: &dyn ThreadRanks,
    trial: &Arc<dyn TestRun>,
    progress: &Arc<[Progress]>,
) -> ThreadsRun {
    trial.compute_reference(threads);
    let (ranks, limit) = (trial.test_case().id.ranks, trial.test_case().limit);
    let shared = Arc::new(SharedRun {
        test_run: Arc::clone(trial),
        progress: Arc::clone(progress),
        results: (0..ranks).map(|_| Mutex::new(None)).collect(),
        threads: (0..ranks).map(|_| OnceLock::new()).collect(),
    });
    let outcome = threads.run(ranks, limit, job(&shared));
    // All are sampled before any of their lines is looked up, which takes a moment.
    let mut entries: Vec<_> = (0..ranks).map(|rank| shared.rank_report(rank, &outcome)).collect();
    let sampled: Vec<_> = entries.iter().map(|entry| shared.sample(entry)).collect();
    for (entry, sample) in entries.iter_mut().zip(sampled) {
        entry.activity = sample.map(|sample| sample.activity());
    }
    let mut lost = outcome.ranks.iter().any(|ended| matches!(ended, RankTermination::Unfinished));
    // Without a limit a debugger may be attached.
    if let Some(unended) =
        limit.filter(|_| !lost).and_then(|_| thread_exit::wait_for_threads(shared.threads()).err())
    {
        lost = true;
        let doing = unended.sample.map(|sample| sample.activity());
        let belongs = |rank: usize| shared.threads[rank].get() == Some(&unended.thread);
        entries = entries
            .into_iter()
            .map(|entry| if belongs(entry.rank) { entry.into_unterminated(doing.clone()) } else { entry })
            .collect();
    }
    ThreadsRun {
        reports: entries,
        leaks: LeakReport { findings: outcome.findings, replayed: vec![], ..LeakReport::default() },
        has_lost_rank: lost,
    }
}

fn job(shared: &Arc<SharedRun>) -> RankFunction {
    let shared = Arc::clone(shared);
    Arc::new(move |transport| {
        let rank = transport.rank();
        if let Some(thread) = Thread::current() {
            shared.threads[rank].get_or_init(|| thread);
        }
        let came = shared.test_run.run_stages(transport, &shared.progress[rank]);
        let panic = came.panic.clone();
        *shared.results[rank].lock().unwrap_or_else(PoisonError::into_inner) = Some(came);
        if let Some(caught) = panic {
            // The backend needs this to end the others.
            resume_unwind(Box::new(caught.text));
        }
        Box::new(())
    })
}

impl SharedRun {
    /// The threads of all ranks: in virtual time they have one.
    fn threads(&self) -> impl Iterator<Item = Thread> {
        self.threads.iter().filter_map(OnceLock::get).copied()
    }

    fn rank_report(&self, rank: usize, outcome: &JobOutcome) -> RankReport {
        let came = self.results[rank].lock().unwrap_or_else(PoisonError::into_inner).take();
        let entry = match came {
            Some(came) => self.test_run.evaluate(came),
            None => {
                let text = match outcome.ranks[rank] {
                    RankTermination::Starved(other) => text::waited(Lang::from_environment(), other),
                    _ => String::new(),
                };
                RankReport {
                    stage: self.progress[rank].stage(),
                    text,
                    ..RankReport::new(rank, RankOutcome::Unresponsive)
                }
            }
        };
        let entry = match outcome.blocked.iter().find(|blocked| blocked.rank == rank) {
            Some(call) => blocked_report(entry, call),
            None => entry,
        };
        // A rank that was in no call and has not returned computes, whatever the others do.
        let calls = outcome.calls.get(rank).copied();
        let ongoing_calls = calls.filter(|_| !entry.is_late_outside_calls());
        RankReport { ongoing_calls, ..entry }.with_unreported(&self.progress[rank])
    }

    /// A sample of a rank that did not return and is in no call.
    fn sample(&self, entry: &RankReport) -> Option<StackSample> {
        self.threads[entry.rank].get().filter(|_| entry.is_late_outside_calls())?.sample()
    }
}

/// A rank that was blocked in a call when no rank could continue: its handling of the error is a consequence.
fn blocked_report(entry: RankReport, call: &BlockedCall) -> RankReport {
    if !entry.is_failure() {
        return entry;
    }
    RankReport { outcome: RankOutcome::Unresponsive, blocked_in: Some(call.clone()), ..entry }
}
