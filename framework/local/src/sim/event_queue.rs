//! The queue of pending events, ordered by time, arrivals before ranks, rank, and sequence number.
//!
//! A radix heap (Ahuja, Mehlhorn, Orlin and Tarjan, *Faster Algorithms for the Shortest Path Problem*, JACM 37, 1990):
//! later entries are in buckets, by the highest bit in which their time differs from the present. When the present is
//! over, the earliest entry of the first bucket that is not empty is the next one, and the rest of that bucket moves
//! to buckets before it. An entry is moved a few times, each time to the end of a list; a binary heap with an entry
//! for each rank reads cold memory at each level. The entries of the present are sorted when it begins; mostly they
//! were pushed in order.
//!
//! Invariant: all entries in the buckets are later than the present; entries for the present and the past are in `due`
//! or `overdue`.
use std::{cmp::Reverse, collections::BinaryHeap};

/// An entry of the queue; entries are processed in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct QueueEntry {
    pub(crate) at: u64,
    pub(crate) priority: EventPriority,
    /// The sequence number; of payloads of one sender, it follows the order of sending.
    pub(crate) sequence: u64,
    /// The slot in which the event is stored.
    pub(crate) slot: u32,
}

/// An item with a time; items of one time are processed in ascending order.
pub(crate) trait Scheduled: Ord + Copy {
    fn time(&self) -> u64;
}

impl Scheduled for QueueEntry {
    fn time(&self) -> u64 {
        self.at
    }
}

/// The rank that an event belongs to: a rank runs after all deliveries of the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EventPriority(u32);

/// Set in the number of a rank that runs.
const RESUME_BIT: u32 = 1 << 31;

impl EventPriority {
    /// Something is delivered to this rank.
    pub(crate) fn for_delivery(rank: usize) -> Self {
        Self(checked_rank(rank))
    }

    /// The entry that resumes this rank.
    pub(crate) fn for_resume(rank: usize) -> Self {
        Self(checked_rank(rank) | RESUME_BIT)
    }

    /// Whether the rank runs; else something is delivered to it.
    pub(crate) fn is_resume(self) -> bool {
        self.0 & RESUME_BIT != 0
    }

    pub(crate) fn rank(self) -> usize {
        (self.0 & !RESUME_BIT) as usize
    }
}

fn checked_rank(rank: usize) -> u32 {
    let number = u32::try_from(rank).ok().filter(|number| number & RESUME_BIT == 0);
    number.expect("fewer ranks than 2^31")
}

/// A radix heap of scheduled items; see the module.
#[derive(Clone, Debug)]
pub(crate) struct EventQueue<E = QueueEntry> {
    present: u64,
    /// Sorted entries; those before `next` are taken.
    due: Vec<E>,
    next: usize,
    /// Entries pushed for the present or the past, out of the order of `due`.
    overdue: BinaryHeap<Reverse<E>>,
    /// By the highest bit in which their time differs from the present.
    buckets: [Vec<E>; 64],
    /// Bit k is set where `buckets[k]` is not empty.
    occupied: u64,
}

impl<E: Scheduled> EventQueue<E> {
    /// An empty queue.
    pub(crate) fn new() -> Self {
        Self {
            present: 0,
            due: Vec::new(),
            next: 0,
            overdue: BinaryHeap::new(),
            buckets: [const { Vec::new() }; 64],
            occupied: 0,
        }
    }

    /// Adds an entry, which may be in the past.
    pub(crate) fn push(&mut self, entry: E) {
        if entry.time() > self.present {
            self.insert(entry);
        } else if self.due.last().is_none_or(|last| *last <= entry) {
            self.due.push(entry);
        } else {
            self.overdue.push(Reverse(entry));
        }
    }

    /// Removes the next entry.
    pub(crate) fn pop(&mut self) -> Option<E> {
        let next = *self.peek()?;
        if self.due.get(self.next) == Some(&next) {
            self.next += 1;
            if self.next == self.due.len() {
                self.due.clear();
                self.next = 0;
            }
        } else {
            self.overdue.pop();
        }
        Some(next)
    }

    /// The next entry.
    pub(crate) fn peek(&mut self) -> Option<&E> {
        if self.due.is_empty() && self.overdue.is_empty() {
            self.advance();
        }
        let late = self.overdue.peek().map(|Reverse(late)| late);
        match (self.due.get(self.next), late) {
            (Some(due), Some(late)) => Some(due.min(late)),
            (due, late) => due.or(late),
        }
    }

    fn insert(&mut self, entry: E) {
        let bit = (entry.time() ^ self.present).ilog2();
        self.occupied |= 1 << bit;
        self.buckets[bit as usize].push(entry);
    }

    /// Advances the present to the time of the earliest entry.
    fn advance(&mut self) {
        if self.occupied == 0 {
            return;
        }
        let bit = self.occupied.trailing_zeros() as usize;
        self.occupied &= self.occupied - 1;
        let mut first = std::mem::take(&mut self.buckets[bit]);
        self.present = first.iter().map(Scheduled::time).min().expect("its bit says that it is not empty");
        for entry in first.drain(..) {
            if entry.time() == self.present {
                self.due.push(entry);
            } else {
                self.insert(entry);
            }
        }
        // Its memory is kept for later entries.
        self.buckets[bit] = first;
        self.due.sort();
    }
}

#[cfg(test)]
mod tests {
    use oorandom::Rand32;

    use super::*;

    fn entry(at: u64, turn: EventPriority, number: u64) -> QueueEntry {
        QueueEntry { at, priority: turn, sequence: number, slot: 0 }
    }

    #[test]
    fn arrivals_come_before_ranks_and_then_the_order_of_ranks_and_of_making_decides() {
        let mut calendar = EventQueue::new();
        let wanted = [
            entry(3, EventPriority::for_delivery(7), 9),
            entry(3, EventPriority::for_resume(1), 1),
            entry(5, EventPriority::for_delivery(2), 4),
            entry(5, EventPriority::for_delivery(2), 6),
            entry(5, EventPriority::for_resume(0), 2),
            entry(u64::MAX, EventPriority::for_resume(0), 3),
        ];
        wanted.iter().rev().for_each(|entry| calendar.push(*entry));
        assert_eq!([(); 6].map(|()| calendar.pop()), wanted.map(Some));
        assert_eq!(calendar.pop(), None);
    }

    /// Entries are taken as from a binary heap, with entries for the present, the past and the far future in between.
    #[test]
    fn whatever_is_entered_when_comes_in_its_order() {
        let mut random = Rand32::new(1);
        for reach in [1, 3, 100, 1 << 20] {
            let (mut calendar, mut heap, mut present) = (EventQueue::new(), BinaryHeap::new(), 0);
            for number in 0..20_000 {
                let rank = random.rand_range(0..8) as usize;
                let turn = if random.rand_range(0..2) == 0 {
                    EventPriority::for_resume(rank)
                } else {
                    EventPriority::for_delivery(rank)
                };
                let at = (present + u64::from(random.rand_range(0..reach))).saturating_sub(number % 50 / 49);
                calendar.push(entry(at, turn, number));
                heap.push(Reverse(entry(at, turn, number)));
                let takes = if number % 1000 > 900 { 10 } else { random.rand_range(0..2) };
                for _ in 0..takes {
                    assert_eq!(calendar.peek(), heap.peek().map(|Reverse(next)| next));
                    let (taken, wanted) = (calendar.pop(), heap.pop().map(|Reverse(next)| next));
                    assert_eq!(taken, wanted);
                    present = taken.map_or(present, |entry| entry.at);
                }
            }
        }
    }
}
