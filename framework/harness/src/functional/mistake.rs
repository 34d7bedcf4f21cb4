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
use wb_record::Verdict;

use super::{
    finding::Finding,
    report::{Backend, Outcome},
};

/// A finding, and where it was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a> {
    pub(super) backend: &'a Backend,
    pub(super) ranks: usize,
    pub(super) finding: &'a Finding,
}

impl<'a> Seen<'a> {
    fn of(outcome: &'a Outcome) -> Option<Self> {
        let Outcome { backend, ranks, finding } = outcome;
        let finding = finding.as_ref().filter(|finding| finding.verdict != Verdict::Skip)?;
        Some(Self { backend, ranks: *ranks, finding })
    }

    /// Do both say the same, but for numbers, of the same lines? Not every backend knows the lines.
    fn looks_like(&self, other: &Self) -> bool {
        let look = |finding: &Finding| (finding.verdict, finding.code, skeleton(&finding.headline));
        let (mine, theirs) = (&self.finding.lines, &other.finding.lines);
        let lines = mine.is_empty() || theirs.is_empty() || self.shares_lines(other);
        lines && look(self.finding) == look(other.finding)
    }

    fn shares_lines(&self, other: &Self) -> bool {
        !self.finding.lines.is_disjoint(&other.finding.lines)
    }

    fn input(&self) -> Option<(usize, usize)> {
        self.finding.input.as_ref().map(|input| (input.number, input.of))
    }

    /// May this come of the mistake that `cause` names? A run of the same ranks, not on an earlier input, elsewhere.
    fn may_follow_from(&self, cause: &Self) -> bool {
        self.ranks == cause.ranks && self.backend != cause.backend && cause.input() <= self.input()
    }
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Mistake<'a> {
    /// Where it looks as in the first of them.
    pub(super) seen: Vec<Seen<'a>>,
    /// Where it looks different.
    pub(super) otherwise: Vec<Seen<'a>>,
}

/// The mistakes that the outcomes of a test show: those with a code first, a circle of waiting ranks behind other codes, and
/// what was seen most before what was seen less.
///
/// A circle says that ranks wait, another code why. On few ranks there may be a circle only: a root that forgets the last rank
/// sends nothing on two ranks, and on four it sends to all but one.
pub(super) fn all(outcomes: &[Outcome]) -> Vec<Mistake<'_>> {
    let mut looks: Vec<Mistake<'_>> = vec![];
    for seen in outcomes.iter().filter_map(Seen::of) {
        match looks.iter_mut().find(|known| known.seen.iter().any(|one| one.looks_like(&seen))) {
            Some(known) => known.seen.push(seen),
            None => looks.push(Mistake { seen: vec![seen], otherwise: vec![] }),
        }
    }
    let order = |look: &Mistake<'_>| {
        let code = look.finding().code;
        (code.is_none(), code == Some(Code::Deadlock), Reverse(look.seen.len()))
    };
    looks.sort_by_key(order);
    let mut mistakes: Vec<Mistake<'_>> = vec![];
    for look in looks {
        match mistakes.iter_mut().find(|known| known.explains(&look)) {
            Some(known) => known.otherwise.extend(look.seen),
            None => mistakes.push(look),
        }
    }
    mistakes
}

impl<'a> Mistake<'a> {
    /// What is told of it: the first that names lines.
    pub(super) fn told(&self) -> Seen<'a> {
        *self.seen.iter().find(|seen| !seen.finding.lines.is_empty()).unwrap_or(&self.seen[0])
    }

    fn finding(&self) -> &'a Finding {
        self.told().finding
    }

    fn all(&self) -> impl Iterator<Item = &Seen<'a>> {
        self.seen.iter().chain(&self.otherwise)
    }

    /// Is `other` the same mistake with another look?
    fn explains(&self, other: &Self) -> bool {
        let same_lines = || self.all().any(|here| other.all().any(|there| here.shares_lines(there)));
        let follows = |there: &Seen<'_>| {
            there.finding.code.is_none() && self.all().any(|here| there.may_follow_from(here))
        };
        let undefined = self.finding().code.is_some_and(is_undefined);
        same_lines() || undefined && other.seen.iter().all(follows)
    }

    /// Was it seen at this number of ranks?
    fn is_at(&self, ranks: usize) -> bool {
        self.all().any(|seen| seen.ranks == ranks)
    }

    /// Where it was seen and where it was not, a line each.
    pub(super) fn places(&self, outcomes: &[Outcome], lang: Lang) -> Vec<String> {
        let mut lines = vec![text::seen(lang, listed(&self.seen, lang))];
        for (look, seen) in by_look(&self.otherwise, lang) {
            let (verdict, title) = look;
            lines.push(text::seen_otherwise(lang, listed(&seen, lang), super::finding::word(verdict), title));
        }
        let passed = |outcome: &&Outcome| outcome.finding.is_none() && self.is_at(outcome.ranks);
        let passed: Vec<_> = outcomes.iter().filter(passed).collect();
        if !passed.is_empty() {
            let undefined = self.finding().code.is_some_and(is_undefined);
            let told = if undefined { text::passed_by_luck } else { text::passed_there };
            lines.push(told(lang, places_of(&passed, lang)));
        }
        lines
    }
}

