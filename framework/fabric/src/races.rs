//! Accesses of windows that nothing orders: found from what happens before what, so in every run in which both take place,
//! whichever comes first.
//!
//! An access is *before* another if it is complete (at the target, not only at its origin) in a past that the other's origin
//! knows of when it calls. Two of different ranks that touch an element, that [do not go together](Touch::goes_with) and
//! neither of which is before the other are a race. Pairs without any lock are left to rule 8 of epochs, which finds them
//! whatever the timing.
use std::{
    collections::BTreeMap,
    ops::{Deref, DerefMut, Range},
};

use wb_comm::{Code, Finding, Place, Rank, Touch, Touched, text::left};

use crate::order::Order;

/// So many accesses of a part are kept before those that everybody knows of are looked for and forgotten.
const ROOM: usize = 64;

/// See the module.
#[derive(Debug)]
pub(crate) struct Races {
    order: Order,
    /// By window and target.
    parts: BTreeMap<(usize, Rank), Seen>,
    /// By both lines: the first pair by ranks and elements.
    found: BTreeMap<[(String, u32); 2], Race>,
    /// Has somebody got at memory that ranks share without calls? Then nobody knows what orders them.
    blind: bool,
}

/// The accesses of a part that not everybody knows of.
#[derive(Debug)]
struct Seen {
    accesses: Vec<Access>,
    /// How many may be there before it is tidied up.
    room: usize,
}

#[derive(Clone, Debug)]
struct Access {
    rank: Rank,
    /// Its origin's step in which it was complete at the target.
    complete: Option<u64>,
    touched: Touched,
}

/// Two accesses that nothing orders, the lower rank's first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Race {
    places: [Place; 2],
    target: Rank,
    start: usize,
    end: usize,
}

impl Races {
    /// Among `size` ranks.
    pub(crate) fn of(size: usize) -> Self {
        let (parts, found) = (BTreeMap::new(), BTreeMap::new());
        Self { order: Order::of(size), parts, found, blind: false }
    }

    /// Somebody gets at memory that ranks share without calls: from now on no order is known.
    pub(crate) fn lose_sight(&mut self) {
        self.blind = true;
    }

    /// A member's call touches a part.
    pub(crate) fn touch(&mut self, window: usize, member: Rank, touched: Touched) {
        let rank = self.rank_of(window, member);
        let by_hand = matches!(touched.how, Touch::Load | Touch::Store);
        let complete = by_hand.then(|| self.clock(rank).at(rank));
        let target = self.rank_of(window, touched.target);
        let access = Access { rank, complete, touched };
        let seen = self.parts.entry((window, access.touched.target)).or_default();
        let clock = self.order.clock(rank);
        let races = seen.accesses.iter().filter(|earlier| {
            earlier.complete.is_none_or(|step| clock.at(earlier.rank) < step) && earlier.clashes(&access)
        });
        let races: Vec<_> = races.map(|earlier| Race::of(earlier, &access, target)).collect();
        seen.add(access, &self.order);
        races.into_iter().for_each(|race| self.note(race));
    }

    /// What a member has done to `target` (`None`: to all) is complete, there as well unless only calls that bring something
    /// are `fetched`.
    pub(crate) fn complete(&mut self, window: usize, member: Rank, target: Option<Rank>, fetched: bool) {
        let rank = self.rank_of(window, member);
        let step = self.clock(rank).at(rank);
        let parts = self.parts.range_mut((window, 0)..(window + 1, 0));
        for (_, seen) in parts.filter(|((_, part), _)| target.is_none_or(|target| target == *part)) {
            let own = seen.accesses.iter_mut().filter(|access| access.rank == rank);
            let open = own.filter(|access| access.complete.is_none());
            open.filter(|access| !fetched || access.touched.how == Touch::Get)
                .for_each(|access| access.complete = Some(step));
        }
    }

    /// A window is no more.
    pub(crate) fn close(&mut self, window: usize) {
        self.parts.retain(|(of, _), _| *of != window);
    }

    /// All races, a pair of lines each.
    pub(crate) fn findings(&self) -> impl Iterator<Item = Finding> {
        let known = self.found.values().filter(|_| !self.blind);
        known.map(Race::finding)
    }

