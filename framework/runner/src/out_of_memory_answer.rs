//! The answer of a process that runs out of memory: it leaves an answer with the reason, and ends.
use std::{io, sync::OnceLock};

use wb_comm::{Rank, current_rank};
use wb_messages::{Lang, functional as text};
use wb_process::out_of_memory::{self, OutOfMemory};

/// The parts of the last answer.
struct AbortAnswer {
    /// The rank of a process that is one rank.
    rank: Option<Rank>,
    write_answer: Box<dyn Fn(&str) + Send + Sync>,
}

static ABORT_ANSWER: OnceLock<AbortAnswer> = OnceLock::new();

/// Makes this process leave an answer with `leave` when it runs out of memory: first the rank and the requested size,
/// then also the line, which takes time to find. `rank` is the rank of a process that is one rank.
///
/// # Errors
/// When the system refuses the hook.
pub fn set_out_of_memory_answer(
    rank: Option<Rank>,
    leave: impl Fn(&str) + Send + Sync + 'static,
) -> io::Result<()> {
    // A process is one worker.
    let _first = ABORT_ANSWER.set(AbortAnswer { rank, write_answer: Box::new(leave) });
    out_of_memory::on_out_of_memory(report_out_of_memory)
}

fn report_out_of_memory(exhausted: &OutOfMemory) {
    let Some(AbortAnswer { rank, write_answer: leave }) = ABORT_ANSWER.get() else { return };
    let lang = Lang::from_environment();
    let rank = rank.or_else(current_rank::rank).unwrap_or(0);
    leave(&text::out_of_memory_unlocated(lang, rank, exhausted.amount(lang)));
    if let Some(line) = exhausted.user_line() {
        leave(&text::out_of_memory_at(lang, rank, exhausted.amount(lang), line));
    }
    wb_process::exit_now(1)
}
