//! One rank's part of a window: elements of one type that all ranks can access.
//!
//! Callers have checked ranges and types. A part of a shared window of 64-bit integers consists of atomics, so that it
//! can also be read without the state ([`wb_comm::Window::shared`]). All others are plain memory under the state's
//! lock.
use std::sync::{
    Arc,
    atomic::{
        AtomicI64,
        Ordering::{AcqRel, Acquire, Release},
    },
};

use wb_comm::{Accumulation, Block, Datatype, Operation, View, ViewMut, WindowKind, WordUpdate};

/// The memory of one part.
#[derive(Debug)]
pub(crate) enum WindowPart {
    /// Accessed under the state's lock only.
    Plain(Block),
    /// `count` of the atomics of all ranks, from `start` on.
    Atomic { all: Arc<[AtomicI64]>, start: usize, count: usize },
}

/// The parts of all ranks, zeroed, and the atomics that they share. They consist of atomics only if they may be
/// accessed without the state.
pub(crate) fn create_parts(
    kind: WindowKind,
    datatype: Datatype,
    counts: &[usize],
    may_share: bool,
) -> (Vec<WindowPart>, Option<Arc<[AtomicI64]>>) {
    if !may_share || (kind, datatype) != (WindowKind::Shared, Datatype::I64) {
        return (
            counts.iter().map(|&count| WindowPart::Plain(Block::zeroed(datatype, count))).collect(),
            None,
        );
    }
    let all: Arc<[AtomicI64]> = (0..counts.iter().sum()).map(|_| AtomicI64::new(0)).collect();
    let mut next = 0;
    let part = |&count: &usize| {
        let start = next;
        next += count;
        WindowPart::Atomic { all: Arc::clone(&all), start, count }
    };
    (counts.iter().map(part).collect(), Some(Arc::clone(&all)))
}

impl WindowPart {
    /// Copies elements from `at` on.
    pub(crate) fn read(&self, at: usize, mut into: ViewMut<'_>) {
        match self {
            Self::Plain(block) => {
                let count = into.count();
                into.bytes().copy_from_slice(block.view().part(at, count).bytes());
            }
            Self::Atomic { .. } => {
                let into = into.slice::<i64>().expect("checked: the window's type");
                for (value, atom) in into.iter_mut().zip(&self.words()[at..]) {
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
                for (value, atom) in from.iter().zip(&self.words()[at..]) {
                    atom.store(*value, Release);
                }
            }
        }
    }

    /// Combines elements from `at` on with `data`.
    pub(crate) fn accumulate(&mut self, at: usize, data: View<'_>, op: Accumulation) {
        match (op, &mut *self) {
            (Accumulation::Keep, _) => {}
            (Accumulation::Replace, _) => self.write(at, data),
            // The predefined operations commute, so the order of the operands does not matter.
            (Accumulation::With(operation), Self::Plain(block)) => {
                let into = block.view_mut().part(at, data.count());
                operation.fold(data, into).expect("a window has no reductions of users");
            }
            (Accumulation::With(operation), Self::Atomic { .. }) => {
                let data = data.slice::<i64>().expect("checked: the window's type");
                for (value, atom) in data.iter().zip(&self.words()[at..]) {
                    update_atomic(atom, |now| combine(operation, now, *value));
                }
            }
        }
    }

    /// One element becomes `value` if it is `expected`.
    pub(crate) fn swap(&mut self, at: usize, expected: View<'_>, value: View<'_>) {
        let mut now = Block::zeroed(value.datatype(), 1);
        self.read(at, now.view_mut());
        if now.view().bytes() == expected.bytes() {
            self.write(at, value);
        }
    }

    /// Updates one 64-bit integer and returns its former value.
    pub(crate) fn update_word(&mut self, at: usize, becomes: WordUpdate) -> i64 {
        match self {
            Self::Plain(block) => {
                let cells = block.view_mut().slice::<i64>().expect("checked: the window's type");
                let was = cells[at];
                cells[at] = becomes.apply(was);
                was
            }
            Self::Atomic { .. } => update_atomic(&self.words()[at], |now| becomes.apply(now)),
        }
    }

    /// The value of one 64-bit integer.
    pub(crate) fn value(&self, at: usize) -> i64 {
        let mut value = [0];
        self.read(at, ViewMut::from_slice(&mut value));
        value[0]
    }

    fn words(&self) -> &[AtomicI64] {
        match self {
            Self::Plain(_) => &[],
            Self::Atomic { all, start, count } => &all[*start..start + count],
        }
    }
}

fn update_atomic(atom: &AtomicI64, becomes: impl Fn(i64) -> i64) -> i64 {
    let mut now = atom.load(Acquire);
    while let Err(other) = atom.compare_exchange_weak(now, becomes(now), AcqRel, Acquire) {
        now = other;
    }
    now
}

fn combine(operation: Operation, now: i64, value: i64) -> i64 {
    let mut into = [now];
    let value = &[value];
    let folded = operation.fold(View::from_slice(value), ViewMut::from_slice(&mut into));
    folded.expect("a window has no reductions of users");
    into[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn for_each_kind(check: impl Fn(&mut [WindowPart])) {
        for kind in [WindowKind::Allocate, WindowKind::Shared] {
            let (mut parts, shared) = create_parts(kind, Datatype::I64, &[2, 0, 3], true);
            assert_eq!(shared.is_some(), kind == WindowKind::Shared);
            check(&mut parts);
        }
    }

    #[test]
    fn parts_of_both_kinds_do_the_same() {
        for_each_kind(|parts| {
            let part = &mut parts[2];
            part.write(1, View::from_slice(&[5i64, 6]));
            part.accumulate(0, View::from_slice(&[1i64, 1]), Accumulation::With(Operation::Sum));
            part.accumulate(2, View::from_slice(&[9i64]), Accumulation::With(Operation::Max));
            part.accumulate(2, View::from_slice(&[100i64]), Accumulation::Keep);
            let mut all = [0i64; 3];
            part.read(0, ViewMut::from_slice(&mut all));
            assert_eq!(all, [1, 6, 9]);
            part.accumulate(0, View::from_slice(&[7i64]), Accumulation::Replace);
            assert_eq!((part.update_word(0, WordUpdate::Add(3)), part.value(0)), (7, 10));
            assert_eq!(part.update_word(0, WordUpdate::Swap { expected: 7, value: 0 }), 10);
            assert_eq!((part.value(0), parts[0].value(1)), (10, 0));
        });
    }

    #[test]
    fn shared_parts_lie_one_after_the_other() {
        let (mut parts, shared) = create_parts(WindowKind::Shared, Datatype::I64, &[2, 0, 3], true);
        let shared = shared.expect("atomics");
        parts[2].update_word(0, WordUpdate::Replace(4));
        assert_eq!((shared.len(), shared[2].load(Acquire)), (5, 4));
    }
}
