//! A rank that is a process: it executes the runs of tests with the calls of its library, each phase under a limit.
use std::{
    io,
    path::PathBuf,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use wb_comm::{Finding, JobHandle, ProcessRanks, ThreadRanks, Transport};
use wb_runner::{Backends, output_tail};
use wb_task::Progress;

use crate::{
    evidence::{RankOutcome, RankReport},
    rank_side::{
        current_run::{CurrentRun, RunPhase},
        member::RunExecutor,
    },
    replay::call_trace::{trace::TraceBuffer, transport::TracingTransport},
    test::{TestCase, TestRun},
};

/// The time limit of the search for messages that must exist.
const LEAK_SEARCH_TIMEOUT: Duration = Duration::from_millis(100);

/// The process of a rank.
pub(crate) struct RankProcess {
    pub(crate) rank: usize,
    pub(crate) size: usize,
    pub(crate) processes: &'static dyn ProcessRanks,
    pub(crate) output: CapturedOutput,
}

impl RankProcess {
    /// The state of this process; `output` is the file of the output of its job.
    pub(crate) fn new(
        handle: &dyn JobHandle,
        processes: &'static dyn ProcessRanks,
        output: Option<PathBuf>,
    ) -> Self {
        let output = CapturedOutput::new(output);
        Self { rank: handle.rank(), size: handle.size(), processes, output }
    }
}

/// This process's output, if it goes to a file.
#[derive(Debug)]
pub(crate) struct CapturedOutput {
    file: Option<PathBuf>,
    /// The length of the file when the run began.
    start: AtomicU64,
}

impl CapturedOutput {
    /// The output of a process, which goes to the file of its rank, or else to that of its job.
    fn new(of_job: Option<PathBuf>) -> Self {
        let of_rank = wb_process::before_main::rank_log().map(ToOwned::to_owned);
        Self { file: of_rank.or(of_job), start: AtomicU64::new(0) }
    }

    /// A run begins.
    fn begin(&self) {
        let length = self.file.as_ref().and_then(|file| std::fs::metadata(file).ok());
        self.start.store(length.map_or(0, |data| data.len()), Relaxed);
    }

    /// The last lines since the run began.
    pub(crate) fn tail(&self) -> String {
        let tail = |file: &PathBuf| output_tail::last_lines(file, self.start.load(Relaxed));
        self.file.as_ref().map(tail).unwrap_or_default()
    }
}

/// Executes the runs of a test on this rank; all of them have one communicator, and no other test has it.
pub(crate) struct RankExecutor<'a> {
    process: &'a RankProcess,
    current_run: &'a CurrentRun,
    threads: &'static dyn ThreadRanks,
    handle: Rc<dyn JobHandle>,
    /// `None` of a rank that the test does not need.
    transport: Option<Rc<dyn Transport>>,
}

impl<'a> RankExecutor<'a> {
    /// Opens the communicator of a test whose first run is that of `test_case`.
    pub(crate) fn open(
        process: &'a RankProcess,
        current_run: &'a CurrentRun,
        backends: Backends,
        test_case: &TestCase,
    ) -> io::Result<Self> {
        let handle = process.processes.init().map_err(io::Error::other)?;
        let open = || handle.open_communicator(test_case.id.ranks);
        let transport = watched(current_run, test_case, RunPhase::Opening, open)?;
        Ok(Self { process, current_run, threads: backends.threads, handle, transport })
    }
}

/// Calls of the library that belong to no run, but may not hang either.
fn watched<R>(
    current_run: &CurrentRun,
    test_case: &TestCase,
    phase: RunPhase,
    work: impl FnOnce() -> wb_comm::Result<R>,
) -> io::Result<R> {
    current_run.begin(test_case, phase, &[Progress::default()].into(), &TraceBuffer::default());
    let result = work();
    current_run.end();
    result.map_err(io::Error::other)
}

impl RunExecutor for RankExecutor<'_> {
    fn run(&mut self, test_run: &Arc<dyn TestRun>) -> Vec<RankReport> {
        let (rank, test_case) = (self.process.rank, test_run.test_case());
        let (all, trace): (Arc<[Progress]>, _) = ([Progress::default()].into(), TraceBuffer::default());
        let progress = &all[0];
        self.process.output.begin();
        self.current_run.begin(test_case, RunPhase::Stages, &all, &trace);
        let report = match &self.transport {
            Some(transport) => {
                let transport = TracingTransport::world(Rc::clone(transport), &trace);
                let result = test_run.run_stages(transport, progress);
                self.current_run.enter(RunPhase::Checking);
                if rank == test_case.home_rank && result.panic.is_none() {
                    test_run.compute_reference(self.threads);
                }
                test_run.evaluate(result)
            }
            None => RankReport::new(rank, RankOutcome::NotParticipating),
        };
        self.current_run.end();
        let is_failure = report.is_failure();
        let output_tail = if is_failure { self.process.output.tail() } else { String::new() };
        let report = RankReport { output_tail, trace: trace.encode(is_failure), ..report };
        vec![report.with_unreported(progress)]
    }

    fn find_leaks(&mut self, test_case: &TestCase, is_patient: bool) -> io::Result<Vec<Finding>> {
        let timeout = if is_patient { LEAK_SEARCH_TIMEOUT } else { Duration::ZERO };
        let find = || self.handle.find_leaks(timeout);
        watched(self.current_run, test_case, RunPhase::FindingLeaks, find)
    }

    fn close(self: Box<Self>, test_case: &TestCase, is_right: bool) -> io::Result<()> {
        let Self { handle, transport, current_run, .. } = *self;
        drop(transport);
        let close = || if is_right { handle.free_communicators() } else { handle.close_after_failure() };
        watched(current_run, test_case, RunPhase::FindingLeaks, close)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_said_since_the_beginning_of_the_run_is_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("output");
        std::fs::write(&file, "before\n").expect("written");
        let captured = CapturedOutput::new(Some(file.clone()));
        captured.begin();
        assert_eq!(captured.tail(), "");
        let lines: String = (0..20).map(|line| format!("line {line}\n")).collect();
        std::fs::write(&file, format!("before\n{lines}")).expect("written");
        let shown = captured.tail();
        assert_eq!((shown.lines().next(), shown.lines().last()), (Some("line 8"), Some("line 19")));
    }
}
