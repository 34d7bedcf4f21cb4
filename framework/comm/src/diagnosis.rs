//! Why nobody can go on: who waits for whom, followed to where it begins.
//!
//! Each rank that stands waits for others. Whoever follows these waits comes either to a rank that has ended, or back to
//! where it was: a circle. Only these two are causes; ranks that wait for a rank of a circle, or for one that waits in
//! vain, are victims and are not accused. Where the circle passes through a collective, an epoch's partner or a standard
//! send, the mistake has a name of its own.
//!
//! A pure function of what is known of the ranks, so the same for all backends: on threads that is everything, on real
//! MPI what the watch saw when the limit struck.
use std::collections::{BTreeMap, BTreeSet};

use crate::{Blocked, Code, Finding, Rank, Source, Verb};

/// The causes, for ranks that stand as in `blocked` while those of `ended` have ended and all others compute.
///
/// `near` are near misses ([`Code::NearMiss`]), as far as the backend sees the messages that lie about: where one explains
/// why a rank waits, it takes the place of what else would be said of that rank.
pub fn diagnose(blocked: &[Blocked], ended: &[Rank], near: Vec<Finding>) -> Vec<Finding> {
    let waits = Waits { stands: blocked.iter().map(|call| (call.rank, call)).collect(), ended };
    let mut causes: Vec<Finding> =
        waits.in_vain().chain(waits.circles().iter().map(|c| waits.circle(c))).collect();
    let misses = |rank: Rank| near.iter().find(|miss| miss.rank == rank);
    let explained = |cause: &Finding| {
        cause.code != Code::Buffering && cause.places.iter().any(|p| misses(p.rank).is_some())
    };
    let mut told: Vec<Finding> = vec![];
    for cause in causes.iter().filter(|cause| explained(cause)) {
        let ranks: BTreeSet<_> = cause.places.iter().map(|place| place.rank).collect();
        told.extend(ranks.into_iter().filter_map(misses).cloned());
    }
    causes.retain(|cause| !explained(cause));
    for cause in causes.iter_mut().filter(|cause| cause.code == Code::Buffering) {
        let misses = cause.places.iter().filter_map(|place| misses(place.rank));
        let more: Vec<_> = misses.flat_map(|miss| miss.details.iter().cloned()).collect();
        cause.details.extend(more);
    }
    told.extend(merged(causes));
    told
}

/// Findings of one collective are one.
fn merged(causes: Vec<Finding>) -> Vec<Finding> {
    let mut told: Vec<Finding> = vec![];
    for cause in causes {
        let same = |known: &&mut Finding| {
            cause.code == Code::CollectiveAlone
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

    /// Those who wait for ranks that have ended.
    fn in_vain(&self) -> impl Iterator<Item = Finding> {
        self.stands.values().filter_map(|call| match self.leads(call) {
            Leads::ToEnded(ended) => Some(self.waits_for_ended(call, &ended)),
            _ => None,
        })
    }

    fn waits_for_ended(&self, call: &Blocked, ended: &[Rank]) -> Finding {
        let list: Vec<_> = ended.iter().map(ToString::to_string).collect();
        let over = if ended.len() == 1 { "has ended" } else { "have ended" };
        let detail = format!("rank {} waits for {}, which {over}", call.rank, list.join(", "));
        let mut places = vec![call.place()];
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
        let details = vec![format!("who waits for whom: {}", around.collect::<Vec<_>>().join(" -> "))];
        let (code, accused) = name(pairs());
        let mut places: Vec<_> = circle.iter().map(|call| call.place()).collect();
        places.sort_by_key(|place| (place.rank != accused, place.rank));
        Finding { code, rank: accused, places, details }
    }
}

/// What a circle of waits is called, and the rank whose wait gives it that name.
fn name<'a>(pairs: impl Iterator<Item = (&'a Blocked, &'a Blocked)> + Clone) -> (Code, Rank) {
    let leaves = |(call, next): &(&Blocked, &Blocked)| call.verb.is_collective() && call.verb != next.verb;
    let unanswered = pairs.clone().find(|(call, next)| is_of_epoch(call.verb) && next.verb.is_collective());
    if let Some((call, _)) = unanswered {
        return (Code::Matched, call.rank);
    }
    if let Some((call, next)) = pairs.clone().find(leaves) {
        let both = next.verb.is_collective();
        return (if both { Code::CollectiveOrder } else { Code::CollectiveAlone }, call.rank);
    }
    if let Some((call, _)) = pairs.clone().find(|(call, _)| call.bufferable) {
        return (Code::Buffering, call.rank);
    }
    (Code::Deadlock, pairs.map(|(call, _)| call.rank).next().unwrap_or_default())
}

/// Does the call wait for the partner of an epoch?
fn is_of_epoch(verb: Verb) -> bool {
    matches!(verb, Verb::Start | Verb::Complete | Verb::WindowWait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Site;

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
        assert_eq!(told(&blocked, &[]), [(Code::Deadlock, vec![0]), (Code::Deadlock, vec![1, 2])]);
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
        assert_eq!(told(&[call(0, Verb::Start, &[1])], &[1]), [(Code::Matched, vec![0])]);
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
    fn nothing_is_said_of_ranks_that_wait_for_one_that_computes() {
        assert_eq!(told(&[call(0, Verb::Recv, &[1]), call(2, Verb::Recv, &[0])], &[]), []);
    }

    #[test]
    fn a_near_miss_takes_the_place_of_what_it_explains() {
        let blocked = [call(0, Verb::Recv, &[1]), call(1, Verb::Recv, &[0]), call(2, Verb::Recv, &[2])];
        let miss = Finding { code: Code::NearMiss, rank: 1, places: vec![], details: vec![] };
        let codes: Vec<_> = diagnose(&blocked, &[], vec![miss]).iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::NearMiss, Code::Deadlock]);
    }
}
