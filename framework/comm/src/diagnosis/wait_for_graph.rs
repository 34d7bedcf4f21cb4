//! The causes of a hang: the wait-for graph, followed from each blocked rank to where it ends.
//!
//! Each blocked rank waits for other ranks. A path of waits ends at a rank that has ended, or it closes to a cycle. Only these
//! two are causes. A rank that waits for a member of a cycle, or for a rank that waits without success, is a victim and is not
//! accused. A cycle through a collective, the partner of an epoch or a standard send has a code of its own.
//!
//! `ranking` orders several causes.
//!
//! The diagnosis is a pure function of the known state of the ranks, so it is the same for all backends. On threads the state is
//! complete; on real MPI it is what the watchdog saw at the time limit.
use std::collections::{BTreeMap, BTreeSet};

use crate::{BlockedCall, Code, Finding, Rank, Source, Verb, diagnosis::ranking, text::waiting};

/// The causes, the most important first. The ranks of `blocked` are inside calls, those of `ended` have ended, all others compute.
///
/// `near` are near misses ([`Code::NearMiss`]), as far as the backend sees the unreceived messages. A near miss that explains
/// why a rank waits replaces the other causes of that rank. A cycle that only a buffer would break is reported beside it, since
/// the message may also be sent before the awaited one.
///
/// A rank in an agreement between two stages ([`Verb::Agreement`]) has completed its own code. It counts as ended, so that no
/// finding names a line of the framework.
pub fn diagnose(blocked: &[BlockedCall], ended: &[Rank], near: Vec<Finding>) -> Vec<Finding> {
    let (agreed, blocked): (Vec<_>, Vec<_>) = blocked.iter().partition(|call| call.verb == Verb::Agreement);
    let ended: Vec<_> = agreed.into_iter().map(|call| call.rank).chain(ended.iter().copied()).collect();
    let graph =
        WaitForGraph { blocked: blocked.into_iter().map(|call| (call.rank, call)).collect(), ended: &ended };
    let causes =
        graph.waits_for_ended_ranks().chain(graph.cycles().into_iter().map(|c| graph.cycle_finding(&c)));
    let mut findings: Vec<Finding> = vec![];
    for cause in causes {
        let (misses, cause) = graph.apply_near_misses(cause, &near);
        findings.extend(misses);
        findings.extend(cause);
    }
    let mut findings = merge_by_collective(findings);
    let waiting: Vec<_> = graph.blocked.keys().copied().collect();
    ranking::sort(&mut findings, &waiting, |one, other| graph.targets(graph.blocked[&one]).contains(&other));
    findings
}

/// The findings of a run without buffers of a program that passes with buffers. A near miss beside a cycle that a buffer breaks
/// is then a message that is received later, not a mistake.
pub fn drop_near_misses_if_buffering(found: Vec<Finding>) -> Vec<Finding> {
    let is_breakable = found.iter().any(|finding| finding.code == Code::BufferDependence);
    found.into_iter().filter(|finding| !is_breakable || finding.code != Code::NearMiss).collect()
}

/// Merges the findings of one collective into one.
fn merge_by_collective(causes: Vec<Finding>) -> Vec<Finding> {
    let mut merged: Vec<Finding> = vec![];
    for cause in causes {
        let same = |known: &&mut Finding| {
            *known == &cause
                || cause.code == Code::CollectiveIncomplete
                    && known.code == cause.code
                    && known.locations[0].call == cause.locations[0].call
        };
        let Some(known) = merged.iter_mut().find(same) else {
            merged.push(cause);
            continue;
        };
        let new: Vec<_> =
            cause.locations.into_iter().filter(|location| !known.locations.contains(location)).collect();
        known.locations.extend(new);
        let new: Vec<_> =
            cause.details.into_iter().filter(|detail| !known.details.contains(detail)).collect();
        known.details.extend(new);
    }
    merged
}

/// The blocked and the ended ranks.
struct WaitForGraph<'a> {
    blocked: BTreeMap<Rank, &'a BlockedCall>,
    ended: &'a [Rank],
}

/// The target of an edge of the wait-for graph.
enum WaitEdge<'a> {
    /// To this blocked rank.
    Blocked(&'a BlockedCall),
    Ended(Vec<Rank>),
    /// To no rank that is known to be stuck.
    None,
}

