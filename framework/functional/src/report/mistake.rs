//! One mistake of a test, and where it was seen: the verdicts of all backends, sorted by what they are about.
//!
//! The same mistake looks different on different backends: where threads name two calls that do not fit, a library hangs
//! in one of them, or gives a wrong result. What is about the same lines of the program is one mistake; and what has no
//! line of its own, at the same number of ranks and no earlier input, is a consequence of one after which MPI promises
//! nothing.
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use wb_comm::Code;
use wb_messages::{Lang, functional as text};
use wb_record::TestOutcome;

use crate::{
    judge::{failure_kind::FailureKind, failure_report::FailureReport, test_verdict::ArrivalOrders},
    report::backend_outcome::{BackendLabel, BackendOutcome},
};

/// A finding, and where it was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence<'a> {
    pub(crate) backend: &'a BackendLabel,
    pub(crate) ranks: usize,
    pub(crate) failure: &'a FailureReport,
    arrival_orders: &'a ArrivalOrders,
}

impl<'a> Occurrence<'a> {
    fn from_outcome(outcome: &'a BackendOutcome) -> Option<Self> {
        let BackendOutcome { backend, ranks, failure, arrival_orders } = outcome;
        let failure = failure.as_ref().filter(|failure| failure.outcome() != TestOutcome::Skip)?;
        Some(Self { backend, ranks: *ranks, failure, arrival_orders })
    }

    /// Are both of the same kind, and about the same lines? Not every backend knows the lines.
    fn is_similar(&self, other: &Self) -> bool {
        let look = |failure: &FailureReport| (failure.kind, failure.code);
        let (mine, theirs) = (&self.failure.lines, &other.failure.lines);
        let lines = mine.is_empty() || theirs.is_empty() || self.shares_lines(other);
        lines && look(self.failure) == look(other.failure)
    }

    fn shares_lines(&self, other: &Self) -> bool {
        !self.failure.lines.is_disjoint(&other.failure.lines)
    }

    fn input(&self) -> Option<(usize, usize)> {
        self.failure.input.as_ref().map(|input| (input.number, input.total))
    }

    /// Has the same input with another outcome been seen to have received messages in another order?
    fn differs_in_order(&self, passed: &BackendOutcome) -> bool {
        let Some((number, _)) = self.input() else { return false };
        let order = |orders: &ArrivalOrders| orders.get(number - 1).cloned().flatten();
        let orders = order(self.arrival_orders).zip(order(&passed.arrival_orders));
        // Of a rank that left no record the order is not known.
        self.ranks == passed.ranks
            && orders.is_some_and(|(one, other)| one.len() == self.ranks && one != other)
    }

    /// May this come of the mistake that `cause` names? A run of the same ranks, not on an earlier input, elsewhere.
    fn can_follow_from(&self, cause: &Self) -> bool {
        self.ranks == cause.ranks && self.backend != cause.backend && cause.input() <= self.input()
    }
}

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Mistake<'a> {
    /// Where it looks as in the first of them.
    pub(crate) occurrences: Vec<Occurrence<'a>>,
    /// Where it looks different.
    pub(crate) other_occurrences: Vec<Occurrence<'a>>,
}

/// The mistakes that the outcomes of a test show: those with a code first, a circle of waiting ranks behind other codes, and
/// what was seen most before what was seen less.
///
/// A circle says that ranks wait, another code why. On few ranks there may be a circle only: a root that forgets the last rank
/// sends nothing on two ranks, and on four it sends to all but one.
pub(crate) fn mistakes(outcomes: &[BackendOutcome]) -> Vec<Mistake<'_>> {
    let mut looks: Vec<Mistake<'_>> = vec![];
    for seen in outcomes.iter().filter_map(Occurrence::from_outcome) {
        match looks.iter_mut().find(|known| known.occurrences.iter().any(|one| one.is_similar(&seen))) {
            Some(known) => known.occurrences.push(seen),
            None => looks.push(Mistake { occurrences: vec![seen], other_occurrences: vec![] }),
        }
    }
    let order = |look: &Mistake<'_>| {
        let code = look.failure().code;
        (code.is_none(), code == Some(Code::Deadlock), Reverse(look.occurrences.len()))
    };
    looks.sort_by_key(order);
    let mut mistakes: Vec<Mistake<'_>> = vec![];
    for look in looks {
        match mistakes.iter_mut().find(|known| known.explains(&look)) {
            Some(known) => known.other_occurrences.extend(look.occurrences),
            None => mistakes.push(look),
        }
    }
    mistakes
}

