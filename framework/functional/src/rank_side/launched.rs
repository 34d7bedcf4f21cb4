//! A test in a rank of the user's own job: all ranks run it, and rank 0 alone reports.
use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write},
    os::unix::{fs::symlink, process::parent_id},
    rc::Rc,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use wb_comm::ProcessRanks;
use wb_messages::{Lang, debugger, functional as text};
use wb_process::{ProcessIdentity, identity};
use wb_record::Backend;
use wb_runner::{Backends, RunnerLink, RunningJob, channel::RunnerAddress, run_folder};
use wb_world::{FrameworkCalls as _, World};

use crate::{
    coordinator::{Coordinator, EarlyEnd},
    evaluation::{self, FailureKind, FailureReport, lost_ranks, run_verdict::judge},
    job_protocol::{CompletedTests, EXIT_FAILED, JobOrder},
    launcher_side::{backend_job, job_observer::JobObserver},
    rank_side::member::{JobMember, JoinError},
    report::{BackendLabel, BackendOutcome, summary, test_report, verdict},
    test::{self, ErasedTest, RunId, settings},
};

/// The file with the number of a process that waits for a debugger, in the folder of the runs: for a debugger that is started by a program.
const PID_FILE: &str = "debugged-rank.pid";

/// A link to the program of the waiting process, beside that file: some debuggers ask for the program, too.
const PROGRAM_LINK: &str = "debugged-rank";

/// The longest name of a host.
const HOST_BYTES: usize = 64;

/// A rank of the user's own job.
pub(crate) struct LaunchedRank {
    member: &'static JobMember,
    rank: usize,
    /// The coordinator of all ranks, on rank 0.
    coordinator: Option<Arc<Mutex<Coordinator>>>,
}

