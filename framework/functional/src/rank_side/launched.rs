//! A test in a rank of the user's own job: all ranks run it, and rank 0 alone reports.
use std::{
    collections::BTreeSet,
    io,
    rc::Rc,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use wb_comm::ProcessRanks;
use wb_messages::{Lang, functional as text};
use wb_process::identity;
use wb_record::Backend;
use wb_runner::{Backends, RunnerLink, RunningJob, channel::RunnerAddress};
use wb_world::{FrameworkCalls as _, World};

use crate::{
    coordinator::{Coordinator, EarlyEnd},
    evidence::TestEvidence,
    job_protocol::{CompletedTests, EXIT_FAILED, JobOrder},
    judge::{
        failure_kind::FailureKind, failure_report::FailureReport, run_verdict::judge, test_verdict,
        unterminated,
    },
    launcher_side::job_driver,
    rank_side::rank_worker::{JoinError, RankWorker},
    report::{
        backend_outcome::{BackendLabel, BackendOutcome},
        summary, test_report, verdict,
    },
    test::{
        erased_test::{self, ErasedTest},
        limit,
        test_case::RunId,
    },
};

/// The longest name of a host.
const HOST_BYTES: usize = 64;

/// A rank of the user's own job.
pub(crate) struct LaunchedRank {
    worker: RankWorker,
    /// The coordinator of all ranks, on rank 0.
    coordinator: Option<Arc<Mutex<Coordinator>>>,
}

impl LaunchedRank {
    /// Joins the job: rank 0 coordinates it, and sends its address to the others through the library, the only channel that they share so far.
    pub(crate) fn join(
        backends: Backends,
        processes: &'static dyn ProcessRanks,
        announced: Option<usize>,
    ) -> Result<Self, JoinError> {
        let handle = RankWorker::init(processes, announced)?;
        let (rank, size) = (handle.rank(), handle.size());
        let transport = handle.open_communicator(size)?.expect("a communicator of all ranks has this one");
        let world = World::new(Rc::clone(&transport));
        let mut name = identity::host_name().into_bytes();
        name.resize(HOST_BYTES, 0);
        let mut names = vec![0; HOST_BYTES * size];
        world.allgather(&name, &mut names)?;
        let coordinated = match rank {
            0 => Some(start_coordinator(&names, size, backends, processes)?),
            _ => None,
        };
        let address = coordinated.as_ref().map(|(_, address)| address.to_string().into_bytes());
        let address = world.broadcast_bytes(0, address.as_deref())?;
        drop((world, transport));
        handle.free_communicators()?;
        let link = RunnerLink::connect(&String::from_utf8_lossy(&address).parse()?, rank)?;
        let _order: (JobOrder, _) = link.receive()?;
        let worker = RankWorker::join(backends, processes, &*handle, link, None)?;
        Ok(Self { worker, coordinator: coordinated.map(|(coordinator, _)| coordinator) })
    }

    /// The number of this rank.
    pub(crate) fn rank(&self) -> usize {
        self.worker.rank()
    }
}

/// Starts the coordinator of a job whose ranks are on these hosts.
fn start_coordinator(
    names: &[u8],
    size: usize,
    backends: Backends,
    processes: &'static dyn ProcessRanks,
) -> io::Result<(Arc<Mutex<Coordinator>>, RunnerAddress)> {
    let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end_matches('\0').to_owned();
    let mut hosts: Vec<String> = names.chunks(HOST_BYTES).map(name).collect();
    hosts.sort();
    hosts.dedup();
    let hosts = if hosts.len() > 1 { hosts } else { vec![] };
    let mut job = RunningJob::of_launched(size, &hosts)?;
    let address = job.address().clone();
    let is_unlimited = limit::time_limit().is_none();
    let coordinator = Coordinator::new(size, true, backends.retelling, is_unlimited);
    let coordinator = Arc::new(Mutex::new(coordinator));
    let own = Arc::clone(&coordinator);
    let backend = BackendLabel::processes(&processes.library());
    let drive = move || {
        let order = JobOrder { backend: Backend::Mpi, completed: CompletedTests::default(), output: None };
        let ended = job_driver::drive(&mut job, &own, &order, |end, coordinator| {
            report_early_end(&backend, &end, coordinator);
        });
        unreachable!("the job ends with this process: {:?}", ended.map(|exit| exit.status));
    };
    thread::Builder::new().name("wb-coordinator".into()).spawn(drive)?;
    Ok((coordinator, address))
}

/// Runs a test on the ranks that there are; on rank 0 it returns when the test passes.
///
/// The other ranks reach the same verdict from the same evidence, but may not fail: a launcher ends a job when one of
/// its ranks ends with an error. So they only remember that rank 0 does not reach further checks of the test.
pub(crate) fn run(launched: &LaunchedRank, case: &ErasedTest) {
    let LaunchedRank { worker, coordinator } = launched;
    let _turn = worker.test_lock();
    let test = erased_test::test_of(&case.name);
    if failed_tests().contains(test) {
        return;
    }
    let backend = case.backends.processes.map(|processes| BackendLabel::processes(&processes.library()));
    let backend = backend.expect("only a program with processes joins a job");
    let (mut outcomes, mut fails, mut any) = (vec![], false, false);
    for (ranks, test_runs) in &case.test_runs {
        if *ranks > worker.size() {
            if worker.rank() == 0 {
                summary::skipped(&backend.0, *ranks, worker.size(), test_runs.len());
            }
            continue;
        }
        any = true;
        match worker.run(&case.name, *ranks, test_runs) {
            Ok(is_right) => fails |= !is_right,
            Err(error) => {
                if worker.rank() == 0 {
                    let reason = text::cannot_join(Lang::from_environment(), error);
                    report_crash(&backend, &case.name, *ranks, &reason);
                }
                wb_process::exit_now(EXIT_FAILED)
            }
        }
        if let Some(coordinator) = coordinator {
            let evidence = evidence_of(coordinator, &case.name, *ranks);
            let verdict = test_verdict::evaluate(*ranks, test_runs, &evidence);
            fails |= verdict.failure.is_some();
            outcomes.push(verdict::count(case, Backend::Mpi, &backend, test_runs.len(), *ranks, verdict));
        }
    }
    match (worker.rank(), any) {
        (0, true) => verdict::report(case, &outcomes),
        (0, false) => verdict::nothing_tested(case, Some(worker.size())),
        _ if fails || !any => drop(failed_tests().insert(test.to_owned())),
        _ => {}
    }
}

fn evidence_of(coordinator: &Mutex<Coordinator>, name: &str, ranks: usize) -> TestEvidence {
    let coordinator = coordinator.lock().unwrap_or_else(PoisonError::into_inner);
    coordinator.evidence().tests.get(&(name.to_owned(), ranks)).cloned().unwrap_or_default()
}

/// The tests that rank 0 has left with a failure.
fn failed_tests() -> MutexGuard<'static, BTreeSet<String>> {
    static FAILED_TESTS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    FAILED_TESTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reports that a job of the user's own ends early.
fn report_early_end(backend: &BackendLabel, end: &EarlyEnd, coordinator: &Coordinator) {
    let lang = Lang::from_environment();
    match end {
        EarlyEnd::Run(test_case) => {
            let RunId { test, ranks, input } = &test_case.id;
            let evidence = coordinator.evidence().tests.get(&(test.clone(), *ranks));
            let run = evidence.and_then(|test| test.runs.get(input));
            let failure = run.and_then(|run| judge(test_case, run)).unwrap_or_else(|| {
                FailureReport::new(FailureKind::NoVerdict, text::no_verdict(lang), text::hint_no_record(lang))
            });
            summary::ran(backend, *ranks, *input, 1);
            report_failure(backend, &test_case.id, Some(verdict::with_load(failure, backend, *ranks)));
        }
        EarlyEnd::Unterminated(id, reports) => {
            let reports: Vec<_> = reports.iter().collect();
            report_failure(backend, id, unterminated::finding(&reports, lang));
        }
        EarlyEnd::OutOfStep(id, reason) => report_crash(backend, &id.test, id.ranks, reason),
    }
}

fn report_failure(backend: &BackendLabel, id: &RunId, failure: Option<FailureReport>) {
    let (backend, arrival_orders) = (backend.clone(), vec![]);
    let outcome = BackendOutcome { backend, ranks: id.ranks, failure, arrival_orders };
    verdict::report_all(&test_report::render(&id.test, &[outcome]));
}

fn report_crash(backend: &BackendLabel, name: &str, ranks: usize, reason: &str) {
    summary::ran(backend, ranks, 0, 1);
    verdict::report_all(&format!("\n{} {name}\n  {reason}\n", text::crash(Lang::from_environment())));
}
