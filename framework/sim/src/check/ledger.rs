//! What the runs with one buffering were worth, and which choice tells a wrong one from a right one.
use wb_comm::{
    Code, Finding, Place, Rank, Site, Text,
    orders::{Buffering, Fault, Judgement, Schedule},
    text::order,
};

use super::{
    chooser::Step,
    difference::Difference,
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

/// A right run.
#[derive(Clone, Debug)]
pub(crate) struct Right {
    pub(crate) taken: Vec<usize>,
    pub(crate) result: String,
}

/// Two right runs, one after the other, that come to different results.
#[derive(Debug)]
pub(crate) struct Apart {
    pub(crate) runs: [Right; 2],
    /// Where the second leaves the first.
    step: Option<Step>,
    difference: Difference,
}

/// See the module. The search goes depth first, so the right run that is nearest to a wrong one is the last before it or
/// the first after it; and if all right runs agree with the one before them, they all agree.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    wrong: Vec<Wrong>,
    right: Option<Right>,
    /// The first two that differ by more than rounding.
    apart: Option<Apart>,
    /// The first two that differ by rounding.
    rounded: Option<Apart>,
    /// Had a receive from any source a choice?
    has_wildcards: bool,
}

impl Ledger {
    /// Notes a run. The same mistake is kept once.
    pub(crate) fn note(&mut self, steps: Vec<Step>, judgement: Judgement) {
        let taken: Vec<usize> = steps.iter().map(|step| step.taken).collect();
        self.has_wildcards |= steps.iter().any(Step::is_contested);
        if judgement.is_right() {
            for wrong in self.wrong.iter_mut().filter(|wrong| !wrong.is_settled) {
                wrong.meet(&taken);
                wrong.is_settled = true;
            }
            self.compare(&steps, Right { taken, result: judgement.result.unwrap_or_default() });
            return;
        }
        let known = |wrong: &Wrong| essence(&wrong.judgement) == essence(&judgement);
        if self.wrong.iter().any(known) {
            return;
        }
        let mut wrong = Wrong { judgement, steps, leaves: None, is_settled: false };
        if let Some(right) = &self.right {
            wrong.meet(&right.taken);
        }
        self.wrong.push(wrong);
    }

    /// Holds a right run against the one before it.
    fn compare(&mut self, steps: &[Step], right: Right) {
        let difference = |before: &Right| Difference::between(&before.result, &right.result);
        if let Some((before, difference)) =
            self.right.as_ref().and_then(|before| Some((before, difference(before)?)))
        {
            let first = if difference.is_rounding { &mut self.rounded } else { &mut self.apart };
            first.get_or_insert_with(|| {
                let leaves = steps.iter().zip(&before.taken).find(|(step, taken)| step.taken != **taken);
                let step = leaves.map(|(step, _)| step.clone());
                Apart { runs: [before.clone(), right.clone()], step, difference }
            });
        }
        self.right = Some(right);
    }

    /// Had a receive from any source a choice?
    pub(crate) fn has_wildcards(&self) -> bool {
        self.has_wildcards
    }

