//! A worker that runs all ranks of its job, one at a time: in virtual time, or in every order that MPI allows.
//!
//! It also answers when the task does not end: when memory runs out, when a rank computes without end, and when the
//! task leaves processes.
use std::{io, sync::Arc, time::Duration};

use wb_messages::{Lang, functional, number, prediction as text};
use wb_process::{children, stack::StackSample};
use wb_runner::{
    RankWatchdog,
    job::{Answers, RankAnswer},
    out_of_memory_answer::set_out_of_memory_answer,
    output_tail, rank_activity,
    single_worker::WorkerError,
};

use crate::simulated::memory;

/// Makes the answer for a task that did not end, from the reason.
pub(crate) type BlameAnswer<A> = Arc<dyn Fn(&str) -> Result<A, String> + Send + Sync>;

/// The watch over the thread that all ranks run on, which registers itself; each run of the job arms it.
pub(crate) type RunWatch = RankWatchdog<()>;

/// The description of an exceeded limit: the running rank, its activity and line, and advice for the author.
pub(crate) fn describe_over_limit(sample: Option<StackSample>, limit: Duration, lang: Lang) -> String {
    let headline = text::over_limit(lang, number::shortest(lang, limit.as_secs_f64()));
    let position = || {
        let sample = sample?;
        let place = rank_activity::describe(sample.rank()?, &sample.activity(), lang)?;
        Some(format!("{place}\n{}", text::hint_endless(lang)))
    };
    [Some(headline), position()].into_iter().flatten().collect::<Vec<_>>().join("\n")
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
/// did not end, `limit` is that of each run of the job, where the backend does not keep it.
pub(crate) fn run<A: 'static>(
    answers: Answers<Result<A, String>>,
    blame: BlameAnswer<A>,
    limit: Option<Duration>,
    carry_out: impl FnOnce(&Arc<RunWatch>) -> Result<A, String>,
) -> io::Result<bool> {
    children::become_subreaper()?;
    let known = children::current_children();
    let answer = WorkerAnswer { answers, blame };
    let (of_memory, lang) = (answer.clone(), Lang::from_environment());
    let hint = functional::hint_out_of_memory(lang);
    set_out_of_memory_answer(None, move |described| {
        of_memory.send_blame(&format!("{described}\n{hint}"));
    })?;
    let late = answer.clone();
    let watch = RunWatch::start(1, limit, move |_, _, sample| {
        late.send_blame(&describe_over_limit(sample, limit.unwrap_or_default(), lang));
        wb_process::exit_now(1)
    })?;
    let result = carry_out(&watch);
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