impl<'a> Mistake<'a> {
    /// What is reported of it: the first that names lines.
    pub(crate) fn representative(&self) -> Occurrence<'a> {
        *self.occurrences.iter().find(|seen| !seen.failure.lines.is_empty()).unwrap_or(&self.occurrences[0])
    }

    fn failure(&self) -> &'a FailureReport {
        self.representative().failure
    }

    fn all(&self) -> impl Iterator<Item = &Occurrence<'a>> {
        self.occurrences.iter().chain(&self.other_occurrences)
    }

    /// Is `other` the same mistake with another look?
    fn explains(&self, other: &Self) -> bool {
        let same_lines = || self.all().any(|here| other.all().any(|there| here.shares_lines(there)));
        let follows = |there: &Occurrence<'_>| {
            there.failure.code.is_none() && self.all().any(|here| there.can_follow_from(here))
        };
        let undefined = self.failure().code.is_some_and(is_undefined);
        same_lines() || undefined && other.occurrences.iter().all(follows)
    }

    /// Was it seen at this number of ranks?
    fn occurs_at(&self, ranks: usize) -> bool {
        self.all().any(|seen| seen.ranks == ranks)
    }

    /// Where it was seen and where it was not, a line each.
    pub(crate) fn list_places(&self, outcomes: &[BackendOutcome], lang: Lang) -> Vec<String> {
        let mut lines = vec![text::seen_on(lang, list_occurrences(&self.occurrences, lang))];
        for (look, seen) in group_similar(&self.other_occurrences, lang) {
            let (verdict, title) = look;
            lines.push(text::seen_as(
                lang,
                list_occurrences(&seen, lang),
                crate::judge::failure_report::verdict_label(verdict),
                title,
            ));
        }
        let passed = |outcome: &&BackendOutcome| outcome.failure.is_none() && self.occurs_at(outcome.ranks);
        let passed: Vec<_> = outcomes.iter().filter(passed).collect();
        if !passed.is_empty() && !self.failure().kind.is_of_job() {
            lines.push(self.explain_passes(&passed, lang));
        }
        lines
    }
}

impl Mistake<'_> {
    /// Why the same input may have passed elsewhere.
    fn explain_passes(&self, passed: &[&BackendOutcome], lang: Lang) -> String {
        let failure = self.failure();
        let by_order = || self.all().any(|seen| passed.iter().any(|passed| seen.differs_in_order(passed)));
        let shared = |it: &BackendLabel| [BackendLabel::threads(), BackendLabel::virtual_time()].contains(it);
        let sentence = match failure.outcome() {
            _ if failure.code.is_some_and(is_undefined) => text::passed_but_undefined,
            // A rank that sleeps may wait for a lock that ranks of one process share.
            TestOutcome::Limit if !matches!(failure.kind, FailureKind::Asleep(_)) => text::passed_in_time,
            _ if matches!(failure.kind, FailureKind::OutOfMemory(_)) => text::passed_in_memory,
            _ if by_order() => text::passed_in_other_order,
            TestOutcome::Crash => text::passed_there,
            _ if self.all().all(|seen| shared(seen.backend))
                && !passed.iter().all(|it| shared(&it.backend)) =>
            {
                text::passed_on_processes
            }
            _ => text::passed_there,
        };
        sentence(lang, list_outcomes(passed, lang))
    }
}

