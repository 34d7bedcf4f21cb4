//! The outcomes of the runs with one buffering mode, and the choices that distinguish failing runs from passing ones.
use wb_comm::{
    CallLocation, CallSite, Code, Finding, Rank, Text,
    exploration::{Buffering, RunVerdict, Schedule, ScheduleFinding},
    text::exploration,
};

use super::{
    result_difference::ResultDifference,
    sleep_sets::ChoicePoint,
    transition::{Transition, TransitionKind},
};

/// A failing run.
#[derive(Debug)]
struct FailingRun {
    verdict: RunVerdict,
    choices: Vec<ChoicePoint>,
    /// The index of the choice where a passing run diverges, and its option; of several passing runs, the one with the
    /// longest common prefix.
    divergence: Option<(usize, usize)>,
    /// Whether a passing run has followed it.
    is_settled: bool,
}

/// A passing run.
#[derive(Clone, Debug)]
pub(crate) struct PassingRun {
    pub(crate) choices: Vec<usize>,
    pub(crate) result: String,
}

/// Two passing runs, one after the other, with different results.
#[derive(Debug)]
pub(crate) struct DivergentRuns {
    pub(crate) runs: [PassingRun; 2],
    /// The choice where the second diverges from the first.
    step: Option<ChoicePoint>,
    difference: ResultDifference,
}

/// The log of outcomes. The search is depth-first, so the passing run nearest to a failing one is the last before it
/// or the first after it; and if all passing runs agree with the one before them, they all agree.
#[derive(Debug, Default)]
pub(crate) struct OutcomeLog {
    failing: Vec<FailingRun>,
    last_passing: Option<PassingRun>,
    /// The first two runs whose results differ by more than rounding.
    divergent: Option<DivergentRuns>,
    /// The first two runs whose results differ by rounding.
    differently_rounded: Option<DivergentRuns>,
    /// Had a wildcard receive a choice?
    has_wildcards: bool,
}

impl OutcomeLog {
    /// Records a run; returns whether it is the first that fails. Each distinct failure is kept once.
    pub(crate) fn record(&mut self, steps: Vec<ChoicePoint>, judgement: RunVerdict) -> bool {
        let taken: Vec<usize> = steps.iter().map(|step| step.taken).collect();
        self.has_wildcards |= steps.iter().any(ChoicePoint::is_receive_race);
        if judgement.is_correct() {
            for wrong in self.failing.iter_mut().filter(|wrong| !wrong.is_settled) {
                wrong.compare_with(&taken);
                wrong.is_settled = true;
            }
            self.compare(&steps, PassingRun { choices: taken, result: judgement.result.unwrap_or_default() });
            return false;
        }
        let known = |wrong: &FailingRun| signature(&wrong.verdict) == signature(&judgement);
        if self.failing.iter().any(known) {
            return false;
        }
        let mut wrong =
            FailingRun { verdict: judgement, choices: steps, divergence: None, is_settled: false };
        if let Some(right) = &self.last_passing {
            wrong.compare_with(&right.choices);
        }
        self.failing.push(wrong);
        self.failing.len() == 1
    }

    /// Compares a passing run with the one before it.
    fn compare(&mut self, steps: &[ChoicePoint], right: PassingRun) {
        let difference = |before: &PassingRun| ResultDifference::between(&before.result, &right.result);
        if let Some((before, difference)) =
            self.last_passing.as_ref().and_then(|before| Some((before, difference(before)?)))
        {
            let first =
                if difference.is_rounding { &mut self.differently_rounded } else { &mut self.divergent };
            first.get_or_insert_with(|| {
                let leaves = steps.iter().zip(&before.choices).find(|(step, taken)| step.taken != **taken);
                let step = leaves.map(|(step, _)| step.clone());
                DivergentRuns { runs: [before.clone(), right.clone()], step, difference }
            });
        }
        self.last_passing = Some(right);
    }

    /// Had a wildcard receive a choice?
    pub(crate) fn has_wildcards(&self) -> bool {
        self.has_wildcards
    }

    /// The pairs of runs whose results differ: by more than rounding, and by rounding.
    pub(crate) fn take_divergent(&mut self) -> [Option<DivergentRuns>; 2] {
        [self.divergent.take(), self.differently_rounded.take()]
    }

