//! What the runs with one buffering were worth, and which choice tells a wrong one from a right one.
use wb_comm::{
    Code, Finding, Place, Rank, Site,
    orders::{Buffering, Fault, Judgement, Schedule},
};

use super::{
    chooser::Step,
    transition::{Transition, What},
};

/// A wrong run.
#[derive(Debug)]
struct Wrong {
    judgement: Judgement,
    steps: Vec<Step>,
    /// Where a right run leaves it, and what it takes there: of those beside it the one that goes along the longest.
    leaves: Option<(usize, usize)>,
    /// Has a right run come after it?
    is_settled: bool,
}

/// See the module. The search goes depth first, so the right run that is nearest to a wrong one is the last before it or
/// the first after it.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    wrong: Vec<Wrong>,
    right: Option<Vec<usize>>,
}

impl Ledger {
    /// Notes a run. The same mistake is kept once.
    pub(crate) fn note(&mut self, steps: Vec<Step>, judgement: Judgement) {
        let taken: Vec<usize> = steps.iter().map(|step| step.taken).collect();
        if judgement.is_right() {
            for wrong in self.wrong.iter_mut().filter(|wrong| !wrong.is_settled) {
                wrong.meet(&taken);
                wrong.is_settled = true;
            }
            self.right = Some(taken);
            return;
        }
        let known = |wrong: &Wrong| essence(&wrong.judgement) == essence(&judgement);
        if self.wrong.iter().any(known) {
            return;
        }
        let mut wrong = Wrong { judgement, steps, leaves: None, is_settled: false };
        if let Some(right) = &self.right {
            wrong.meet(right);
        }
        self.wrong.push(wrong);
    }

    /// What is wrong, the same mistake once.
    pub(crate) fn into_faults(self, buffering: Buffering) -> Vec<Fault> {
        let mut faults: Vec<Fault> = Vec::new();
        for wrong in self.wrong {
            let fault = wrong.into_fault(buffering);
            if !faults.iter().any(|known| is_same(known, &fault)) {
                faults.push(fault);
            }
        }
        faults
    }
}

/// Do two faults name the same mistake at the same place?
fn is_same(one: &Fault, other: &Fault) -> bool {
    essence(&one.judgement) == essence(&other.judgement)
}

/// What tells mistakes apart: codes and the accused, and the first line of what else is wrong.
fn essence(judgement: &Judgement) -> (Vec<(Code, Option<&Place>)>, Option<&str>) {
    let codes = judgement.findings.iter().map(|found| (found.code, found.places.first())).collect();
    let blamed = judgement.findings.iter().any(|found| found.code == Code::WildcardRace);
    let wrong = judgement.wrong.as_deref().and_then(|text| text.lines().next());
    (codes, wrong.filter(|_| !blamed))
}

impl Wrong {
    /// Compares with a right run.
    fn meet(&mut self, right: &[usize]) {
        let differ = self.steps.iter().zip(right).position(|(step, other)| step.taken != *other);
        let Some(at) = differ else { return };
        if self.leaves.is_none_or(|(known, _)| known < at) {
            self.leaves = Some((at, right[at]));
        }
    }

    fn into_fault(self, buffering: Buffering) -> Fault {
        let schedule = Schedule { buffering, choices: self.steps.iter().map(|step| step.taken).collect() };
        let judgement = match self.leaves {
            Some((at, right)) => blame(&self.steps[at], right, self.judgement),
            None => self.judgement,
        };
        Fault { judgement, schedule }
    }
}

/// The choice `step` is where a run goes wrong; taking `right` goes right.
fn blame(step: &Step, right: usize, judgement: Judgement) -> Judgement {
    let (bad, good) = (&step.options[step.taken], &step.options[right]);
    match bad.what {
        What::Take { to, receive, from, .. } => {
            let finding = race(step, (to, receive, from), good, &judgement);
            Judgement { findings: vec![finding], ..judgement }
        }
        What::Look { rank, now: true } => {
            hint(judgement, &format!("it goes wrong if rank {rank} looks early"))
        }
        What::Look { rank, now: false } => {
            hint(judgement, &format!("it goes wrong if rank {rank} looks late"))
        }
        What::Show { rank, from } => {
            hint(judgement, &format!("it goes wrong if rank {rank} sees the message of rank {from} first"))
        }
        What::Touch => hint(judgement, "it goes wrong in one order of accesses to a window only"),
        What::Step => judgement,
    }
}

/// A receive from any source decides the result.
fn race(step: &Step, (to, receive, from): (Rank, Site, Rank), good: &Transition, why: &Judgement) -> Finding {
    let mut places = vec![Place::of(to, receive)];
    let mut senders = Vec::new();
    for option in &step.options {
        if let What::Take { to: other, receive: at, from, sent } = option.what
            && (other, at) == (to, receive)
        {
            senders.push(from.to_string());
            places.push(Place::of(from, sent));
        }
    }
    let mut details = vec![
        format!("can take the message of rank {}", senders.join(", ")),
        format!("takes that of rank {from}: {}", headline(why)),
    ];
    if let What::Take { to: other, receive: at, from, .. } = good.what {
        let whose = if (other, at) == (to, receive) { "takes that" } else { "another receive takes that" };
        details.push(format!("{whose} of rank {from}: all is well"));
    }
    details.extend(why.findings.iter().flat_map(|finding| finding.details.iter().cloned()));
    details.extend(why.wrong.iter().flat_map(|text| text.lines().skip(1)).map(str::to_owned));
    Finding { code: Code::WildcardRace, rank: to, places, details }
}

/// Why a run is wrong, in one line.
fn headline(why: &Judgement) -> String {
    let codes = why.findings.iter().map(|finding| finding.code.to_string());
    let wrong = why.wrong.iter().filter_map(|text| text.lines().next()).map(str::to_owned);
    codes.chain(wrong).collect::<Vec<_>>().join(", ")
}

/// Adds what is known to all that was found.
fn hint(mut judgement: Judgement, known: &str) -> Judgement {
    judgement.findings.iter_mut().for_each(|finding| finding.details.push(known.to_owned()));
    if let Some(wrong) = &mut judgement.wrong {
        *wrong = format!("{wrong}\n{known}");
    }
    judgement
}
