//! The programs of ranks, each stored once: in most patterns all ranks do the same up to their rank number.
//!
//! The partner of rank r in step k is mostly (r + c) mod P, r xor c or c, with the same c for all ranks. So the
//! program of rank r is that of rank q with every partner moved by the shift from q to r: added modulo P, or combined
//! by xor; a shift by xor 0 leaves partners unchanged. A program that is not a shifted copy of an earlier one is
//! stored on its own.
//!
//! Invariant: a rank's program, decoded, is the recorded one; sharing changes only the memory used.
use std::{
    hash::{Hash, Hasher},
    ops::Range,
};

use rustc_hash::{FxHashMap, FxHasher};
use wb_comm::Rank;

/// A stored operation: its partner and its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StoredOp {
    pub(super) peer: u32,
    /// The number of its class.
    pub(super) class: u32,
}

/// How partners move from the rank whose program is stored to the rank that shares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shift {
    /// Added modulo the number of ranks, which is more than this.
    Cyclic(u32),
    /// Combined bit by bit.
    Xor(u32),
}

/// The rank whose program is shared.
#[derive(Clone, Copy, Debug)]
enum ProgramSource {
    /// The program of this rank with partners moved by the cyclic shift, or the rank's own program.
    Cyclic(u32),
    /// The program of this rank with partners combined by xor.
    Xor(u32),
    /// The program of this rank, unchanged.
    Identical(u32),
}

/// The programs of all ranks. All lists are by rank, so that a pass over neighbours reads neighbouring memory.
#[derive(Clone, Debug, Default)]
pub(super) struct ProgramStore {
    stored: Vec<StoredOp>,
    sources: Vec<ProgramSource>,
    /// Where the program begins in the store, and its length; for a rank that shares, those of its source.
    ranges: Vec<(usize, u32)>,
    /// The slot of a rank's first operation, among those of all ranks, and the distance to the slot of the next one.
    slots: Vec<(usize, u32)>,
}

/// The program of one rank; its operations are numbered from 0 on.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredProgram<'a> {
    stored: &'a [StoredOp],
    shift: Shift,
    size: u32,
    slot: usize,
    stride: usize,
}

/// Shorter programs take less memory than the comparison needs.
const MIN_SHARED_LEN: usize = 8;

/// The number of ranks whose slots are interleaved, operation by operation.
const RANKS_PER_BLOCK: usize = 64;

impl Shift {
    /// The partner of the sharing rank, where the stored program has `peer`.
    fn apply(self, peer: u32, size: u32) -> u32 {
        match self {
            Self::Xor(bits) => peer ^ bits,
            Self::Cyclic(by) => {
                let rest = size - by;
                if peer < rest { peer + by } else { peer - rest }
            }
        }
    }

    /// The partner in the stored program, where the sharing rank has `peer`.
    fn invert(self, peer: u32, size: u32) -> u32 {
        match self {
            Self::Xor(bits) => peer ^ bits,
            Self::Cyclic(by) if peer < by => peer + (size - by),
            Self::Cyclic(by) => peer - by,
        }
    }
}

impl ProgramSource {
    /// The possible sources of the program of `rank`.
    fn candidates(rank: Rank) -> [Self; 3] {
        let rank = rank as u32;
        [Self::Cyclic(rank), Self::Xor(rank), Self::Identical(rank)]
    }

    fn rank(self) -> Rank {
        let (Self::Cyclic(model) | Self::Xor(model) | Self::Identical(model)) = self;
        model as Rank
    }

    /// The shift from the source to `rank`.
    fn shift(self, rank: Rank, size: u32) -> Shift {
        let rank = rank as u32;
        match self {
            Self::Identical(_) => Shift::Xor(0),
            Self::Xor(model) => Shift::Xor(model ^ rank),
            Self::Cyclic(model) if rank < model => Shift::Cyclic(rank + (size - model)),
            Self::Cyclic(model) => Shift::Cyclic(rank - model),
        }
    }
}

impl ProgramStore {
    /// The number of ranks.
    pub(super) fn ranks(&self) -> usize {
        self.sources.len()
    }

    /// Whether the program of `rank` is known to be that of `other` moved by the shift from one to the other.
    pub(super) fn is_shared(&self, rank: Rank, other: Rank, by_xor: bool) -> bool {
        let (one, two) = (self.sources[rank], self.sources[other]);
        let is_moved = |model| match model {
            ProgramSource::Cyclic(_) => !by_xor,
            ProgramSource::Xor(_) => by_xor,
            ProgramSource::Identical(_) => false,
        };
        one.rank() == two.rank() && is_moved(one) && (is_moved(two) || two.rank() == other)
    }

    /// The number of slots of the first `ranks` ranks, including the unused ones between them.
    pub(super) fn slots(&self, ranks: usize) -> usize {
        let ranks = ranks.next_multiple_of(RANKS_PER_BLOCK).min(self.ranks());
        (0..ranks).map(|rank| self.range(rank).1 as usize).sum()
    }

