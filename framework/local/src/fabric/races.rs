//! Races of window accesses. They are found from the happens-before order, so in every run in which both accesses take
//! place, in either order.
//!
//! An access is *before* another if it is complete (at the target, not only at its origin) in a past that the other's
//! origin knows of when it calls. Two accesses of different ranks are a race if they touch a common element, conflict,
//! and neither is before the other. Pairs without any lock are left to rule 8 of epochs, which finds them whatever the
//! timing.
use std::{
    collections::BTreeMap,
    ops::{Deref, DerefMut, Range},
};

use wb_comm::{Access, AccessKind, CallLocation, Code, Finding, Rank, text::leaks};

use crate::fabric::races::{
    file_accesses::{FileAccess, FileRaces},
    happens_before::HappensBefore,
};

#[cfg(test)]
mod conflict_tests;
mod element_clocks;
pub(crate) mod file_accesses;
mod happens_before;
pub(crate) mod vector_clock;

/// When a part has this number of accesses, those that every rank knows of are removed.
const MIN_CAPACITY: usize = 64;

/// Detects races of the accesses to all windows.
#[derive(Debug)]
pub(crate) struct RaceDetector {
    happens_before: HappensBefore,
    files: FileRaces,
    /// The access history of each window and target.
    parts: BTreeMap<(usize, Rank), AccessHistory>,
    /// For each pair of lines, the first race by ranks and elements.
    found: BTreeMap<[(String, u32); 2], Race>,
    /// Whether a rank has accessed shared memory without calls. Then the order of accesses is unknown.
    is_disabled: bool,
}

/// The accesses of a part that some rank does not know of yet.
#[derive(Debug)]
struct AccessHistory {
    accesses: Vec<RecordedAccess>,
    /// The number of accesses at which it is pruned next.
    capacity: usize,
}

#[derive(Clone, Debug)]
struct RecordedAccess {
    rank: Rank,
    /// The step of its origin in which it completed at the target.
    completed_at: Option<u64>,
    access: Access,
}

/// Two unordered accesses, the lower rank's first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Race {
    locations: [CallLocation; 2],
    target: Rank,
    start: usize,
    end: usize,
}

impl RaceDetector {
    /// Among `size` ranks.
    pub(crate) fn new(size: usize) -> Self {
        let (parts, found) = (BTreeMap::new(), BTreeMap::new());
        let (happens_before, files) = (HappensBefore::new(size), FileRaces::default());
        Self { happens_before, files, parts, found, is_disabled: false }
    }

    /// A rank accesses shared memory without calls: from now on no order is known.
    pub(crate) fn disable(&mut self) {
        self.is_disabled = true;
    }

    /// A member's call accesses a part.
    pub(crate) fn record_access(&mut self, window: usize, member: Rank, access: Access) {
        let rank = self.rank_of(window, member);
        let by_hand = matches!(access.kind, AccessKind::Load | AccessKind::Store);
        let complete = by_hand.then(|| self.clock(rank).at(rank));
        let target = self.rank_of(window, access.target);
        let access = RecordedAccess { rank, completed_at: complete, access };
        let seen = self.parts.entry((window, access.access.target)).or_default();
        let clock = self.happens_before.clock(rank);
        let races = seen.accesses.iter().filter(|earlier| {
            earlier.completed_at.is_none_or(|step| clock.at(earlier.rank) < step)
                && earlier.races_with(&access)
        });
        let races: Vec<_> = races.map(|earlier| Race::from_accesses(earlier, &access, target)).collect();
        seen.add(access, &self.happens_before);
        races.into_iter().for_each(|race| self.record_race(race));
    }

