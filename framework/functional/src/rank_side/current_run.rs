//! The run that the ranks of this process execute, and the limit of each of its phases.
//!
//! Only the thread that takes the run may report how it ended: that of the rank, or another one that ends it.
use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use wb_comm::BlockedCall;
use wb_process::{
    job_status::RankStatus,
    stack::{StackSample, Thread},
};
use wb_runner::RankWatchdog;
use wb_task::{Progress, Stage};

use crate::{
    evidence::{RankOutcome, RankReport},
    job_protocol::CHECKING_TIMEOUT,
    replay::call_trace::trace::TraceBuffer,
    test::TestCase,
};

/// The interval at which limits are checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

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
    /// All ranks of this process execute the run: their backend has the limit.
    AllRanks,
    /// Making the run's communicator.
    Opening,
    Stages,
    /// Checking the output.
    Checking,
    /// Searching for leaks.
    FindingLeaks,
}

/// A run.
#[derive(Clone, Debug)]
pub(crate) struct WatchedRun {
    pub(crate) test_case: TestCase,
    /// The progress of each rank of this process.
    progress: Arc<[Progress]>,
    pub(crate) trace: TraceBuffer,
    /// The thread of the rank.
    thread: Option<Thread>,
    phase: RunPhase,
    since: Instant,
}

/// The run of this process, if there is one, and the watch over its limits.
pub(crate) struct CurrentRun {
    run: Mutex<Option<WatchedRun>>,
    watchdog: Arc<RankWatchdog<()>>,
}

impl CurrentRun {
    /// No run yet. `expired` is called when a limit is exceeded, where runs are watched here.
    pub(crate) fn new(is_watched: bool, expired: impl Fn() + Send + 'static) -> io::Result<Self> {
        let interval = is_watched.then_some(CHECK_INTERVAL);
        let watchdog = RankWatchdog::start(1, interval, move |_, _, _| expired())?;
        Ok(Self { run: Mutex::new(None), watchdog })
    }

    fn run(&self) -> MutexGuard<'_, Option<WatchedRun>> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The calling thread begins a run whose calls are recorded in `trace`.
    pub(crate) fn begin(
        &self,
        test_case: &TestCase,
        phase: RunPhase,
        progress: &Arc<[Progress]>,
        trace: &TraceBuffer,
    ) {
        let (test_case, progress, trace) = (test_case.clone(), Arc::clone(progress), trace.clone());
        let (since, thread) = (Instant::now(), Thread::current());
        let run = WatchedRun { test_case, progress, trace, thread, phase, since };
        self.arm(&run);
        *self.run() = Some(run);
    }

    /// The rank begins the next phase.
    pub(crate) fn enter(&self, phase: RunPhase) {
        if let Some(run) = &mut *self.run() {
            (run.phase, run.since) = (phase, Instant::now());
            self.arm(run);
        }
    }

    fn arm(&self, run: &WatchedRun) {
        match run.limit() {
            Some(limit) => self.watchdog.arm_for(0, limit),
            None => self.watchdog.disarm(0),
        }
    }

    /// Takes the run: from now on the caller is responsible for it. `None` when another thread has taken it.
    pub(crate) fn take(&self) -> Option<WatchedRun> {
        self.watchdog.disarm(0);
        self.run().take()
    }

    /// The run, for an observer that does not take it.
    pub(crate) fn observe(&self) -> Option<WatchedRun> {
        self.run().clone()
    }

    /// The calling thread has ended the run. It does not continue when another thread has taken the run.
    pub(crate) fn end(&self) {
        if self.take().is_none() {
            park_forever();
        }
    }

    /// Takes the run of a rank that may wait for another one.
    pub(crate) fn take_if_it_may_wait(&self) -> Option<WatchedRun> {
        let mut run = self.run();
        let may_wait = |run: &WatchedRun| matches!(run.phase, RunPhase::Opening | RunPhase::Stages);
        if run.as_ref().is_some_and(may_wait) { run.take() } else { None }
    }
}

impl WatchedRun {
    /// The limit of its phase.
    fn limit(&self) -> Option<Duration> {
        // A rank that stops in a debugger is late in every phase, and makes others late.
        let limit = self.test_case.limit?;
        Some(match self.phase {
            RunPhase::AllRanks => return None,
            RunPhase::Opening => OPENING_TIMEOUT,
            RunPhase::Stages => limit + LIMIT_MARGIN,
            RunPhase::Checking => CHECKING_TIMEOUT,
            RunPhase::FindingLeaks => LEAK_SEARCH_TIMEOUT,
        })
    }

    /// A sample of the rank's thread from another one.
    pub(crate) fn sample(&self) -> Option<StackSample> {
        self.thread.and_then(Thread::sample)
    }

    /// Observes the rank for a moment: the number of its calls if it still completes calls, and the call that it repeats since it finds
    /// nothing, if it does so.
    pub(crate) fn observe_calls(&self, rank: usize) -> (Option<u64>, Option<BlockedCall>) {
        let before = self.trace.counts();
        thread::sleep(IDLE_TIME);
        let now = self.trace.counts();
        let calls = (now.calls > before.calls).then_some(now.calls);
        let poll = if now.polls > before.polls { self.trace.block_in_poll(rank) } else { None };
        (calls, poll)
    }