    /// The failures, each distinct one once.
    pub(crate) fn into_findings(self, buffering: Buffering) -> Vec<ScheduleFinding> {
        let mut faults: Vec<ScheduleFinding> = Vec::new();
        for wrong in self.failing {
            let fault = wrong.into_finding(buffering);
            if !faults.iter().any(|known| is_same_failure(known, &fault)) {
                faults.push(fault);
            }
        }
        faults
    }
}

/// Whether both findings are the same failure at the same location.
fn is_same_failure(one: &ScheduleFinding, other: &ScheduleFinding) -> bool {
    signature(&one.verdict) == signature(&other.verdict)
}

/// The signature of a failure: its codes and locations, and the first line of any other error.
fn signature(judgement: &RunVerdict) -> (Vec<(Code, Option<&CallLocation>)>, Option<&str>) {
    let codes = judgement.findings.iter().map(|found| (found.code, found.locations.first())).collect();
    let has_wildcard_race = judgement.findings.iter().any(|found| found.code == Code::WildcardRace);
    let wrong = judgement.failure.as_deref().and_then(|text| text.lines().next());
    (codes, wrong.filter(|_| !has_wildcard_race))
}

impl ChoicePoint {
    /// Whether the runs diverged at a choice between two senders of one receive.
    fn is_receive_race(&self) -> bool {
        let receivers = self.options.iter().filter_map(|option| match option.kind {
            TransitionKind::Receive { to, .. } => Some(to),
            _ => None,
        });
        let receivers: Vec<Rank> = receivers.collect();
        receivers.iter().enumerate().any(|(at, to)| receivers[..at].contains(to))
    }
}

impl FailingRun {
    /// Compares with a passing run.
    fn compare_with(&mut self, right: &[usize]) {
        let differ = self.choices.iter().zip(right).position(|(step, other)| step.taken != *other);
        let Some(at) = differ else { return };
        if self.divergence.is_none_or(|(known, _)| known < at) {
            self.divergence = Some((at, right[at]));
        }
    }

    fn into_finding(self, buffering: Buffering) -> ScheduleFinding {
        let schedule = Schedule { buffering, choices: self.choices.iter().map(|step| step.taken).collect() };
        let judgement = match self.divergence {
            Some((at, right)) => explain_failure(&self.choices[at], right, self.verdict),
            None => self.verdict,
        };
        ScheduleFinding { verdict: judgement, schedule, other_schedule: None }
    }
}

/// Adds the explanation that the run fails at the choice `step` and passes with the option `right`.
fn explain_failure(step: &ChoicePoint, right: usize, judgement: RunVerdict) -> RunVerdict {
    let (bad, good) = (&step.options[step.taken], &step.options[right]);
    match bad.kind {
        TransitionKind::Receive { to, receive, from, .. } => {
            let finding = race_finding(step, (to, receive, from), good, &judgement);
            RunVerdict { findings: vec![finding], ..judgement }
        }
        TransitionKind::Poll { rank, now: true } => add_detail(judgement, &exploration::wrong_if_early(rank)),
        TransitionKind::Poll { rank, now: false } => add_detail(judgement, &exploration::wrong_if_late(rank)),
        TransitionKind::DeliverToPoll { rank, from } => {
            add_detail(judgement, &exploration::wrong_if_first(rank, from))
        }
        TransitionKind::BufferSend { from, .. } => {
            add_detail(judgement, &exploration::wrong_if_buffered(from))
        }
        TransitionKind::RmaAccess => add_detail(judgement, &exploration::wrong_in_one_order()),
        TransitionKind::Complete { rank, call, started } => {
            add_detail(judgement, &wrong_if_completed(rank, call, started))
        }
        TransitionKind::Step | TransitionKind::Continue { .. } => judgement,
    }
}

impl DivergentRuns {
    /// The finding with the schedules of both runs.
    pub(crate) fn into_finding(self, buffering: Buffering) -> ScheduleFinding {
        let Self { runs, step, difference } = self;
        let [beside, schedule] = runs.map(|run| Schedule { buffering, choices: run.choices });
        let ResultDifference { location: place, first: here, second: there, is_rounding } = difference;
        let mut finding = Finding { code: Code::ArrivalOrder, rank: 0, locations: vec![], details: vec![] };
        if let Some(step) = step {
            let common = schedule.choices.iter().zip(&beside.choices).take_while(|(one, other)| one == other);
            describe_choice(&step, [beside.choices[common.count()], step.taken], &mut finding);
        }
        finding.details.push(exploration::differs(
            place,
            here,
            beside.to_string(),
            there,
            schedule.to_string(),
        ));
        if is_rounding {
            finding.details.push(exploration::rounding());
        }
        let judgement = RunVerdict { findings: vec![finding], ..RunVerdict::default() };
        ScheduleFinding { verdict: judgement, schedule, other_schedule: Some(beside) }
    }
}

