//! This process as the job in which all tests run: on threads, or in virtual time.
//!
//! A process of its own, so that a rank that never returns, or ends the process, takes only itself along.
use std::{
    collections::BTreeSet,
    io,
    path::Path,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    thread,
};

use wb_comm::{Threads, current};
use wb_process::{
    children,
    ending::{self, Unended},
    memory::{self, Exhausted},
};
use wb_task::Progress;

use super::{
    case::{self, Case},
    entry::{Entry, How},
    evidence::RunEvidence,
    exhausted,
    journal::{Event, Journal},
    judge,
    lane::{Judged, LaneId},
    member::{FAILED, LOCATING},
    question::{Question, RunId},
    threads::{self, Ran},
    trial::Trial,
    unended,
    virtual_time::InVirtualTime,
};

/// See the module.
#[derive(Debug)]
pub(super) struct Child {
    journal: Journal,
    lane: LaneId,
    /// The run that is going on, and where its ranks are.
    running: Mutex<Option<(RunId, Arc<[Progress]>)>>,
    /// The processes below this one that are none of a task's.
    children: BTreeSet<u32>,
    /// One test at a time.
    turn: Mutex<()>,
}

static CHILD: OnceLock<Arc<Child>> = OnceLock::new();

impl Child {
    /// The one of this process.
    pub(super) fn start(lane: LaneId, folder: &Path) -> io::Result<Arc<Self>> {
        let journal = Journal::create(folder, 0)?;
        children::adopt()?;
        let (running, turn, children) = (Mutex::new(None), Mutex::new(()), children::known());
        let child = Arc::new(Self { journal, lane, running, children, turn });
        if CHILD.set(Arc::clone(&child)).is_ok() {
            ending::expect_exit()?;
            wb_process::at_exit(say_goodbye);
            memory::on_exhausted(tell_exhausted)?;
        }
        Ok(child)
    }

    /// Takes a test through all its numbers of ranks.
    pub(super) fn run(&self, case: &Case, judged: &Judged) -> io::Result<()> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let in_virtual_time = InVirtualTime(case.backends.watched_virtual_time);
        let backend: &dyn Threads = match self.lane {
            LaneId::VirtualTime => &in_virtual_time,
            LaneId::Threads | LaneId::Processes(_) => case.backends.watched_threads,
        };
        unended::begin();
        let mut last = None;
        for (ranks, trials) in case.trials.iter().filter(|(ranks, _)| !judged.has(&case.name, *ranks)) {
            let id = case::id(&case.name, *ranks);
            self.journal.write(&Event::Case { id: id.clone(), inputs: trials.len() })?;
            for trial in trials {
                last = Some(trial.question());
                if !self.passes(backend, trial)? {
                    break;
                }
            }
            self.journal.write(&Event::Done(id))?;
        }
        if let Some(last) = last.filter(|last| last.limit.is_some()) {
            unended::watch(last.id.clone(), tell_unended);
        }
        Ok(())
    }

    fn passes(&self, threads: &dyn Threads, trial: &Arc<dyn Trial>) -> io::Result<bool> {
        let Question { id, .. } = trial.question();
        self.journal.write(&Event::Ready(id.clone()))?;
        let progress: Arc<[Progress]> = (0..id.ranks).map(|_| Progress::default()).collect();
        self.set_running(Some((id.clone(), Arc::clone(&progress))));
        let Ran { entries, mut swept, lost } = threads::run(threads, trial, &progress);
        if memory::is_ending() {
            thread::sleep(LOCATING); // Another thread is ending this process.
        }
        self.set_running(None);
        swept.processes = children::end_others(&self.children).iter().map(ToString::to_string).collect();
        let mut evidence = RunEvidence { swept: swept.clone(), ..RunEvidence::default() };
        for entry in entries {
            self.journal.write(&Event::End(id.clone(), Box::new(entry.clone())))?;
            evidence.entries.insert(entry.rank, entry);
        }
        self.journal.write(&Event::Swept(id.clone(), swept))?;
        if lost {
            wb_process::exit_now(FAILED); // The lost thread computes on; the next test needs its core.
        }
        Ok(judge::run(trial.question(), &evidence).is_none())
    }

    fn set_running(&self, run: Option<(RunId, Arc<[Progress]>)>) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = run;
    }
}

/// The rank on this thread has asked for more memory than there is: its process ends with it.
fn tell_exhausted(exhausted: &Exhausted) {
    let Some(child) = CHILD.get() else { return };
    let running = child.running.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((id, progress)) = running {
        let rank = current::rank().unwrap_or(0);
        let stage = progress.get(rank).and_then(Progress::stage);
        let entry = exhausted::entry(rank, stage, exhausted);
        let _unwritten = child.journal.write(&Event::End(id.clone(), Box::new(entry)));
        let _unwritten = child.journal.write(&Event::Doing(id, rank, exhausted::doing(exhausted)));
        wb_process::exit_now(FAILED);
    }
}

/// The process of all ranks does not end after a test.
fn tell_unended(id: RunId, unended: Unended) {
    let Some(child) = CHILD.get() else { return };
    let doing = unended.sample.map(|sample| sample.doing());
    let ranks = (0..id.ranks).collect();
    // What cannot be written is missed by who judges.
    let _unwritten = child.journal.write(&Event::Unended(id, ranks, doing));
    wb_process::exit_now(FAILED)
}

/// The exit hook: an orderly end, or `exit` in the middle of a run. The hook runs on the thread that exits.
fn say_goodbye() {
    let Some(child) = CHILD.get() else { return };
    let running = child.running.lock().unwrap_or_else(PoisonError::into_inner).take();
    // Nobody is left to hear of a failure to write; the missing record tells.
    match running {
        Some((id, progress)) => {
            let rank = current::rank().unwrap_or(0);
            let stage = progress.get(rank).and_then(Progress::stage);
            let entry = Entry { stage, ..Entry::of(rank, How::Left) };
            let _unwritten = child.journal.write(&Event::End(id, Box::new(entry)));
            wb_process::exit_now(FAILED);
        }
        None => drop(child.journal.write(&Event::Bye)),
    }
}