    fn progress(&self, rank: usize) -> &Progress {
        match &*self.progress {
            [of_process] => of_process,
            all => &all[rank],
        }
    }

    /// The stage of a rank.
    pub(crate) fn stage(&self, rank: usize) -> Option<Stage> {
        let is_in_stages = matches!(self.phase, RunPhase::Stages | RunPhase::AllRanks);
        self.progress(rank).stage().filter(|_| is_in_stages)
    }

    /// What a rank does, as far as it is known without a question to its library. Ranks that share a process leave no trace.
    pub(crate) fn rank_status(&self, rank: usize) -> RankStatus {
        let traced = (self.phase != RunPhase::AllRanks).then(|| self.trace.rank_status(rank));
        let stage = self.stage(rank).map(|stage| stage.name().to_owned());
        RankStatus { rank, stage, ..traced.unwrap_or_default() }
    }

    /// The report of a rank that ends now.
    pub(crate) fn rank_report(&self, rank: usize, outcome: RankOutcome) -> RankReport {
        let (stage, elapsed) = (self.stage(rank), self.since.elapsed());
        let report = RankReport { stage, elapsed, ..RankReport::new(rank, outcome) };
        report.with_unreported(self.progress(rank))
    }
}

/// Blocks this thread for ever, while another thread ends this process.
pub(crate) fn park_forever() -> ! {
    loop {
        thread::park();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver};

    use wb_comm::{CallSite, MessageTag, Source, Verb};

    use super::*;
    use crate::{
        replay::call_trace::call_action::{CallAction, TracedOp},
        test::RunId,
    };

    const SOON: Duration = Duration::from_secs(5);

    fn test_case(limit: Option<Duration>) -> TestCase {
        TestCase { limit, ..TestCase::example(RunId { test: "t".into(), ranks: 2, input: 0 }) }
    }

    fn current_run() -> (CurrentRun, Receiver<()>) {
        let (sender, expired) = mpsc::channel();
        let run =
            CurrentRun::new(true, move || sender.send(()).expect("the test listens")).expect("a thread");
        (run, expired)
    }

    fn begin(run: &CurrentRun, limit: Option<Duration>, trace: &TraceBuffer) {
        run.begin(&test_case(limit), RunPhase::Stages, &[Progress::default()].into(), trace);
    }

    #[test]
    fn a_stage_that_does_not_end_is_late_at_the_limit_and_is_taken_once() {
        let (run, expired) = current_run();
        let begun = Instant::now();
        begin(&run, Some(Duration::from_millis(50)), &TraceBuffer::default());
        expired.recv_timeout(SOON).expect("it is late");
        assert!(begun.elapsed() >= Duration::from_millis(150));
        assert!(run.take().is_some() && run.take().is_none());
        // The next one is watched, too.
        begin(&run, Some(Duration::from_millis(50)), &TraceBuffer::default());
        expired.recv_timeout(SOON).expect("it is late");
    }

    #[test]
    fn a_run_without_limit_and_one_that_has_ended_are_not_late() {
        let (run, expired) = current_run();
        begin(&run, None, &TraceBuffer::default());
        assert!(expired.recv_timeout(Duration::from_millis(300)).is_err());
        begin(&run, Some(Duration::from_millis(50)), &TraceBuffer::default());
        run.enter(RunPhase::Checking);
        assert!(run.take_if_it_may_wait().is_none(), "the oracle waits for no rank");
        assert!(expired.recv_timeout(Duration::from_millis(300)).is_err());
        assert!(run.take().is_some());
    }

    /// What is observed of a rank whose thread makes calls, or polls, for so long.
    fn observed(calls_for: Duration, polls: bool) -> (Option<u64>, Option<Verb>) {
        let (run, _expired) = current_run();
        let trace = TraceBuffer::default();
        begin(&run, None, &trace);
        let rank = thread::spawn(move || {
            let (start, site) =
                (Instant::now(), CallSite::caller(if polls { Verb::Iprobe } else { Verb::Recv }));
            let tag = MessageTag::user(4).into();
            let act =
                || CallAction::Probe(TracedOp::receive(Source::Rank(0), tag, (wb_comm::Datatype::U8, 0)));
            while start.elapsed() < calls_for {
                match polls {
                    true => drop(trace.poll((site, 0), act, || Ok(()), |()| true)),
                    false => drop(trace.record(site, 0, act(), || Ok::<_, ()>(()))),
                }
                thread::sleep(Duration::from_millis(1));
            }
        });
        thread::sleep(Duration::from_millis(120));
        let (calls, poll) = run.take().expect("it runs").observe_calls(1);
        rank.join().expect("it ends");
        (calls, poll.map(|call| call.verb))
    }

    #[test]
    fn calls_that_continue_are_counted_and_those_that_have_ended_before_are_not() {
        let (long, short) = (Duration::from_millis(400), Duration::from_millis(100));
        assert!(observed(long, false).0.is_some_and(|calls| calls > 20));
        assert_eq!(observed(short, false), (None, None));
        assert_eq!(observed(long, true), (None, Some(Verb::Iprobe)));
        assert_eq!(observed(short, true), (None, None), "a rank that has polled computes");
    }
}
