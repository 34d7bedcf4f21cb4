//! How this process was started, and its role in a test.
//!
//! | started by | what a test does |
//! |---|---|
//! | a plain `cargo test` | starts jobs of this binary, one for each backend, and looks its verdict up |
//! | such a job | runs, on threads, in virtual time or as a rank, and writes its journal |
//! | the user's own launcher | runs as a rank; rank 0 alone reports |
//! | the same, second test binary in one slot | rank 0 starts jobs as without a launcher; the others do nothing |
use std::{
    env, io,
    io::Write,
    sync::{Arc, OnceLock},
};

use wb_comm::ProcessRanks;
use wb_messages::{Lang, debugger, functional as text};
use wb_process::LauncherRank;
use wb_record::Backend;
use wb_runner::{Backends, RunnerLink, channel::RunnerAddress, run_folder};

use crate::{
    job_protocol::{CompletedTests, EXIT_FAILED, JobOrder},
    launcher_side::parent,
    rank_side::{
        child::Child,
        debugging,
        launched::{self, LaunchedRank},
        rank_lock,
        rank_worker::{JoinError, RankWorker},
    },
    report::{backend_outcome::BackendLabel, test_report, verdict},
    test::{erased_test::ErasedTest, settings},
};

enum ProcessRole {
    /// Starts jobs; inside an outer job on at most `available` ranks.
    Parent { available: Option<usize> },
    /// Is the job on threads, or that in virtual time.
    Child { child: Arc<Child>, completed: CompletedTests },
    /// Is a rank of a job that a parent started.
    Rank { member: RankWorker, completed: CompletedTests },
    /// Is a rank of the user's job.
    LaunchedRank(LaunchedRank),
    /// Has no role.
    Idle,
    /// Cannot take part, for this reason.
    Invalid(String),
}

/// Executes this process's role in a test; returns when the test passes.
pub(crate) fn run(case: &ErasedTest) {
    static ROLE: OnceLock<ProcessRole> = OnceLock::new();
    if settings::is_disabled(case.version) {
        // Every process of a job reads the same file: all of them leave the test out.
        if is_first() {
            verdict::disabled(case);
        }
        return;
    }
    let role = ROLE.get_or_init(|| decide(case.backends));
    if matches!(role, ProcessRole::Child { .. } | ProcessRole::Rank { .. } | ProcessRole::LaunchedRank(_)) {
        wb_process::permit_exit_in_tests(); // It is reported as the end of a rank.
    }
    match role {
        ProcessRole::Parent { available } => parent::run(case, *available),
        ProcessRole::Child { child, completed } => child.run(case, completed),
        ProcessRole::Rank { member, completed } => run_as_rank(member, case, completed),
        ProcessRole::LaunchedRank(rank) => launched::run(rank, case),
        ProcessRole::Idle => {}
        ProcessRole::Invalid(why) => test_report::fail(&format!("\n{}\n  {why}\n", case.name)),
    }
}

/// Does this process report on tests? It is not one of our jobs, and not above rank 0 in the user's.
fn is_first() -> bool {
    !RunnerAddress::is_set() && wb_process::launcher_rank().is_none_or(|launched| launched.rank == 0)
}

fn decide(backends: Backends) -> ProcessRole {
    let lang = Lang::from_environment();
    if !wb_process::before_main::has_run() {
        return ProcessRole::Invalid(text::not_opted_in(lang));
    }
    let launched = wb_process::launcher_rank();
    if RunnerAddress::is_set() {
        return in_backend_job(backends, launched).unwrap_or_else(|error| exit_broken(&error));
    }
    let Some(launched) = launched else {
        // Several processes would wait, and their output is in files.
        return match wb_config::debugged_rank() {
            Ok(Some(rank)) => ProcessRole::Invalid(debugger::debug_needs_launcher(lang, rank, rank + 1)),
            _ => ProcessRole::Parent { available: None },
        };
    };
    let mode = match backends.processes {
        _ if env::var_os("NEXTEST").is_some() => ProcessRole::Invalid(text::nextest(lang)),
        None => ProcessRole::Invalid(text::no_mpi_linked(lang)),
        Some(processes) => in_users_job(backends, processes, launched),
    };
    match mode {
        ProcessRole::Invalid(_) if launched.rank > 0 => ProcessRole::Idle, // Rank 0 says it for all.
        mode => mode,
    }
}

fn in_backend_job(backends: Backends, launched: Option<LauncherRank>) -> io::Result<ProcessRole> {
    let no_runner = || io::Error::other("the runner of this process is gone");
    let link = RunnerLink::from_environment()?.ok_or_else(no_runner)?;
    let (JobOrder { backend, completed, output }, _) = link.receive()?;
    match (backend, backends.processes) {
        (Backend::Mpi, Some(processes)) => {
            let announced = launched.and_then(|launched| launched.size);
            let member = RankWorker::init(processes, announced)
                .and_then(|handle| RankWorker::join(backends, processes, &*handle, link, output));
            let member = member.map_err(|error| io::Error::other(describe_join_error(processes, &error)))?;
            Ok(ProcessRole::Rank { member, completed })
        }
        (Backend::Mpi, None) => Err(io::Error::other(text::no_mpi_linked(Lang::from_environment()))),
        (Backend::Threads | Backend::VirtualTime, _) => {
            Ok(ProcessRole::Child { child: Child::start(backend, link)?, completed })
        }
    }
}

fn in_users_job(
    backends: Backends,
    processes: &'static dyn ProcessRanks,
    launched: LauncherRank,
) -> ProcessRole {
    let lang = Lang::from_environment();
    let free = run_folder::state().and_then(|state| rank_lock::acquire(&state, launched.rank));
    match free {
        Err(error) => return ProcessRole::Invalid(text::cannot_join(lang, error)),
        Ok(false) if launched.rank > 0 => return ProcessRole::Idle,
        Ok(false) => return ProcessRole::Parent { available: launched.size },
        Ok(true) => {}
    }
    match LaunchedRank::join(backends, processes, launched.size) {
        Ok(rank) => {
            debugging::wait_if_debugged(rank.rank());
            ProcessRole::LaunchedRank(rank)
        }
        Err(error) => ProcessRole::Invalid(describe_join_error(processes, &error)),
    }
}

/// Why this process cannot join, and the remedy.
fn describe_join_error(processes: &dyn ProcessRanks, error: &JoinError) -> String {
    let lang = Lang::from_environment();
    let JoinError::SizeMismatch { announced, size } = error else { return text::cannot_join(lang, error) };
    let library = processes.library();
    let launchers = match library.launchers.as_slice() {
        [] => text::no_launcher_found(lang),
        some => some.join(", "),
    };
    text::wrong_launcher(lang, announced, size, BackendLabel::processes(&library).0, launchers)
}

fn run_as_rank(member: &RankWorker, case: &ErasedTest, judged: &CompletedTests) {
    let _turn = member.test_lock();
    let here = |ranks: usize| ranks <= member.size() && !judged.contains(&case.name, ranks);
    for (ranks, trials) in case.test_runs.iter().filter(|(ranks, _)| here(*ranks)) {
        if let Err(error) = member.run(&case.name, *ranks, trials) {
            exit_broken(&text::cannot_join(Lang::from_environment(), error));
        }
    }
}

/// Ends a process that cannot continue.
fn exit_broken(why: &dyn std::fmt::Display) -> ! {
    let _nowhere_to_say = writeln!(wb_process::before_main::real_stderr(), "{why}");
    wb_process::exit_now(EXIT_FAILED)
}
