//! What those have known who changed elements of a part atomically, for those who fetch these elements later.
//!
//! An access carries to a fetch exactly where they have an element in common. Changes of one element are kept by element,
//! changes of several by their range.
use std::{collections::BTreeMap, ops::Range};

use crate::races::vector_clock::VectorClock;

/// So many ranges are told apart; with more, all become one. Then an order may be seen where there is none, and never the
/// other way round.
const MAX_RANGES: usize = 64;

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct ElementClocks {
    initial: VectorClock,
    /// By element: changes of this one alone.
    by_element: BTreeMap<usize, VectorClock>,
    /// Changes of several elements at once.
    by_range: Vec<(Range<usize>, VectorClock)>,
}

impl ElementClocks {
    /// Of a part that nobody has changed, among `size` ranks.
    pub(crate) fn new(size: usize) -> Self {
        Self { initial: VectorClock::new(size), by_element: BTreeMap::new(), by_range: Vec::new() }
    }

    /// These elements change, by somebody who knew this.
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

    /// What those have known who changed one of these elements.
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

    /// All pairs of ranges, held against sets of elements: a fetch hears of a change that has one of its elements, and of no
    /// other.
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
