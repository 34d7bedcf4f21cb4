//! The clocks that atomic changes of a part's elements release to later fetches of these elements.
//!
//! A fetch acquires the clock of a change exactly if they have an element in common. Changes of one element are kept by
//! element, changes of several by their range.
use std::{collections::BTreeMap, ops::Range};

use crate::fabric::races::vector_clock::VectorClock;

/// The number of ranges that are kept apart; further ones merge all of them. The merged range may report an order where
/// there is none, and never misses an order.
const MAX_RANGES: usize = 64;

/// The released clocks of one part.
#[derive(Clone, Debug)]
pub(crate) struct ElementClocks {
    initial: VectorClock,
    /// The clocks of changes of one element alone.
    by_element: BTreeMap<usize, VectorClock>,
    /// Changes of several elements by one access.
    by_range: Vec<(Range<usize>, VectorClock)>,
}

impl ElementClocks {
    /// The clocks of an unchanged part, among `size` ranks.
    pub(crate) fn new(size: usize) -> Self {
        Self { initial: VectorClock::new(size), by_element: BTreeMap::new(), by_range: Vec::new() }
    }

    /// Records that these elements change; the origin releases its clock.
    pub(crate) fn record_change(&mut self, elements: Range<usize>, released: &VectorClock) {
        if elements.len() == 1 {
            self.by_element.entry(elements.start).or_insert_with(|| self.initial.clone()).join(released);
            return;
        }
        match self.by_range.iter_mut().find(|(range, _)| *range == elements) {
            Some((_, known)) => known.join(released),
            None => self.by_range.push((elements, released.clone())),
        }
        if self.by_range.len() > MAX_RANGES {
            self.merge_ranges();
        }
    }

    /// The join of the clocks of all changes of one of these elements.
    pub(crate) fn clock_of(&self, elements: Range<usize>) -> VectorClock {
        let mut known = self.initial.clone();
        let meets = |range: &Range<usize>| range.start < elements.end && elements.start < range.end;
        let several = self.by_range.iter().filter(|(range, _)| meets(range)).map(|(_, clock)| clock);
        let single = self.by_element.range(elements.clone()).map(|(_, clock)| clock);
        several.chain(single).for_each(|clock| known.join(clock));
        known
    }

    fn merge_ranges(&mut self) {
        let mut known = self.initial.clone();
        self.by_range.iter().for_each(|(_, clock)| known.join(clock));
        let start = self.by_range.iter().map(|(range, _)| range.start).min().unwrap_or_default();
        let end = self.by_range.iter().map(|(range, _)| range.end).max().unwrap_or_default();
        self.by_range = vec![(start..end, known)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELEMENTS: usize = 6;

    fn ranges() -> impl Iterator<Item = Range<usize>> {
        (0..ELEMENTS).flat_map(|start| (start + 1..=ELEMENTS).map(move |end| start..end))
    }

    fn clock_of_rank(rank: usize) -> VectorClock {
        let mut clock = VectorClock::new(2);
        clock.tick(rank);
        clock
    }

    /// All pairs of ranges, checked against sets of elements: a fetch acquires the clock of a change that has one of
    /// its elements, and of no other.
    #[test]
    fn a_fetch_hears_of_exactly_the_changes_of_its_elements() {
        for (one, other) in ranges().flat_map(|one| ranges().map(move |other| (one.clone(), other))) {
            let mut words = ElementClocks::new(2);
            words.record_change(one.clone(), &clock_of_rank(0));
            words.record_change(other.clone(), &clock_of_rank(1));
            for fetched in ranges() {
                let acquired = words.clock_of(fetched.clone());
                let shares =
                    |changed: &Range<usize>| u64::from(fetched.clone().any(|at| changed.contains(&at)));
                let wanted = [shares(&one), shares(&other)];
                assert_eq!(
                    [acquired.at(0), acquired.at(1)],
                    wanted,
                    "{one:?}, {other:?}, fetched {fetched:?}"
                );
            }
        }
    }

    #[test]
    fn more_ranges_than_are_told_apart_lose_no_change() {
        let mut words = ElementClocks::new(2);
        words.record_change(1000..1002, &clock_of_rank(1));
        (0..10 * MAX_RANGES).for_each(|at| words.record_change(2 * at..2 * at + 2, &clock_of_rank(0)));
        assert!(words.by_range.len() <= MAX_RANGES);
        for at in 0..10 * MAX_RANGES {
            assert_eq!(words.clock_of(2 * at..2 * at + 1).at(0), 1, "{at}");
        }
        assert_eq!(words.clock_of(1001..1002).at(1), 1);
    }
}
