//! A run of ranks that share a process: on threads, or in virtual time.
use std::{
    panic::resume_unwind,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use wb_comm::{
    Blocked, Threads, ThreadsJob,
    job::{Ended, Outcome},
};
use wb_messages::{Lang, functional as text};
use wb_process::{
    ending,
    stack::{Sample, Thread},
};
use wb_task::Progress;

use super::{
    entry::{Entry, How},
    journal::Swept,
    trial::{Came, Trial},
};

/// What came of a run.
pub(super) struct Ran {
    /// One per rank.
    pub(super) entries: Vec<Entry>,
    /// What was left.
    pub(super) swept: Swept,
    /// Whether a rank is lost: its thread runs on and may take a core from whatever comes next.
    pub(super) lost: bool,
}

/// What the ranks share with the thread that started them.
struct Shared {
    trial: Arc<dyn Trial>,
    progress: Arc<[Progress]>,
    came: Vec<Mutex<Option<Came>>>,
    /// The thread of each rank, once it has begun.
    threads: Vec<OnceLock<Thread>>,
}

/// Runs `trial` on ranks of this process; `progress` has one for each rank.
pub(super) fn run(threads: &dyn Threads, trial: &Arc<dyn Trial>, progress: &Arc<[Progress]>) -> Ran {
    trial.consult_reference(threads);
    let (ranks, limit) = (trial.question().id.ranks, trial.question().limit);
    let shared = Arc::new(Shared {
        trial: Arc::clone(trial),
        progress: Arc::clone(progress),
        came: (0..ranks).map(|_| Mutex::new(None)).collect(),
        threads: (0..ranks).map(|_| OnceLock::new()).collect(),
    });
    let outcome = threads.run(ranks, limit, job(&shared));
    // All are looked at before any of their lines is looked up, which takes a moment.
    let mut entries: Vec<_> = (0..ranks).map(|rank| shared.entry(rank, &outcome)).collect();
    let sampled: Vec<_> = entries.iter().map(|entry| shared.sample(entry)).collect();
    for (entry, sample) in entries.iter_mut().zip(sampled) {
        entry.doing = sample.map(|sample| sample.doing());
    }
    let mut lost = outcome.ranks.iter().any(|ended| matches!(ended, Ended::Lost));
    // Without a limit somebody is looking with a debugger.
    if let Some(unended) = limit.filter(|_| !lost).and_then(|_| ending::wait(shared.threads()).err()) {
        lost = true;
        let doing = unended.sample.map(|sample| sample.doing());
        let belongs = |rank: usize| shared.threads[rank].get() == Some(&unended.thread);
        entries = entries
            .into_iter()
            .map(|entry| if belongs(entry.rank) { entry.unended(doing.clone()) } else { entry })
            .collect();
    }
    Ran { entries, swept: Swept { findings: outcome.findings, retold: vec![], ..Swept::default() }, lost }
}

fn job(shared: &Arc<Shared>) -> ThreadsJob {
    let shared = Arc::clone(shared);
    Arc::new(move |transport| {
        let rank = transport.rank();
        if let Some(thread) = Thread::current() {
            shared.threads[rank].get_or_init(|| thread);
        }
        let came = shared.trial.attempt(transport, &shared.progress[rank]);
        let panic = came.panic.clone();
        *shared.came[rank].lock().unwrap_or_else(PoisonError::into_inner) = Some(came);
        if let Some(caught) = panic {
            // The backend has to know, so that it ends the others.
            resume_unwind(Box::new(caught.text));
        }
        Box::new(())
    })
}

impl Shared {
    /// The threads of all ranks: in virtual time they have one.
    fn threads(&self) -> impl Iterator<Item = Thread> {
        self.threads.iter().filter_map(OnceLock::get).copied()
    }

    fn entry(&self, rank: usize, outcome: &Outcome) -> Entry {
        let came = self.came[rank].lock().unwrap_or_else(PoisonError::into_inner).take();
        let entry = match came {
            Some(came) => self.trial.examine(came),
            None => {
                let text = match outcome.ranks[rank] {
                    Ended::Waited(other) => text::waited(Lang::of_environment(), other),
                    _ => String::new(),
                };
                Entry { stage: self.progress[rank].stage(), text, ..Entry::of(rank, How::Late) }
            }
        };
        match outcome.blocked.iter().find(|blocked| blocked.rank == rank) {
            Some(call) => stood(entry, call),
            None => entry,
        }
    }

    /// A look at a rank that did not come back and is in no call.
    fn sample(&self, entry: &Entry) -> Option<Sample> {
        self.threads[entry.rank].get().filter(|_| entry.is_outside())?.sample()
    }
}

/// A rank that stood in a call when nobody could go on: whatever it made of the error is a consequence.
fn stood(entry: Entry, call: &Blocked) -> Entry {
    if !entry.is_failure() {
        return entry;
    }
    Entry { how: How::Late, standing: Some(call.clone()), ..entry }
}
