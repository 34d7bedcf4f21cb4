//! The ranks that execute an order: this process is one of them, or all of them as threads.
//!
//! The invariant: *every rank leaves an answer, or its process ends.* A panic, a limit, exhausted memory, processes that the task has left
//! and a thread that does not end are answers, too, with their reason.
use std::{
    any::Any,
    collections::BTreeSet,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use wb_comm::{ProcessRanks, RankFunction, Transport, job::RankTermination, panic_place::RankPanic};
use wb_messages::{Lang, functional as text};
use wb_process::{
    children,
    stack::StackSample,
    thread_exit::{self, RunningThread},
};
use wb_record::Backend;

use crate::{
    Backends, ProcessRank, RankResult, RankWatchdog, StopReason,
    job::{Answers, RankAnswer},
    on_rank_thread,
    out_of_memory_answer::set_out_of_memory_answer,
    output_tail, rank_activity,
};

/// The exit code of a process whose rank has exceeded a limit.
const EXIT_INTERRUPTED: i32 = 124;

/// A rank that executes an order.
pub struct OrderedRank<S> {
    /// The communicator of all ranks.
    pub transport: Rc<dyn Transport>,
    /// The watch over its limits.
    pub watchdog: Arc<RankWatchdog<S>>,
    /// The number of the rank in its process.
    pub slot: usize,
}

/// The work of each rank.
pub type RankWork<R> =
    Arc<dyn Fn(OrderedRank<<R as RankResult>::Subject>) -> Result<R, StopReason> + Send + Sync>;

/// The ranks of an order.
pub struct OrderedRanks<R: RankResult> {
    /// The backends that this program is linked with.
    pub backends: Backends,
    /// The kind of ranks.
    pub backend: Backend,
    /// The number of ranks.
    pub size: usize,
    /// The limit of one step.
    pub limit: Option<Duration>,
    /// Where the ranks leave their answers.
    pub answers: Answers<R>,
    /// The work of each rank.
    pub work: RankWork<R>,
}

impl<R: RankResult> OrderedRanks<R> {
    /// Executes the work on all ranks of this process; false when a rank could not finish.
    ///
    /// # Errors
    /// When this program is not linked with the backend, or the library or the system refuses.
    pub fn execute(self) -> io::Result<bool> {
        match (self.backend, self.backends.processes) {
            (Backend::Threads, _) => self.execute_as_threads(),
            (Backend::Mpi, Some(processes)) => on_rank_thread(move || self.execute_as_process(processes)),
            (Backend::Mpi, None) => Err(io::Error::other("this program is not linked with MPI")),
            (Backend::VirtualTime, _) => Err(io::Error::other("nothing is measured in virtual time")),
        }
    }

    /// Executes the order in a process that is one rank of a launcher's job.
    fn execute_as_process(self, processes: &'static dyn ProcessRanks) -> io::Result<bool> {
        let joined = ProcessRank::join(processes)?;
        let (rank, size) = (joined.rank, joined.size);
        thread_exit::register_exit_hook()?;
        let late = Arc::clone(&self.answers);
        let watchdog = RankWatchdog::start(1, self.limit, move |_, subject, sample| {
            let call = processes.blocked_call().map(|call| call.to_string());
            let position = call.unwrap_or_else(|| describe_unknown_call(rank, sample));
            late(failed(rank, size, subject, StopReason::TimeLimit(position)));
            wb_process::exit_now(EXIT_INTERRUPTED);
        })?;
        self.answer_out_of_memory(vec![rank], size, &watchdog)?;
        let transport = joined.open()?;
        children::become_subreaper()?;
        let known = children::current_children();
        let mut result = self.run(OrderedRank { transport, watchdog: Arc::clone(&watchdog), slot: 0 });
        if let Some(reason) = end_leftover_processes(&known) {
            result = R::failed(watchdog.subject(0), reason);
        }
        let has_succeeded = result.failure().is_none();
        (self.answers)(RankAnswer::new(rank, size, result));
        joined.leave(has_succeeded)?;
        if self.limit.is_some() {
            let library = processes.library().implementation;
            let replace = move |unended| self.replace_answers(&[rank], (&library, size), unended);
            thread_exit::watch_thread(|| false, replace);
        }
        Ok(true)
    }

    /// Executes the order on threads of a process that has all ranks of its job, and must then end.
    fn execute_as_threads(self) -> io::Result<bool> {
        thread_exit::register_exit_hook()?;
        let this = Arc::new(self);
        let has_succeeded = Arc::clone(&this).run_threads()?;
        if this.limit.is_some() {
            thread_exit::watch_exit(move |unended| {
                let ranks: Vec<_> = (0..this.size).collect();
                this.replace_answers(&ranks, (&text::threads(Lang::from_environment()), this.size), unended);
            });
        }
        Ok(has_succeeded)
    }

    /// Executes the work on ranks that are threads of this process; false when one could not finish.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn run_threads(self: Arc<Self>) -> io::Result<bool> {
        let (size, late) = (self.size, Arc::clone(&self.answers));
        let watchdog = RankWatchdog::start(size, self.limit, move |late_rank, subject, sample| {
            let reason = StopReason::TimeLimit(describe_unknown_call(late_rank, sample));
            (0..size).for_each(|rank| late(failed(rank, size, subject.clone(), reason.clone())));
            wb_process::exit_now(EXIT_INTERRUPTED);
        })?;
        self.answer_out_of_memory((0..size).collect(), size, &watchdog)?;
        let (this, of_ranks) = (Arc::clone(&self), Arc::clone(&watchdog));
        let job: RankFunction = Arc::new(move |transport| {
            let (watchdog, slot) = (Arc::clone(&of_ranks), transport.rank());
            let result = this.run(OrderedRank { transport, watchdog, slot });
            let has_succeeded = result.failure().is_none();
            (this.answers)(RankAnswer::new(slot, this.size, result));
            Box::new(has_succeeded) as Box<dyn Any + Send>
        });
        children::become_subreaper()?;
        let known = children::current_children();
        let outcome = self.backends.threads.run(size, None, job);
        let unended = self.limit.and_then(|_| thread_exit::wait_for_threads(watchdog.threads()).err());
        if let Some(unended) = unended {
            let its = (0..size).filter(|rank| watchdog.thread(*rank) == Some(unended.thread));
            let its: Vec<_> = its.collect();
            self.replace_answers(&its, (&text::threads(Lang::from_environment()), size), unended);
        }
        if let Some(reason) = end_leftover_processes(&known) {
            (0..size).for_each(|rank| (self.answers)(failed(rank, size, None, reason.clone())));
            return Ok(false);
        }
        let has_succeeded = |ended: &RankTermination| matches!(ended, RankTermination::Returned(done) if done.downcast_ref() == Some(&true));
        Ok(outcome.ranks.iter().all(has_succeeded))
    }

    /// The result of the work on one rank; a panic is a result too.
    fn run(&self, rank: OrderedRank<R::Subject>) -> R {
        let (number, slot, watchdog) = (rank.transport.rank(), rank.slot, Arc::clone(&rank.watchdog));
        watchdog.register_thread(slot);
        let reason = match catch_unwind(AssertUnwindSafe(|| (self.work)(rank))) {
            Ok(Ok(result)) => return result,
            Ok(Err(reason)) => reason,
            Err(panic) => StopReason::Panic(output_tail::text(&RankPanic::caught(&*panic).of_rank(number))),
        };
        R::failed(watchdog.subject(slot), reason)
    }

    /// Makes exhausted memory the answer of these ranks of a job of `size`.
    fn answer_out_of_memory(
        &self,
        ranks: Vec<usize>,
        size: usize,
        watchdog: &Arc<RankWatchdog<R::Subject>>,
    ) -> io::Result<()> {
        let (answers, watchdog) = (Arc::clone(&self.answers), Arc::clone(watchdog));
        let rank_of_process = (ranks.len() == 1).then(|| ranks[0]);
        set_out_of_memory_answer(rank_of_process, move |described| {
            for (slot, &rank) in ranks.iter().enumerate() {
                let reason = StopReason::OutOfMemory(described.to_owned());
                answers(failed(rank, size, watchdog.subject(slot), reason));
            }
        })
    }

    /// Replaces the answers of ranks that have left them and do not end, and ends this process.
    fn replace_answers(&self, ranks: &[usize], job: (&str, usize), unended: RunningThread) {
        let described = rank_activity::describe_unterminated(ranks, job, unended, Lang::from_environment());
        for &rank in ranks {
            (self.answers)(failed(rank, job.1, None, StopReason::Error(described.clone())));
        }
        wb_process::exit_now(1)
    }
}

fn failed<R: RankResult>(
    rank: usize,
    size: usize,
    subject: Option<R::Subject>,
    reason: StopReason,
) -> RankAnswer<R> {
    RankAnswer::new(rank, size, R::failed(subject, reason))
}

/// Ends the processes that the task has left running; they are the reason why the job has failed.
fn end_leftover_processes(known: &BTreeSet<u32>) -> Option<StopReason> {
    let left = children::kill_others(known);
    (!left.is_empty()).then(|| {
        StopReason::LeftoverProcesses(output_tail::describe_children(&left, Lang::from_environment()))
    })
}

/// The position of a rank whose current call is not known.
fn describe_unknown_call(rank: usize, sample: Option<StackSample>) -> String {
    let describe =
        |sample: StackSample| rank_activity::describe(rank, &sample.activity(), Lang::from_environment());
    sample.and_then(describe).unwrap_or_else(|| format!("rank {rank}"))
}
