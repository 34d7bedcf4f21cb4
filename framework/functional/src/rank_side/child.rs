//! This process as the job in which all tests run: on threads, or in virtual time.
//!
//! It is a separate process, so that a rank that never returns, or ends the process, does not affect other jobs.
use std::{
    collections::BTreeSet,
    io,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    thread,
};

use wb_comm::{ThreadRanks, current_rank};
use wb_process::{
    children,
    out_of_memory::{self, OutOfMemory},
    thread_exit::{self, RunningThread},
};
use wb_record::Backend;
use wb_runner::RunnerLink;
use wb_task::Progress;

use crate::{
    coordinator::Instruction,
    evidence::{
        event::TestEvent,
        rank_report::{RankOutcome, RankReport},
    },
    job_protocol::{CompletedTests, EXIT_FAILED, LOCATE_TIMEOUT},
    judge::memory_failure,
    rank_side::{
        coordinator_link::CoordinatorLink,
        termination,
        threads::{self, ThreadsRun},
        virtual_time::VirtualTimeThreads,
    },
    test::{
        erased_test::{self, ErasedTest},
        test_case::{RunId, TestCase},
        test_run::TestRun,
    },
};

pub(crate) struct Child {
    link: CoordinatorLink,
    backend: Backend,
    /// The present run, and the positions of its ranks.
    running: Mutex<Option<(RunId, Arc<[Progress]>)>>,
    /// The processes below this one that the task did not start.
    children: BTreeSet<u32>,
    /// One test at a time.
    test_lock: Mutex<()>,
}

static CHILD: OnceLock<Arc<Child>> = OnceLock::new();

impl Child {
    /// The one of this process.
    pub(crate) fn start(backend: Backend, link: Arc<RunnerLink>) -> io::Result<Arc<Self>> {
        children::become_subreaper()?;
        let (running, test_lock, children) = (Mutex::new(None), Mutex::new(()), children::current_children());
        let link = CoordinatorLink::new(link);
        let child = Arc::new(Self { link, backend, running, children, test_lock });
        if CHILD.set(Arc::clone(&child)).is_ok() {
            thread_exit::register_exit_hook()?;
            wb_process::at_exit(on_exit);
            out_of_memory::on_out_of_memory(report_out_of_memory)?;
        }
        child.link.listen(|instruction| {
            if let Instruction::Leave(code) = instruction {
                wb_process::exit_now(*code);
            }
        })?;
        Ok(child)
    }

    /// Runs a test at all its numbers of ranks.
    pub(crate) fn run(&self, case: &ErasedTest, completed: &CompletedTests) {
        let _turn = self.test_lock.lock().unwrap_or_else(PoisonError::into_inner);
        let in_virtual_time = VirtualTimeThreads(case.backends.watched_virtual_time);
        let backend: &dyn ThreadRanks = match self.backend {
            Backend::VirtualTime => &in_virtual_time,
            Backend::Threads | Backend::Mpi => case.backends.watched_threads,
        };
        termination::begin();
        let mut last = None;
        for (ranks, test_runs) in
            case.test_runs.iter().filter(|(ranks, _)| !completed.contains(&case.name, *ranks))
        {
            let id = erased_test::run_id(&case.name, *ranks);
            let cases = test_runs.iter().map(|test_run| test_run.test_case().clone()).collect();
            self.link.step(&TestEvent::Test(id.clone(), cases), || {});
            for test_run in test_runs {
                last = Some(test_run.test_case());
                if !self.run_once(backend, test_run) {
                    break;
                }
            }
            self.link.step(&TestEvent::Done(id), || {});
        }
        if let Some(last) = last.filter(|last| last.limit.is_some()) {
            termination::watch_termination(last.id.clone(), report_unterminated);
        }
    }

    fn run_once(&self, threads: &dyn ThreadRanks, test_run: &Arc<dyn TestRun>) -> bool {
        let TestCase { id, .. } = test_run.test_case();
        self.link.report(&TestEvent::Ready(id.clone()));
        let progress: Arc<[Progress]> = (0..id.ranks).map(|_| Progress::default()).collect();
        self.set_running(Some((id.clone(), Arc::clone(&progress))));
        let ThreadsRun { reports, mut leaks, has_lost_rank } = threads::run(threads, test_run, &progress);
        if out_of_memory::is_ending() {
            thread::sleep(LOCATE_TIMEOUT); // Another thread is ending this process.
        }
        self.set_running(None);
        leaks.processes = children::kill_others(&self.children).iter().map(ToString::to_string).collect();
        self.link.report(&TestEvent::RanksEnded(id.clone(), reports));
        let leaks = TestEvent::Leaks(id.clone(), leaks);
        let answer = self.link.step(&leaks, || {});
        if has_lost_rank {
            wb_process::exit_now(EXIT_FAILED); // The lost thread computes on; the next test needs its core.
        }
        answer == Instruction::Continue { is_right: true }
    }

    fn set_running(&self, run: Option<(RunId, Arc<[Progress]>)>) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = run;
    }
}

/// The rank on this thread has requested more memory than available: its process ends.
fn report_out_of_memory(exhausted: &OutOfMemory) {
    let Some(child) = CHILD.get() else { return };
    let running = child.running.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((id, progress)) = running {
        let rank = current_rank::rank().unwrap_or(0);
        let stage = progress.get(rank).and_then(Progress::stage);
        let entry = memory_failure::rank_report(rank, stage, exhausted);
        child.link.report(&TestEvent::RanksEnded(id.clone(), vec![entry]));
        child.link.report(&TestEvent::Activity(id, rank, memory_failure::activity(exhausted)));
        wb_process::exit_now(EXIT_FAILED);
    }
}

/// The process of all ranks does not end after a test.
fn report_unterminated(id: RunId, unended: RunningThread) {
    let Some(child) = CHILD.get() else { return };
    let doing = unended.sample.map(|sample| sample.activity());
    let ranks = (0..id.ranks).collect();
    child.link.report(&TestEvent::Unterminated(id, ranks, doing));
    wb_process::exit_now(EXIT_FAILED)
}

/// The exit hook: an orderly end, or `exit` in the middle of a run. The hook runs on the thread that exits.
fn on_exit() {
    let Some(child) = CHILD.get() else { return };
    let running = child.running.lock().unwrap_or_else(PoisonError::into_inner).take();
    match running {
        Some((id, progress)) => {
            let rank = current_rank::rank().unwrap_or(0);
            let stage = progress.get(rank).and_then(Progress::stage);
            let entry = RankReport { stage, ..RankReport::new(rank, RankOutcome::Exited) };
            child.link.report(&TestEvent::RanksEnded(id, vec![entry]));
            wb_process::exit_now(EXIT_FAILED);
        }
        None => child.link.exit(),
    }
}