/// Where nothing was found at a number of ranks at which nothing was found anywhere; `None` when there is no such place.
pub(super) fn passed_everywhere(
    mistakes: &[Mistake<'_>],
    outcomes: &[Outcome],
    lang: Lang,
) -> Option<String> {
    let passed = |outcome: &&Outcome| {
        outcome.finding.is_none() && !mistakes.iter().any(|mistake| mistake.is_at(outcome.ranks))
    };
    let passed: Vec<_> = outcomes.iter().filter(passed).collect();
    (!passed.is_empty()).then(|| text::passed(lang, places_of(&passed, lang)))
}

/// May a program with this mistake do what it should on some library, machine or size? Otherwise it fails wherever it is
/// looked for.
fn is_undefined(code: Code) -> bool {
    use Code::*;
    match code {
        Deadlock | PartnerEnded | NearMiss | Unread | RequestLeft | WindowLeft | Truncated | Rank | Tag
        | Count | Operation | RootBuffer | Range => false,
        CollectiveAlone | Buffering | WildcardRace | WindowRace | OrderOfArrival | CollectiveOrder
        | CollectiveRoot | CollectiveCount | CollectiveType | CollectiveOperation | Type | Covered
        | AccessDisjoint | ExposureDisjoint | Overlap | FenceAlone | FenceCandidate | LockOrPost
        | Conflict | Paired | Free | Matched | Assertions => true,
    }
}

/// Those that look alike together.
fn by_look<'a>(all: &[Seen<'a>], lang: Lang) -> Vec<((Verdict, String), Vec<Seen<'a>>)> {
    let mut looks: Vec<((Verdict, String), Vec<Seen<'_>>)> = vec![];
    for seen in all {
        match looks.iter_mut().find(|(_, known)| known[0].looks_like(seen)) {
            Some((_, known)) => known.push(*seen),
            None => looks.push(((seen.finding.verdict, seen.finding.title(lang)), vec![*seen])),
        }
    }
    looks
}

/// A text without its numbers: what is said, whatever the ranks and sizes.
fn skeleton(text: &str) -> String {
    let mut skeleton = String::with_capacity(text.len());
    for character in text.chars() {
        match character.is_ascii_digit() {
            // A list of numbers is one, however long: "0, 1, 2".
            true if skeleton.ends_with('#') => {}
            true if skeleton.ends_with("#, ") => skeleton.truncate(skeleton.len() - 2),
            true => skeleton.push('#'),
            false => skeleton.push(character),
        }
    }
    skeleton
}

/// On which backend, at which numbers of ranks, with which input of how many.
type Spots<'a> = BTreeMap<Option<(usize, usize)>, BTreeSet<usize>>;

/// "threads, virtual time: P = 2..4 (input 1 of 3); Open MPI 4.1.4: P = 2 (input 2 of 3)"
fn listed(seen: &[Seen<'_>], lang: Lang) -> String {
    places(seen.iter().map(|seen| (seen.backend, seen.ranks, seen.input())), lang)
}

/// The same for outcomes, whatever their inputs.
pub(super) fn places_of(outcomes: &[&Outcome], lang: Lang) -> String {
    places(outcomes.iter().map(|outcome| (&outcome.backend, outcome.ranks, None)), lang)
}

fn places<'a>(
    spots: impl Iterator<Item = (&'a Backend, usize, Option<(usize, usize)>)>,
    lang: Lang,
) -> String {
    let mut backends: Vec<(&Backend, Spots<'_>)> = vec![];
    for (backend, ranks, input) in spots {
        if !backends.iter().any(|(known, _)| *known == backend) {
            backends.push((backend, Spots::new()));
        }
        let known = backends.iter_mut().find(|(known, _)| *known == backend);
        known.expect("it was put there").1.entry(input).or_default().insert(ranks);
    }
    let mut alike: Vec<(Vec<&str>, Spots<'_>)> = vec![];
    for (backend, spots) in backends {
        match alike.iter_mut().find(|(_, known)| *known == spots) {
            Some((names, _)) => names.push(&backend.0),
            None => alike.push((vec![&backend.0], spots)),
        }
    }
    let told = alike.iter().map(|(names, spots)| {
        let spots: Vec<_> = spots.iter().map(|(input, ranks)| spot(*input, ranks, lang)).collect();
        format!("{}: {}", names.join(", "), spots.join(", "))
    });
    told.collect::<Vec<_>>().join("; ")
}

fn spot(input: Option<(usize, usize)>, ranks: &BTreeSet<usize>, lang: Lang) -> String {
    let ranks = in_short(ranks);
    match input {
        Some((number, of)) => text::at_input(lang, ranks, number, of),
        None => text::at_ranks(lang, ranks),
    }
}

/// Numbers with three and more neighbours as a range: "1, 3..6".
pub(super) fn in_short(numbers: &BTreeSet<usize>) -> String {
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
    use super::*;
    use crate::functional::finding::Asked;

    fn finding(verdict: Verdict, code: Option<Code>, headline: &str, lines: &[&str]) -> Finding {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        let input = Some(Asked { number: 1, of: 3, text: "7".into() });
        Finding { code, lines, input, ..Finding::new(verdict, headline.into(), "there".into()) }
    }

    fn outcome(backend: &str, ranks: usize, finding: impl Into<Option<Finding>>) -> Outcome {
        Outcome { backend: Backend(backend.into()), ranks, finding: finding.into() }
    }

    fn roots(rank: usize) -> Finding {
        let headline = format!("rank {rank}: run returned an error");
        finding(Verdict::Fail, Some(Code::CollectiveRoot), &headline, &["a.rs:3"])
    }

    #[test]
    fn one_mistake_on_all_backends_is_one() {
        let outcomes = [
            outcome("threads", 1, None),
            outcome("threads", 2, roots(0)),
            outcome("threads", 3, roots(1)),
            outcome("virtual time", 2, roots(1)),
            outcome("virtual time", 3, roots(0)),
            outcome("MPI", 2, finding(Verdict::Hang, None, "they wait", &["a.rs:3", "a.rs:9"])),
            outcome("MPI", 3, None),
        ];
        let mistakes = all(&outcomes);
        let [mistake] = &mistakes[..] else { panic!("{mistakes:#?}") };
        let places = mistake.places(&outcomes, Lang::En);
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
        let wrong = || finding(Verdict::Fail, None, "the output is wrong", &[]);
        let outcomes = [outcome("threads", 2, roots(0)), outcome("MPI", 2, wrong())];
        assert_eq!(all(&outcomes).len(), 1);
        let elsewhere = [outcome("threads", 2, roots(0)), outcome("MPI", 3, wrong())];
        assert_eq!(all(&elsewhere).len(), 2, "at P = 3 threads have found nothing");
        let mut later = roots(0);
        later.input = Some(Asked { number: 2, of: 3, text: "8".into() });
        assert_eq!(all(&[outcome("threads", 2, later), outcome("MPI", 2, wrong())]).len(), 2);
        let defined = finding(Verdict::Fail, Some(Code::Tag), "an error", &["a.rs:3"]);
        assert_eq!(all(&[outcome("threads", 2, defined), outcome("MPI", 2, wrong())]).len(), 2);
    }

    #[test]
    fn what_says_why_ranks_wait_is_told_before_a_circle_that_was_seen_more_often() {
        let waits = |code, lines: &[&str]| finding(Verdict::Hang, Some(code), "they wait", lines);
        let outcomes = [
            outcome("threads", 2, waits(Code::Deadlock, &["a.rs:3", "a.rs:9"])),
            outcome("threads", 3, waits(Code::Deadlock, &["a.rs:3", "a.rs:9"])),
            outcome("threads", 4, waits(Code::NearMiss, &["a.rs:3", "a.rs:1"])),
        ];
        let mistakes = all(&outcomes);
        let [mistake] = &mistakes[..] else { panic!("{mistakes:#?}") };
        assert_eq!((mistake.finding().code, mistake.told().ranks), (Some(Code::NearMiss), 4));
        let places = mistake.places(&outcomes, Lang::En);
        assert!(
            places[1].starts_with("on threads: P = 2, 3 (input 1 of 3) it shows as HANG: WB0001"),
            "{places:?}"
        );
        assert_eq!(all(&outcomes[..2])[0].finding().code, Some(Code::Deadlock));
    }

    #[test]
    fn other_lines_are_other_mistakes() {
        let at = |line: &str| finding(Verdict::Fail, None, "rank 1 panicked in run", &[line]);
        let outcomes = [outcome("threads", 2, at("a.rs:3")), outcome("threads", 3, at("a.rs:4"))];
        assert_eq!(all(&outcomes).len(), 2);
    }

    #[test]
    fn what_passes_elsewhere_with_the_same_input_is_told() {
        let wrong = finding(Verdict::Fail, None, "the output is wrong", &[]);
        let outcomes = [outcome("threads", 2, None), outcome("MPI", 2, wrong)];
        let mistakes = all(&outcomes);
        let places = mistakes[0].places(&outcomes, Lang::En);
        assert!(places[1].starts_with("the same input passed on threads: P = 2: chance"), "{places:?}");
        assert_eq!(passed_everywhere(&mistakes, &outcomes, Lang::En), None);
    }

    #[test]
    fn numbers_do_not_make_another_look() {
        assert_eq!(skeleton("no result from rank 1, 2, 13: it"), skeleton("no result from rank 0: it"));
        assert_ne!(skeleton("rank 1 panicked in run"), skeleton("rank 1 panicked in validation"));
    }

    #[test]
    fn ranges_are_told_from_three_on() {
        assert_eq!(in_short(&[1, 2, 4, 5, 6, 8].into()), "1, 2, 4..6, 8");
    }
}
