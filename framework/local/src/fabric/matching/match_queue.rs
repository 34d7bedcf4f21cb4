//! A queue that is searched from the front by source and tag: MPI's matching.
//!
//! Most queues are short, fit into one or two cache lines, and are searched linearly. A long queue indexes its entries
//! by key, so an all-to-all exchange does not take quadratic time in its messages. Both find the same entry: the
//! earliest that matches.
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wb_comm::{MessageTag, Rank};

/// A queue of up to this number of entries is searched linearly.
const SHORT_LEN: usize = 8;

/// The source and the tag of a message.
pub(crate) type MatchKey = (Rank, MessageTag);

/// An entry of a match queue.
pub(crate) trait HasMatchKey {
    /// The only key that it matches; `None` if there may be several.
    fn match_key(&self) -> Option<MatchKey>;
}

/// The queue: short and searched linearly, or long and indexed.
#[derive(Debug)]
pub(crate) struct MatchQueue<T> {
    /// All entries in their order, while there are few.
    short: SmallVec<[T; 1]>,
    indexed: Option<Box<IndexedQueue<T>>>,
}

/// Many entries, numbered in the order in which they were pushed.
#[derive(Debug)]
struct IndexedQueue<T> {
    entries: BTreeMap<u64, T>,
    /// Ascending.
    by_key: FxHashMap<MatchKey, VecDeque<u64>>,
    /// The numbers of the entries that match several keys.
    wildcards: BTreeSet<u64>,
    /// The number of entries pushed.
    pushed: u64,
}

/// The position of an entry, until the queue changes.
#[derive(Clone, Copy, Debug)]
enum Position {
    Short(usize),
    Long(u64),
}

impl<T> Default for MatchQueue<T> {
    fn default() -> Self {
        Self { short: SmallVec::new(), indexed: None }
    }
}

impl<T: HasMatchKey> MatchQueue<T> {
    /// Appends an entry.
    pub(crate) fn push(&mut self, entry: T) {
        match &mut self.indexed {
            Some(long) => long.push(entry),
            None if self.short.len() < SHORT_LEN => self.short.push(entry),
            None => {
                let mut long = Box::new(IndexedQueue::default());
                self.short.drain(..).chain([entry]).for_each(|entry| long.push(entry));
                self.indexed = Some(long);
            }
        }
    }

    /// The earliest entry that matches; only entries with this key can match, and those with several keys.
    pub(crate) fn find(&self, name: Option<MatchKey>, answers: impl Fn(&T) -> bool) -> Option<&T> {
        match self.position(name, answers)? {
            Position::Short(at) => self.short.get(at),
            Position::Long(number) => self.indexed.as_ref()?.entries.get(&number),
        }
    }

    /// Takes the one that [`find`](Self::find) finds.
    pub(crate) fn take(&mut self, name: Option<MatchKey>, answers: impl Fn(&T) -> bool) -> Option<T> {
        let at = self.position(name, answers)?;
        Some(self.remove(at))
    }

    /// Takes all entries, in their order.
    pub(crate) fn take_all(&mut self) -> impl Iterator<Item = T> + use<T> {
        let all = std::mem::take(self);
        all.short.into_iter().chain(all.indexed.into_iter().flat_map(|long| long.entries.into_values()))
    }

    /// All entries, in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.short.iter().chain(self.indexed.iter().flat_map(|long| long.entries.values()))
    }

    fn position(&self, name: Option<MatchKey>, answers: impl Fn(&T) -> bool) -> Option<Position> {
        match &self.indexed {
            None => self.short.iter().position(answers).map(Position::Short),
            Some(long) => long.position(name, answers).map(Position::Long),
        }
    }

    fn remove(&mut self, at: Position) -> T {
        match (at, &mut self.indexed) {
            (Position::Long(number), Some(long)) => {
                let entry = long.remove(number);
                if long.entries.is_empty() {
                    self.indexed = None;
                }
                entry
            }
            (Position::Short(at), _) => self.short.remove(at),
            (Position::Long(_), None) => unreachable!("it was found in the long queue"),
        }
    }
}

impl<T> Default for IndexedQueue<T> {
    fn default() -> Self {
        Self { entries: BTreeMap::new(), by_key: FxHashMap::default(), wildcards: BTreeSet::new(), pushed: 0 }
    }
}

impl<T: HasMatchKey> IndexedQueue<T> {
    fn push(&mut self, entry: T) {
        let number = self.pushed;
        self.pushed += 1;
        match entry.match_key() {
            Some(name) => self.by_key.entry(name).or_default().push_back(number),
            None => drop(self.wildcards.insert(number)),
        }
        self.entries.insert(number, entry);
    }

    fn position(&self, name: Option<MatchKey>, answers: impl Fn(&T) -> bool) -> Option<u64> {
        let answers = |number: &u64| answers(&self.entries[number]);
        let Some(name) = name else { return self.entries.keys().copied().find(answers) };
        let named = self.by_key.get(&name).and_then(|numbers| numbers.iter().copied().find(answers));
        let open = self.wildcards.iter().copied().find(answers);
        named.into_iter().chain(open).min()
    }

    fn remove(&mut self, number: u64) -> T {
        let entry = self.entries.remove(&number).expect("it was found");
        match entry.match_key() {
            Some(name) => {
                let numbers = self.by_key.get_mut(&name).expect("it is listed under its name");
                numbers.remove(numbers.binary_search(&number).expect("it is listed"));
                if numbers.is_empty() {
                    self.by_key.remove(&name);
                }
            }
            None => drop(self.wildcards.remove(&number)),
        }
        entry
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry for a sender and a tag; 0 means any.
    #[derive(Clone, Debug, PartialEq)]
    struct Entry {
        from: Rank,
        tag: i32,
        number: usize,
    }

    impl HasMatchKey for Entry {
        fn match_key(&self) -> Option<MatchKey> {
            (self.from > 0 && self.tag > 0).then(|| (self.from, MessageTag::user(self.tag)))
        }
    }

    /// Whatever is pushed and taken, in a short or a long queue: the result is that of a linear search.
    #[test]
    fn the_earliest_that_answers_is_found() {
        let mut random = 1_u64;
        let mut below = |limit: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % limit
        };
        let (mut queue, mut list) = (MatchQueue::default(), Vec::new());
        let mut longest = 0;
        for number in 0..20_000 {
            let (from, tag) = (below(5), below(4) as i32);
            if below(20) < if number % 2000 < 1000 { 13 } else { 7 } {
                let entry = Entry { from, tag, number };
                queue.push(entry.clone());
                list.push(entry);
            } else {
                let admits = |entry: &Entry| {
                    (from * entry.from == 0 || from == entry.from)
                        && (tag * entry.tag == 0 || tag == entry.tag)
                };
                let name = (from > 0 && tag > 0).then(|| (from, MessageTag::user(tag)));
                let wanted = list.iter().position(admits).map(|at| list.remove(at));
                assert_eq!(queue.find(name, admits), wanted.as_ref());
                assert_eq!(queue.take(name, admits), wanted);
            }
            longest = longest.max(list.len());
            assert!(number % 100 > 0 || queue.iter().eq(&list));
        }
        assert!(longest > 10 * SHORT_LEN, "{longest}");
        assert!(queue.take_all().eq(list) && queue.iter().next().is_none());
    }
}