    fn note(&mut self, race: Race) {
        let mut lines = race.places.clone().map(|place| (place.file, place.line));
        lines.sort();
        let known = self.found.entry(lines).or_insert_with(|| race.clone());
        *known = race.min(known.clone());
    }
}

impl Deref for Races {
    type Target = Order;

    fn deref(&self) -> &Order {
        &self.order
    }
}

impl DerefMut for Races {
    fn deref_mut(&mut self) -> &mut Order {
        &mut self.order
    }
}

impl Default for Seen {
    fn default() -> Self {
        Self { accesses: Vec::new(), room: ROOM }
    }
}

impl Seen {
    /// Adds one, which takes the place of those of its rank that are before whatever it is before.
    fn add(&mut self, access: Access, order: &Order) {
        self.accesses.retain(|earlier| !access.stands_for(earlier));
        self.accesses.push(access);
        if self.accesses.len() > self.room {
            let known = |access: &Access| {
                access.complete.is_some_and(|step| {
                    (0..order.size()).all(|rank| order.clock(rank).at(access.rank) >= step)
                })
            };
            self.accesses.retain(|access| !known(access));
            self.room = ROOM.max(2 * self.accesses.len());
        }
    }
}

impl Access {
    fn clashes(&self, other: &Self) -> bool {
        let (a, b) = (&self.touched, &other.touched);
        let wide = a.whole && b.how.changes() || b.whole && a.how.changes();
        let meet = wide || !common(&a.elements, &b.elements).is_empty();
        self.rank != other.rank && (a.locked || b.locked) && meet && !a.how.goes_with(b.how)
    }

    fn stands_for(&self, earlier: &Self) -> bool {
        let (new, old) = (&self.touched, &earlier.touched);
        let same = (self.rank, new.how, new.locked) == (earlier.rank, old.how, old.locked);
        let holds = new.elements.start <= old.elements.start && old.elements.end <= new.elements.end;
        same && holds && (new.whole || !old.whole)
    }
}

fn common(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.max(b.start)..a.end.min(b.end)
}

impl Race {
    fn of(earlier: &Access, later: &Access, target: Rank) -> Self {
        let place = |access: &Access| Place::of(access.rank, access.touched.site);
        let mut places = [place(earlier), place(later)];
        places.sort();
        let Range { start, end } = common(&earlier.touched.elements, &later.touched.elements);
        Self { places, target, start, end }
    }

