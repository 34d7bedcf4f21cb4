//! What those have known who changed elements of a part atomically, for those who fetch these elements later.
//!
//! An access carries to a fetch exactly where they have an element in common. Changes of one element are kept by element,
//! changes of several by their range.
use std::{collections::BTreeMap, ops::Range};

use crate::clock::Clock;

/// So many ranges are told apart; with more, all become one. Then an order may be seen where there is none, and never the
/// other way round.
const MOST_RANGES: usize = 64;

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    none: Clock,
    /// By element: changes of this one alone.
    single: BTreeMap<usize, Clock>,
    /// Changes of several elements at once.
    several: Vec<(Range<usize>, Clock)>,
}

impl Words {
    /// Of a part that nobody has changed, among `size` ranks.
    pub(crate) fn of(size: usize) -> Self {
        Self { none: Clock::of(size), single: BTreeMap::new(), several: Vec::new() }
    }

    /// These elements change, by somebody who knew this.
    pub(crate) fn change(&mut self, elements: Range<usize>, told: &Clock) {
        if elements.len() == 1 {
            self.single.entry(elements.start).or_insert_with(|| self.none.clone()).join(told);
            return;
        }
        match self.several.iter_mut().find(|(range, _)| *range == elements) {
            Some((_, known)) => known.join(told),
            None => self.several.push((elements, told.clone())),
        }
        if self.several.len() > MOST_RANGES {
            self.become_one();
        }
    }

    /// What those have known who changed one of these elements.
    pub(crate) fn fetch(&self, elements: Range<usize>) -> Clock {
        let mut known = self.none.clone();
        let meets = |range: &Range<usize>| range.start < elements.end && elements.start < range.end;
        let several = self.several.iter().filter(|(range, _)| meets(range)).map(|(_, clock)| clock);
        let single = self.single.range(elements.clone()).map(|(_, clock)| clock);
        several.chain(single).for_each(|clock| known.join(clock));
        known
    }

    fn become_one(&mut self) {
        let mut known = self.none.clone();
        self.several.iter().for_each(|(_, clock)| known.join(clock));
        let start = self.several.iter().map(|(range, _)| range.start).min().unwrap_or_default();
        let end = self.several.iter().map(|(range, _)| range.end).max().unwrap_or_default();
        self.several = vec![(start..end, known)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELEMENTS: usize = 6;

    fn ranges() -> impl Iterator<Item = Range<usize>> {
        (0..ELEMENTS).flat_map(|start| (start + 1..=ELEMENTS).map(move |end| start..end))
    }

    fn told(rank: usize) -> Clock {
        let mut clock = Clock::of(2);
        clock.step(rank);
        clock
    }

    /// All pairs of ranges, held against sets of elements: a fetch hears of a change that has one of its elements, and of no
    /// other.
    #[test]
    fn a_fetch_hears_of_exactly_the_changes_of_its_elements() {
        for (one, other) in ranges().flat_map(|one| ranges().map(move |other| (one.clone(), other))) {
            let mut words = Words::of(2);
            words.change(one.clone(), &told(0));
            words.change(other.clone(), &told(1));
            for fetched in ranges() {
                let heard = words.fetch(fetched.clone());
                let shares =
                    |changed: &Range<usize>| u64::from(fetched.clone().any(|at| changed.contains(&at)));
                let wanted = [shares(&one), shares(&other)];
                assert_eq!([heard.at(0), heard.at(1)], wanted, "{one:?}, {other:?}, fetched {fetched:?}");
            }
        }
    }

    #[test]
    fn more_ranges_than_are_told_apart_lose_no_change() {
        let mut words = Words::of(2);
        words.change(1000..1002, &told(1));
        (0..10 * MOST_RANGES).for_each(|at| words.change(2 * at..2 * at + 2, &told(0)));
        assert!(words.several.len() <= MOST_RANGES);
        for at in 0..10 * MOST_RANGES {
            assert_eq!(words.fetch(2 * at..2 * at + 1).at(0), 1, "{at}");
        }
        assert_eq!(words.fetch(1001..1002).at(1), 1);
    }
}
