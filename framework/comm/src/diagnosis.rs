//! Why nobody can go on: who waits for whom, followed to where it begins.
//!
//! Each rank that stands waits for others. Whoever follows these waits comes either to a rank that has ended, or back to
//! where it was: a circle. Only these two are causes; ranks that wait for a rank of a circle, or for one that waits in
//! vain, are victims and are not accused. Where the circle passes through a collective, an epoch's partner or a standard
//! send, the mistake has a name of its own.
//!
//! Several causes are told in the order of `ranking`.
//!
//! A pure function of what is known of the ranks, so the same for all backends: on threads that is everything, on real
//! MPI what the watch saw when the limit struck.
mod ranking;

use std::collections::{BTreeMap, BTreeSet};

use crate::{Blocked, Code, Finding, Rank, Source, Verb, text::waiting};

/// The causes, the first to tell first, for ranks that stand as in `blocked` while those of `ended` have ended and all
/// others compute.
///
/// `near` are near misses ([`Code::NearMiss`]), as far as the backend sees the messages that lie about: where one explains
/// why a rank waits, it takes the place of what else would be said of that rank. A circle that only a buffer would open
/// stays beside it, since the message may also be sent before the one that is awaited.
///
/// A rank that stands in an agreement between two stages ([`Verb::Agreement`]) is through with its own code: it is taken for
/// one that has ended, and nobody is accused of a line of the framework.
pub fn diagnose(blocked: &[Blocked], ended: &[Rank], near: Vec<Finding>) -> Vec<Finding> {
    let (through, blocked): (Vec<_>, Vec<_>) = blocked.iter().partition(|call| call.verb == Verb::Agreement);
    let ended: Vec<_> = through.into_iter().map(|call| call.rank).chain(ended.iter().copied()).collect();
    let waits = Waits { stands: blocked.into_iter().map(|call| (call.rank, call)).collect(), ended: &ended };
    let causes = waits.in_vain().chain(waits.circles().into_iter().map(|c| waits.circle(&c)));
    let mut told: Vec<Finding> = vec![];
    for cause in causes {
        let (misses, cause) = waits.explained(cause, &near);
        told.extend(misses);
        told.extend(cause);
    }
    let mut told = merged(told);
    let waiting: Vec<_> = waits.stands.keys().copied().collect();
    ranking::sort(&mut told, &waiting, |one, other| waits.targets(waits.stands[&one]).contains(&other));
    told
}

/// What is found in a run without buffers of a program that passes with them: a near miss beside a circle that a buffer opens
/// is then a message that is received later, and no mistake of its own.
pub fn of_buffers_only(found: Vec<Finding>) -> Vec<Finding> {
    let opens = found.iter().any(|finding| finding.code == Code::Buffering);
    found.into_iter().filter(|finding| !opens || finding.code != Code::NearMiss).collect()
}

/// Findings of one collective are one.
fn merged(causes: Vec<Finding>) -> Vec<Finding> {
    let mut told: Vec<Finding> = vec![];
    for cause in causes {
        let same = |known: &&mut Finding| {
            *known == &cause
                || cause.code == Code::CollectiveAlone
                    && known.code == cause.code
                    && known.places[0].call == cause.places[0].call
        };
        let Some(known) = told.iter_mut().find(same) else {
            told.push(cause);
            continue;
        };
        let new: Vec<_> = cause.places.into_iter().filter(|place| !known.places.contains(place)).collect();
        known.places.extend(new);
        let new: Vec<_> =
            cause.details.into_iter().filter(|detail| !known.details.contains(detail)).collect();
        known.details.extend(new);
    }
    told
}

/// Who stands where.
struct Waits<'a> {
    stands: BTreeMap<Rank, &'a Blocked>,
    ended: &'a [Rank],
}

/// What can become of a wait.
enum Leads<'a> {
    /// To this rank, which stands.
    To(&'a Blocked),
    /// To ranks that have ended.
    ToEnded(Vec<Rank>),
    /// To nobody that is known to be stuck.
    Nowhere,
}

impl<'a> Waits<'a> {
    /// Whom a rank waits for. In a collective of which nothing else is known: those who are not in it.
    fn targets(&self, call: &Blocked) -> Vec<Rank> {
        if !call.awaits.is_empty() || !call.verb.is_collective() {
            return call.awaits.clone();
        }
        let elsewhere = self.stands.values().filter(|other| other.verb != call.verb).map(|other| other.rank);
        self.ended.iter().copied().chain(elsewhere).collect()
    }

