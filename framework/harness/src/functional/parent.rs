//! What a process that starts jobs does with a test: it looks up what became of it on every lane.
use std::sync::Arc;

use wb_messages::{Lang, functional as text};
use wb_record::Verdict;

use super::{
    case::{self, Case, Verdicts},
    finding::Finding,
    lane::{self, Death, LaneId},
    report::{Backend, Outcome},
    summary,
    trial::Trial,
    verdict,
};

/// Tells the verdict that the lanes have on a test; inside an outer job at most on so many ranks.
pub(super) fn run(case: &Case, available: Option<usize>) {
    verdict::tell(case, &look_up(case, available));
}

fn look_up(case: &Case, available: Option<usize>) -> Vec<Outcome> {
    let mut outcomes = vec![];
    // Inside the user's job only real ranks are asked for.
    if available.is_none() {
        let lanes = [(LaneId::Threads, Backend::threads()), (LaneId::VirtualTime, Backend::virtual_time())];
        for (id, backend) in lanes {
            for (ranks, trials) in &case.trials {
                outcomes.push(look_up_one(case, id, &backend, *ranks, trials));
            }
        }
    }
    let Some(processes) = case.backends.processes else { return outcomes };
    let backend = Backend::processes(&processes.library());
    let mut any = false;
    for (ranks, trials) in &case.trials {
        match available.filter(|&available| *ranks > available) {
            Some(available) => summary::skipped(&backend.0, *ranks, available, trials.len()),
            None => {
                any = true;
                outcomes.push(look_up_one(case, LaneId::Processes(*ranks), &backend, *ranks, trials));
            }
        }
    }
    if !any {
        verdict::nothing_tested(case, available);
    }
    outcomes
}

fn look_up_one(
    case: &Case,
    id: LaneId,
    backend: &Backend,
    ranks: usize,
    trials: &[Arc<dyn Trial>],
) -> Outcome {
    let lane = lane::of(case.backends, id);
    let judged = match lane.evidence(&case.name, ranks) {
        Some(evidence) => after_death(case::judge(ranks, trials, evidence), lane.death(&case.name, ranks)),
        None => match lane.left_out(&case.name) {
            Some(why) => left_out(why),
            None => not_run(&lane.over()),
        },
    };
    verdict::count(case, id, backend, trials.len(), ranks, judged)
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
