//! How this process was started, and what a test therefore does in it.
//!
//! | started by | what a test does |
//! |---|---|
//! | a plain `cargo test` | starts jobs of this binary, [one lane each](super::lane), and looks its verdict up |
//! | such a job | runs, on threads, in virtual time or as a rank, and writes its journal |
//! | the user's own launcher | runs as a rank; rank 0 alone reports |
//! | the same, second test binary in one slot | rank 0 starts jobs as without a launcher; the others do nothing |
use std::{
    env,
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use wb_comm::Processes;
use wb_messages::{Lang, functional as text};
use wb_process::Launched;

use super::{
    board::Board,
    case::Case,
    child::Child,
    lane::{self, Judged, LaneId},
    member::{CannotJoin, FAILED, Member},
    outer, parent,
    question::Question,
    report::{self, Backend},
    settings, slot, verdict,
};
use crate::{Backends, folder};

enum Mode {
    /// Starts jobs; inside an outer job at most on so many ranks.
    Parent { available: Option<usize> },
    /// Is the job on threads, or that in virtual time.
    Child { child: Arc<Child>, judged: Judged },
    /// Is a rank of a job that a parent started.
    Rank { member: Arc<Member>, judged: Judged },
    /// Is a rank of the user's job.
    Outer { member: Arc<Member> },
    /// Has nothing to do.
    Idle,
    /// Cannot do anything, for this reason.
    Refused(String),
}

/// Does with a test what is to be done in this process; returns when the test passes.
pub(super) fn run(case: &Case) {
    static MODE: OnceLock<Mode> = OnceLock::new();
    if settings::is_disabled(case.version) {
        // Every process of a job reads the same file: all of them leave the test out.
        if is_first() {
            verdict::disabled(case);
        }
        return;
    }
    match MODE.get_or_init(|| decide(case.backends)) {
        Mode::Parent { available } => parent::run(case, *available),
        Mode::Child { child, judged } => child.run(case, judged).unwrap_or_else(|error| broken(&error)),
        Mode::Rank { member, judged } => run_as_rank(member, case, judged),
        Mode::Outer { member } => outer::run(member, case),
        Mode::Idle => {}
        Mode::Refused(why) => report::fail(&format!("\n{}\n  {why}\n", case.name)),
    }
}

/// Does this process report on tests? It is none of our jobs, and not above rank 0 in the user's.
fn is_first() -> bool {
    env::var_os(lane::LANE).is_none() && wb_process::launched().is_none_or(|launched| launched.rank == 0)
}

fn decide(backends: Backends) -> Mode {
    let lang = Lang::of_environment();
    if !wb_process::early::entered() {
        return Mode::Refused(text::not_opted_in(lang));
    }
    let launched = wb_process::launched();
    if let (Some(lane), Some(folder)) = (env::var_os(lane::LANE), env::var_os(lane::FOLDER)) {
        return in_lane(backends, &lane.to_string_lossy(), &PathBuf::from(folder), launched);
    }
    let Some(launched) = launched else { return Mode::Parent { available: None } };
    let mode = match backends.processes {
        _ if env::var_os("NEXTEST").is_some() => Mode::Refused(text::nextest(lang)),
        None => Mode::Refused(text::no_mpi_linked(lang)),
        Some(processes) => in_users_job(backends, processes, launched),
    };
    match mode {
        Mode::Refused(_) if launched.rank > 0 => Mode::Idle, // Rank 0 says it for all.
        mode => mode,
    }
}

fn in_lane(backends: Backends, lane: &str, folder: &Path, launched: Option<Launched>) -> Mode {
    let judged = Judged::read(folder).unwrap_or_else(|error| broken(&error));
    match (LaneId::in_one_process(lane), backends.processes) {
        (None, Some(processes)) => {
            let announced = launched.and_then(|launched| launched.size);
            let member = Member::join(backends, processes, announced, Some(folder), Box::new(|_, _| {}));
            let member = member.unwrap_or_else(|error| broken(&explain(processes, &error)));
            Mode::Rank { member, judged }
        }
        (None, None) => broken(&text::no_mpi_linked(Lang::of_environment())),
        (Some(lane), _) => {
            Mode::Child { child: Child::start(lane, folder).unwrap_or_else(|error| broken(&error)), judged }
        }
    }
}

fn in_users_job(backends: Backends, processes: &'static dyn Processes, launched: Launched) -> Mode {
    let lang = Lang::of_environment();
    let free = folder::state().and_then(|state| slot::take(&state, launched.rank));
    match free {
        Err(error) => return Mode::Refused(text::cannot_join(lang, error)),
        Ok(false) if launched.rank > 0 => return Mode::Idle,
        Ok(false) => return Mode::Parent { available: launched.size },
        Ok(true) => {}
    }
    let backend = Backend::processes(&processes.library());
    let farewell =
        Box::new(move |board: &Board, question: &Question| outer::tell_and_end(&backend, board, question));
    match Member::join(backends, processes, launched.size, None, farewell) {
        Ok(member) => Mode::Outer { member },
        Err(error) => Mode::Refused(explain(processes, &error)),
    }
}

/// Why this process cannot join, and what to do about it.
fn explain(processes: &dyn Processes, error: &CannotJoin) -> String {
    let lang = Lang::of_environment();
    let CannotJoin::OtherSize { announced, size } = error else { return text::cannot_join(lang, error) };
    let library = processes.library();
    let launchers = match library.launchers.as_slice() {
        [] => text::no_launcher_found(lang),
        some => some.join(", "),
    };
    text::wrong_launcher(lang, announced, size, Backend::processes(&library).0, launchers)
}

fn run_as_rank(member: &Member, case: &Case, judged: &Judged) {
    let _turn = member.turn();
    let here = |ranks: usize| ranks == member.size && !judged.has(&case.name, ranks);
    for (ranks, trials) in case.trials.iter().filter(|(ranks, _)| here(*ranks)) {
        if let Err(lost) = member.run(&case.name, *ranks, trials) {
            broken(&outer::explain_lost(&lost));
        }
    }
}

/// Leaves a process that cannot go on.
fn broken(why: &dyn std::fmt::Display) -> ! {
    let _nowhere_to_say = writeln!(wb_process::early::real_stderr(), "{why}");
    wb_process::exit_now(FAILED)
}
