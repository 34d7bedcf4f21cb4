//! The watchdog of a rank that is a process: it ends a run that does not end by itself.
//!
//! A separate thread observes the run: the stage, the call in which the rank is blocked, and the journals of the other
//! ranks. It calls no message-passing library, so it works in whatever call that library is stuck. The thread that
//! takes the run out of the watch, the rank's or the watchdog's, writes how the run ended.
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use wb_comm::BlockedCall;
use wb_process::stack::{StackSample, Thread};
use wb_task::Progress;

use crate::{
    evidence::rank_report::{RankOutcome, RankReport},
    job_protocol::CHECKING_TIMEOUT,
    replay::call_trace::trace::{CallCounts, TraceBuffer},
    test::test_case::TestCase,
};

/// The polling interval of the watchdog.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// How long a rank may continue after another rank has failed: it may be about to end.
const GRACE: Duration = Duration::from_millis(500);

/// The pipeline measures the limit itself; the watchdog is for stages that do not end.
const LIMIT_MARGIN: Duration = Duration::from_millis(100);

/// A rank that has made no call for this long makes none, unless it polls.
const IDLE_TIME: Duration = Duration::from_millis(60);

/// The time limit of opening a communicator.
const OPENING_TIMEOUT: Duration = Duration::from_secs(15);

/// The time limit of the search for messages left behind and of freeing communicators.
const LEAK_SEARCH_TIMEOUT: Duration = Duration::from_secs(10);

/// The phase of the rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunPhase {
    /// Making the run's communicator.
    Opening,
    Stages,
    /// Checking the output.
    Checking,
    /// Searching for leaks.
    FindingLeaks,
}

/// A run under watch.
#[derive(Clone, Debug)]
pub(crate) struct WatchedRun {
    pub(crate) test_case: TestCase,
    pub(crate) progress: Arc<Progress>,
    pub(crate) trace: TraceBuffer,
    /// The thread of the rank.
    thread: Option<Thread>,
    phase: RunPhase,
    since: Instant,
    /// When the first phase began.
    began: Instant,
    /// When another rank was first seen to have failed.
    failure_seen_at: Option<Instant>,
    /// The calls of the rank that were seen last.
    seen: SeenCalls,
}

/// The numbers of calls and of fruitless polls, and when each was last seen to have grown.
#[derive(Clone, Copy, Debug)]
struct SeenCalls {
    counts: CallCounts,
    called_at: Instant,
    polled_at: Instant,
}

impl SeenCalls {
    fn update(&mut self, counts: CallCounts) {
        let now = Instant::now();
        if counts.calls != self.counts.calls {
            self.called_at = now;
        }
        if counts.polls != self.counts.polls {
            self.polled_at = now;
        }
        self.counts = counts;
    }
}

#[derive(Debug, Default)]
pub(crate) struct Watchdog {
    run: Mutex<Option<WatchedRun>>,
}

impl Watchdog {
    fn run(&self) -> MutexGuard<'_, Option<WatchedRun>> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a run under watch.
    pub(crate) fn begin(&self, test_case: &TestCase, phase: RunPhase, progress: &Arc<Progress>) {
        self.begin_traced(test_case, phase, progress, &TraceBuffer::default());
    }

    /// Puts a run of the calling thread under watch whose calls are recorded.
    pub(crate) fn begin_traced(
        &self,
        test_case: &TestCase,
        phase: RunPhase,
        progress: &Arc<Progress>,
        notes: &TraceBuffer,
    ) {
        let (test_case, progress, notes) = (test_case.clone(), Arc::clone(progress), notes.clone());
        let (now, thread) = (Instant::now(), Thread::current());
        *self.run() = Some(WatchedRun {
            test_case,
            progress,
            trace: notes,
            thread,
            phase,
            since: now,
            began: now,
            failure_seen_at: None,
            seen: SeenCalls { counts: CallCounts::default(), called_at: now, polled_at: now },
        });
    }

