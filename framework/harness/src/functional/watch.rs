//! The watchdog of a rank that is a process: it ends a run that does not end by itself.
//!
//! A thread of its own looks at the run from outside: at the stage, at the call the rank stands in, and at what the
//! other ranks wrote down. It calls no message-passing library, so it works whatever that library is stuck in. Who takes
//! the run out of the watch, the rank or the watchdog, is the one who writes down how it ended.
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use wb_process::stack::{Sample, Thread};
use wb_task::Progress;

use super::{
    entry::{Entry, How},
    question::Question,
    transcript::Notes,
};

/// How often the watchdog looks.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// How long a rank may go on after another one has failed: it may be on its way out.
const GRACE: Duration = Duration::from_millis(500);

/// The pipeline measures the limit itself; the watchdog is for stages that do not end.
const MARGIN: Duration = Duration::from_millis(100);

/// What opening a communicator may take.
const OPENING: Duration = Duration::from_secs(15);

/// What the oracle may take.
pub(super) const CHECKING: Duration = Duration::from_secs(30);

/// What the search for messages left behind and the freeing of communicators may take.
const SWEEPING: Duration = Duration::from_secs(10);

/// What the rank is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Making the run's communicator.
    Opening,
    /// In the stages.
    Stages,
    /// Looking at the output.
    Checking,
    /// Looking for what was left.
    Sweeping,
}

/// A run under watch.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub(super) question: Question,
    pub(super) progress: Arc<Progress>,
    pub(super) notes: Notes,
    /// The thread of the rank.
    thread: Option<Thread>,
    phase: Phase,
    since: Instant,
    /// When the first phase began.
    began: Instant,
    /// When another rank was first seen to have failed.
    alarm: Option<Instant>,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Watch {
    run: Mutex<Option<Watched>>,
}

impl Watch {
    fn run(&self) -> MutexGuard<'_, Option<Watched>> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a run under watch.
    pub(super) fn begin(&self, question: &Question, phase: Phase, progress: &Arc<Progress>) {
        self.begin_noted(question, phase, progress, &Notes::default());
    }

    /// Puts a run of the calling thread under watch whose calls are written down.
    pub(super) fn begin_noted(
        &self,
        question: &Question,
        phase: Phase,
        progress: &Arc<Progress>,
        notes: &Notes,
    ) {
        let (question, progress, notes) = (question.clone(), Arc::clone(progress), notes.clone());
        let (now, thread) = (Instant::now(), Thread::current());
        *self.run() =
            Some(Watched { question, progress, notes, thread, phase, since: now, began: now, alarm: None });
    }

    /// The rank goes on to the next phase.
    pub(super) fn enter(&self, phase: Phase) {
        if let Some(run) = &mut *self.run() {
            (run.phase, run.since) = (phase, Instant::now());
        }
    }

    /// Takes the run out of the watch: from now on the caller is responsible for it. `None` when somebody else is.
    pub(super) fn take(&self) -> Option<Watched> {
        self.run().take()
    }

    /// Starts the thread that looks. `somebody_failed` tells whether another rank has; `end` gets a run that must be
    /// ended, and does not return.
    pub(super) fn start(
        self: &Arc<Self>,
        somebody_failed: impl Fn(&Question) -> bool + Send + 'static,
        end: impl Fn(Watched) + Send + 'static,
    ) -> std::io::Result<()> {
        let watch = Arc::clone(self);
        let look = move || {
            loop {
                thread::sleep(LOOK_EVERY);
                if let Some(run) = watch.overdue(&somebody_failed) {
                    end(run);
                }
            }
        };
        thread::Builder::new().name("wb-watch".into()).spawn(look).map(drop)
    }

    /// The run, taken out, when it must be ended.
    fn overdue(&self, somebody_failed: impl Fn(&Question) -> bool) -> Option<Watched> {
        let mut slot = self.run();
        let run = slot.as_mut()?;
        let may_wait = matches!(run.phase, Phase::Opening | Phase::Stages);
        if may_wait && run.alarm.is_none() && somebody_failed(&run.question) {
            run.alarm = Some(Instant::now());
        }
        let in_vain = may_wait && run.alarm.is_some_and(|since| since.elapsed() > GRACE);
        if in_vain || run.is_late() { slot.take() } else { None }
    }
}

impl Watched {
    fn is_late(&self) -> bool {
        let allowed = match self.phase {
            Phase::Opening => Some(OPENING),
            Phase::Stages => self.question.limit.map(|limit| limit + MARGIN),
            Phase::Checking => Some(CHECKING),
            Phase::Sweeping => Some(SWEEPING),
        };
        allowed.is_some_and(|allowed| self.since.elapsed() > allowed)
    }

    /// A look at the rank's thread from another one.
    pub(super) fn sample(&self) -> Option<Sample> {
        self.thread.and_then(Thread::sample)
    }

    /// For how long it has been under watch.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// How a rank that ends now has ended.
    pub(super) fn entry(&self, rank: usize, how: How) -> Entry {
        let stage = if self.phase == Phase::Stages { self.progress.stage() } else { None };
        Entry { stage, after: self.since.elapsed(), ..Entry::of(rank, how) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use wb_task::Place;

    use super::*;
    use crate::functional::question::{Expected, RunId};

    fn question(limit: Option<Duration>) -> Question {
        Question {
            id: RunId { case: "t".into(), ranks: 2, input: 0 },
            inputs: 1,
            excerpt: String::new(),
            home: 0,
            place: Place::Home,
            expected: Expected::default(),
            limit,
        }
    }

    fn watch(failed: bool) -> (Arc<Watch>, mpsc::Receiver<Watched>) {
        let (sender, ended) = mpsc::channel();
        let watch = Arc::new(Watch::default());
        watch
            .start(move |_| failed, move |run| sender.send(run).expect("the test listens"))
            .expect("a thread");
        (watch, ended)
    }

    #[test]
    fn a_stage_that_does_not_end_is_ended_at_the_limit() {
        let (watch, ended) = watch(false);
        watch.begin(&question(Some(Duration::from_millis(50))), Phase::Stages, &Arc::default());
        let run = ended.recv_timeout(Duration::from_secs(5)).expect("it is ended");
        assert!(run.since.elapsed() >= Duration::from_millis(150) && watch.take().is_none());
    }

    #[test]
    fn a_run_without_limit_goes_on() {
        let (watch, ended) = watch(false);
        watch.begin(&question(None), Phase::Stages, &Arc::default());
        assert!(ended.recv_timeout(Duration::from_millis(300)).is_err());
        assert!(watch.take().is_some());
    }

    #[test]
    fn a_rank_whose_partner_failed_has_a_grace() {
        let (watch, ended) = watch(true);
        let start = Instant::now();
        watch.begin(&question(None), Phase::Stages, &Arc::default());
        ended.recv_timeout(Duration::from_secs(5)).expect("it is ended");
        assert!(start.elapsed() >= GRACE);
    }
}
