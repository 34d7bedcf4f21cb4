//! What a rank of the user's own job does with a test: all of them run it, rank 0 alone tells.
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use wb_messages::{Lang, functional as text};
use wb_record::Verdict;

use super::{
    board::{Board, Lost},
    case::{self, Case},
    entry::Entry,
    evidence::CaseEvidence,
    finding::Finding,
    judge,
    lane::LaneId,
    member::{FAILED, Member},
    question::{Question, RunId},
    report::{self, Backend, Outcome},
    summary,
    trial::Trial,
    unended, verdict,
};

/// Runs a test on the ranks that there are; on rank 0 it returns when the test passes.
///
/// The other ranks come to the same verdict from the same evidence, but may not fail: a launcher ends a job when one of
/// its ranks ends with an error. So they only remember that rank 0 does not come to further checks of the test.
pub(super) fn run(member: &Member, case: &Case) {
    let _turn = member.turn();
    let test = case::test_of(&case.name);
    if left().contains(test) {
        return;
    }
    let backend = case.backends.processes.map(|processes| Backend::processes(&processes.library()));
    let backend = backend.expect("only a program with processes joins a job");
    let (mut outcomes, mut fails, mut any) = (vec![], false, false);
    for (ranks, trials) in &case.trials {
        if *ranks > member.size {
            if member.rank == 0 {
                summary::skipped(&backend.0, *ranks, member.size, trials.len());
            }
            continue;
        }
        any = true;
        let judged = case::judge(*ranks, trials, &run_one(member, &backend, &case.name, *ranks, trials));
        fails |= judged.finding.is_some();
        if member.rank == 0 {
            let id = LaneId::Processes(*ranks);
            outcomes.push(verdict::count(case, id, &backend, trials.len(), *ranks, judged));
        }
    }
    match (member.rank, any) {
        (0, true) => verdict::tell(case, &outcomes),
        (0, false) => verdict::nothing_tested(case, Some(member.size)),
        _ if fails || !any => drop(left().insert(test.to_owned())),
        _ => {}
    }
}

/// The tests that rank 0 has left with a failure.
fn left() -> MutexGuard<'static, BTreeSet<String>> {
    static LEFT: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    LEFT.lock().unwrap_or_else(PoisonError::into_inner)
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
            summary::ran(backend, ranks, 0, 1);
            verdict::tell_all(&format!(
                "\n{} {name}\n  {}\n",
                text::crash(Lang::of_environment()),
                explain_lost(&lost)
            ));
        }
        wb_process::exit_now(FAILED)
    })
}

/// The farewell of rank 0: what it says when a run ends the job.
pub(super) fn tell_and_end(backend: &Backend, board: &Board, question: &Question) {
    let lang = Lang::of_environment();
    let id = &question.id;
    let evidence = board.evidence().unwrap_or_default();
    let run = evidence.cases.get(&(id.case.clone(), id.ranks)).and_then(|case| case.runs.get(&id.input));
    let finding = run.and_then(|run| judge::run(question, run));
    let finding = finding
        .unwrap_or_else(|| Finding::new(Verdict::Crash, text::no_verdict(lang), text::hint_no_record(lang)));
    summary::ran(backend, id.ranks, id.input, 1);
    let outcome = Outcome { backend: backend.clone(), ranks: id.ranks, finding: Some(finding) };
    verdict::tell_all(&report::text(&id.case, &[outcome]));
}

/// What a rank says that does not end after its test, which rank 0 may have told as passed.
pub(super) fn tell_unended(backend: &Backend, id: &RunId, entry: &Entry) {
    let finding = unended::finding(&[entry], Lang::of_environment());
    let outcome = Outcome { backend: backend.clone(), ranks: id.ranks, finding };
    verdict::tell_all(&report::text(&id.case, &[outcome]));
}

/// Why the ranks do not agree, for people.
pub(super) fn explain_lost(lost: &Lost) -> String {
    let lang = Lang::of_environment();
    match lost {
        Lost::OutOfStep { rank, theirs, mine } => text::out_of_step(lang, rank, theirs, mine),
        other => text::cannot_join(lang, other),
    }
}
