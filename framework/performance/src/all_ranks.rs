//! A worker that runs all ranks of its job, one at a time: in virtual time, or in every order that MPI allows.
//!
//! It also answers when the task does not end: when memory runs out, when a rank computes without end, and when the
//! task leaves processes.
use std::{io, sync::Arc, time::Duration};

use wb_messages::{Lang, functional, number, prediction as text};
use wb_process::{children, stack::StackSample};
use wb_runner::{
    RankWatchdog, StopReason,
    job::{Answers, RankAnswer},
    out_of_memory_answer::set_out_of_memory_answer,
    output_tail, rank_activity,
    single_worker::{WorkerError, WorkerResult},
};

use crate::simulated::memory;

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

/// Where a worker leaves its answer.
pub(crate) type WorkerAnswers<A> = Answers<WorkerResult<A>>;

/// Executes an order and leaves an answer; returns whether it has a result. `limit` is that of each run of the job, where the
/// backend does not keep it.
pub(crate) fn run<A: 'static>(
    answers: WorkerAnswers<A>,
    limit: Option<Duration>,
    carry_out: impl FnOnce(&Arc<RunWatch>) -> Result<A, String>,
) -> io::Result<bool> {
    children::become_subreaper()?;
    let (known, lang) = (children::current_children(), Lang::from_environment());
    let answer = move |result| answers(RankAnswer::new(0, 1, result));
    let (of_memory, late) = (answer.clone(), answer.clone());
    let hint = functional::hint_out_of_memory(lang);
    set_out_of_memory_answer(None, move |described| {
        of_memory(Err(StopReason::OutOfMemory(format!("{described}\n{hint}"))));
    })?;
    let watch = RunWatch::start(1, limit, move |_, _, sample| {
        let described = describe_over_limit(sample, limit.unwrap_or_default(), lang);
        late(Err(StopReason::TimeLimit(described)));
        wb_process::exit_now(1)
    })?;
    let mut result = carry_out(&watch).map_err(StopReason::Error);
    let left = children::kill_others(&known);
    if !left.is_empty() {
        result = Err(StopReason::LeftoverProcesses(output_tail::describe_children(&left, lang)));
    }
    let has_result = result.is_ok();
    answer(result);
    Ok(has_result)
}

/// The reason why a worker has no answer, as text.
pub(crate) fn describe_worker_error(error: WorkerError, deadline: Duration, lang: Lang) -> String {
    match error {
        WorkerError::Stopped(reason) => reason.text().to_owned(),
        WorkerError::TimedOut(detail) => format!("{}\n{detail}", text::timed_out(lang, deadline.as_secs())),
        WorkerError::NoAnswer(detail, Some(signal)) => {
            let available =
                memory::available().map_or_else(|| "?".to_owned(), |bytes| memory::format_bytes(lang, bytes));
            format!("{}\n{detail}", text::killed(lang, signal, available))
        }
        WorkerError::NoAnswer(detail, None) => format!("{}\n{detail}", text::no_answer(lang)),
    }
}
