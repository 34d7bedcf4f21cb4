//! One rank's part of a window: elements of one type that all ranks can reach.
//!
//! Callers have checked ranges and types. A part of a shared window of 64-bit integers is made of atomics, so that it can
//! also be looked at without the hub ([`wb_comm::Window::shared`]); all others are plain memory under the hub's lock.
use std::sync::{
    Arc,
    atomic::{
        AtomicI64,
        Ordering::{AcqRel, Acquire, Release},
    },
};

use wb_comm::{Accumulation, Block, Layout, Operation, View, ViewMut, WindowKind, Word};

/// See the module.
#[derive(Debug)]
pub(crate) enum Part {
    /// Reached under the hub's lock only.
    Plain(Block),
    /// `count` of the atomics of all ranks, from `start` on.
    Atomic { all: Arc<[AtomicI64]>, start: usize, count: usize },
}

/// The parts of all ranks, zeroed, and the atomics that they share if they are made of such, which they are only if they
/// may be looked at without the hub.
pub(crate) fn parts(
    kind: WindowKind,
    layout: Layout,
    counts: &[usize],
    may_share: bool,
) -> (Vec<Part>, Option<Arc<[AtomicI64]>>) {
    if !may_share || (kind, layout) != (WindowKind::Shared, Layout::I64) {
        return (counts.iter().map(|&count| Part::Plain(Block::zeroed(layout, count))).collect(), None);
    }
    let all: Arc<[AtomicI64]> = (0..counts.iter().sum()).map(|_| AtomicI64::new(0)).collect();
    let mut next = 0;
    let part = |&count: &usize| {
        let start = next;
        next += count;
        Part::Atomic { all: Arc::clone(&all), start, count }
    };
    (counts.iter().map(part).collect(), Some(Arc::clone(&all)))
}

impl Part {
    /// Copies elements from `at` on.
    pub(crate) fn read(&self, at: usize, mut into: ViewMut<'_>) {
        match self {
            Self::Plain(block) => {
                let count = into.count();
                into.bytes().copy_from_slice(block.view().part(at, count).bytes());
            }
            Self::Atomic { .. } => {
                let into = into.slice::<i64>().expect("checked: the window's type");
                for (value, atom) in into.iter_mut().zip(&self.atoms()[at..]) {
                    *value = atom.load(Acquire);
                }
            }
        }
    }

    /// Sets elements from `at` on.
    pub(crate) fn write(&mut self, at: usize, from: View<'_>) {
        match self {
            Self::Plain(block) => {
                block.view_mut().part(at, from.count()).bytes().copy_from_slice(from.bytes());
            }
            Self::Atomic { .. } => {
                let from = from.slice::<i64>().expect("checked: the window's type");
                for (value, atom) in from.iter().zip(&self.atoms()[at..]) {
                    atom.store(*value, Release);
                }
            }
        }
    }

    /// Combines elements from `at` on with `data`.
    pub(crate) fn accumulate(&mut self, at: usize, data: View<'_>, how: Accumulation) {
        match (how, &mut *self) {
            (Accumulation::Keep, _) => {}
            (Accumulation::Replace, _) => self.write(at, data),
            // The predefined operations commute, so it does not matter which side is called left.
            (Accumulation::With(operation), Self::Plain(block)) => {
                operation.fold(data, block.view_mut().part(at, data.count()));
            }
            (Accumulation::With(operation), Self::Atomic { .. }) => {
                let data = data.slice::<i64>().expect("checked: the window's type");
                for (value, atom) in data.iter().zip(&self.atoms()[at..]) {
                    update(atom, |now| combine(operation, now, *value));
                }
            }
        }
    }

    /// One element becomes `value` if it is `expected`.
    pub(crate) fn swap(&mut self, at: usize, expected: View<'_>, value: View<'_>) {
        let mut now = Block::zeroed(value.layout(), 1);
        self.read(at, now.view_mut());
        if now.view().bytes() == expected.bytes() {
            self.write(at, value);
        }
    }

    /// Changes one 64-bit integer and gives what it was.
    pub(crate) fn word(&mut self, at: usize, becomes: Word) -> i64 {
        match self {
            Self::Plain(block) => {
                let cells = block.view_mut().slice::<i64>().expect("checked: the window's type");
                let was = cells[at];
                cells[at] = becomes.of(was);
                was
            }
            Self::Atomic { .. } => update(&self.atoms()[at], |now| becomes.of(now)),
        }
    }

    /// The value of one 64-bit integer.
    pub(crate) fn value(&self, at: usize) -> i64 {
        let mut value = [0];
        self.read(at, ViewMut::of(&mut value));
        value[0]
    }

    fn atoms(&self) -> &[AtomicI64] {
        match self {
            Self::Plain(_) => &[],
            Self::Atomic { all, start, count } => &all[*start..start + count],
        }
    }
}

fn update(atom: &AtomicI64, becomes: impl Fn(i64) -> i64) -> i64 {
    let updated = atom.fetch_update(AcqRel, Acquire, |now| Some(becomes(now)));
    updated.unwrap_or_else(|found| found)
}

fn combine(operation: Operation, now: i64, value: i64) -> i64 {
    let mut into = [now];
    operation.fold(View::of(&[value]), ViewMut::of(&mut into));
    into[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each_kind(check: impl Fn(&mut [Part])) {
        for kind in [WindowKind::Allocate, WindowKind::Shared] {
            let (mut parts, shared) = parts(kind, Layout::I64, &[2, 0, 3], true);
            assert_eq!(shared.is_some(), kind == WindowKind::Shared);
            check(&mut parts);
        }
    }

    #[test]
    fn parts_of_both_kinds_do_the_same() {
        each_kind(|parts| {
            let part = &mut parts[2];
            part.write(1, View::of(&[5i64, 6]));
            part.accumulate(0, View::of(&[1i64, 1]), Accumulation::With(Operation::Sum));
            part.accumulate(2, View::of(&[9i64]), Accumulation::With(Operation::Max));
            part.accumulate(2, View::of(&[100i64]), Accumulation::Keep);
            let mut all = [0i64; 3];
            part.read(0, ViewMut::of(&mut all));
            assert_eq!(all, [1, 6, 9]);
            part.accumulate(0, View::of(&[7i64]), Accumulation::Replace);
            assert_eq!((part.word(0, Word::Add(3)), part.value(0)), (7, 10));
            assert_eq!(part.word(0, Word::Swap { expected: 7, value: 0 }), 10);
            assert_eq!((part.value(0), parts[0].value(1)), (10, 0));
        });
    }

    #[test]
    fn shared_parts_lie_one_after_the_other() {
        let (mut parts, shared) = parts(WindowKind::Shared, Layout::I64, &[2, 0, 3], true);
        let shared = shared.expect("atomics");
        parts[2].word(0, Word::Replace(4));
        assert_eq!((shared.len(), shared[2].load(Acquire)), (5, 4));
    }
}
