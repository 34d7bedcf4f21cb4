//! A worker whose memory runs out: its process leaves an answer that says so, and ends.
use std::{io, sync::OnceLock};

use wb_comm::{Rank, current};
use wb_messages::{Lang, functional as text};
use wb_process::memory::{self, Exhausted};

/// What the last word is made of.
struct Worker {
    /// Of a process that is one rank.
    rank: Option<Rank>,
    leave: Box<dyn Fn(&str) + Send + Sync>,
}

static WORKER: OnceLock<Worker> = OnceLock::new();

/// From now on memory that runs out is what `leave` leaves as an answer: first who asked and how much, then the line as well,
/// which takes a moment to find. `rank` is that of a process that is one rank.
pub(super) fn answer_for(rank: Option<Rank>, leave: impl Fn(&str) + Send + Sync + 'static) -> io::Result<()> {
    // A process is one worker.
    let _first = WORKER.set(Worker { rank, leave: Box::new(leave) });
    memory::on_exhausted(tell)
}

fn tell(exhausted: &Exhausted) {
    let Some(Worker { rank, leave }) = WORKER.get() else { return };
    let lang = Lang::of_environment();
    let rank = rank.or_else(current::rank).unwrap_or(0);
    leave(&text::exhausted_somewhere(lang, rank, exhausted.amount(lang)));
    if let Some(line) = exhausted.line() {
        leave(&text::exhausted_at(lang, rank, exhausted.amount(lang), line));
    }
    wb_process::exit_now(1)
}