    fn leads(&self, call: &Blocked) -> Leads<'a> {
        let targets = self.targets(call);
        let (ended, rest): (Vec<_>, Vec<_>) = targets.into_iter().partition(|rank| self.ended.contains(rank));
        let one_is_enough = call.peer == Some(Source::Any);
        let in_vain = if one_is_enough { rest.is_empty() } else { true };
        if !ended.is_empty() && in_vain {
            return Leads::ToEnded(ended);
        }
        match rest.iter().find_map(|rank| self.stands.get(rank)) {
            // One that computes may still answer.
            Some(_) if one_is_enough && rest.iter().any(|rank| !self.stands.contains_key(rank)) => {
                Leads::Nowhere
            }
            Some(next) => Leads::To(next),
            None => Leads::Nowhere,
        }
    }

    /// The near misses that explain a cause, and what is left to say of the cause itself.
    fn explained(&self, mut cause: Finding, near: &[Finding]) -> (Vec<Finding>, Option<Finding>) {
        let ranks: BTreeSet<_> = cause.places.iter().map(|place| place.rank).collect();
        let misses = near.iter().filter(|miss| ranks.contains(&miss.rank)).cloned();
        if cause.code != Code::Buffering {
            let misses: Vec<_> = misses.collect();
            let left = if misses.is_empty() { Some(cause) } else { None };
            return (misses, left);
        }
        let (misses, beside): (Vec<_>, Vec<_>) = misses.partition(|miss| self.is_unsent(miss));
        cause.details.extend(beside.into_iter().flat_map(|miss| miss.details));
        (misses, Some(cause))
    }

    /// Does the sender of a near miss stand in a send to the very rank that waits for the sender?
    fn is_unsent(&self, miss: &Finding) -> bool {
        let Some(sender) = miss.places.last() else { return false };
        let awaits =
            |one: Rank, other: Rank| self.stands.get(&one).is_some_and(|call| call.awaits == [other]);
        awaits(sender.rank, miss.rank) && awaits(miss.rank, sender.rank)
    }

    /// Those who wait for ranks that have ended.
    fn in_vain(&self) -> impl Iterator<Item = Finding> {
        self.stands.values().filter_map(|call| match self.leads(call) {
            Leads::ToEnded(ended) => Some(self.waits_for_ended(call, &ended)),
            _ => None,
        })
    }

    fn waits_for_ended(&self, call: &Blocked, ended: &[Rank]) -> Finding {
        let detail = waiting::for_ended(call.rank, ended);
        let mut places: Vec<_> = call.places().collect();
        let code = match call.verb {
            verb if verb.is_collective() => {
                let inside =
                    self.stands.values().filter(|other| other.verb == verb && other.rank != call.rank);
                places.extend(inside.map(|other| other.place()));
                Code::CollectiveAlone
            }
            verb if is_of_epoch(verb) => Code::Matched,
            _ => Code::PartnerEnded,
        };
        Finding { code, rank: call.rank, places, details: vec![detail] }
    }

    /// The circles, each from its lowest rank.
    fn circles(&self) -> Vec<Vec<&'a Blocked>> {
        let mut circles: Vec<Vec<&Blocked>> = vec![];
        let mut seen = BTreeSet::new();
        for start in self.stands.values() {
            let mut path: Vec<&Blocked> = vec![];
            let mut here = *start;
            while seen.insert(here.rank) {
                path.push(here);
                match self.leads(here) {
                    Leads::To(next) => here = next,
                    Leads::ToEnded(_) | Leads::Nowhere => break,
                }
            }
            let closes =
                matches!(self.leads(path.last().unwrap_or(start)), Leads::To(next) if next.rank == here.rank);
            let Some(first) = path.iter().position(|call| call.rank == here.rank).filter(|_| closes) else {
                continue;
            };
            let mut circle = path.split_off(first);
            let lowest = (0..circle.len()).min_by_key(|at| circle[*at].rank).unwrap_or(0);
            circle.rotate_left(lowest);
            circles.push(circle);
        }
        circles
    }

    fn circle(&self, circle: &[&Blocked]) -> Finding {
        let next = |at: usize| circle[(at + 1) % circle.len()];
        let pairs = || circle.iter().enumerate().map(|(at, call)| (*call, next(at)));
        let around = circle.iter().chain(circle.first()).map(|call| call.rank.to_string());
        let details = vec![waiting::circle(around.collect::<Vec<_>>().join(" -> "))];
        let (code, accused) = name(pairs());
        let mut places: Vec<_> = circle.iter().flat_map(|call| call.places()).collect();
        places.sort_by_key(|place| (place.rank != accused, place.rank));
        Finding { code, rank: accused, places, details }
    }
}