impl<'a> WaitForGraph<'a> {
    /// The ranks that a call waits for. For a collective without further knowledge: the ranks outside it.
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
        let one_is_enough = call.peer == Some(Source::Any) || call.verb.needs_one();
        let is_hopeless = !one_is_enough || rest.is_empty();
        if !ended.is_empty() && is_hopeless {
            return WaitEdge::Ended(ended);
        }
        match rest.iter().find_map(|rank| self.blocked.get(rank)) {
            // A rank that computes may still answer.
            Some(_) if one_is_enough && rest.iter().any(|rank| !self.blocked.contains_key(rank)) => {
                WaitEdge::None
            }
            Some(next) => WaitEdge::Blocked(next),
            None => WaitEdge::None,
        }
    }

    /// The near misses that explain a cause, and the cause itself if it is still reported.
    fn apply_near_misses(&self, mut cause: Finding, near: &[Finding]) -> (Vec<Finding>, Option<Finding>) {
        let ranks: BTreeSet<_> = cause.locations.iter().map(|location| location.rank).collect();
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

    /// Whether the sender of a near miss is blocked in a send to the rank that waits for the sender.
    fn is_blocked_send(&self, miss: &Finding) -> bool {
        let Some(sender) = miss.locations.last() else { return false };
        let awaits =
            |one: Rank, other: Rank| self.blocked.get(&one).is_some_and(|call| call.waits_for == [other]);
        awaits(sender.rank, miss.rank) && awaits(miss.rank, sender.rank)
    }

    fn waits_for_ended_ranks(&self) -> impl Iterator<Item = Finding> {
        self.blocked.values().filter_map(|call| match self.edge(call) {
            WaitEdge::Ended(ended) => Some(self.ended_partner_finding(call, &ended)),
            _ => None,
        })
    }

    fn ended_partner_finding(&self, call: &BlockedCall, ended: &[Rank]) -> Finding {
        let detail = waiting::for_ended(call.rank, ended);
        let mut locations: Vec<_> = call.locations().collect();
        let code = match call.collective() {
            Some(_) => {
                let inside = self.blocked.values();
                let inside =
                    inside.filter(|other| other.collective() == call.collective() && other.rank != call.rank);
                locations.extend(inside.map(|other| other.location()));
                Code::CollectiveIncomplete
            }
            None if is_epoch_verb(call.verb) => Code::Matched,
            None => Code::PartnerEnded,
        };
        Finding { code, rank: call.rank, locations, details: vec![detail] }
    }

    /// The cycles, each from its lowest rank.
    fn cycles(&self) -> Vec<Vec<&'a BlockedCall>> {
        let mut cycles: Vec<Vec<&BlockedCall>> = vec![];
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
            let mut cycle = path.split_off(first);
            let lowest = (0..cycle.len()).min_by_key(|at| cycle[*at].rank).unwrap_or(0);
            cycle.rotate_left(lowest);
            cycles.push(cycle);
        }
        cycles
    }

    fn cycle_finding(&self, cycle: &[&BlockedCall]) -> Finding {
        let next = |at: usize| cycle[(at + 1) % cycle.len()];
        let pairs = || cycle.iter().enumerate().map(|(at, call)| (*call, next(at)));
        let around = cycle.iter().chain(cycle.first()).map(|call| call.rank.to_string());
        let details = vec![waiting::wait_cycle(around.collect::<Vec<_>>().join(" -> "))];
        let (code, responsible) = classify_cycle(pairs());
        let mut locations: Vec<_> = cycle.iter().flat_map(|call| call.locations()).collect();
        locations.sort_by_key(|location| (location.rank != responsible, location.rank));
        Finding { code, rank: responsible, locations, details }
    }
}

/// The code of a cycle of waits, and the rank whose wait decides it.
fn classify_cycle<'a>(
    pairs: impl Iterator<Item = (&'a BlockedCall, &'a BlockedCall)> + Clone,
) -> (Code, Rank) {
    let is_left = |(call, next): &(&BlockedCall, &BlockedCall)| {
        let differ = call.collective() != next.collective() || are_on_different_communicators(call, next);
        call.collective().is_some() && differ
    };
    let unanswered = pairs.clone().find(|(call, next)| is_epoch_verb(call.verb) && next.verb.is_collective());
    if let Some((call, _)) = unanswered {
        return (Code::Matched, call.rank);
    }
    if let Some((call, next)) = pairs.clone().find(is_left) {
        let both = next.collective().is_some() && call.collective() != next.collective();
        return (if both { Code::CollectiveOrder } else { Code::CollectiveIncomplete }, call.rank);
    }
    if let Some((call, _)) = pairs.clone().find(|(call, _)| call.is_bufferable) {
        return (Code::BufferDependence, call.rank);
    }
    (Code::Deadlock, pairs.map(|(call, _)| call.rank).next().unwrap_or_default())
}

/// Whether both communicators are known and differ.
fn are_on_different_communicators(one: &BlockedCall, other: &BlockedCall) -> bool {
    one.communicator.is_some() && other.communicator.is_some() && one.communicator != other.communicator
}

/// Whether the call waits for the partner of an epoch.
fn is_epoch_verb(verb: Verb) -> bool {
    matches!(verb, Verb::Start | Verb::Complete | Verb::WindowWait)
}

#[cfg(test)]
mod tests;
