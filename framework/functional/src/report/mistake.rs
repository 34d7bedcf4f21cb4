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
use wb_messages::{Lang, functional as text, number};
use wb_record::TestOutcome;
use wb_runner::format::group;

use crate::{
    evaluation::{ArrivalOrders, FailureKind, FailureReport},
    report::{BackendLabel, BackendOutcome},
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

    /// Whether both are of the same kind, and about the same lines. Not every backend knows the lines.
    fn is_similar(&self, other: &Self) -> bool {
        let signature = |failure: &FailureReport| (failure.kind, failure.code);
        let (mine, theirs) = (&self.failure.lines, &other.failure.lines);
        let lines = mine.is_empty() || theirs.is_empty() || self.shares_lines(other);
        lines && signature(self.failure) == signature(other.failure)
    }

    fn shares_lines(&self, other: &Self) -> bool {
        !self.failure.lines.is_disjoint(&other.failure.lines)
    }

    fn input(&self) -> Option<(usize, usize)> {
        self.failure.input.as_ref().map(|input| (input.number, input.total))
    }

    /// Whether the same input with another outcome has received messages in another order.
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
    let mut groups: Vec<Mistake<'_>> = vec![];
    for seen in outcomes.iter().filter_map(Occurrence::from_outcome) {
        match groups.iter_mut().find(|known| known.occurrences.iter().any(|one| one.is_similar(&seen))) {
            Some(known) => known.occurrences.push(seen),
            None => groups.push(Mistake { occurrences: vec![seen], other_occurrences: vec![] }),
        }
    }
    let order = |group: &Mistake<'_>| {
        let code = group.failure().code;
        (code.is_none(), code == Some(Code::Deadlock), Reverse(group.occurrences.len()))
    };
    groups.sort_by_key(order);
    let mut mistakes: Vec<Mistake<'_>> = vec![];
    for group in groups {
        match mistakes.iter_mut().find(|known| known.explains(&group)) {
            Some(known) => known.other_occurrences.extend(group.occurrences),
            None => mistakes.push(group),
        }
    }
    mistakes
}

impl<'a> Mistake<'a> {
    /// The occurrence that is reported: the first that names lines.
    pub(crate) fn representative(&self) -> Occurrence<'a> {
        *self.occurrences.iter().find(|seen| !seen.failure.lines.is_empty()).unwrap_or(&self.occurrences[0])
    }

    fn failure(&self) -> &'a FailureReport {
        self.representative().failure
    }

    fn all(&self) -> impl Iterator<Item = &Occurrence<'a>> {
        self.occurrences.iter().chain(&self.other_occurrences)
    }

    /// Whether `other` is another appearance of the same mistake.
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
        for (group, seen) in group_similar(&self.other_occurrences, lang) {
            let (verdict, title) = group;
            lines.push(text::seen_as(
                lang,
                list_occurrences(&seen, lang),
                crate::evaluation::failure_report::verdict_label(verdict),
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

    /// The reason why the same input may have passed elsewhere.
    fn explain_passes(&self, passed: &[&BackendOutcome], lang: Lang) -> String {
        let failure = self.failure();
        let by_order = || self.all().any(|seen| passed.iter().any(|passed| seen.differs_in_order(passed)));
        let sentence = match failure.outcome() {
            _ if failure.code.is_some_and(is_undefined) => text::passed_but_undefined,
            // A rank that sleeps may wait for a lock that ranks of one process share.
            TestOutcome::Limit if !matches!(failure.kind, FailureKind::Asleep(_)) => text::passed_in_time,
            _ if matches!(failure.kind, FailureKind::OutOfMemory(_)) => text::passed_in_memory,
            _ if by_order() => text::passed_in_other_order,
            TestOutcome::Crash => text::passed_there,
            _ if self.all().all(|seen| seen.backend.is_in_one_process())
                && !passed.iter().all(|it| it.backend.is_in_one_process()) =>
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

/// The mistakes in groups of similar ones.
fn group_similar<'a>(
    all: &[Occurrence<'a>],
    lang: Lang,
) -> Vec<((TestOutcome, String), Vec<Occurrence<'a>>)> {
    let mut groups: Vec<((TestOutcome, String), Vec<Occurrence<'_>>)> = vec![];
    for seen in all {
        match groups.iter_mut().find(|(_, known)| known[0].is_similar(seen)) {
            Some((_, known)) => known.push(*seen),
            None => groups.push(((seen.failure.outcome(), seen.failure.title(lang)), vec![*seen])),
        }
    }
    groups
}

/// The numbers of ranks at which each input failed; an input is its number and the number of inputs.
type Positions = BTreeMap<Option<(usize, usize)>, BTreeSet<usize>>;

/// "threads, virtual time: P = 2..4 (input 1 of 3); Open MPI 4.1.4: P = 2 (input 2 of 3)"
fn list_occurrences(seen: &[Occurrence<'_>], lang: Lang) -> String {
    format_places(seen.iter().map(|seen| (seen.backend, seen.ranks, seen.input())), lang)
}

/// The same for outcomes, whatever their inputs.
pub(crate) fn list_outcomes(outcomes: &[&BackendOutcome], lang: Lang) -> String {
    format_places(outcomes.iter().map(|outcome| (&outcome.backend, outcome.ranks, None)), lang)
}

fn format_places<'a>(
    places: impl Iterator<Item = (&'a BackendLabel, usize, Option<(usize, usize)>)>,
    lang: Lang,
) -> String {
    let positions = |places: Vec<(Option<(usize, usize)>, usize)>| {
        let inputs = group(places).into_iter();
        inputs.map(|(input, ranks)| (input, ranks.into_iter().collect())).collect::<Positions>()
    };
    let backends = group(places.map(|(backend, ranks, input)| (&*backend.0, (input, ranks))));
    let by_positions = group(backends.into_iter().map(|(name, places)| (positions(places), name)));
    let sentence = by_positions.iter().map(|(places, names)| {
        let places: Vec<_> = places.iter().map(|(input, ranks)| position(*input, ranks, lang)).collect();
        format!("{}: {}", names.join(", "), places.join(", "))
    });
    sentence.collect::<Vec<_>>().join("; ")
}

fn position(input: Option<(usize, usize)>, ranks: &BTreeSet<usize>, lang: Lang) -> String {
    let ranks = number::ranges(ranks.iter().copied(), "..");
    match input {
        Some((number, of)) => text::at_input(lang, ranks, number, of),
        None => text::at_ranks(lang, ranks),
    }
}

#[cfg(test)]
mod tests;