    /// The accesses of a member to `target` (`None`: to all) are complete at the origin; at the target as well, unless
    /// `fetched` restricts this to fetching accesses.
    pub(crate) fn complete(&mut self, window: usize, member: Rank, target: Option<Rank>, fetched: bool) {
        let rank = self.rank_of(window, member);
        let step = self.clock(rank).at(rank);
        let parts = self.parts.range_mut((window, 0)..(window + 1, 0));
        for (_, seen) in parts.filter(|((_, part), _)| target.is_none_or(|target| target == *part)) {
            let own = seen.accesses.iter_mut().filter(|access| access.rank == rank);
            let open = own.filter(|access| access.completed_at.is_none());
            open.filter(|access| !fetched || access.access.kind == AccessKind::Get)
                .for_each(|access| access.completed_at = Some(step));
        }
    }

    /// A window was freed.
    pub(crate) fn remove_window(&mut self, window: usize) {
        self.parts.retain(|(of, _), _| *of != window);
    }

    /// All races, one for each pair of lines.
    pub(crate) fn findings(&self) -> impl Iterator<Item = Finding> {
        let known = self.found.values().filter(|_| !self.is_disabled);
        known.map(Race::to_finding).chain(self.files.findings())
    }

    /// See [`FileRaces::acquire`].
    pub(crate) fn acquire_file(&mut self, file: usize, rank: Rank) {
        self.files.acquire(&self.happens_before, file, rank);
    }

    /// See [`FileRaces::release`].
    pub(crate) fn release_file(&mut self, file: (&str, usize), rank: Rank) {
        self.files.release(&self.happens_before, file, rank);
    }

    /// See [`FileRaces::close`].
    pub(crate) fn close_file(&mut self, file: usize, rank: Rank) {
        self.files.close(file, rank);
    }

    /// See [`FileRaces::record`].
    pub(crate) fn record_file_access(&mut self, path: &str, rank: Rank, access: FileAccess) {
        self.files.record(&self.happens_before, path, rank, access);
    }

    fn record_race(&mut self, race: Race) {
        let mut lines = race.locations.clone().map(|place| (place.file, place.line));
        lines.sort();
        let known = self.found.entry(lines).or_insert_with(|| race.clone());
        *known = race.min(known.clone());
    }
}

impl Deref for RaceDetector {
    type Target = HappensBefore;

    fn deref(&self) -> &HappensBefore {
        &self.happens_before
    }
}

impl DerefMut for RaceDetector {
    fn deref_mut(&mut self) -> &mut HappensBefore {
        &mut self.happens_before
    }
}

impl Default for AccessHistory {
    fn default() -> Self {
        Self { accesses: Vec::new(), capacity: MIN_CAPACITY }
    }
}

impl AccessHistory {
    /// Adds an access. It replaces those of its rank that are before every access that it is before.
    fn add(&mut self, access: RecordedAccess, order: &HappensBefore) {
        self.accesses.retain(|earlier| !access.subsumes(earlier));
        self.accesses.push(access);
        if self.accesses.len() > self.capacity {
            let known = |access: &RecordedAccess| {
                access.completed_at.is_some_and(|step| {
                    (0..order.size()).all(|rank| order.clock(rank).at(access.rank) >= step)
                })
            };
            self.accesses.retain(|access| !known(access));
            self.capacity = MIN_CAPACITY.max(2 * self.accesses.len());
        }
    }
}

impl RecordedAccess {
    fn races_with(&self, other: &Self) -> bool {
        let (a, b) = (&self.access, &other.access);
        let wide = a.covers_whole_part && b.kind.is_remote_write()
            || b.covers_whole_part && a.kind.is_remote_write();
        let overlap = wide || !intersection(&a.elements, &b.elements).is_empty();
        self.rank != other.rank
            && (a.is_locked || b.is_locked)
            && overlap
            && !a.kind.is_compatible_with(b.kind)
    }

    fn subsumes(&self, earlier: &Self) -> bool {
        let (new, old) = (&self.access, &earlier.access);
        let same = (self.rank, new.kind, new.is_locked) == (earlier.rank, old.kind, old.is_locked);
        let holds = new.elements.start <= old.elements.start && old.elements.end <= new.elements.end;
        same && holds && (new.covers_whole_part || !old.covers_whole_part)
    }
}