    /// The rank begins the next phase.
    pub(crate) fn enter(&self, phase: RunPhase) {
        if let Some(run) = &mut *self.run() {
            (run.phase, run.since) = (phase, Instant::now());
        }
    }

    /// Takes the run out of the watch: from now on the caller is responsible for it. `None` when another thread has
    /// taken it.
    pub(crate) fn take(&self) -> Option<WatchedRun> {
        self.run().take()
    }

    /// Starts the watching thread. `has_failure` reports whether another rank has failed; `end` gets a run that must be
    /// ended, and does not return.
    pub(crate) fn start(
        self: &Arc<Self>,
        has_failure: impl Fn(&TestCase) -> bool + Send + 'static,
        end: impl Fn(WatchedRun) + Send + 'static,
    ) -> std::io::Result<()> {
        let watch = Arc::clone(self);
        let look = move || {
            loop {
                thread::sleep(POLL_INTERVAL);
                if let Some(run) = watch.take_overdue(&has_failure) {
                    end(run);
                }
            }
        };
        thread::Builder::new().name("wb-watch".into()).spawn(look).map(drop)
    }

    /// The run, taken out, when it must be ended.
    fn take_overdue(&self, has_failure: impl Fn(&TestCase) -> bool) -> Option<WatchedRun> {
        let mut slot = self.run();
        let run = slot.as_mut()?;
        run.seen.update(run.trace.counts());
        let may_wait = matches!(run.phase, RunPhase::Opening | RunPhase::Stages);
        if may_wait && run.failure_seen_at.is_none() && has_failure(&run.test_case) {
            run.failure_seen_at = Some(Instant::now());
        }
        let waits_for_failed_rank =
            may_wait && run.failure_seen_at.is_some_and(|since| since.elapsed() > GRACE);
        if waits_for_failed_rank || run.is_late() { slot.take() } else { None }
    }
}

impl WatchedRun {
    fn is_late(&self) -> bool {
        let allowed = match self.phase {
            // A rank that stops in a debugger is late in every phase, and makes others late.
            _ if self.test_case.limit.is_none() => None,
            RunPhase::Opening => Some(OPENING_TIMEOUT),
            RunPhase::Stages => self.test_case.limit.map(|limit| limit + LIMIT_MARGIN),
            RunPhase::Checking => Some(CHECKING_TIMEOUT),
            RunPhase::FindingLeaks => Some(LEAK_SEARCH_TIMEOUT),
        };
        allowed.is_some_and(|allowed| self.since.elapsed() > allowed)
    }

    /// A sample of the rank's thread from another one.
    pub(crate) fn sample(&self) -> Option<StackSample> {
        self.thread.and_then(Thread::sample)
    }

    /// The number of calls, if the rank still completes calls. One that has called lately is observed for a moment: it
    /// may have become blocked just before the limit.
    pub(crate) fn ongoing_calls(&self) -> Option<u64> {
        if self.seen.called_at.elapsed() >= IDLE_TIME {
            return None;
        }
        let before = self.trace.counts().calls;
        thread::sleep(IDLE_TIME);
        let calls = self.trace.counts().calls;
        (calls > before).then_some(calls)
    }

    /// The call that the rank repeats since it finds nothing, if it has lately done so.
    pub(crate) fn blocking_poll(&self, rank: usize) -> Option<BlockedCall> {
        let polls = self.seen.polled_at.elapsed() < IDLE_TIME;
        if polls { self.trace.block_in_poll(rank) } else { None }
    }

