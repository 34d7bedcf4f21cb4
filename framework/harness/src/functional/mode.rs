//! How this process was started, and what a test therefore does in it.
//!
//! | started by | what a test does |
//! |---|---|
//! | a plain `cargo test` | starts jobs of this binary, [one lane each](super::lane), and looks its verdict up |
//! | such a job | runs, on threads or as a rank, and writes its journal |
//! | the user's own launcher | runs as a rank; rank 0 alone reports |
//! | the same, second test binary in one slot | rank 0 starts jobs as without a launcher; the others do nothing |
use std::{
    env,
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use wb_comm::Processes;
use wb_messages::{Lang, functional as text};
use wb_process::Launched;
use wb_record::Verdict;

use super::{
    board::{Board, Lost},
    case::{self, Case, Verdicts},
    child::Child,
    evidence::CaseEvidence,
    finding::Finding,
    folder, judge,
    lane::{self, Death, Judged, LaneId},
    member::{CannotJoin, FAILED, Member},
    question::Question,
    records::{self, Line},
    report::{self, Backend, Failed},
    slot, summary,
    trial::Trial,
};
use crate::Backends;

enum Mode {
    /// Starts jobs; inside an outer job at most on so many ranks.
    Parent { available: Option<usize> },
    /// Is the job on threads.
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
    match MODE.get_or_init(|| decide(case.backends)) {
        Mode::Parent { available } => verdict(case, look_up(case, *available)),
        Mode::Child { child, judged } => child.run(case, judged).unwrap_or_else(|error| broken(&error)),
        Mode::Rank { member, judged } => run_as_rank(member, case, judged),
        Mode::Outer { member } => run_in_users_job(member, case),
        Mode::Idle => {}
        Mode::Refused(why) => report::fail(&format!("\n{}\n  {why}\n", case.name)),
    }
}

fn decide(backends: Backends) -> Mode {
    let lang = Lang::of_environment();
    if !wb_process::early::entered() {
        return Mode::Refused(text::not_opted_in(lang));
    }
    let launched = wb_process::launched();
    if let (Some(lane), Some(folder)) = (env::var_os(lane::LANE), env::var_os(lane::FOLDER)) {
        return in_lane(backends, lane == "threads", &PathBuf::from(folder), launched);
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

fn in_lane(backends: Backends, on_threads: bool, folder: &Path, launched: Option<Launched>) -> Mode {
    let judged = Judged::read(folder).unwrap_or_else(|error| broken(&error));
    match (on_threads, backends.processes) {
        (false, Some(processes)) => {
            let announced = launched.and_then(|launched| launched.size);
            let member = Member::join(backends, processes, announced, Some(folder), Box::new(|_, _| {}));
            let member = member.unwrap_or_else(|error| broken(&explain(processes, &error)));
            Mode::Rank { member, judged }
        }
        _ => Mode::Child { child: Child::start(folder).unwrap_or_else(|error| broken(&error)), judged },
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
        Box::new(move |board: &Board, question: &Question| tell_and_end(&backend, board, question));
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

/// The verdicts that the lanes have on a test.
fn look_up(case: &Case, available: Option<usize>) -> Vec<Failed> {
    let mut failed = vec![];
    // Inside the user's job only real ranks are asked for.
    if available.is_none() {
        let backend = Backend::threads();
        for (ranks, trials) in &case.trials {
            failed.extend(look_up_one(case, LaneId::Threads, &backend, *ranks, trials));
        }
    }
    let Some(processes) = case.backends.processes else { return failed };
    let backend = Backend::processes(&processes.library());
    let mut any = false;
    for (ranks, trials) in &case.trials {
        match available.filter(|&available| *ranks > available) {
            Some(available) => summary::skipped(&backend.0, *ranks, available, trials.len()),
            None => {
                any = true;
                failed.extend(look_up_one(case, LaneId::Processes(*ranks), &backend, *ranks, trials));
            }
        }
    }
    if !any {
        nothing_tested(case, available);
    }
    failed
}

fn look_up_one(
    case: &Case,
    id: LaneId,
    backend: &Backend,
    ranks: usize,
    trials: &[Arc<dyn Trial>],
) -> Option<Failed> {
    let lane = lane::of(case.backends, id);
    let judged = match lane.evidence(&case.name, ranks) {
        Some(evidence) => {
            with_last_words(case::judge(ranks, trials, evidence), lane.death(&case.name, ranks))
        }
        None => match lane.left_out(&case.name) {
            Some(why) => left_out(why),
            None => not_run(&lane.over()),
        },
    };
    count(case, id, backend, trials.len(), ranks, judged)
}

/// A crash that left no words of its own gets those of the job.
fn with_last_words(judged: Verdicts, death: Option<&Death>) -> Verdicts {
    let add = |finding: Finding| match (&finding, death) {
        (Finding { verdict: Verdict::Crash, said: None, .. }, Some(death)) => {
            Finding { said: Some(last_words(death)), ..finding }
        }
        _ => finding,
    };
    Verdicts { finding: judged.finding.map(add), ..judged }
}

fn left_out(why: &str) -> Verdicts {
    let lang = Lang::of_environment();
    let finding = Finding::new(Verdict::Skip, text::not_run(lang, why), text::hint_not_run(lang));
    Verdicts::none(finding)
}

fn not_run(death: &Death) -> Verdicts {
    let lang = Lang::of_environment();
    let finding = Finding::new(Verdict::Crash, text::not_run(lang, &death.how), text::hint_not_run(lang));
    let said = (!death.output.is_empty()).then(|| last_words(death));
    Verdicts::none(Finding { said, ..finding })
}

fn last_words(death: &Death) -> (String, String) {
    (text::died(Lang::of_environment(), &death.how), death.output.clone())
}

/// Counts and records the verdicts on a test at one number of ranks.
fn count(
    case: &Case,
    id: LaneId,
    backend: &Backend,
    runs: usize,
    ranks: usize,
    judged: Verdicts,
) -> Option<Failed> {
    let Verdicts { passed, finding, took } = judged;
    let failed = runs.saturating_sub(passed).max(usize::from(finding.is_some()));
    summary::ran(&backend.0, ranks, passed, failed);
    records::note(
        case,
        &Line {
            ranks,
            backend: if id == LaneId::Threads {
                wb_record::Backend::Threads
            } else {
                wb_record::Backend::Mpi
            },
            verdict: finding.as_ref().map_or(Verdict::Pass, |finding| finding.verdict),
            reason: finding.as_ref().map(|finding| finding.headline.as_str()),
            took,
        },
    );
    finding.map(|finding| Failed { backend: backend.clone(), ranks, finding })
}

fn run_as_rank(member: &Member, case: &Case, judged: &Judged) {
    let _turn = member.turn();
    let here = |ranks: usize| ranks == member.size && !judged.has(&case.name, ranks);
    for (ranks, trials) in case.trials.iter().filter(|(ranks, _)| here(*ranks)) {
        if let Err(lost) = member.run(&case.name, *ranks, trials) {
            broken(&explain_lost(&lost));
        }
    }
}

fn run_in_users_job(member: &Member, case: &Case) {
    let _turn = member.turn();
    let backend = case.backends.processes.map(|processes| Backend::processes(&processes.library()));
    let backend = backend.expect("only a program with processes joins a job");
    let (mut failed, mut any) = (vec![], false);
    for (ranks, trials) in &case.trials {
        if *ranks > member.size {
            if member.rank == 0 {
                summary::skipped(&backend.0, *ranks, member.size, trials.len());
            }
            continue;
        }
        any = true;
        let evidence = run_one(member, &case.name, *ranks, trials);
        if member.rank == 0 {
            let judged = case::judge(*ranks, trials, &evidence);
            failed.extend(count(case, LaneId::Processes(*ranks), &backend, trials.len(), *ranks, judged));
        }
    }
    if member.rank == 0 && !any {
        nothing_tested(case, Some(member.size));
    }
    verdict(case, failed);
}

fn run_one(member: &Member, name: &str, ranks: usize, trials: &[Arc<dyn Trial>]) -> CaseEvidence {
    member.run(name, ranks, trials).unwrap_or_else(|lost| {
        if member.rank == 0 {
            broken(&explain_lost(&lost));
        }
        wb_process::exit_now(FAILED)
    })
}

/// The reports so far: libtest holds them back until its end, which may never come.
static REPORTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn verdict(case: &Case, failed: Vec<Failed>) {
    if failed.is_empty() {
        return;
    }
    let report = report::text(&case.name, &failed);
    REPORTS.lock().unwrap_or_else(PoisonError::into_inner).push(report.clone());
    report::fail(&report)
}

fn nothing_tested(case: &Case, available: Option<usize>) {
    let lang = Lang::of_environment();
    let skipped = |(ranks, _): &(usize, Vec<Arc<dyn Trial>>)| {
        format!("    {}\n", text::too_few_ranks(lang, ranks, available.unwrap_or_default()))
    };
    let skips: String = case.trials.iter().map(skipped).collect();
    report::fail(&format!("\n{} {}\n  {}\n{skips}", text::fail(lang), case.name, text::nothing_tested(lang)))
}

/// What rank 0 of the user's job says when a run ends the job.
fn tell_and_end(backend: &Backend, board: &Board, question: &Question) {
    let lang = Lang::of_environment();
    let id = &question.id;
    let evidence = board.evidence().unwrap_or_default();
    let run = evidence.cases.get(&(id.case.clone(), id.ranks)).and_then(|case| case.runs.get(&id.input));
    let finding = run.and_then(|run| judge::run(question, run));
    let finding = finding
        .unwrap_or_else(|| Finding::new(Verdict::Crash, text::no_verdict(lang), text::hint_no_record(lang)));
    let mut reports = std::mem::take(&mut *REPORTS.lock().unwrap_or_else(PoisonError::into_inner));
    summary::ran(&backend.0, id.ranks, id.input, 1);
    reports.push(report::text(&id.case, &[Failed { backend: backend.clone(), ranks: id.ranks, finding }]));
    let all = reports.concat();
    let _nowhere_to_say = writeln!(wb_process::early::real_stderr(), "{all}  {}", text::job_ends_here(lang));
    summary::print();
}

fn explain_lost(lost: &Lost) -> String {
    let lang = Lang::of_environment();
    match lost {
        Lost::OutOfStep { rank, theirs, mine } => text::out_of_step(lang, rank, theirs, mine),
        other => text::cannot_join(lang, other),
    }
}

/// Leaves a process that cannot go on.
fn broken(why: &dyn std::fmt::Display) -> ! {
    let _nowhere_to_say = writeln!(wb_process::early::real_stderr(), "{why}");
    wb_process::exit_now(FAILED)
}
