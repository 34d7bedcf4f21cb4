//! How this process was started, and what a test therefore does in it.
//!
//! | started by | what a test does |
//! |---|---|
//! | a plain `cargo test` | starts jobs of this binary, [one lane each](super::lane), and looks its verdict up |
//! | such a job | runs, on threads or as a rank, and writes its journal |
//! | the user's own launcher | runs as a rank; rank 0 alone reports |
//! | the same, second test binary in one slot | rank 0 starts jobs as without a launcher; the others do nothing |
use std::{
    collections::BTreeSet,
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
    judge,
    lane::{self, Death, Judged, LaneId},
    member::{CannotJoin, FAILED, Member},
    question::Question,
    records::{self, Line},
    report::{self, Backend, Failed},
    slot, summary,
    trial::Trial,
};
use crate::{Backends, folder};

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
        Some(evidence) => after_death(case::judge(ranks, trials, evidence), lane.death(&case.name, ranks)),
        None => match lane.left_out(&case.name) {
            Some(why) => left_out(why),
            None => not_run(&lane.over()),
        },
    };
    count(case, id, backend, trials.len(), ranks, judged)
}

/// The verdict on a test whose job did not come through it: whatever its ranks had noted by then, it has not passed. A
/// crash that left no words of its own gets those of the job.
fn after_death(judged: Verdicts, death: Option<&Death>) -> Verdicts {
    let Some(death) = death else { return judged };
    let lang = Lang::of_environment();
    let (passed, finding) = match judged.finding {
        Some(finding) => (judged.passed, finding),
        // All runs looked right, and what the last of them left nobody knows.
        None => {
            let headline = text::died_afterwards(lang);
            let finding = Finding::new(Verdict::Crash, headline, text::hint_no_record(lang));
            (judged.passed.saturating_sub(1), finding)
        }
    };
    let said = match finding.verdict {
        Verdict::Crash => finding.said.or_else(|| Some(last_words(death))),
        _ => finding.said,
    };
    Verdicts { passed, finding: Some(Finding { said, ..finding }), ..judged }
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

/// Rank 0 tells the verdict, and a failure is the end of its test. The others come to the same verdict from the same
/// evidence, but may not fail: a launcher ends a job when one of its ranks ends with an error. So they only remember that
/// rank 0 does not come to further checks of the test.
fn run_in_users_job(member: &Member, case: &Case) {
    static OVER: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let _turn = member.turn();
    let mut over = OVER.lock().unwrap_or_else(PoisonError::into_inner);
    if over.contains(case::test_of(&case.name)) {
        return;
    }
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
        let evidence = run_one(member, &backend, &case.name, *ranks, trials);
        let judged = case::judge(*ranks, trials, &evidence);
        if member.rank == 0 {
            failed.extend(count(case, LaneId::Processes(*ranks), &backend, trials.len(), *ranks, judged));
        } else if judged.finding.is_some() {
            over.insert(case::test_of(&case.name).to_owned());
        }
    }
    if member.rank > 0 {
        if !any {
            over.insert(case::test_of(&case.name).to_owned());
        }
        return;
    }
    drop(over);
    if !any {
        nothing_tested(case, Some(member.size));
    }
    verdict(case, failed);
}

fn run_one(
    member: &Member,
    backend: &Backend,
    name: &str,
    ranks: usize,
    trials: &[Arc<dyn Trial>],
) -> CaseEvidence {
    member.run(name, ranks, trials).unwrap_or_else(|lost| {
        if member.rank == 0 {
            summary::ran(&backend.0, ranks, 0, 1);
            tell_all(&format!(
                "\n{} {name}\n  {}\n",
                text::crash(Lang::of_environment()),
                explain_lost(&lost)
            ));
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
    summary::ran(&backend.0, id.ranks, id.input, 1);
    tell_all(&report::text(&id.case, &[Failed { backend: backend.clone(), ranks: id.ranks, finding }]));
}

/// The reports so far, a last one, and the counts: before a process leaves without libtest's end.
fn tell_all(last: &str) {
    let reports = std::mem::take(&mut *REPORTS.lock().unwrap_or_else(PoisonError::into_inner)).concat();
    let ends = text::job_ends_here(Lang::of_environment());
    let _nowhere_to_say = writeln!(wb_process::early::real_stderr(), "{reports}{last}  {ends}");
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_test_whose_job_ended_before_it_was_through_has_not_passed() {
        let death = Death { how: "killed".into(), output: "nothing".into() };
        let passed = || Verdicts { passed: 2, finding: None, took: Duration::ZERO };
        assert!(after_death(passed(), None).finding.is_none());
        let judged = after_death(passed(), Some(&death));
        let finding = judged.finding.expect("it is missed that the last run was not swept");
        assert_eq!((judged.passed, finding.verdict), (1, Verdict::Crash));
        assert_eq!(finding.said, Some(last_words(&death)));
        let known = Finding::new(Verdict::Hang, "they wait".into(), "there".into());
        let judged = after_death(Verdicts::none(known.clone()), Some(&death));
        assert_eq!(judged.finding, Some(known), "what the ranks noted themselves says more");
    }
}
