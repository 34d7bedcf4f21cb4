//! The footprint of an epoch: the elements of one part of a window that it accesses, the kinds of access, and the
//! calls.
//!
//! The segments of one kind of access never overlap: a call adds only elements that no earlier call of its kind has
//! accessed. So an epoch of n calls costs n log n, even if many gets read the same elements. The call that a conflict
//! names always accesses the conflicting element.
use std::{collections::BTreeMap, ops::Range};

use wb_comm::{AccessKind, CallSite};

/// Two calls that access one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub(crate) element: usize,
    /// A call of this footprint.
    pub(crate) site: CallSite,
}

/// The accesses of an epoch to one part (see the module).
#[derive(Clone, Debug, Default)]
pub(crate) struct EpochFootprint(Vec<(AccessKind, IntervalMap)>);

impl EpochFootprint {
    pub(crate) fn add(&mut self, kind: AccessKind, elements: Range<usize>, site: CallSite) {
        let known = self.0.iter().position(|(other, _)| *other == kind);
        let at = known.unwrap_or_else(|| {
            self.0.push((kind, IntervalMap::default()));
            self.0.len() - 1
        });
        self.0[at].1.insert(elements, site);
    }

    /// A call of this footprint that conflicts with this access.
    pub(crate) fn conflict(&self, kind: AccessKind, elements: &Range<usize>) -> Option<Conflict> {
        let conflicting = self.0.iter().filter(|(other, _)| !other.is_compatible_with(kind));
        conflicting.filter_map(|(_, intervals)| intervals.first_in(elements)).next()
    }

    /// A call of this footprint and a call of the other one that conflict.
    pub(crate) fn conflict_with(&self, other: &Self) -> Option<(Conflict, CallSite)> {
        let mut calls = other.accesses();
        calls.find_map(|(kind, elements, site)| Some((self.conflict(kind, &elements)?, site)))
    }

    /// The first call of a kind for which `wanted` is true.
    pub(crate) fn first_of_kind(&self, wanted: impl Fn(AccessKind) -> bool) -> Option<CallSite> {
        self.accesses().find(|(kind, ..)| wanted(*kind)).map(|(.., site)| site)
    }

    fn accesses(&self) -> impl Iterator<Item = (AccessKind, Range<usize>, CallSite)> {
        let of_kind = |(kind, intervals): &(AccessKind, IntervalMap)| {
            let kind = *kind;
            intervals.0.clone().into_iter().map(move |(start, (end, site))| (kind, start..end, site))
        };
        self.0.iter().flat_map(of_kind)
    }
}

/// Segments that do not overlap: the start of each, and its end and call.
#[derive(Clone, Debug, Default)]
struct IntervalMap(BTreeMap<usize, (usize, CallSite)>);

impl IntervalMap {
    /// The first segment that overlaps `elements`.
    fn first_in(&self, elements: &Range<usize>) -> Option<Conflict> {
        if elements.is_empty() {
            return None;
        }
        let before =
            self.0.range(..=elements.start).next_back().filter(|(_, (end, _))| *end > elements.start);
        let (start, (_, site)) = before.or_else(|| self.0.range(elements.clone()).next())?;
        Some(Conflict { element: *start.max(&elements.start), site: *site })
    }

    /// Inserts those of `elements` that are in no segment yet.
    fn insert(&mut self, elements: Range<usize>, site: CallSite) {
        let mut blank = elements.start;
        while blank < elements.end {
            let Some(next) = self.first_in(&(blank..elements.end)) else { break };
            if next.element > blank {
                self.0.insert(blank, (next.element, site));
            }
            let (_, (end, _)) = self.0.range(..=next.element).next_back().expect("a segment was found there");
            blank = *end;
        }
        if blank < elements.end {
            self.0.insert(blank, (elements.end, site));
        }
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::Verb;

    use super::*;

    #[test]
    fn the_call_that_is_named_touches_the_element() {
        let [a, b, c] =
            [CallSite::caller(Verb::Get), CallSite::caller(Verb::Get), CallSite::caller(Verb::Get)];
        let mut footprint = EpochFootprint::default();
        footprint.add(AccessKind::Get, 4..6, a);
        footprint.add(AccessKind::Get, 8..9, b);
        footprint.add(AccessKind::Get, 2..12, c);
        let named = |at: usize| footprint.conflict(AccessKind::Put, &(at..at + 1)).map(|found| found.site);
        let sites: Vec<_> = (0..13).map(named).collect();
        let (none, a, b, c) = (None, Some(a), Some(b), Some(c));
        assert_eq!(sites, [none, none, c, c, a, a, c, c, b, c, c, c, none]);
        assert_eq!(footprint.conflict(AccessKind::Get, &(0..20)), None);
        assert_eq!(footprint.conflict(AccessKind::Put, &(5..5)), None);
    }

    #[test]
    fn painting_agrees_with_a_plain_array() {
        let sites: Vec<_> = Verb::ALL.iter().map(|verb| CallSite::caller(*verb)).collect();
        let (mut intervals, mut plain) = (IntervalMap::default(), [None; 64]);
        let mut state = 1u64;
        for site in &sites {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (start, length) = ((state >> 33) as usize % 60, (state >> 50) as usize % 6);
            let elements = start..(start + length).min(64);
            plain[elements.clone()].iter_mut().for_each(|element| *element = element.or(Some(*site)));
            intervals.insert(elements, *site);
        }
        for (at, expected) in plain.into_iter().enumerate() {
            assert_eq!(intervals.first_in(&(at..at + 1)).map(|found| found.site), expected, "element {at}");
        }
        assert!(plain.contains(&None) && plain.iter().filter(|e| e.is_some()).count() > 30);
    }
}