    /// How long it has been under watch.
    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// How a rank that ends now has ended.
    pub(crate) fn rank_report(&self, rank: usize, how: RankOutcome) -> RankReport {
        let stage = if self.phase == RunPhase::Stages { self.progress.stage() } else { None };
        let report = RankReport { stage, elapsed: self.since.elapsed(), ..RankReport::new(rank, how) };
        report.with_unreported(&self.progress)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use wb_comm::{CallSite, MessageTag, Source, Verb};
    use wb_task::Place;

    use super::*;
    use crate::{
        replay::call_trace::call_action::{CallAction, TracedOp},
        test::test_case::{ExtraRules, RunId},
    };

    fn test_case(limit: Option<Duration>) -> TestCase {
        TestCase {
            id: RunId { test: "t".into(), ranks: 2, input: 0 },
            inputs: 1,
            excerpt: String::new(),
            home_rank: 0,
            output_location: Place::Home,
            expected: ExtraRules::default(),
            limit,
        }
    }

    fn watch(failed: bool) -> (Arc<Watchdog>, mpsc::Receiver<WatchedRun>) {
        let (sender, ended) = mpsc::channel();
        let watch = Arc::new(Watchdog::default());
        watch
            .start(move |_| failed, move |run| sender.send(run).expect("the test listens"))
            .expect("a thread");
        (watch, ended)
    }

    #[test]
    fn a_stage_that_does_not_end_is_ended_at_the_limit() {
        let (watch, ended) = watch(false);
        watch.begin(&test_case(Some(Duration::from_millis(50))), RunPhase::Stages, &Arc::default());
        let run = ended.recv_timeout(Duration::from_secs(5)).expect("it is ended");
        assert!(run.since.elapsed() >= Duration::from_millis(150) && watch.take().is_none());
    }

    /// A run whose thread makes calls, or polls, for this long before its end and after it.
    fn overdue(calls_after: Duration, polls: bool) -> (Option<u64>, Option<Verb>) {
        let (watch, ended) = watch(false);
        let trace = TraceBuffer::default();
        let case = test_case(Some(Duration::from_millis(50)));
        watch.begin_traced(&case, RunPhase::Stages, &Arc::default(), &trace);
        let rank = thread::spawn(move || {
            let (start, site) =
                (Instant::now(), CallSite::caller(if polls { Verb::Iprobe } else { Verb::Recv }));
            let tag = MessageTag::user(4).into();
            let act =
                || CallAction::Probe(TracedOp::receive(Source::Rank(0), tag, (wb_comm::Datatype::U8, 0)));
            while start.elapsed() < calls_after {
                match polls {
                    true => drop(trace.poll((site, 0), act, || Ok(()), |()| true)),
                    false => drop(trace.record(site, 0, act(), || Ok::<_, ()>(()))),
                }
                thread::sleep(Duration::from_millis(1));
            }
        });
        let run = ended.recv_timeout(Duration::from_secs(5)).expect("it is ended");
        let seen = (run.ongoing_calls(), run.blocking_poll(1).map(|call| call.verb));
        rank.join().expect("it ends");
        seen
    }

    #[test]
    fn calls_that_continue_at_the_limit_are_counted_and_those_that_have_ended_before_are_not() {
        let (long, short) = (Duration::from_millis(400), Duration::from_millis(20));
        assert!(overdue(long, false).0.is_some_and(|calls| calls > 20));
        assert_eq!(overdue(short, false), (None, None));
        assert_eq!(overdue(long, true), (None, Some(Verb::Iprobe)));
        assert_eq!(overdue(short, true), (None, None), "a rank that has polled computes");
        // The last call is made just before the end.
        assert_eq!(overdue(Duration::from_millis(120), false).0, None);
    }

    #[test]
    fn a_run_without_limit_goes_on() {
        let (watch, ended) = watch(false);
        watch.begin(&test_case(None), RunPhase::Stages, &Arc::default());
        assert!(ended.recv_timeout(Duration::from_millis(300)).is_err());
        assert!(watch.take().is_some());
    }

    #[test]
    fn a_rank_whose_partner_failed_has_a_grace() {
        let (watch, ended) = watch(true);
        let start = Instant::now();
        watch.begin(&test_case(None), RunPhase::Stages, &Arc::default());
        ended.recv_timeout(Duration::from_secs(5)).expect("it is ended");
        assert!(start.elapsed() >= GRACE);
    }
}
