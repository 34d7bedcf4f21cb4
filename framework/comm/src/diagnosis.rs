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

use crate::{BlockedCall, Code, Finding, Rank, Source, Verb, text::waiting};

/// The causes, the first to tell first, for ranks that stand as in `blocked` while those of `ended` have ended and all
/// others compute.
///
/// `near` are near misses ([`Code::NearMiss`]), as far as the backend sees the messages that lie about: where one explains
/// why a rank waits, it takes the place of what else would be said of that rank. A circle that only a buffer would open
/// stays beside it, since the message may also be sent before the one that is awaited.
///
/// A rank that stands in an agreement between two stages ([`Verb::Agreement`]) is through with its own code: it is taken for
/// one that has ended, and nobody is accused of a line of the framework.
pub fn diagnose(blocked: &[BlockedCall], ended: &[Rank], near: Vec<Finding>) -> Vec<Finding> {
    let (through, blocked): (Vec<_>, Vec<_>) = blocked.iter().partition(|call| call.verb == Verb::Agreement);
    let ended: Vec<_> = through.into_iter().map(|call| call.rank).chain(ended.iter().copied()).collect();
    let waits =
        WaitForGraph { blocked: blocked.into_iter().map(|call| (call.rank, call)).collect(), ended: &ended };
    let causes =
        waits.waits_for_ended_ranks().chain(waits.cycles().into_iter().map(|c| waits.cycle_finding(&c)));
    let mut told: Vec<Finding> = vec![];
    for cause in causes {
        let (misses, cause) = waits.apply_near_misses(cause, &near);
        told.extend(misses);
        told.extend(cause);
    }
    let mut told = merge_by_collective(told);
    let waiting: Vec<_> = waits.blocked.keys().copied().collect();
    ranking::sort(&mut told, &waiting, |one, other| waits.targets(waits.blocked[&one]).contains(&other));
    told
}

/// What is found in a run without buffers of a program that passes with them: a near miss beside a circle that a buffer opens
/// is then a message that is received later, and no mistake of its own.
pub fn drop_near_misses_if_buffering(found: Vec<Finding>) -> Vec<Finding> {
    let opens = found.iter().any(|finding| finding.code == Code::BufferDependence);
    found.into_iter().filter(|finding| !opens || finding.code != Code::NearMiss).collect()
}

/// Findings of one collective are one.
fn merge_by_collective(causes: Vec<Finding>) -> Vec<Finding> {
    let mut told: Vec<Finding> = vec![];
    for cause in causes {
        let same = |known: &&mut Finding| {
            *known == &cause
                || cause.code == Code::CollectiveIncomplete
                    && known.code == cause.code
                    && known.locations[0].call == cause.locations[0].call
        };
        let Some(known) = told.iter_mut().find(same) else {
            told.push(cause);
            continue;
        };
        let new: Vec<_> =
            cause.locations.into_iter().filter(|place| !known.locations.contains(place)).collect();
        known.locations.extend(new);
        let new: Vec<_> =
            cause.details.into_iter().filter(|detail| !known.details.contains(detail)).collect();
        known.details.extend(new);
    }
    told
}

/// Who stands where.
struct WaitForGraph<'a> {
    blocked: BTreeMap<Rank, &'a BlockedCall>,
    ended: &'a [Rank],
}

/// What can become of a wait.
enum WaitEdge<'a> {
    /// To this rank, which stands.
    Blocked(&'a BlockedCall),
    /// To ranks that have ended.
    Ended(Vec<Rank>),
    /// To nobody that is known to be stuck.
    None,
}

impl<'a> WaitForGraph<'a> {
    /// Whom a rank waits for. In a collective of which nothing else is known: those who are not in it.
    fn targets(&self, call: &BlockedCall) -> Vec<Rank> {
        if !call.waits_for.is_empty() || !call.verb.is_collective() {
            return call.waits_for.clone();
        }
        let elsewhere = self.blocked.values().filter(|other| other.verb != call.verb).map(|other| other.rank);
        self.ended.iter().copied().chain(elsewhere).collect()
    }