/// What a circle of waits is called, and the rank whose wait gives it that name.
fn name<'a>(pairs: impl Iterator<Item = (&'a Blocked, &'a Blocked)> + Clone) -> (Code, Rank) {
    let leaves = |(call, next): &(&Blocked, &Blocked)| {
        call.verb.is_collective() && (call.verb != next.verb || are_apart(call, next))
    };
    let unanswered = pairs.clone().find(|(call, next)| is_of_epoch(call.verb) && next.verb.is_collective());
    if let Some((call, _)) = unanswered {
        return (Code::Matched, call.rank);
    }
    if let Some((call, next)) = pairs.clone().find(leaves) {
        let both = next.verb.is_collective() && call.verb != next.verb;
        return (if both { Code::CollectiveOrder } else { Code::CollectiveAlone }, call.rank);
    }
    if let Some((call, _)) = pairs.clone().find(|(call, _)| call.bufferable) {
        return (Code::Buffering, call.rank);
    }
    (Code::Deadlock, pairs.map(|(call, _)| call.rank).next().unwrap_or_default())
}

/// Are they known to be on different communicators?
fn are_apart(one: &Blocked, other: &Blocked) -> bool {
    one.communicator.is_some() && other.communicator.is_some() && one.communicator != other.communicator
}

/// Does the call wait for the partner of an epoch?
fn is_of_epoch(verb: Verb) -> bool {
    matches!(verb, Verb::Start | Verb::Complete | Verb::WindowWait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Place, Site};

    fn call(rank: Rank, verb: Verb, awaits: &[Rank]) -> Blocked {
        Blocked { awaits: awaits.to_vec(), ..Blocked::at(rank, Site::here(verb)) }
    }

    fn told(blocked: &[Blocked], ended: &[Rank]) -> Vec<(Code, Vec<Rank>)> {
        let findings = diagnose(blocked, ended, vec![]);
        findings.iter().map(|f| (f.code, f.places.iter().map(|place| place.rank).collect())).collect()
    }

    #[test]
    fn a_circle_accuses_its_members_and_nobody_who_waits_for_them() {
        let blocked = [
            call(0, Verb::Recv, &[3]),
            call(1, Verb::Recv, &[2]),
            call(2, Verb::Recv, &[3]),
            call(3, Verb::Recv, &[1]),
        ];
        assert_eq!(told(&blocked, &[]), [(Code::Deadlock, vec![1, 2, 3])]);
    }

    #[test]
    fn two_circles_are_two_findings_and_a_rank_may_wait_for_itself() {
        let blocked = [call(0, Verb::Recv, &[0]), call(1, Verb::Ssend, &[2]), call(2, Verb::Ssend, &[1])];
        assert_eq!(told(&blocked, &[]), [(Code::Deadlock, vec![1, 2]), (Code::Deadlock, vec![0])]);
    }

    #[test]
    fn a_standard_send_makes_it_a_matter_of_buffering() {
        let blocked = [call(0, Verb::Send, &[1]), call(1, Verb::Recv, &[0])];
        assert_eq!(told(&blocked, &[]), [(Code::Buffering, vec![0, 1])]);
    }

    #[test]
    fn whoever_waits_for_an_ended_rank_is_told_and_the_others_are_victims() {
        let blocked = [call(0, Verb::Recv, &[1]), call(1, Verb::Recv, &[2])];
        assert_eq!(told(&blocked, &[2]), [(Code::PartnerEnded, vec![1])]);
        let any = Blocked { peer: Some(Source::Any), ..call(0, Verb::Recv, &[1, 2]) };
        assert_eq!(told(std::slice::from_ref(&any), &[1, 2]), [(Code::PartnerEnded, vec![0])]);
        assert_eq!(told(&[any], &[1]), [], "rank 2 computes and may still send");
        for verb in [Verb::Start, Verb::Complete, Verb::WindowWait] {
            assert_eq!(told(&[call(0, verb, &[1])], &[1]), [(Code::Matched, vec![0])], "{verb:?}");
        }
    }

    #[test]
    fn collectives_that_not_all_call_have_names_of_their_own() {
        let alone = [call(1, Verb::Barrier, &[0]), call(2, Verb::Barrier, &[1])];
        assert_eq!(told(&alone, &[0]), [(Code::CollectiveAlone, vec![1, 2])]);
        // Of processes nobody knows whom they wait for inside a collective.
        let crossed = [call(0, Verb::Barrier, &[]), call(1, Verb::Recv, &[0])];
        assert_eq!(told(&crossed, &[]), [(Code::CollectiveAlone, vec![0, 1])]);
        let order = [call(0, Verb::Barrier, &[]), call(1, Verb::Bcast, &[])];
        assert_eq!(told(&order, &[]), [(Code::CollectiveOrder, vec![0, 1])]);
    }

    #[test]
    fn one_collective_on_two_communicators_is_no_circle_of_partners() {
        let on = |name: &str, call| Blocked { communicator: Some(name.to_owned()), ..call };
        let both = |[one, other]: [&str; 2]| {
            let calls = [on(one, call(0, Verb::Barrier, &[1])), on(other, call(1, Verb::Barrier, &[0]))];
            told(&calls, &[])
        };
        assert_eq!(both(["world", "dup 1 of world"]), [(Code::CollectiveAlone, vec![0, 1])]);
        assert_eq!(both(["world", "world"]), [(Code::Deadlock, vec![0, 1])]);
    }

    #[test]
    fn a_wait_is_named_with_the_call_that_started_its_operation() {
        let started = Some(Place::of(1, Site::here(Verb::Irecv)));
        let wait = Blocked { started: started.clone(), ..call(1, Verb::Wait, &[0]) };
        let findings = diagnose(&[wait], &[0], vec![]);
        assert_eq!(findings[0].places.get(1), started.as_ref());
    }

    #[test]
    fn nothing_is_said_of_ranks_that_wait_for_one_that_computes() {
        assert_eq!(told(&[call(0, Verb::Recv, &[1]), call(2, Verb::Recv, &[0])], &[]), []);
    }

    #[test]
    fn a_rank_that_is_through_with_its_stage_is_awaited_in_vain() {
        let blocked =
            [call(0, Verb::Agreement, &[1]), call(1, Verb::Recv, &[0]), call(2, Verb::Agreement, &[0])];
        assert_eq!(told(&blocked, &[]), [(Code::PartnerEnded, vec![1])]);
        assert_eq!(told(&blocked[..1], &[]), [], "nobody waits but the framework");
    }

    /// A long message with a wrong tag: the sender waits for its receiver, which waits for another tag.
    #[test]
    fn a_wrong_tag_of_a_message_that_is_not_buffered_is_told_before_the_circle() {
        let blocked = [call(0, Verb::Send, &[1]), call(1, Verb::Recv, &[0]), call(2, Verb::Recv, &[0])];
        let miss = |sender: Place| {
            let places = vec![blocked[1].place(), sender];
            Finding { code: Code::NearMiss, rank: 1, places, details: vec![crate::Text::verbatim("tag 5")] }
        };
        let lines = |found: &Finding| found.details.iter().map(ToString::to_string).collect::<Vec<_>>();
        let codes = |near| {
            let found = diagnose(&blocked, &[], vec![near]);
            found.into_iter().map(|found| (found.code, lines(&found))).collect::<Vec<_>>()
        };
        let circle = |more: &[&str]| {
            let details = ["who waits for whom: 0 -> 1 -> 0"].iter().chain(more);
            (Code::Buffering, details.map(|line| (*line).to_owned()).collect::<Vec<_>>())
        };
        let near = (Code::NearMiss, vec!["tag 5".to_owned()]);
        assert_eq!(codes(miss(blocked[0].place())), [near, circle(&[])]);
        let found = diagnose(&blocked, &[], vec![miss(blocked[0].place())]);
        let left: Vec<_> = of_buffers_only(found).into_iter().map(|found| found.code).collect();
        assert_eq!(left, [Code::Buffering], "with buffers it is received later");
        let other = Place { rank: 2, ..blocked[0].place() };
        assert_eq!(codes(miss(other)), [circle(&["tag 5"])], "rank 2 is not of the circle");
    }

    #[test]
    fn a_message_that_was_sent_is_told_with_the_circle_in_which_its_sender_waits_for_another() {
        let blocked = [call(0, Verb::Send, &[1]), call(1, Verb::Recv, &[2]), call(2, Verb::Send, &[0])];
        let places = vec![blocked[1].place(), blocked[2].place()];
        let miss =
            Finding { code: Code::NearMiss, rank: 1, places, details: vec![crate::Text::verbatim("tag 5")] };
        let found = diagnose(&blocked, &[], vec![miss]);
        assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), [Code::Buffering]);
        assert_eq!(found[0].details.last().map(ToString::to_string).as_deref(), Some("tag 5"));
    }

    #[test]
    fn only_ranks_of_one_collective_are_told_together() {
        let alone = |rank, verb| {
            let places = vec![Place::of(rank, Site::here(verb))];
            Finding { code: Code::CollectiveAlone, rank, places, details: vec![] }
        };
        let told = merged(vec![alone(0, Verb::Reduce), alone(1, Verb::Gather), alone(2, Verb::Reduce)]);
        let ranks: Vec<Vec<_>> =
            told.iter().map(|found| found.places.iter().map(|place| place.rank).collect()).collect();
        assert_eq!(ranks, [vec![0, 2], vec![1]]);
    }

    #[test]
    fn a_near_miss_takes_the_place_of_what_it_explains() {
        let blocked = [call(0, Verb::Recv, &[1]), call(1, Verb::Recv, &[0]), call(2, Verb::Recv, &[2])];
        let miss = Finding { code: Code::NearMiss, rank: 1, places: vec![], details: vec![] };
        let codes: Vec<_> = diagnose(&blocked, &[], vec![miss]).iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::NearMiss, Code::Deadlock], "it explains two ranks, the other circle one");
    }
}
