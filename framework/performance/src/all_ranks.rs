//! A worker that runs all ranks of its job, one at a time: in virtual time, or in every order that MPI allows.
//!
//! It also answers when the task does not end: when memory runs out, when a rank computes without end, and when the
//! task leaves processes.
use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use wb_messages::{Lang, functional, number, prediction as text};
use wb_process::{children, stack::Thread};
use wb_runner::{
    job::{Answers, RankAnswer},
    output_tail, rank_activity,
    single_worker::WorkerError,
};

use crate::{out_of_memory, simulated::memory};

/// Makes the answer for a task that did not end, from the reason.
pub(crate) type BlameAnswer<A> = Arc<dyn Fn(&str) -> Result<A, String> + Send + Sync>;

/// Watches the thread that all ranks run on.
pub(crate) struct RunGuard(Mutex<GuardedRun>);

struct GuardedRun {
    runner: Option<Thread>,
    /// The start time of the current run of the job.
    started_at: Instant,
}

impl RunGuard {
    fn new() -> Self {
        Self(Mutex::new(GuardedRun { runner: None, started_at: Instant::now() }))
    }

    fn lock(&self) -> MutexGuard<'_, GuardedRun> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers the calling thread as the one that all ranks run on.
    pub(crate) fn enter(&self) {
        self.lock().runner = Thread::current();
    }

    /// Records that another run of the job starts.
    pub(crate) fn begin_run(&self) {
        self.lock().started_at = Instant::now();
    }

    /// The description of an exceeded limit: the running rank, its activity and line, and advice for the author.
    pub(crate) fn over_limit(&self, limit: Duration, lang: Lang) -> String {
        let headline = text::over_limit(lang, number::shortest(lang, limit.as_secs_f64()));
        [Some(headline), self.diagnosis(lang)].into_iter().flatten().collect::<Vec<_>>().join("\n")
    }

    fn diagnosis(&self, lang: Lang) -> Option<String> {
        let runner = self.lock().runner;
        let sample = runner?.sample()?;
        let place = rank_activity::describe(sample.rank()?, &sample.activity(), lang)?;
        Some(format!("{place}\n{}", text::hint_endless(lang)))
    }

    /// Calls `expired` with a description when a run takes longer than `limit`.
    pub(crate) fn start_watching(
        self: &Arc<Self>,
        limit: Option<Duration>,
        expired: impl FnOnce(&str) + Send + 'static,
    ) -> io::Result<()> {
        let Some(limit) = limit else { return Ok(()) };
        let guard = Arc::downgrade(self);
        let look = move || {
            while let Some(guard) = guard.upgrade() {
                let left = limit.saturating_sub(guard.lock().started_at.elapsed());
                if left.is_zero() {
                    return expired(&guard.over_limit(limit, Lang::from_environment()));
                }
                drop(guard);
                thread::sleep(left);
            }
        };
        thread::Builder::new().name("wb-limit".into()).spawn(look).map(drop)
    }
}

/// Sends the answer of a task, or one that is made from a reason.
pub(crate) struct WorkerAnswer<A> {
    answers: Answers<Result<A, String>>,
    blame: BlameAnswer<A>,
}

impl<A> Clone for WorkerAnswer<A> {
    fn clone(&self) -> Self {
        Self { answers: Arc::clone(&self.answers), blame: Arc::clone(&self.blame) }
    }
}

impl<A> WorkerAnswer<A> {
    fn send(&self, result: Result<A, String>) {
        (self.answers)(RankAnswer::new(0, 1, result));
    }

    /// Sends the answer for a task that did not end.
    pub(crate) fn send_blame(&self, why: &str) {
        self.send((self.blame)(why));
    }
}

/// Executes an order and sends an answer; returns whether it has a result. `blame` makes the answer for a task that
/// did not end.
pub(crate) fn run<A: 'static>(
    answers: Answers<Result<A, String>>,
    blame: BlameAnswer<A>,
    carry_out: impl FnOnce(&Arc<RunGuard>, &WorkerAnswer<A>) -> io::Result<Result<A, String>>,
) -> io::Result<bool> {
    children::become_subreaper()?;
    let known = children::current_children();
    let answer = WorkerAnswer { answers, blame };
    let (of_memory, lang) = (answer.clone(), Lang::from_environment());
    let hint = functional::hint_out_of_memory(lang);
    out_of_memory::set_out_of_memory_answer(None, move |described| {
        of_memory.send_blame(&format!("{described}\n{hint}"));
    })?;
    let result = carry_out(&Arc::new(RunGuard::new()), &answer)?;
    let left = children::kill_others(&known);
    if !left.is_empty() {
        answer.send_blame(&output_tail::describe_children(&left, lang));
        return Ok(false);
    }
    let has_result = result.is_ok();
    answer.send(result);
    Ok(has_result)
}

/// The reason why a worker has no answer, as text.
pub(crate) fn describe_worker_error(error: WorkerError, deadline: Duration, lang: Lang) -> String {
    match error {
        WorkerError::Failed(why) | WorkerError::LeftoverProcesses(why) => why,
        WorkerError::TimedOut(said) => format!("{}\n{said}", text::timed_out(lang, deadline.as_secs())),
        WorkerError::NoAnswer(said, Some(signal)) => {
            let available =
                memory::available().map_or_else(|| "?".to_owned(), |bytes| memory::format_bytes(lang, bytes));
            format!("{}\n{said}", text::killed(lang, signal, available))
        }
        WorkerError::NoAnswer(said, None) => format!("{}\n{said}", text::no_answer(lang)),
    }
}