    fn edge(&self, call: &BlockedCall) -> WaitEdge<'a> {
        let targets = self.targets(call);
        let (ended, rest): (Vec<_>, Vec<_>) = targets.into_iter().partition(|rank| self.ended.contains(rank));
        let one_is_enough = call.peer == Some(Source::Any);
        let in_vain = if one_is_enough { rest.is_empty() } else { true };
        if !ended.is_empty() && in_vain {
            return WaitEdge::Ended(ended);
        }
        match rest.iter().find_map(|rank| self.blocked.get(rank)) {
            // One that computes may still answer.
            Some(_) if one_is_enough && rest.iter().any(|rank| !self.blocked.contains_key(rank)) => {
                WaitEdge::None
            }
            Some(next) => WaitEdge::Blocked(next),
            None => WaitEdge::None,
        }
    }

    /// The near misses that explain a cause, and what is left to say of the cause itself.
    fn apply_near_misses(&self, mut cause: Finding, near: &[Finding]) -> (Vec<Finding>, Option<Finding>) {
        let ranks: BTreeSet<_> = cause.locations.iter().map(|place| place.rank).collect();
        let misses = near.iter().filter(|miss| ranks.contains(&miss.rank)).cloned();
        if cause.code != Code::BufferDependence {
            let misses: Vec<_> = misses.collect();
            let left = if misses.is_empty() { Some(cause) } else { None };
            return (misses, left);
        }
        let (misses, beside): (Vec<_>, Vec<_>) = misses.partition(|miss| self.is_blocked_send(miss));
        cause.details.extend(beside.into_iter().flat_map(|miss| miss.details));
        (misses, Some(cause))
    }

    /// Does the sender of a near miss stand in a send to the very rank that waits for the sender?
    fn is_blocked_send(&self, miss: &Finding) -> bool {
        let Some(sender) = miss.locations.last() else { return false };
        let awaits =
            |one: Rank, other: Rank| self.blocked.get(&one).is_some_and(|call| call.waits_for == [other]);
        awaits(sender.rank, miss.rank) && awaits(miss.rank, sender.rank)
    }

    /// Those who wait for ranks that have ended.
    fn waits_for_ended_ranks(&self) -> impl Iterator<Item = Finding> {
        self.blocked.values().filter_map(|call| match self.edge(call) {
            WaitEdge::Ended(ended) => Some(self.ended_partner_finding(call, &ended)),
            _ => None,
        })
    }

    fn ended_partner_finding(&self, call: &BlockedCall, ended: &[Rank]) -> Finding {
        let detail = waiting::for_ended(call.rank, ended);
        let mut places: Vec<_> = call.locations().collect();
        let code = match call.verb {
            verb if verb.is_collective() => {
                let inside =
                    self.blocked.values().filter(|other| other.verb == verb && other.rank != call.rank);
                places.extend(inside.map(|other| other.location()));
                Code::CollectiveIncomplete
            }
            verb if is_epoch_verb(verb) => Code::Matched,
            _ => Code::PartnerEnded,
        };
        Finding { code, rank: call.rank, locations: places, details: vec![detail] }
    }

    /// The circles, each from its lowest rank.
    fn cycles(&self) -> Vec<Vec<&'a BlockedCall>> {
        let mut circles: Vec<Vec<&BlockedCall>> = vec![];
        let mut seen = BTreeSet::new();
        for start in self.blocked.values() {
            let mut path: Vec<&BlockedCall> = vec![];
            let mut here = *start;
            while seen.insert(here.rank) {
                path.push(here);
                match self.edge(here) {
                    WaitEdge::Blocked(next) => here = next,
                    WaitEdge::Ended(_) | WaitEdge::None => break,
                }
            }
            let closes = matches!(self.edge(path.last().unwrap_or(start)), WaitEdge::Blocked(next) if next.rank == here.rank);
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

    fn cycle_finding(&self, circle: &[&BlockedCall]) -> Finding {
        let next = |at: usize| circle[(at + 1) % circle.len()];
        let pairs = || circle.iter().enumerate().map(|(at, call)| (*call, next(at)));
        let around = circle.iter().chain(circle.first()).map(|call| call.rank.to_string());
        let details = vec![waiting::wait_cycle(around.collect::<Vec<_>>().join(" -> "))];
        let (code, accused) = classify_cycle(pairs());
        let mut places: Vec<_> = circle.iter().flat_map(|call| call.locations()).collect();
        places.sort_by_key(|place| (place.rank != accused, place.rank));
        Finding { code, rank: accused, locations: places, details }
    }
}

/// What a circle of waits is called, and the rank whose wait gives it that name.
fn classify_cycle<'a>(
    pairs: impl Iterator<Item = (&'a BlockedCall, &'a BlockedCall)> + Clone,
) -> (Code, Rank) {
    let leaves = |(call, next): &(&BlockedCall, &BlockedCall)| {
        call.verb.is_collective() && (call.verb != next.verb || are_on_different_communicators(call, next))
    };
    let unanswered = pairs.clone().find(|(call, next)| is_epoch_verb(call.verb) && next.verb.is_collective());
    if let Some((call, _)) = unanswered {
        return (Code::Matched, call.rank);
    }
    if let Some((call, next)) = pairs.clone().find(leaves) {
        let both = next.verb.is_collective() && call.verb != next.verb;
        return (if both { Code::CollectiveOrder } else { Code::CollectiveIncomplete }, call.rank);
    }
    if let Some((call, _)) = pairs.clone().find(|(call, _)| call.is_bufferable) {
        return (Code::BufferDependence, call.rank);
    }
    (Code::Deadlock, pairs.map(|(call, _)| call.rank).next().unwrap_or_default())
}