    fn finding(&self) -> Finding {
        let Self { places, target, start, end } = self;
        let [one, other] = places.each_ref().map(|place| place.rank);
        let detail = if start < end {
            left::race_of_elements(one, other, *start, *end, *target)
        } else {
            left::race_of_copies(one, other, *target)
        };
        Finding { code: Code::WindowRace, rank: one, places: places.to_vec(), details: vec![detail] }
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::{Site, Verb};

    use super::*;

    /// Three ranks and a window of theirs.
    fn three() -> Races {
        let mut races = Races::of(3);
        races.open(vec![0, 1, 2].into());
        races
    }

    fn touched(how: Touch, elements: Range<usize>) -> Touched {
        let by_hand = matches!(how, Touch::Load | Touch::Store);
        Touched { how, target: 0, elements, whole: false, locked: !by_hand, site: Site::here(Verb::Put) }
    }

    fn count(races: &Races) -> usize {
        races.findings().count()
    }

    #[test]
    fn a_message_orders_what_was_complete_when_it_was_sent() {
        for flushed in [true, false] {
            let mut races = three();
            races.touch(0, 1, touched(Touch::Put, 0..2));
            if flushed {
                races.complete(0, 1, Some(0), false);
            }
            let told = races.tell(1);
            races.hear(2, &told);
            races.complete(0, 1, None, false);
            races.touch(0, 2, touched(Touch::Get, 1..3));
            assert_eq!(count(&races), usize::from(!flushed));
            races.touch(0, 2, touched(Touch::Get, 2..3));
            assert_eq!(count(&races), usize::from(!flushed), "another element");
        }
    }

    #[test]
    fn what_completes_here_only_completes_what_was_fetched() {
        let mut races = three();
        races.touch(0, 1, touched(Touch::Put, 0..1));
        races.touch(0, 1, touched(Touch::Get, 1..2));
        races.complete(0, 1, None, true);
        races.agree(&[0, 1, 2]);
        races.touch(0, 2, touched(Touch::Put, 1..2));
        assert_eq!(count(&races), 0, "the get is over");
        races.touch(0, 2, touched(Touch::Put, 0..1));
        let [found] = &races.findings().collect::<Vec<_>>()[..] else { panic!("the put may be on its way") };
        assert_eq!((found.code, found.rank, found.places.len()), (Code::WindowRace, 1, 2));
        assert!(
            found.details[0].to_string().starts_with("ranks 1 and 2 both touch elements 0..1 of rank 0"),
            "{found}"
        );
    }

    #[test]
    fn of_two_copies_the_whole_part_is_at_stake() {
        for (whole, expected) in [(false, 0), (true, 1)] {
            let mut races = three();
            races.touch(0, 0, Touched { whole, ..touched(Touch::Store, 5..6) });
            races.touch(0, 2, touched(Touch::Get, 0..1));
            assert_eq!(count(&races), 0, "a get disturbs no store elsewhere");
            races.touch(0, 1, touched(Touch::Put, 0..1));
            assert_eq!(races.findings().filter(|found| found.rank == 0).count(), expected);
        }
    }

    #[test]
    fn who_looks_again_and_again_fills_no_memory_and_what_all_know_of_is_forgotten() {
        let mut races = three();
        for _ in 0..1000 {
            races.touch(0, 1, touched(Touch::Get, 3..4));
            races.complete(0, 1, None, false);
        }
        assert_eq!(races.parts[&(0, 0)].accesses.len(), 1);
        for at in 0..10_000 {
            races.touch(0, 1, touched(Touch::Put, at..at + 1));
            races.complete(0, 1, None, false);
            races.agree(&[0, 1, 2]);
        }
        assert!(races.parts[&(0, 0)].accesses.len() <= ROOM + 1);
        assert_eq!(count(&races), 0);
    }

    #[test]
    fn an_access_is_forgotten_only_for_one_that_stands_for_it() {
        let put = |elements| touched(Touch::Put, elements);
        let get = |elements| touched(Touch::Get, elements);
        let unlocked = |elements| Touched { locked: false, ..put(elements) };
        let whole = |elements| Touched { whole: true, ..put(elements) };
        // What one rank does, what another one does then, and how many races that is.
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
                let mut races = three();
                first.iter().for_each(|touched| races.touch(0, one, touched.clone()));
                races.touch(0, other, then.clone());
                assert_eq!(count(&races), expected, "{first:?} of rank {one}, then {then:?}");
            }
        }
    }

    #[test]
    fn what_completes_is_of_one_window_and_one_target() {
        let put = || touched(Touch::Put, 0..1);
        for (window, target, expected) in
            [(0, None, 1), (1, Some(1), 1), (1, Some(0), 0), (1, None, 0), (2, None, 1)]
        {
            let mut races = three();
            races.open(vec![0, 1, 2].into());
            races.open(vec![0, 1, 2].into());
            races.touch(1, 1, put());
            races.complete(window, 1, target, false);
            races.agree(&[0, 1, 2]);
            races.touch(1, 2, put());
            assert_eq!(count(&races), expected, "complete on window {window}, target {target:?}");
        }
    }

    #[test]
    fn of_what_completes_here_only_a_get_is_over_there() {
        for (how, expected) in [(Touch::Get, 0), (Touch::Put, 1), (Touch::CompareAndSwap, 1)] {
            let mut races = three();
            races.touch(0, 1, touched(how, 0..1));
            races.complete(0, 1, None, true);
            races.agree(&[0, 1, 2]);
            races.touch(0, 2, touched(Touch::Put, 0..1));
            assert_eq!(count(&races), expected, "{how:?}");
        }
    }

    #[test]
    fn where_memory_is_shared_without_calls_nothing_is_known() {
        let mut races = three();
        races.touch(0, 1, touched(Touch::Put, 0..1));
        races.touch(0, 2, touched(Touch::Put, 0..1));
        assert_eq!(count(&races), 1);
        races.lose_sight();
        assert_eq!(count(&races), 0);
    }
}
