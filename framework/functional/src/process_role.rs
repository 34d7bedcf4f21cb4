//! How this process was started, and its role in a test.
//!
//! | started by | what a test does |
//! |---|---|
//! | a plain `cargo test` | starts jobs of this binary, one for each backend, and looks its verdict up |
//! | such a job | runs, on threads, in virtual time or as a rank, and reports how each run ends |
//! | the user's own launcher | runs as a rank; rank 0 alone reports |
//! | the same, second test binary in one slot | rank 0 starts jobs as without a launcher; the others do nothing |
use std::{
    env,
    io::Write,
    sync::{Arc, OnceLock},
};

use wb_comm::ProcessRanks;
use wb_messages::{Lang, debugger, functional as text};
use wb_process::LauncherRank;
use wb_record::Backend;
use wb_runner::{Backends, RunnerLink, channel::RunnerAddress};

use crate::{
    job_protocol::{BackendJobId, CompletedTests, EXIT_FAILED},
    launcher_side::backend_job,
    rank_side::{
        launched::{self, LaunchedRank},
        member::JobMember,
    },
    report::{BackendLabel, BackendOutcome, summary, test_report, verdict},
    test::{ErasedTest, TestRun, settings},
};

enum ProcessRole {
    /// Starts jobs; inside an outer job on at most `available` ranks.
    Parent { available: Option<usize> },
    /// A process of a job that a parent started.
    Member { member: &'static JobMember, completed: CompletedTests },
    /// A rank of the user's job.
    LaunchedRank(LaunchedRank),
    /// A process without a role.
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
    if matches!(role, ProcessRole::Member { .. } | ProcessRole::LaunchedRank(_)) {
        wb_process::permit_exit_in_tests(); // It is reported as the end of a rank.
    }
    match role {
        ProcessRole::Parent { available } => run_as_parent(case, *available),
        ProcessRole::Member { member, completed } => run_as_member(member, case, completed),
        ProcessRole::LaunchedRank(rank) => launched::run(rank, case),
        ProcessRole::Idle => {}
        ProcessRole::Invalid(why) => test_report::fail(&format!("\n{}\n  {why}\n", case.name)),
    }
}

/// Whether this process reports on tests: it is in no job of ours, and not above rank 0 in the user's.
fn is_first() -> bool {
    !RunnerAddress::is_set() && wb_process::launcher_rank().is_none_or(|launched| launched.rank == 0)
}

fn decide(backends: Backends) -> ProcessRole {
    let lang = Lang::from_environment();
    if !wb_process::before_main::has_run() {
        return ProcessRole::Invalid(text::not_opted_in(lang));
    }
    match RunnerLink::from_environment() {
        Ok(None) => {}
        Ok(Some(link)) => match JobMember::from_order(backends, link) {
            Ok((member, completed)) => return ProcessRole::Member { member, completed },
            Err(error) => exit_broken(&error.describe()),
        },
        Err(error) => exit_broken(&error),
    }
    let Some(launched) = wb_process::launcher_rank() else {
        // Several processes would wait, and their output is in files.
        return match wb_config::debugged_rank() {
            Ok(Some(rank)) => ProcessRole::Invalid(debugger::debug_needs_launcher(lang, rank, rank + 1)),
            _ => ProcessRole::Parent { available: None },
        };
    };
    let role = match backends.processes {
        _ if env::var_os("NEXTEST").is_some() => ProcessRole::Invalid(text::nextest(lang)),
        None => ProcessRole::Invalid(text::no_mpi_linked(lang)),
        Some(processes) => in_users_job(backends, processes, launched),
    };
    match role {
        ProcessRole::Invalid(_) if launched.rank > 0 => ProcessRole::Idle, // Rank 0 says it for all.
        role => role,
    }
}

fn in_users_job(
    backends: Backends,
    processes: &'static dyn ProcessRanks,
    launched: LauncherRank,
) -> ProcessRole {
    match launched::takes_slot(launched.rank) {
        Err(error) => ProcessRole::Invalid(text::cannot_join(Lang::from_environment(), error)),
        Ok(false) if launched.rank > 0 => ProcessRole::Idle,
        Ok(false) => ProcessRole::Parent { available: launched.size },
        Ok(true) => match LaunchedRank::join(backends, processes) {
            Ok(rank) => ProcessRole::LaunchedRank(rank),
            Err(error) => ProcessRole::Invalid(error.describe()),
        },
    }
}

fn run_as_member(member: &JobMember, case: &ErasedTest, completed: &CompletedTests) {
    let _turn = member.test_lock();
    let is_here = |ranks: usize| ranks <= member.max_ranks() && !completed.contains(&case.name, ranks);
    for (ranks, test_runs) in case.test_runs.iter().filter(|(ranks, _)| is_here(*ranks)) {
        if let Err(error) = member.run(&case.name, *ranks, test_runs) {
            exit_broken(&text::cannot_join(Lang::from_environment(), error));
        }
    }
}

/// Ends a process that cannot continue.
fn exit_broken(why: &dyn std::fmt::Display) -> ! {
    let _nowhere_to_say = writeln!(wb_process::before_main::real_stderr(), "{why}");
    wb_process::exit_now(EXIT_FAILED)
}

/// Reports the verdict of all backends on a test; inside an outer job on at most `available` ranks.
fn run_as_parent(case: &ErasedTest, available: Option<usize>) {
    let selected = settings::selected_backends(case.backends)
        .unwrap_or_else(|why| test_report::fail(&format!("\n{}\n  {why}\n", case.name)));
    // Inside the user's job real ranks alone are used, whatever is selected.
    let is_selected = |backend| match available {
        None => selected.contains(&backend),
        Some(_) => backend == Backend::Mpi,
    };
    let mut outcomes = vec![];
    let shared = [
        (BackendJobId::Threads, BackendLabel::threads()),
        (BackendJobId::VirtualTime, BackendLabel::virtual_time()),
    ];
    for (id, backend) in shared.into_iter().filter(|(id, _)| is_selected(id.backend())) {
        for (ranks, test_runs) in &case.test_runs {
            outcomes.push(outcome(case, id, &backend, *ranks, test_runs));
        }
    }
    if let Some(processes) = case.backends.processes.filter(|_| is_selected(Backend::Mpi)) {
        let backend = BackendLabel::processes(&processes.library());
        let missing = |ranks: usize| available.filter(|&available| ranks > available);
        let possible = case.test_runs.iter().map(|(ranks, _)| *ranks).filter(|&it| missing(it).is_none());
        let most_ranks = possible.max();
        for (ranks, test_runs) in &case.test_runs {
            match missing(*ranks) {
                Some(available) => summary::skipped(&backend.0, *ranks, available, test_runs.len()),
                None => {
                    let id = BackendJobId::Processes(most_ranks.unwrap_or(*ranks));
                    outcomes.push(outcome(case, id, &backend, *ranks, test_runs));
                }
            }
        }
        if most_ranks.is_none() {
            verdict::nothing_tested(case, available);
        }
    }
    verdict::report(case, &outcomes);
}

/// The outcome of a test on a backend, whose job is started if it has not run yet.
fn outcome(
    case: &ErasedTest,
    id: BackendJobId,
    backend: &BackendLabel,
    ranks: usize,
    test_runs: &[Arc<dyn TestRun>],
) -> BackendOutcome {
    let judged = backend_job::get_or_run(case.backends, id).verdict(&case.name, ranks, test_runs);
    verdict::count(case, id.backend(), backend, test_runs.len(), ranks, judged)
}