/// Are they known to be on different communicators?
fn are_on_different_communicators(one: &BlockedCall, other: &BlockedCall) -> bool {
    one.communicator.is_some() && other.communicator.is_some() && one.communicator != other.communicator
}

/// Does the call wait for the partner of an epoch?
fn is_epoch_verb(verb: Verb) -> bool {
    matches!(verb, Verb::Start | Verb::Complete | Verb::WindowWait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallLocation, CallSite};

    fn call(rank: Rank, verb: Verb, awaits: &[Rank]) -> BlockedCall {
        BlockedCall { waits_for: awaits.to_vec(), ..BlockedCall::new(rank, CallSite::caller(verb)) }
    }

    fn diagnosed(blocked: &[BlockedCall], ended: &[Rank]) -> Vec<(Code, Vec<Rank>)> {
        let findings = diagnose(blocked, ended, vec![]);
        findings.iter().map(|f| (f.code, f.locations.iter().map(|place| place.rank).collect())).collect()
    }

    #[test]
    fn a_circle_accuses_its_members_and_nobody_who_waits_for_them() {
        let blocked = [
            call(0, Verb::Recv, &[3]),
            call(1, Verb::Recv, &[2]),
            call(2, Verb::Recv, &[3]),
            call(3, Verb::Recv, &[1]),
        ];
        assert_eq!(diagnosed(&blocked, &[]), [(Code::Deadlock, vec![1, 2, 3])]);
    }

    #[test]
    fn two_circles_are_two_findings_and_a_rank_may_wait_for_itself() {
        let blocked = [call(0, Verb::Recv, &[0]), call(1, Verb::Ssend, &[2]), call(2, Verb::Ssend, &[1])];
        assert_eq!(diagnosed(&blocked, &[]), [(Code::Deadlock, vec![1, 2]), (Code::Deadlock, vec![0])]);
    }

    #[test]
    fn a_standard_send_makes_it_a_matter_of_buffering() {
        let blocked = [call(0, Verb::Send, &[1]), call(1, Verb::Recv, &[0])];
        assert_eq!(diagnosed(&blocked, &[]), [(Code::BufferDependence, vec![0, 1])]);
    }

    #[test]
    fn whoever_waits_for_an_ended_rank_is_told_and_the_others_are_victims() {
        let blocked = [call(0, Verb::Recv, &[1]), call(1, Verb::Recv, &[2])];
        assert_eq!(diagnosed(&blocked, &[2]), [(Code::PartnerEnded, vec![1])]);
        let any = BlockedCall { peer: Some(Source::Any), ..call(0, Verb::Recv, &[1, 2]) };
        assert_eq!(diagnosed(std::slice::from_ref(&any), &[1, 2]), [(Code::PartnerEnded, vec![0])]);
        assert_eq!(diagnosed(&[any], &[1]), [], "rank 2 computes and may still send");
        for verb in [Verb::Start, Verb::Complete, Verb::WindowWait] {
            assert_eq!(diagnosed(&[call(0, verb, &[1])], &[1]), [(Code::Matched, vec![0])], "{verb:?}");
        }
    }

    #[test]
    fn collectives_that_not_all_call_have_names_of_their_own() {
        let alone = [call(1, Verb::Barrier, &[0]), call(2, Verb::Barrier, &[1])];
        assert_eq!(diagnosed(&alone, &[0]), [(Code::CollectiveIncomplete, vec![1, 2])]);
        // Of processes nobody knows whom they wait for inside a collective.
        let crossed = [call(0, Verb::Barrier, &[]), call(1, Verb::Recv, &[0])];
        assert_eq!(diagnosed(&crossed, &[]), [(Code::CollectiveIncomplete, vec![0, 1])]);
        let order = [call(0, Verb::Barrier, &[]), call(1, Verb::Bcast, &[])];
        assert_eq!(diagnosed(&order, &[]), [(Code::CollectiveOrder, vec![0, 1])]);
    }

    #[test]
    fn one_collective_on_two_communicators_is_no_circle_of_partners() {
        let on = |name: &str, call| BlockedCall { communicator: Some(name.to_owned()), ..call };
        let both = |[one, other]: [&str; 2]| {
            let calls = [on(one, call(0, Verb::Barrier, &[1])), on(other, call(1, Verb::Barrier, &[0]))];
            diagnosed(&calls, &[])
        };
        assert_eq!(both(["world", "dup 1 of world"]), [(Code::CollectiveIncomplete, vec![0, 1])]);
        assert_eq!(both(["world", "world"]), [(Code::Deadlock, vec![0, 1])]);
    }

    #[test]
    fn a_wait_is_named_with_the_call_that_started_its_operation() {
        let started = Some(CallLocation::new(1, CallSite::caller(Verb::Irecv)));
        let wait = BlockedCall { started_at: started.clone(), ..call(1, Verb::Wait, &[0]) };
        let findings = diagnose(&[wait], &[0], vec![]);
        assert_eq!(findings[0].locations.get(1), started.as_ref());
    }

    #[test]
    fn nothing_is_said_of_ranks_that_wait_for_one_that_computes() {
        assert_eq!(diagnosed(&[call(0, Verb::Recv, &[1]), call(2, Verb::Recv, &[0])], &[]), []);
    }

    #[test]
    fn a_rank_that_is_through_with_its_stage_is_awaited_in_vain() {
        let blocked =
            [call(0, Verb::Agreement, &[1]), call(1, Verb::Recv, &[0]), call(2, Verb::Agreement, &[0])];
        assert_eq!(diagnosed(&blocked, &[]), [(Code::PartnerEnded, vec![1])]);
        assert_eq!(diagnosed(&blocked[..1], &[]), [], "nobody waits but the framework");
    }

    /// A long message with a wrong tag: the sender waits for its receiver, which waits for another tag.
    #[test]
    fn a_wrong_tag_of_a_message_that_is_not_buffered_is_told_before_the_circle() {
        let blocked = [call(0, Verb::Send, &[1]), call(1, Verb::Recv, &[0]), call(2, Verb::Recv, &[0])];
        let miss = |sender: CallLocation| {
            let places = vec![blocked[1].location(), sender];
            Finding {
                code: Code::NearMiss,
                rank: 1,
                locations: places,
                details: vec![crate::Text::verbatim("tag 5")],
            }
        };
        let lines = |found: &Finding| found.details.iter().map(ToString::to_string).collect::<Vec<_>>();
        let codes = |near| {
            let found = diagnose(&blocked, &[], vec![near]);
            found.into_iter().map(|found| (found.code, lines(&found))).collect::<Vec<_>>()
        };
        let circle = |more: &[&str]| {
            let details = ["who waits for whom: 0 -> 1 -> 0"].iter().chain(more);
            (Code::BufferDependence, details.map(|line| (*line).to_owned()).collect::<Vec<_>>())
        };
        let near = (Code::NearMiss, vec!["tag 5".to_owned()]);
        assert_eq!(codes(miss(blocked[0].location())), [near, circle(&[])]);
        let found = diagnose(&blocked, &[], vec![miss(blocked[0].location())]);
        let left: Vec<_> = drop_near_misses_if_buffering(found).into_iter().map(|found| found.code).collect();
        assert_eq!(left, [Code::BufferDependence], "with buffers it is received later");
        let other = CallLocation { rank: 2, ..blocked[0].location() };
        assert_eq!(codes(miss(other)), [circle(&["tag 5"])], "rank 2 is not of the circle");
    }

    #[test]
    fn a_message_that_was_sent_is_told_with_the_circle_in_which_its_sender_waits_for_another() {
        let blocked = [call(0, Verb::Send, &[1]), call(1, Verb::Recv, &[2]), call(2, Verb::Send, &[0])];
        let places = vec![blocked[1].location(), blocked[2].location()];
        let miss = Finding {
            code: Code::NearMiss,
            rank: 1,
            locations: places,
            details: vec![crate::Text::verbatim("tag 5")],
        };
        let found = diagnose(&blocked, &[], vec![miss]);
        assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), [Code::BufferDependence]);
        assert_eq!(found[0].details.last().map(ToString::to_string).as_deref(), Some("tag 5"));
    }

    #[test]
    fn only_ranks_of_one_collective_are_told_together() {
        let alone = |rank, verb| {
            let places = vec![CallLocation::new(rank, CallSite::caller(verb))];
            Finding { code: Code::CollectiveIncomplete, rank, locations: places, details: vec![] }
        };
        let told =
            merge_by_collective(vec![alone(0, Verb::Reduce), alone(1, Verb::Gather), alone(2, Verb::Reduce)]);
        let ranks: Vec<Vec<_>> =
            told.iter().map(|found| found.locations.iter().map(|place| place.rank).collect()).collect();
        assert_eq!(ranks, [vec![0, 2], vec![1]]);
    }

    #[test]
    fn a_near_miss_takes_the_place_of_what_it_explains() {
        let blocked = [call(0, Verb::Recv, &[1]), call(1, Verb::Recv, &[0]), call(2, Verb::Recv, &[2])];
        let miss = Finding { code: Code::NearMiss, rank: 1, locations: vec![], details: vec![] };
        let codes: Vec<_> = diagnose(&blocked, &[], vec![miss]).iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::NearMiss, Code::Deadlock], "it explains two ranks, the other circle one");
    }
}