impl LaunchedRank {
    /// Joins the job: rank 0 coordinates it, and sends its address to the others through the library, the only channel that they share so far.
    pub(crate) fn join(backends: Backends, processes: &'static dyn ProcessRanks) -> Result<Self, JoinError> {
        let handle = JobMember::init(processes)?;
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
        drop(handle);
        let link = RunnerLink::connect(&String::from_utf8_lossy(&address).parse()?, rank)?;
        let (member, _) = JobMember::from_order(backends, link)?;
        wait_if_debugged(rank);
        Ok(Self { member, rank, coordinator: coordinated.map(|(coordinator, _)| coordinator) })
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
    let hosts: BTreeSet<String> = names.chunks(HOST_BYTES).map(name).collect();
    let hosts = if hosts.len() > 1 { hosts.into_iter().collect() } else { vec![] };
    let mut job = RunningJob::of_launched(size, &hosts)?;
    let address = job.address().clone();
    let is_unlimited = settings::time_limit().is_none();
    let coordinator = Coordinator::new(size, true, backends.replay_threads, is_unlimited);
    let coordinator = Arc::new(Mutex::new(coordinator));
    let own = Arc::clone(&coordinator);
    let backend = BackendLabel::processes(&processes.library());
    let mut observer = JobObserver::new(run_folder::create()?, backend.clone());
    let drive = move || {
        let order = JobOrder { backend: Backend::Mpi, completed: CompletedTests::default(), output: None };
        let ended = backend_job::drive((&mut job, &mut observer), &own, &order, |end, coordinator| {
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
    let LaunchedRank { member, rank, coordinator } = launched;
    let (_turn, size) = (member.test_lock(), member.max_ranks());
    let test = test::test_of(&case.name);
    if failed_tests().contains(test) {
        return;
    }
    let backend = case.backends.processes.map(|processes| BackendLabel::processes(&processes.library()));
    let backend = backend.expect("only a program with processes joins a job");
    let (mut outcomes, mut fails, mut any) = (vec![], false, false);
    for (ranks, test_runs) in &case.test_runs {
        if *ranks > size {
            if *rank == 0 {
                summary::skipped(&backend.0, *ranks, size, test_runs.len());
            }
            continue;
        }
        any = true;
        match member.run(&case.name, *ranks, test_runs) {
            Ok(is_right) => fails |= !is_right,
            Err(error) => {
                if *rank == 0 {
                    let reason = text::cannot_join(Lang::from_environment(), error);
                    report_crash(&backend, &case.name, *ranks, &reason);
                }
                wb_process::exit_now(EXIT_FAILED)
            }
        }
        if let Some(coordinator) = coordinator {
            let coordinator = coordinator.lock().unwrap_or_else(PoisonError::into_inner);
            let evidence = coordinator.test(&RunId::first(&case.name, *ranks)).cloned().unwrap_or_default();
            drop(coordinator);
            let verdict = evaluation::evaluate(*ranks, test_runs, &evidence);
            fails |= verdict.failure.is_some();
            outcomes.push(verdict::count(case, Backend::Mpi, &backend, test_runs.len(), *ranks, verdict));
        }
    }
    match (rank, any) {
        (0, true) => verdict::report(case, &outcomes),
        (0, false) => verdict::nothing_tested(case, Some(size)),
        _ if fails || !any => drop(failed_tests().insert(test.to_owned())),
        _ => {}
    }
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
            let RunId { ranks, input, .. } = &test_case.id;
            let no_verdict = || {
                let (headline, hint) = (text::no_verdict(lang), text::hint_no_record(lang));
                FailureReport::new(FailureKind::NoVerdict, headline, hint)
            };
            let run = coordinator.run_evidence(&test_case.id);
            let failure = run.and_then(|run| judge(test_case, run)).unwrap_or_else(no_verdict);
            summary::ran(backend, *ranks, *input, 1);
            report_failure(backend, &test_case.id, Some(verdict::with_load(failure, backend, *ranks)));
        }
        EarlyEnd::Unterminated(id, reports) => {
            let reports: Vec<_> = reports.iter().collect();
            report_failure(backend, id, lost_ranks::unterminated(&reports, lang));
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

/// Takes the slot of `rank` in the user's job; false when an earlier process of the same parent has it.
///
/// `cargo test` starts a process for every test target. MPI libraries let one process a slot initialise, and the second one dies. So the
/// first process that needs the slot leaves a mark, by the identity of its parent; the folder of runs loses it when it is a day old.
///
/// # Errors
/// When the folder cannot be written, or the parent has ended.
pub(crate) fn takes_slot(rank: usize) -> io::Result<bool> {
    let ended = || io::Error::other("the process that started this one has ended");
    let parent = ProcessIdentity::of(parent_id()).ok_or_else(ended)?;
    match fs::File::create_new(run_folder::state()?.join(format!("slot-{parent}-{rank}"))) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Waits for a debugger if this is the rank to debug. The number of the process is on the standard error that the launcher
/// started it with, and in a file.
fn wait_if_debugged(rank: usize) {
    if !matches!(wb_config::debugged_rank(), Ok(Some(debugged)) if debugged == rank) {
        return;
    }
    let lang = Lang::from_environment();
    let pid = std::process::id();
    // Without the file the number is still on the screen.
    let file = write_pid(pid).unwrap_or_default();
    print(&debugger::waits_for_debugger(lang, rank, pid, file));
    match wb_process::wait_for_debugger() {
        Ok(true) => {}
        Ok(false) => print(&debugger::no_debugger(lang, wb_process::DEBUGGER_TIMEOUT.as_secs() / 60)),
        Err(error) => print(&debugger::cannot_wait_for_debugger(lang, error)),
    }
}

fn write_pid(pid: u32) -> io::Result<String> {
    let folder = run_folder::state()?;
    let (path, link) = (folder.join(PID_FILE), folder.join(PROGRAM_LINK));
    fs::write(&path, format!("{pid}\n"))?;
    // There is none before the first time.
    let _absent = fs::remove_file(&link);
    symlink(std::env::current_exe()?, link)?;
    Ok(path.display().to_string())
}

fn print(message: &str) {
    let _nowhere_to_say = writeln!(wb_process::before_main::real_stderr(), "{message}");
}