/// Describes the choice on which the two results depend.
fn describe_choice(step: &ChoicePoint, [one, other]: [usize; 2], finding: &mut Finding) {
    match step.options[other].kind {
        TransitionKind::Receive { to, receive, .. } => {
            let (places, senders) = competing_senders(step, (to, receive));
            (finding.rank, finding.locations) = (to, places);
            finding.details.push(exploration::can_take(senders.join(", ")));
        }
        TransitionKind::Poll { rank, .. } => {
            finding.rank = rank;
            finding.details.push(exploration::depends_on_poll_time(rank));
        }
        TransitionKind::DeliverToPoll { rank, .. } => {
            finding.rank = rank;
            finding.details.push(exploration::depends_on_first_message(rank));
        }
        TransitionKind::RmaAccess => finding.details.push(exploration::depends_on_window_order()),
        TransitionKind::BufferSend { from, .. } => {
            finding.details.push(exploration::depends_on_buffering(from));
        }
        TransitionKind::Complete { rank, call, .. } => {
            finding.rank = rank;
            finding.locations = vec![CallLocation::new(rank, call)];
            finding.details.push(exploration::depends_on_completion(rank, call.verb.name()));
        }
        TransitionKind::Step | TransitionKind::Continue { .. } => {}
    }
    if let (TransitionKind::Receive { from: first, .. }, TransitionKind::Receive { from: then, .. }) =
        (step.options[one].kind, step.options[other].kind)
    {
        finding.details.push(exploration::takes_either(first, then));
    }
}

/// The run fails if the call returns the operation that `started` started.
fn wrong_if_completed(rank: Rank, call: CallSite, started: CallSite) -> Text {
    let location = started.location;
    exploration::wrong_if_completed(
        rank,
        call.verb.name(),
        started.verb.name(),
        location.file(),
        location.line(),
    )
}

/// A receive and the sends that can match it: the locations, and the senders.
fn competing_senders(
    step: &ChoicePoint,
    (to, receive): (Rank, CallSite),
) -> (Vec<CallLocation>, Vec<String>) {
    let (mut places, mut senders) = (vec![CallLocation::new(to, receive)], vec![]);
    for option in &step.options {
        if let TransitionKind::Receive { to: other, receive: at, from, sent } = option.kind
            && (other, at) == (to, receive)
        {
            senders.push(from.to_string());
            places.push(CallLocation::new(from, sent));
        }
    }
    (places, senders)
}

/// The finding of a message race that decides the result.
fn race_finding(
    step: &ChoicePoint,
    (to, receive, from): (Rank, CallSite, Rank),
    good: &Transition,
    why: &RunVerdict,
) -> Finding {
    let (places, senders) = competing_senders(step, (to, receive));
    let mut details = vec![
        exploration::can_take(senders.join(", ")),
        exploration::fails_with_message_of(from, failure_summary(why)),
    ];
    if let TransitionKind::Receive { to: other, receive: at, from, .. } = good.kind {
        let same = (other, at) == (to, receive);
        details.push(if same {
            exploration::passes_with_message_of(from)
        } else {
            exploration::passes_with_another_receive(from)
        });
    }
    details.extend(why.findings.iter().flat_map(|finding| finding.details.iter().cloned()));
    details.extend(why.failure.iter().flat_map(|text| text.lines().skip(1)).map(Text::verbatim));
    Finding { code: Code::WildcardRace, rank: to, locations: places, details }
}

/// The reason why a run fails, in one line.
fn failure_summary(why: &RunVerdict) -> String {
    let codes = why.findings.iter().map(|finding| finding.code.to_string());
    let wrong = why.failure.iter().filter_map(|text| text.lines().next()).map(str::to_owned);
    codes.chain(wrong).collect::<Vec<_>>().join(", ")
}

/// Adds a detail to all findings of the verdict.
fn add_detail(mut judgement: RunVerdict, known: &Text) -> RunVerdict {
    judgement.findings.iter_mut().for_each(|finding| finding.details.push(known.clone()));
    if let Some(wrong) = &mut judgement.failure {
        *wrong = format!("{wrong}\n{known}");
    }
    judgement
}
