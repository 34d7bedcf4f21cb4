//! A rank of a worker that runs out of memory: its process leaves an answer for each of its ranks that says so, and ends.
use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use wb_comm::current;
use wb_messages::{Lang, functional as text};
use wb_process::memory::{self, Exhausted};

use super::{order::Why, watch::Watch, worker};

/// What the last word is made of.
struct Worker {
    folder: PathBuf,
    /// The ranks of this process.
    ranks: Vec<usize>,
    /// The ranks of the job.
    size: usize,
    watch: Arc<Watch>,
}

static WORKER: OnceLock<Worker> = OnceLock::new();

/// From now on memory that runs out is the answer of these ranks of a job of `size`.
pub(super) fn answer_for(
    folder: &Path,
    ranks: Vec<usize>,
    size: usize,
    watch: &Arc<Watch>,
) -> io::Result<()> {
    let worker = Worker { folder: folder.to_owned(), ranks, size, watch: Arc::clone(watch) };
    // A process is one worker.
    let _first = WORKER.set(worker);
    memory::on_exhausted(tell)
}

fn tell(exhausted: &Exhausted) {
    let Some(Worker { folder, ranks, size, watch }) = WORKER.get() else { return };
    let lang = Lang::of_environment();
    let rank = current::rank().filter(|_| ranks.len() > 1).or(ranks.first().copied()).unwrap_or(0);
    let leave = |told: String| {
        for &rank in ranks {
            let why = Why::Memory(told.clone());
            worker::leave(folder, &worker::failed(rank, *size, watch.workload(), why));
        }
    };
    leave(text::exhausted_somewhere(lang, rank, exhausted.amount(lang)));
    if let Some(line) = exhausted.line() {
        leave(text::exhausted_at(lang, rank, exhausted.amount(lang), line));
    }
    wb_process::exit_now(1)
}