/// Where nothing was found at a number of ranks at which nothing was found anywhere; `None` when there is no such place.
pub(crate) fn passed_everywhere(
    mistakes: &[Mistake<'_>],
    outcomes: &[BackendOutcome],
    lang: Lang,
) -> Option<String> {
    let passed = |outcome: &&BackendOutcome| {
        outcome.failure.is_none() && !mistakes.iter().any(|mistake| mistake.occurs_at(outcome.ranks))
    };
    let passed: Vec<_> = outcomes.iter().filter(passed).collect();
    (!passed.is_empty()).then(|| text::passed(lang, list_outcomes(&passed, lang)))
}

/// May a program with this mistake do what it should on some library, machine or size? Otherwise it fails wherever it is
/// looked for.
fn is_undefined(code: Code) -> bool {
    use Code::*;
    match code {
        Deadlock | PartnerEnded | NearMiss | UnreceivedMessage | RequestLeak | WindowLeak | Truncated
        | Rank | Tag | Count | Operation | RootBuffer | Range | PersistentState | Layout | FileLeak
        | FileOpen | FileAccess | CommunicatorArgument => false,
        CollectiveIncomplete | BufferDependence | WildcardRace | WindowRace | ArrivalOrder
        | CollectiveOrder | CollectiveRoot | CollectiveCount | CollectiveType | CollectiveOperation
        | CollectiveTopology | Type | Covered | AccessDisjoint | ExposureDisjoint | Overlap | FenceAlone
        | FenceCandidate | LockOrPost | Conflict | Paired | Free | Matched | Assertions | AttachedBuffer
        | NotReady | NotAssociative | FileRace | CollectiveFile => true,
    }
}

/// Those that look alike together.
fn group_similar<'a>(
    all: &[Occurrence<'a>],
    lang: Lang,
) -> Vec<((TestOutcome, String), Vec<Occurrence<'a>>)> {
    let mut looks: Vec<((TestOutcome, String), Vec<Occurrence<'_>>)> = vec![];
    for seen in all {
        match looks.iter_mut().find(|(_, known)| known[0].is_similar(seen)) {
            Some((_, known)) => known.push(*seen),
            None => looks.push(((seen.failure.outcome(), seen.failure.title(lang)), vec![*seen])),
        }
    }
    looks
}

/// On which backend, at which numbers of ranks, with which input of how many.
type Positions<'a> = BTreeMap<Option<(usize, usize)>, BTreeSet<usize>>;

/// "threads, virtual time: P = 2..4 (input 1 of 3); Open MPI 4.1.4: P = 2 (input 2 of 3)"
fn list_occurrences(seen: &[Occurrence<'_>], lang: Lang) -> String {
    format_places(seen.iter().map(|seen| (seen.backend, seen.ranks, seen.input())), lang)
}

/// The same for outcomes, whatever their inputs.
pub(crate) fn list_outcomes(outcomes: &[&BackendOutcome], lang: Lang) -> String {
    format_places(outcomes.iter().map(|outcome| (&outcome.backend, outcome.ranks, None)), lang)
}

fn format_places<'a>(
    spots: impl Iterator<Item = (&'a BackendLabel, usize, Option<(usize, usize)>)>,
    lang: Lang,
) -> String {
    let mut backends: Vec<(&BackendLabel, Positions<'_>)> = vec![];
    for (backend, ranks, input) in spots {
        if !backends.iter().any(|(known, _)| *known == backend) {
            backends.push((backend, Positions::new()));
        }
        let known = backends.iter_mut().find(|(known, _)| *known == backend);
        known.expect("it was put there").1.entry(input).or_default().insert(ranks);
    }
    let mut alike: Vec<(Vec<&str>, Positions<'_>)> = vec![];
    for (backend, spots) in backends {
        match alike.iter_mut().find(|(_, known)| *known == spots) {
            Some((names, _)) => names.push(&backend.0),
            None => alike.push((vec![&backend.0], spots)),
        }
    }
    let sentence = alike.iter().map(|(names, spots)| {
        let spots: Vec<_> = spots.iter().map(|(input, ranks)| position(*input, ranks, lang)).collect();
        format!("{}: {}", names.join(", "), spots.join(", "))
    });
    sentence.collect::<Vec<_>>().join("; ")
}

fn position(input: Option<(usize, usize)>, ranks: &BTreeSet<usize>, lang: Lang) -> String {
    let ranks = format_ranges(ranks);
    match input {
        Some((number, of)) => text::at_input(lang, ranks, number, of),
        None => text::at_ranks(lang, ranks),
    }
}

/// Numbers with three and more neighbours as a range: "1, 3..6".
pub(crate) fn format_ranges(numbers: &BTreeSet<usize>) -> String {
    let mut runs: Vec<(usize, usize)> = vec![];
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let run = |&(first, last): &(usize, usize)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}..{last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use wb_task::Stage;

    use super::*;
    use crate::judge::{failure_kind::FailureKind, failure_report::InputRef};

    fn finding(kind: FailureKind, code: Option<Code>, headline: &str, lines: &[&str]) -> FailureReport {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        let input = Some(InputRef { number: 1, total: 3, text: "7".into() });
        FailureReport { code, lines, input, ..FailureReport::new(kind, headline.into(), "there".into()) }
    }

    fn outcome(backend: &str, ranks: usize, finding: impl Into<Option<FailureReport>>) -> BackendOutcome {
        let (backend, failure) = (BackendLabel(backend.into()), finding.into());
        BackendOutcome { backend, ranks, failure, arrival_orders: vec![] }
    }

    fn roots(rank: usize) -> FailureReport {
        let headline = format!("rank {rank}: run returned an error");
        finding(FailureKind::Failed(Some(Stage::Run)), Some(Code::CollectiveRoot), &headline, &["a.rs:3"])
    }

    #[test]
    fn one_mistake_on_all_backends_is_one() {
        let outcomes = [
            outcome("threads", 1, None),
            outcome("threads", 2, roots(0)),
            outcome("threads", 3, roots(1)),
            outcome("virtual time", 2, roots(1)),
            outcome("virtual time", 3, roots(0)),
            outcome("MPI", 2, finding(FailureKind::Deadlock, None, "they wait", &["a.rs:3", "a.rs:9"])),
            outcome("MPI", 3, None),
        ];
        let mistakes = mistakes(&outcomes);
        let [mistake] = &mistakes[..] else { panic!("{mistakes:#?}") };
        let places = mistake.list_places(&outcomes, Lang::En);
        assert_eq!(places[0], "seen on threads, virtual time: P = 2, 3 (input 1 of 3)");
        assert_eq!(places[1], "on MPI: P = 2 (input 1 of 3) it shows as HANG: they wait");
        assert!(places[2].starts_with("passed by luck on MPI: P = 3: "), "{places:?}");
        assert_eq!(
            passed_everywhere(&mistakes, &outcomes, Lang::En).as_deref(),
            Some("passed on threads: P = 1")
        );
    }

    #[test]
    fn a_wrong_result_after_undefined_calls_is_their_consequence_and_an_earlier_one_is_not() {
        let wrong = || finding(FailureKind::OutputWrong, None, "the output is wrong", &[]);
        let outcomes = [outcome("threads", 2, roots(0)), outcome("MPI", 2, wrong())];
        assert_eq!(mistakes(&outcomes).len(), 1);
        let elsewhere = [outcome("threads", 2, roots(0)), outcome("MPI", 3, wrong())];
        assert_eq!(mistakes(&elsewhere).len(), 2, "at P = 3 threads have found nothing");
        let mut later = roots(0);
        later.input = Some(InputRef { number: 2, total: 3, text: "8".into() });
        assert_eq!(mistakes(&[outcome("threads", 2, later), outcome("MPI", 2, wrong())]).len(), 2);
        let defined = finding(FailureKind::Finding, Some(Code::Tag), "an error", &["a.rs:3"]);
        assert_eq!(mistakes(&[outcome("threads", 2, defined), outcome("MPI", 2, wrong())]).len(), 2);
    }

    #[test]
    fn what_says_why_ranks_wait_is_told_before_a_circle_that_was_seen_more_often() {
        let waits = |code, lines: &[&str]| finding(FailureKind::Deadlock, Some(code), "they wait", lines);
        let outcomes = [
            outcome("threads", 2, waits(Code::Deadlock, &["a.rs:3", "a.rs:9"])),
            outcome("threads", 3, waits(Code::Deadlock, &["a.rs:3", "a.rs:9"])),
            outcome("threads", 4, waits(Code::NearMiss, &["a.rs:3", "a.rs:1"])),
        ];
        let found = mistakes(&outcomes);
        let [mistake] = &found[..] else { panic!("{found:#?}") };
        assert_eq!((mistake.failure().code, mistake.representative().ranks), (Some(Code::NearMiss), 4));
        let places = mistake.list_places(&outcomes, Lang::En);
        assert!(
            places[1].starts_with("on threads: P = 2, 3 (input 1 of 3) it shows as HANG: WB0001"),
            "{places:?}"
        );
        assert_eq!(mistakes(&outcomes[..2])[0].failure().code, Some(Code::Deadlock));
    }

    #[test]
    fn other_lines_are_other_mistakes() {
        let at = |line: &str| {
            finding(FailureKind::Panicked(Some(Stage::Run)), None, "rank 1 panicked in run", &[line])
        };
        let outcomes = [outcome("threads", 2, at("a.rs:3")), outcome("threads", 3, at("a.rs:4"))];
        assert_eq!(mistakes(&outcomes).len(), 2);
    }

    #[test]
    fn what_passes_elsewhere_with_the_same_input_is_told() {
        let (wrong, slow) = (FailureKind::OutputWrong, FailureKind::Calling);
        let orders = [&[Some(vec![1, 2])][..], &[Some(vec![1, 3])], &[None], &[Some(vec![1])], &[]];
        let [here, there, lost, crashed, none] = orders.map(<[_]>::to_vec);
        for (kind, failed, passed, sentence) in [
            (wrong, &here, &there, ", where messages arrived in another order"),
            (wrong, &here, &here, ": backends differ"),
            (wrong, &lost, &there, ": backends differ"),
            (wrong, &here, &none, ": backends differ"),
            (slow, &here, &there, ": it took less time"),
            (FailureKind::NoRecord, &crashed, &there, ": backends differ"),
            (FailureKind::Asleep(None), &here, &here, ": backends differ"),
            (FailureKind::OutOfMemory(None), &here, &there, ": it had enough memory"),
        ] {
            let mut outcomes = [
                outcome("threads", 2, None),
                outcome("MPI", 2, finding(kind, None, "it fails", &[])),
                // At another number of ranks messages arrive in another order in any case.
                outcome("threads", 3, None),
            ];
            for (outcome, orders) in outcomes.iter_mut().zip([passed, failed, &there]) {
                outcome.arrival_orders.clone_from(orders);
            }
            let mistakes = mistakes(&outcomes);
            let places = mistakes[0].list_places(&outcomes, Lang::En);
            let start = format!("the same input passed on threads: P = 2{sentence}");
            assert!(places[1].starts_with(&start), "{kind:?}: {places:?}");
            assert!(
                passed_everywhere(&mistakes, &outcomes, Lang::En).is_some_and(|text| text.ends_with("P = 3"))
            );
        }
    }

    #[test]
    fn what_fails_in_one_process_only_may_share_static_variables() {
        let explained = |failed: &str, passed: &str, kind| {
            let outcomes =
                [outcome(failed, 2, finding(kind, None, "it fails", &[])), outcome(passed, 2, None)];
            mistakes(&outcomes)[0].list_places(&outcomes, Lang::En)[1].contains("static variables")
        };
        let wrong = FailureKind::OutputWrong;
        let asleep = FailureKind::Asleep(None);
        let found =
            [("threads", "MPI", wrong), ("virtual time", "MPI", asleep)].map(|(f, p, k)| explained(f, p, k));
        assert_eq!(found, [true; 2]);
        let others = [
            ("MPI", "threads", wrong),
            ("threads", "virtual time", wrong),
            ("threads", "MPI", FailureKind::NoRecord),
        ];
        assert_eq!(others.map(|(f, p, k)| explained(f, p, k)), [false; 3]);
    }

    #[test]
    fn neither_numbers_nor_words_make_another_look_but_the_stage_does() {
        let panicked = |ranks, stage, headline: &str| {
            outcome("threads", ranks, finding(FailureKind::Panicked(Some(stage)), None, headline, &[]))
        };
        let first = panicked(2, Stage::Run, "rank 1 panicked in run");
        let elsewhere = panicked(3, Stage::Run, "ranks 0 and 13 panicked in run");
        assert_eq!(mistakes(&[first.clone(), elsewhere]).len(), 1);
        assert_eq!(mistakes(&[first, panicked(3, Stage::Validation, "rank 1 panicked in run")]).len(), 2);
    }

    #[test]
    fn ranges_are_told_from_three_on() {
        assert_eq!(format_ranges(&[1, 2, 4, 5, 6, 8].into()), "1, 2, 4..6, 8");
    }
}