    fn range(&self, rank: Rank) -> (usize, u32) {
        self.ranges[self.sources[rank].rank()]
    }

    pub(super) fn program(&self, rank: Rank) -> StoredProgram<'_> {
        let ((begins, ops), (slot, stride)) = (self.range(rank), self.slots[rank]);
        let size = self.ranks() as u32;
        let (stored, shift) =
            (&self.stored[begins..begins + ops as usize], self.sources[rank].shift(rank, size));
        StoredProgram { stored, shift, size, slot, stride: stride as usize }
    }

    /// Assigns the slots. Neighbours do the same at about the same time, so the slots of their first operations are
    /// adjacent, then those of the second ones, if they have equally many.
    fn lay_out(&mut self) {
        self.slots.clear();
        let mut next = 0;
        for first in (0..self.ranks()).step_by(RANKS_PER_BLOCK) {
            let ranks = first..(first + RANKS_PER_BLOCK).min(self.ranks());
            let (ops, width) = (self.range(first).1, ranks.len() as u32);
            let is_uniform = ranks.clone().all(|rank| self.range(rank).1 == ops);
            let mut before = 0;
            for rank in ranks {
                self.slots.push(match is_uniform {
                    true => (next + (rank - first), width),
                    false => (next + before, 1),
                });
                before += self.range(rank).1 as usize;
            }
            next += before;
        }
    }

    /// Every program repeated `times` times.
    pub(super) fn repeated(&self, times: usize) -> Self {
        let mut repeated = Self { sources: self.sources.clone(), ..Self::default() };
        for &(begins, ops) in &self.ranges {
            // All programs before it are repeated equally often.
            if begins * times == repeated.stored.len() {
                let program = &self.stored[begins..][..ops as usize];
                (0..times).for_each(|_| repeated.stored.extend_from_slice(program));
            }
            repeated.ranges.push((begins * times, count(ops as usize * times)));
        }
        repeated.lay_out();
        repeated
    }
}

impl StoredProgram<'_> {
    pub(super) fn len(&self) -> usize {
        self.stored.len()
    }

    /// The slot of an operation, among those of all ranks.
    pub(super) fn slot(&self, op: usize) -> usize {
        self.slot + op * self.stride
    }

    /// The number of an operation's class.
    pub(super) fn class(&self, op: usize) -> usize {
        self.stored[op].class as usize
    }

    /// The partner in an operation.
    pub(super) fn peer(&self, op: usize) -> Rank {
        self.shift.apply(self.stored[op].peer, self.size) as Rank
    }

    /// The operations of a range whose partner is `peer`, and the numbers of their classes.
    pub(super) fn with(&self, peer: Rank, ops: Range<usize>) -> impl Iterator<Item = (usize, usize)> {
        let (peer, stored) = (self.shift.invert(peer as u32, self.size), self.stored[ops.clone()].iter());
        ops.zip(stored).filter(move |(_, op)| op.peer == peer).map(|(op, stored)| (op, stored.class as usize))
    }
}

/// # Panics
/// For 2^32 operations and more.
fn count(ops: usize) -> u32 {
    u32::try_from(ops).expect("fewer operations of a rank than 2^32")
}

/// A builder that adds the programs of one rank after the other.
#[derive(Debug)]
pub(super) struct ProgramStoreBuilder {
    store: ProgramStore,
    size: usize,
    /// The program of the next rank.
    program: Vec<StoredOp>,
    /// The last rank whose program is stored, and earlier ones by the hash of what a shift preserves.
    last_stored: Rank,
    candidates: FxHashMap<u64, Rank>,
}

impl ProgramStoreBuilder {
    pub(super) fn new(size: usize) -> Self {
        Self {
            store: ProgramStore::default(),
            size,
            program: vec![],
            last_stored: 0,
            candidates: FxHashMap::default(),
        }
    }

    /// The class that the last stored program has at the position of the next operation.
    pub(super) fn expected_class(&self) -> Option<u32> {
        let (begins, _) = *self.store.ranges.get(self.last_stored)?;
        self.store.stored.get(begins + self.program.len()).map(|op| op.class)
    }

    pub(super) fn push(&mut self, op: StoredOp) {
        self.program.push(op);
    }

    /// Ends the program of the next rank.
    pub(super) fn end_rank(&mut self) {
        let rank = self.store.ranks();
        let model = self.find_source(rank).unwrap_or_else(|| self.store(rank));
        self.store.sources.push(model);
        let places = &mut self.store.ranges;
        let begins = places.last().map_or(0, |(begins, _)| *begins);
        if places.len() == rank {
            places.push((begins, 0));
        }
        self.program.clear();
    }

    pub(super) fn finish(mut self) -> ProgramStore {
        self.store.stored.shrink_to_fit();
        self.store.lay_out();
        self.store
    }