fn intersection(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.max(b.start)..a.end.min(b.end)
}

impl Race {
    fn from_accesses(earlier: &RecordedAccess, later: &RecordedAccess, target: Rank) -> Self {
        let place = |access: &RecordedAccess| CallLocation::new(access.rank, access.access.site);
        let mut places = [place(earlier), place(later)];
        places.sort();
        let Range { start, end } = intersection(&earlier.access.elements, &later.access.elements);
        Self { locations: places, target, start, end }
    }

    fn to_finding(&self) -> Finding {
        let Self { locations: places, target, start, end } = self;
        let [one, other] = places.each_ref().map(|place| place.rank);
        let detail = if start < end {
            leaks::race_of_elements(one, other, *start, *end, *target)
        } else {
            leaks::race_of_copies(one, other, *target)
        };
        Finding { code: Code::WindowRace, rank: one, locations: places.to_vec(), details: vec![detail] }
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::{CallSite, Verb};

    use super::*;

    /// Three ranks and one window.
    fn three_ranks() -> RaceDetector {
        let mut races = RaceDetector::new(3);
        races.add_window(vec![0, 1, 2].into());
        races
    }

    fn access(kind: AccessKind, elements: Range<usize>) -> Access {
        let by_hand = matches!(kind, AccessKind::Load | AccessKind::Store);
        Access {
            kind,
            target: 0,
            elements,
            covers_whole_part: false,
            is_locked: !by_hand,
            site: CallSite::caller(Verb::Put),
        }
    }

    fn race_count(races: &RaceDetector) -> usize {
        races.findings().count()
    }

    #[test]
    fn a_message_orders_what_was_complete_when_it_was_sent() {
        for flushed in [true, false] {
            let mut races = three_ranks();
            races.record_access(0, 1, access(AccessKind::Put, 0..2));
            if flushed {
                races.complete(0, 1, Some(0), false);
            }
            let released = races.publish(1);
            races.join(2, &released);
            races.complete(0, 1, None, false);
            races.record_access(0, 2, access(AccessKind::Get, 1..3));
            assert_eq!(race_count(&races), usize::from(!flushed));
            races.record_access(0, 2, access(AccessKind::Get, 2..3));
            assert_eq!(race_count(&races), usize::from(!flushed), "another element");
        }
    }

    #[test]
    fn what_completes_here_only_completes_what_was_fetched() {
        let mut races = three_ranks();
        races.record_access(0, 1, access(AccessKind::Put, 0..1));
        races.record_access(0, 1, access(AccessKind::Get, 1..2));
        races.complete(0, 1, None, true);
        races.synchronize(&[0, 1, 2]);
        races.record_access(0, 2, access(AccessKind::Put, 1..2));
        assert_eq!(race_count(&races), 0, "the get is over");
        races.record_access(0, 2, access(AccessKind::Put, 0..1));
        let [found] = &races.findings().collect::<Vec<_>>()[..] else { panic!("the put may be on its way") };
        assert_eq!((found.code, found.rank, found.locations.len()), (Code::WindowRace, 1, 2));
        assert!(
            found.details[0].to_string().starts_with("ranks 1 and 2 both touch elements 0..1 of rank 0"),
            "{found}"
        );
    }

    #[test]
    fn of_two_copies_the_whole_part_is_at_stake() {
        for (whole, expected) in [(false, 0), (true, 1)] {
            let mut races = three_ranks();
            races.record_access(0, 0, Access { covers_whole_part: whole, ..access(AccessKind::Store, 5..6) });
            races.record_access(0, 2, access(AccessKind::Get, 0..1));
            assert_eq!(race_count(&races), 0, "a get disturbs no store elsewhere");
            races.record_access(0, 1, access(AccessKind::Put, 0..1));
            assert_eq!(races.findings().filter(|found| found.rank == 0).count(), expected);
        }
    }

    #[test]
    fn who_looks_again_and_again_fills_no_memory_and_what_all_know_of_is_forgotten() {
        let mut races = three_ranks();
        for _ in 0..1000 {
            races.record_access(0, 1, access(AccessKind::Get, 3..4));
            races.complete(0, 1, None, false);
        }
        assert_eq!(races.parts[&(0, 0)].accesses.len(), 1);
        for at in 0..10_000 {
            races.record_access(0, 1, access(AccessKind::Put, at..at + 1));
            races.complete(0, 1, None, false);
            races.synchronize(&[0, 1, 2]);
        }
        assert!(races.parts[&(0, 0)].accesses.len() <= MIN_CAPACITY + 1);
        assert_eq!(race_count(&races), 0);
    }

    #[test]
    fn an_access_is_forgotten_only_for_one_that_stands_for_it() {
        let put = |elements| access(AccessKind::Put, elements);
        let get = |elements| access(AccessKind::Get, elements);
        let unlocked = |elements| Access { is_locked: false, ..put(elements) };
        let whole = |elements| Access { covers_whole_part: true, ..put(elements) };
        // What one rank does, what another rank does then, and the number of races.
        let rows = [
            ([put(0..4), put(2..4)], put(0..1), 1),
            ([put(0..4), put(0..2)], put(3..4), 1),
            ([put(0..1), put(5..6)], put(0..1), 1),
            ([put(1..2), put(0..4)], put(0..1), 1),
            ([put(0..4), get(0..4)], get(0..1), 1),
            ([put(0..1), unlocked(0..1)], unlocked(0..1), 1),
            ([whole(0..1), put(0..1)], put(5..6), 1),
            ([put(0..1), put(0..1)], put(5..6), 0),
            ([get(0..4), get(0..4)], get(0..4), 0),
        ];
        for (first, then, expected) in rows {
            for (one, other) in [(1, 2), (2, 1)] {
                let mut races = three_ranks();
                first.iter().for_each(|access| races.record_access(0, one, access.clone()));
                races.record_access(0, other, then.clone());
                assert_eq!(race_count(&races), expected, "{first:?} of rank {one}, then {then:?}");
                assert!(races.findings().all(|found| found.rank == 1), "the lower rank is the first");
            }
        }
    }

    #[test]
    fn what_completes_is_of_one_window_and_one_target() {
        let put = || access(AccessKind::Put, 0..1);
        for (window, target, expected) in
            [(0, None, 1), (1, Some(1), 1), (1, Some(0), 0), (1, None, 0), (2, None, 1)]
        {
            let mut races = three_ranks();
            races.add_window(vec![0, 1, 2].into());
            races.add_window(vec![0, 1, 2].into());
            races.record_access(1, 1, put());
            races.complete(window, 1, target, false);
            races.synchronize(&[0, 1, 2]);
            races.record_access(1, 2, put());
            assert_eq!(race_count(&races), expected, "complete on window {window}, target {target:?}");
        }
    }

    #[test]
    fn of_what_completes_here_only_a_get_is_over_there() {
        for (kind, expected) in [(AccessKind::Get, 0), (AccessKind::Put, 1), (AccessKind::CompareAndSwap, 1)]
        {
            let mut races = three_ranks();
            races.record_access(0, 1, access(kind, 0..1));
            races.complete(0, 1, None, true);
            races.synchronize(&[0, 1, 2]);
            races.record_access(0, 2, access(AccessKind::Put, 0..1));
            assert_eq!(race_count(&races), expected, "{kind:?}");
        }
    }

    #[test]
    fn where_memory_is_shared_without_calls_nothing_is_known() {
        let mut races = three_ranks();
        races.record_access(0, 1, access(AccessKind::Put, 0..1));
        races.record_access(0, 2, access(AccessKind::Put, 0..1));
        assert_eq!(race_count(&races), 1);
        races.disable();
        assert_eq!(race_count(&races), 0);
    }
}
