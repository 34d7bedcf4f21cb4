//! How this process was started, and its role in a test.
//!
//! | started by | what a test does |
//! |---|---|
//! | a plain `cargo test` | starts jobs of this binary, one for each backend, and looks its verdict up |
//! | such a job | runs, on threads, in virtual time or as a rank, and writes its journal |
//! | the user's own launcher | runs as a rank; rank 0 alone reports |
//! | the same, second test binary in one slot | rank 0 starts jobs as without a launcher; the others do nothing |
use std::{
    env,
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use wb_comm::ProcessRanks;
use wb_messages::{Lang, debugger, functional as text};
use wb_process::LauncherRank;
use wb_runner::{Backends, run_folder};

use crate::{
    job_protocol::{self, BackendJobId, EXIT_FAILED, completed_tests::CompletedTests},
    launcher_side::parent,
    rank_side::{
        child::Child,
        debugging,
        job_end::ParentReports,
        launched::{self, LaunchedJobReporter},
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
    LaunchedRank { member: RankWorker },
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
    if matches!(role, ProcessRole::Child { .. } | ProcessRole::Rank { .. } | ProcessRole::LaunchedRank { .. })
    {
        wb_process::permit_exit_in_tests(); // It is reported as the end of a rank.
    }
    match role {
        ProcessRole::Parent { available } => parent::run(case, *available),
        ProcessRole::Child { child, completed: judged } => {
            child.run(case, judged).unwrap_or_else(|error| exit_broken(&error));
        }
        ProcessRole::Rank { member, completed: judged } => run_as_rank(member, case, judged),
        ProcessRole::LaunchedRank { member } => launched::run(member, case),
        ProcessRole::Idle => {}
        ProcessRole::Invalid(why) => test_report::fail(&format!("\n{}\n  {why}\n", case.name)),
    }
}

/// Does this process report on tests? It is not one of our jobs, and not above rank 0 in the user's.
fn is_first() -> bool {
    env::var_os(job_protocol::JOB_VARIABLE).is_none()
        && wb_process::launcher_rank().is_none_or(|launched| launched.rank == 0)
}

fn decide(backends: Backends) -> ProcessRole {
    let lang = Lang::from_environment();
    if !wb_process::before_main::has_run() {
        return ProcessRole::Invalid(text::not_opted_in(lang));
    }
    let launched = wb_process::launcher_rank();
    if let (Some(lane), Some(folder)) =
        (env::var_os(job_protocol::JOB_VARIABLE), env::var_os(job_protocol::FOLDER_VARIABLE))
    {
        return in_backend_job(backends, &lane.to_string_lossy(), &PathBuf::from(folder), launched);
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

fn in_backend_job(
    backends: Backends,
    lane: &str,
    folder: &Path,
    launched: Option<LauncherRank>,
) -> ProcessRole {
    let judged = CompletedTests::read(folder).unwrap_or_else(|error| exit_broken(&error));
    match (BackendJobId::parse_single_process(lane), backends.processes) {
        (None, Some(processes)) => {
            let announced = launched.and_then(|launched| launched.size);
            let member =
                RankWorker::join(backends, processes, announced, Some(folder), Box::new(ParentReports));
            let member = member.unwrap_or_else(|error| exit_broken(&describe_join_error(processes, &error)));
            ProcessRole::Rank { member, completed: judged }
        }
        (None, None) => exit_broken(&text::no_mpi_linked(Lang::from_environment())),
        (Some(lane), _) => ProcessRole::Child {
            child: Child::start(lane, folder).unwrap_or_else(|error| exit_broken(&error)),
            completed: judged,
        },
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
    let backend = BackendLabel::processes(&processes.library());
    let reporter = Box::new(LaunchedJobReporter { backend });
    match RankWorker::join(backends, processes, launched.size, None, reporter) {
        Ok(member) => {
            debugging::wait_if_debugged(member.rank());
            ProcessRole::LaunchedRank { member }
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
        if let Err(lost) = member.run(&case.name, *ranks, trials) {
            exit_broken(&launched::describe_sync_error(&lost));
        }
    }
}

/// Ends a process that cannot continue.
fn exit_broken(why: &dyn std::fmt::Display) -> ! {
    let _nowhere_to_say = writeln!(wb_process::before_main::real_stderr(), "{why}");
    wb_process::exit_now(EXIT_FAILED)
}