    fn store(&mut self, rank: Rank) -> ProgramSource {
        self.store.ranges.push((self.store.stored.len(), count(self.program.len())));
        self.store.stored.extend_from_slice(&self.program);
        self.last_stored = rank;
        if self.program.len() >= MIN_SHARED_LEN {
            self.candidates.extend(self.shift_hashes(rank).map(|hash| (hash, rank)));
        }
        ProgramSource::Identical(rank as u32)
    }

    /// A rank whose program, shifted, is that of `rank`.
    fn find_source(&self, rank: Rank) -> Option<ProgramSource> {
        if self.program.len() < MIN_SHARED_LEN {
            return None;
        }
        self.source_if_shifted(self.last_stored, rank).or_else(|| {
            let models = self.shift_hashes(rank).into_iter().filter_map(|hash| self.candidates.get(&hash));
            models.copied().find_map(|model| self.source_if_shifted(model, rank))
        })
    }

    /// The source, if the program of `rank` is a shifted copy of that of `model`, which is stored unshifted.
    fn source_if_shifted(&self, model: Rank, rank: Rank) -> Option<ProgramSource> {
        let (begins, ops) = *self.store.ranges.get(model)?;
        let stored = &self.store.stored[begins..begins + ops as usize];
        let size = self.size as u32;
        ProgramSource::candidates(model).into_iter().filter(|_| stored.len() == self.program.len()).find(
            |model| {
                let shift = model.shift(rank, size);
                let is_same = |(old, new): (&StoredOp, &StoredOp)| {
                    old.class == new.class && shift.apply(old.peer, size) == new.peer
                };
                stored.iter().zip(&self.program).all(is_same)
            },
        )
    }

    /// Hashes of what each kind of shift preserves of the program.
    fn shift_hashes(&self, rank: Rank) -> [u64; 3] {
        let size = self.size as u32;
        ProgramSource::candidates(rank).map(|model| {
            let (shift, mut hasher) = (model.shift(0, size), FxHasher::default());
            std::mem::discriminant(&model).hash(&mut hasher);
            self.program.iter().for_each(|op| (op.class, shift.apply(op.peer, size)).hash(&mut hasher));
            hasher.finish()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 32;

    /// Programs of all ranks with these partners, one in each class.
    fn store_of(partners: impl Fn(usize, usize) -> usize) -> ProgramStore {
        let mut growing = ProgramStoreBuilder::new(SIZE);
        for rank in 0..SIZE {
            for step in 0..MIN_SHARED_LEN {
                growing.push(StoredOp { peer: partners(rank, step) as u32, class: step as u32 });
            }
            growing.end_rank();
        }
        growing.finish()
    }

    #[test]
    fn programs_are_decoded_as_they_were_and_equal_ones_are_stored_once() {
        let stored = |partners: fn(usize, usize) -> usize| {
            let texts = store_of(partners);
            for texts in [texts.clone(), texts.repeated(3)] {
                let mut slots = vec![];
                for rank in 0..SIZE {
                    let program = texts.program(rank);
                    for op in 0..program.len() {
                        let (step, peer) = (op % MIN_SHARED_LEN, partners(rank, op % MIN_SHARED_LEN));
                        assert_eq!((program.peer(op), program.class(op)), (peer, step));
                        assert!(program.with(peer, op..op + 1).eq([(op, step)]));
                        slots.push(program.slot(op));
                    }
                }
                slots.sort_unstable();
                assert!(
                    slots.iter().copied().eq(0..texts.slots(texts.ranks())),
                    "each operation has a slot of its own"
                );
            }
            assert_eq!(texts.repeated(3).stored.len(), 3 * texts.stored.len());
            texts.stored.len() / MIN_SHARED_LEN
        };
        assert_eq!(stored(|rank, step| (rank + 3 * step) % SIZE), 1, "cyclic");
        assert_eq!(stored(|rank, step| rank ^ step), 1, "by xor");
        assert_eq!(stored(|_, step| step), 1, "the same partners");
        let of_two_kinds = |rank, step| if rank < 9 { rank ^ (3 * step) } else { (rank + 5 * step) % SIZE };
        assert_eq!(stored(of_two_kinds), 2);
        assert_eq!(
            stored(|rank, step| (rank * rank * step * step + step) % SIZE),
            7,
            "by what squares are modulo 32"
        );
    }

    #[test]
    fn programs_of_different_lengths_have_slots_too() {
        let mut growing = ProgramStoreBuilder::new(100);
        for rank in 0..100 {
            for step in 0..[0, 3, 20][rank % 3] {
                growing.push(StoredOp { peer: (rank + step) as u32 % 100, class: 0 });
            }
            growing.end_rank();
        }
        for texts in [growing.finish()].into_iter().flat_map(|texts| [texts.repeated(2), texts]) {
            let programs = (0..100).map(|rank| texts.program(rank));
            let mut slots: Vec<_> =
                programs.flat_map(|program| (0..program.len()).map(move |op| program.slot(op))).collect();
            slots.sort_unstable();
            assert!(slots.into_iter().eq(0..texts.slots(texts.ranks())));
            assert_eq!(texts.program(1).len() * 20, texts.program(2).len() * 3);
        }
    }
}
