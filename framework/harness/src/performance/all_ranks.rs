//! A worker that is all ranks of its job, one running at a time: in virtual time, or in every order that MPI allows.
//!
//! It answers also where the task does not come to an end: for memory that runs out, for a rank that computes for ever, and for
//! processes that the task leaves behind.
use std::{
    io,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use serde::{Serialize, de::DeserializeOwned};
use wb_messages::{Lang, functional, number, prediction as text};
use wb_process::{children, stack::Thread};

use super::{exhausted, memory};
use crate::{
    errand::{self, Vain},
    functional::doing,
    said,
};

/// Makes the answer for a task that did not come to an end, from the reason.
pub(super) type Blame<A> = Arc<dyn Fn(&str) -> Result<A, String> + Send + Sync>;

/// Watches the thread that all ranks run on.
pub(super) struct Guard(Mutex<Watched>);

struct Watched {
    runner: Option<Thread>,
    /// When the run of the job began that is under way.
    begun: Instant,
}

impl Guard {
    fn new() -> Self {
        Self(Mutex::new(Watched { runner: None, begun: Instant::now() }))
    }

    fn watched(&self) -> MutexGuard<'_, Watched> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The calling thread is the one that all ranks run on.
    pub(super) fn enter(&self) {
        self.watched().runner = Thread::current();
    }

    /// Another run of the job begins now.
    pub(super) fn begin_run(&self) {
        self.watched().begun = Instant::now();
    }

    /// The limit of a run is over: which rank runs, what it is doing, in which line, and what its author can do.
    pub(super) fn over_limit(&self, limit: Duration, lang: Lang) -> String {
        let headline = text::over_limit(lang, number::shortest(lang, limit.as_secs_f64()));
        [Some(headline), self.diagnosis(lang)].into_iter().flatten().collect::<Vec<_>>().join("\n")
    }

    fn diagnosis(&self, lang: Lang) -> Option<String> {
        let runner = self.watched().runner;
        let sample = runner?.sample()?;
        let place = doing::told(sample.rank()?, &sample.doing(), lang)?;
        Some(format!("{place}\n{}", text::hint_endless(lang)))
    }

    /// Calls `expired` with what there is to say once a run takes longer than `limit`.
    pub(super) fn watch(
        self: &Arc<Self>,
        limit: Option<Duration>,
        expired: impl FnOnce(&str) + Send + 'static,
    ) -> io::Result<()> {
        let Some(limit) = limit else { return Ok(()) };
        let guard = Arc::downgrade(self);
        let look = move || {
            while let Some(guard) = guard.upgrade() {
                let left = limit.saturating_sub(guard.watched().begun.elapsed());
                if left.is_zero() {
                    return expired(&guard.over_limit(limit, Lang::of_environment()));
                }
                drop(guard);
                thread::sleep(left);
            }
        };
        thread::Builder::new().name("wb-limit".into()).spawn(look).map(drop)
    }
}

/// Where an answer goes, and how one is made of a reason.
pub(super) struct Leave<A> {
    folder: PathBuf,
    blame: Blame<A>,
}

impl<A> Clone for Leave<A> {
    fn clone(&self) -> Self {
        Self { folder: self.folder.clone(), blame: Arc::clone(&self.blame) }
    }
}

impl<A: Serialize> Leave<A> {
    /// Leaves the answer for a task that did not come to an end.
    pub(super) fn blame(&self, why: &str) {
        if let Err(error) = errand::answer(&self.folder, 0, &(self.blame)(why)) {
            eprintln!("{}: {error}", self.folder.display());
        }
    }
}

/// Carries out the order at `path`, leaves an answer, and gives the exit code. `blame` makes the answer of an order for a
/// task that did not come to an end.
pub(super) fn run<O: DeserializeOwned, A: Serialize + 'static>(
    path: &Path,
    blame: impl Fn(&O) -> Blame<A>,
    carry_out: impl FnOnce(&O, &Arc<Guard>, &Leave<A>) -> io::Result<Result<A, String>>,
) -> ExitCode {
    let carried_out = errand::asked(path).and_then(|order| {
        wb_process::die_with_parent()?;
        children::adopt()?;
        let known = children::known();
        let leave = Leave { folder: path.parent().unwrap_or(path).to_owned(), blame: blame(&order) };
        let (of_memory, lang) = (leave.clone(), Lang::of_environment());
        let hint = functional::hint_exhausted(lang);
        exhausted::answer_for(None, move |told| of_memory.blame(&format!("{told}\n{hint}")))?;
        let result = carry_out(&order, &Arc::new(Guard::new()), &leave)?;
        let left = children::end_others(&known);
        if !left.is_empty() {
            leave.blame(&said::by_children(&left, lang));
            return Ok(false);
        }
        errand::answer(&leave.folder, 0, &result)?;
        Ok(result.is_ok())
    });
    errand::concluded(path, carried_out)
}

/// Why a worker has no answer, in words.
pub(super) fn reason(vain: Vain, deadline: Duration, lang: Lang) -> String {
    match vain {
        Vain::Failed(why) | Vain::LeftBehind(why) => why,
        Vain::Overdue(said) => format!("{}\n{said}", text::overdue(lang, deadline.as_secs())),
        Vain::Silent(said, Some(signal)) => {
            let available =
                memory::available().map_or_else(|| "?".to_owned(), |bytes| memory::amount(lang, bytes));
            format!("{}\n{said}", text::killed(lang, signal, available))
        }
        Vain::Silent(said, None) => format!("{}\n{said}", text::silent(lang)),
    }
}