    /// Results that differ: by more than rounding, and by rounding.
    pub(crate) fn take_apart(&mut self) -> [Option<Apart>; 2] {
        [self.apart.take(), self.rounded.take()]
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

impl Step {
    /// Can a rank take the message of one or of another?
    fn is_contested(&self) -> bool {
        let takers = self.options.iter().filter_map(|option| match option.what {
            What::Take { to, .. } => Some(to),
            _ => None,
        });
        let takers: Vec<Rank> = takers.collect();
        takers.iter().enumerate().any(|(at, to)| takers[..at].contains(to))
    }
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
        Fault { judgement, schedule, beside: None }
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
        What::Look { rank, now: true } => hint(judgement, &order::wrong_if_early(rank)),
        What::Look { rank, now: false } => hint(judgement, &order::wrong_if_late(rank)),
        What::Show { rank, from } => hint(judgement, &order::wrong_if_first(rank, from)),
        What::Keep { from, .. } => hint(judgement, &order::wrong_if_kept(from)),
        What::Touch => hint(judgement, &order::wrong_in_one_order()),
        What::Step => judgement,
    }
}

impl Apart {
    /// What it comes to, with both runs.
    pub(crate) fn into_fault(self, buffering: Buffering) -> Fault {
        let Self { runs, step, difference } = self;
        let [beside, schedule] = runs.map(|run| Schedule { buffering, choices: run.taken });
        let Difference { place, here, there, is_rounding } = difference;
        let mut finding = Finding { code: Code::OrderOfArrival, rank: 0, places: vec![], details: vec![] };
        if let Some(step) = step {
            let common = schedule.choices.iter().zip(&beside.choices).take_while(|(one, other)| one == other);
            told_by(&step, [beside.choices[common.count()], step.taken], &mut finding);
        }
        finding.details.push(order::differs(place, here, beside.to_string(), there, schedule.to_string()));
        if is_rounding {
            finding.details.push(order::rounding());
        }
        let judgement = Judgement { findings: vec![finding], ..Judgement::default() };
        Fault { judgement, schedule, beside: Some(beside) }
    }
}

/// Says what the choice was on which two results depend.
fn told_by(step: &Step, [one, other]: [usize; 2], finding: &mut Finding) {
    match step.options[other].what {
        What::Take { to, receive, .. } => {
            let (places, senders) = contest(step, (to, receive));
            (finding.rank, finding.places) = (to, places);
            finding.details.push(order::can_take(senders.join(", ")));
        }
        What::Look { rank, .. } => {
            finding.rank = rank;
            finding.details.push(order::late_look(rank));
        }
        What::Show { rank, .. } => {
            finding.rank = rank;
            finding.details.push(order::first_seen(rank));
        }
        What::Touch => finding.details.push(order::window_order()),
        What::Keep { from, .. } => {
            finding.details.push(order::kept(from));
        }
        What::Step => {}
    }
    if let (What::Take { from: first, .. }, What::Take { from: then, .. }) =
        (step.options[one].what, step.options[other].what)
    {
        finding.details.push(order::takes_either(first, then));
    }
}

/// A receive and those whose messages it can take: the lines, and the senders.
fn contest(step: &Step, (to, receive): (Rank, Site)) -> (Vec<Place>, Vec<String>) {
    let (mut places, mut senders) = (vec![Place::of(to, receive)], vec![]);
    for option in &step.options {
        if let What::Take { to: other, receive: at, from, sent } = option.what
            && (other, at) == (to, receive)
        {
            senders.push(from.to_string());
            places.push(Place::of(from, sent));
        }
    }
    (places, senders)
}

/// A receive from any source decides the result.
fn race(step: &Step, (to, receive, from): (Rank, Site, Rank), good: &Transition, why: &Judgement) -> Finding {
    let (places, senders) = contest(step, (to, receive));
    let mut details = vec![order::can_take(senders.join(", ")), order::takes_wrongly(from, headline(why))];
    if let What::Take { to: other, receive: at, from, .. } = good.what {
        let same = (other, at) == (to, receive);
        details.push(if same { order::takes_rightly(from) } else { order::another_takes_rightly(from) });
    }
    details.extend(why.findings.iter().flat_map(|finding| finding.details.iter().cloned()));
    details.extend(why.wrong.iter().flat_map(|text| text.lines().skip(1)).map(Text::verbatim));
    Finding { code: Code::WildcardRace, rank: to, places, details }
}

/// Why a run is wrong, in one line.
fn headline(why: &Judgement) -> String {
    let codes = why.findings.iter().map(|finding| finding.code.to_string());
    let wrong = why.wrong.iter().filter_map(|text| text.lines().next()).map(str::to_owned);
    codes.chain(wrong).collect::<Vec<_>>().join(", ")
}

/// Adds what is known to all that was found.
fn hint(mut judgement: Judgement, known: &Text) -> Judgement {
    judgement.findings.iter_mut().for_each(|finding| finding.details.push(known.clone()));
    if let Some(wrong) = &mut judgement.wrong {
        *wrong = format!("{wrong}\n{known}");
    }
    judgement
}
