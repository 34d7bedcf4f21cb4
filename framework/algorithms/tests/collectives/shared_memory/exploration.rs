//! The protocol in every order in which stores may become visible.
//!
//! The explorer runs the code of the algorithms itself, in a memory in which the writes of a rank arrive at any later time and in any order but
//! for fences: a rank puts payloads into its own words without order, and a flag or an acknowledgement after a fence. After each call a rank
//! compares its result with the right one; if it differs, it waits for ever, and the explorer shows the run. Each wrong form of the protocol is a
//! memory that does one thing wrong, around the same code.
use std::{fmt, rc::Rc};

use crate::barriers::{
    BarrierProgram, ErasedProgram, MemoryOrdering,
    explore::{BarrierGroup, Configuration, MemoryOp, SearchResult, explore},
};
use crate::collectives::shared_memory::{
    Segment, SegmentLayout, SegmentState, SegmentWords, SharedAlgorithm, find,
};
use wb_comm::{CellIndex, Memory, Operation, Rank, Result, Until, Verb};

use super::{TestCall, algorithm, both, buffers, compact, compact_words, kind, site};

/// K.
const SLOTS: usize = 2;

const LIMIT: usize = 1_500_000;

/// No rank writes this value.
const NEVER: Until = Until::Equal(i64::MIN);

/// What a memory does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// A writer does not wait for acknowledgements.
    NoAcknowledgement,
    /// All slots and lines of a rank are one.
    OneSlot,
    /// Flags are equal in rounds e and e + K.
    WrappedRound,
    /// A flag becomes visible before its payload.
    FlagFirst,
    /// A flag does not wait for its payload: `Relaxed` instead of `Release`.
    RelaxedFlag,
}

/// The explored memory as the words of a segment. Records of calls and signs of ranks that have left explain errors only; they are left out.
struct Explored<'m> {
    memory: &'m mut dyn Memory,
    layout: SegmentLayout,
    fault: Fault,
    /// Of all calls so far.
    digest: i64,
    /// Writes that wait for their flag.
    held_back: Vec<(CellIndex, i64)>,
}

/// The bits of a flag below the number of its round.
const DIGEST_BITS: u32 = 24;

impl Explored<'_> {
    fn line_words(&self) -> usize {
        self.layout.inline_bytes() / 8 + 1
    }

    fn is_flag(&self, at: usize) -> bool {
        at < SLOTS * self.line_words() && at.is_multiple_of(self.line_words())
    }

    /// The cell of a word.
    fn cell(&self, at: usize) -> Option<CellIndex> {
        compact(&self.layout, at, self.fault == Fault::OneSlot)
    }

    fn put(&mut self, at: usize, value: i64) -> Result<()> {
        let (own, cell) = (self.memory.rank(), self.cell(at));
        cell.map_or(Ok(()), |cell| self.memory.put(own, cell, value))
    }

    /// The number of a round as its flag shows it.
    fn shown(&self, round: i64) -> i64 {
        if self.fault == Fault::WrappedRound { round % SLOTS as i64 + 1 } else { round }
    }
}

impl SegmentWords for Explored<'_> {
    fn write(&mut self, at: usize, bytes: &[u8]) -> Result<()> {
        for (word, bytes) in bytes.chunks(8).enumerate() {
            let value = i64::from_ne_bytes(bytes.try_into().expect("payloads here are whole words"));
            if self.fault == Fault::FlagFirst {
                self.held_back.push((at + word, value));
            } else {
                self.put(at + word, value)?;
            }
        }
        Ok(())
    }

    fn publish(&mut self, at: usize, value: i64) -> Result<()> {
        if self.is_flag(at) {
            if self.fault != Fault::RelaxedFlag {
                self.memory.fence()?;
            }
            self.put(at, self.shown(value >> DIGEST_BITS))?;
            self.memory.fence()?;
            return std::mem::take(&mut self.held_back)
                .into_iter()
                .try_for_each(|(at, value)| self.put(at, value));
        }
        if self.cell(at).is_none() {
            // The record of a call, or the sign that the rank has left after a wrong result.
            self.held_back.clear();
            self.digest = value & ((1 << DIGEST_BITS) - 1);
            return Ok(());
        }
        self.memory.fence()?;
        self.put(at, value)
    }

    fn read(&mut self, rank: Rank, at: usize, into: &mut [u8]) -> Result<()> {
        for (word, bytes) in into.chunks_mut(8).enumerate() {
            let cell = self.cell(at + word).expect("only payloads are read");
            bytes.copy_from_slice(&self.memory.get(rank, cell)?.to_ne_bytes());
        }
        Ok(())
    }

    fn load(&mut self, _rank: Rank, _at: usize) -> Result<i64> {
        unreachable!("waits end, or are found to be a deadlock")
    }

    fn spin(&mut self, rank: Rank, at: usize, least: i64) -> Result<Option<i64>> {
        let cell = self.cell(at).expect("a flag or an acknowledgement");
        if self.is_flag(at) {
            let round = least >> DIGEST_BITS;
            self.memory.poll(rank, cell, Until::AtLeast(self.shown(round)))?;
            return Ok(Some(least | self.digest));
        }
        if self.fault == Fault::NoAcknowledgement {
            return Ok(Some(least));
        }
        self.memory.poll(rank, cell, Until::AtLeast(least))?;
        self.memory.get(rank, cell).map(Some)
    }

    fn yield_core(&mut self) {}
}

/// Some calls, one after the other.
struct Calls {
    calls: Vec<TestCall>,
    layout: SegmentLayout,
    fault: Fault,
}

impl BarrierProgram for Calls {
    fn cells(&self, _size: usize) -> usize {
        compact_words(&self.layout) + 1
    }

    fn episode<M: Memory>(&self, mut memory: &mut M, _epoch: i64) -> Result<()> {
        let (rank, size) = (memory.rank(), memory.size());
        let mut state = SegmentState::new(size);
        for call in &self.calls {
            let mut words = Explored {
                memory: &mut memory,
                layout: self.layout,
                fault: self.fault,
                digest: 0,
                held_back: vec![],
            };
            let words: &mut dyn SegmentWords = &mut words;
            let mut segment = Segment::new(words, &self.layout, rank, &mut state, &|_| Ok(()));
            let operation = Operation::Sum;
            let (send, mut recv, result) = buffers(*call, operation, rank, size);
            let both = both(&send, &mut recv);
            explored_algorithm(call).run_on_any(
                &mut segment,
                kind(*call, operation),
                both,
                site(call.verb),
            )?;
            if result.is_some_and(|result| result != recv) {
                memory.wait(compact_words(&self.layout), NEVER)?;
            }
        }
        Ok(())
    }
}

/// The algorithm of a call: a reduction to all has no root, so 1 stands for the one in two hops.
fn explored_algorithm(call: &TestCall) -> &'static SharedAlgorithm {
    match (call.verb, call.root) {
        (Verb::Allreduce, 1) => find("allreduce_two_hops").expect("in the catalogue"),
        (verb, _) => algorithm(verb),
    }
}

/// The result of an exploration of these calls.
fn explored(size: usize, calls: &[(Verb, Rank, usize)], fault: Fault) -> SearchResult {
    let call = |(number, &(verb, root, count)): (usize, &(Verb, Rank, usize))| TestCall {
        verb,
        root,
        count,
        number,
    };
    let calls: Vec<_> = calls.iter().enumerate().map(call).collect();
    // A slot has two words, or a line for each other rank.
    let has_pieces = |call: &TestCall| {
        matches!(call.verb, Verb::Scatter | Verb::Alltoall | Verb::ReduceScatterBlock)
            || (call.verb, call.root) == (Verb::Allreduce, 1)
    };
    let slot_bytes = if calls.iter().any(has_pieces) { 64 * (size - 1) } else { 16 };
    let layout = SegmentLayout::of_one_rank(SLOTS, 1, slot_bytes);
    let program: Rc<dyn ErasedProgram> = Rc::new(Calls { calls, layout, fault });
    // A call is no barrier: ranks may leave before others have entered.
    let group = BarrierGroup {
        ranks: (0..size).collect(),
        members: vec![],
        programs: vec![program; size],
        first_cell: 0,
        epoch: 0,
    };
    let configuration = Configuration { size, groups: vec![group], calls: vec![vec![0]; size] };
    explore(&configuration, MemoryOrdering::UNORDERED, LIMIT).expect("no error but the explorer's own")
}

/// A sequence of calls, written as verb, root, elements: one is in a line, two are in a slot, three need two rounds.
type Sequence = &'static [(Verb, Rank, usize)];

use Verb::{Allgather, Allreduce, Alltoall, Bcast, Gather, Reduce, ReduceScatterBlock, Scan, Scatter};

const TWO: &[Sequence] = &[
    &[(Bcast, 0, 1), (Bcast, 0, 1), (Bcast, 0, 1), (Bcast, 0, 1), (Bcast, 0, 1), (Bcast, 0, 1)],
    &[(Bcast, 0, 2), (Bcast, 1, 1), (Bcast, 0, 3), (Bcast, 1, 2), (Bcast, 1, 1)],
    &[(Allreduce, 0, 1), (Allreduce, 0, 2), (Allreduce, 0, 1), (Allreduce, 0, 2), (Allreduce, 0, 3)],
    &[(Allreduce, 0, 1), (Bcast, 0, 1), (Bcast, 0, 2), (Bcast, 0, 1), (Allreduce, 0, 2), (Bcast, 1, 2)],
    &[(Reduce, 0, 1), (Reduce, 0, 2), (Reduce, 0, 1), (Reduce, 1, 2), (Bcast, 1, 2), (Reduce, 0, 1)],
    &[(Gather, 1, 2), (Scan, 0, 1), (Gather, 1, 1), (Allgather, 0, 2), (Scan, 0, 2), (Bcast, 1, 1)],
    &[(Scatter, 0, 1), (Scatter, 0, 2), (Scatter, 0, 1), (Scatter, 1, 1), (Bcast, 1, 1)],
    &[(Alltoall, 0, 1), (Alltoall, 0, 2), (Scatter, 0, 1), (Alltoall, 0, 1)],
    &[(ReduceScatterBlock, 0, 1), (Scatter, 1, 2), (ReduceScatterBlock, 0, 2), (Scatter, 1, 1)],
    &[(Allreduce, 1, 2), (Bcast, 0, 1), (Allreduce, 1, 3), (Scatter, 0, 1)],
];

const THREE: &[Sequence] = &[
    &[(Bcast, 0, 1), (Bcast, 0, 2), (Bcast, 0, 1), (Bcast, 0, 1)],
    &[(Bcast, 0, 1), (Bcast, 1, 2), (Bcast, 2, 1), (Bcast, 0, 1)],
    &[(Allreduce, 0, 1), (Bcast, 1, 2), (Allreduce, 0, 1), (Bcast, 1, 1)],
    &[(Reduce, 0, 1), (Reduce, 1, 2), (Reduce, 0, 1), (Bcast, 2, 1)],
    &[(Scan, 0, 1), (Scan, 0, 2), (Scan, 0, 1), (Bcast, 0, 1)],
    &[(Scatter, 0, 1), (Scatter, 1, 1), (Bcast, 0, 1)],
    &[(Alltoall, 0, 1), (Scatter, 0, 1)],
    &[(ReduceScatterBlock, 0, 1), (Bcast, 0, 1)],
];

const FOUR: &[Sequence] = &[
    &[(Bcast, 0, 1), (Bcast, 0, 1), (Bcast, 0, 1)],
    &[(Bcast, 3, 1), (Reduce, 0, 1), (Bcast, 3, 1)],
    &[(Allreduce, 0, 1), (Bcast, 1, 1), (Allreduce, 0, 1)],
    &[(Scan, 0, 1), (Bcast, 0, 1), (Scan, 0, 1)],
];

#[test]
fn no_order_of_stores_gives_a_rank_a_wrong_payload_or_blocks_it() {
    for (size, sequences) in [(2, TWO), (3, THREE), (4, FOUR)] {
        for calls in sequences {
            let found = explored(size, calls, Fault::None);
            assert!(found.is_safe(), "P = {size}, {calls:?}: {found}\n{:#?}", Steps(&found));
        }
    }
}

/// All sequences of this length of calls with these letters.
fn sequences(letters: &[(Verb, Rank, usize)], length: usize) -> Vec<Vec<(Verb, Rank, usize)>> {
    (0..length).fold(vec![vec![]], |shorter, _| {
        let longer = |calls: &Vec<_>| {
            let calls = calls.clone();
            letters.iter().map(move |letter| [&calls[..], &[*letter]].concat())
        };
        shorter.iter().flat_map(longer).collect()
    })
}

/// K + 2 calls: each slot is used again, and what is remembered of the others, too.
#[test]
fn every_short_sequence_of_verbs_and_roots_is_safe() {
    let two = [(Bcast, 0, 1), (Bcast, 1, 1), (Reduce, 0, 1), (Reduce, 1, 1), (Allreduce, 0, 1), (Scan, 0, 1)];
    let three = [(Bcast, 0, 1), (Reduce, 1, 1), (Scan, 0, 1)];
    for (size, letters) in [(2, &two[..]), (3, &three[..])] {
        for calls in sequences(letters, SLOTS + 2) {
            let found = explored(size, &calls, Fault::None);
            assert!(found.is_safe(), "P = {size}, {calls:?}: {found}\n{:#?}", Steps(&found));
        }
    }
}

/// A trace, a line each step.
struct Steps<'a>(&'a SearchResult);

impl fmt::Debug for Steps<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.trace().iter().map(ToString::to_string)).finish()
    }
}

/// The rank that has got a wrong payload.
fn is_wrong_payload(found: &SearchResult) -> bool {
    let SearchResult::Deadlock { waiting, .. } = found else { return false };
    waiting.iter().any(|blocked| matches!(blocked.operation, MemoryOp::Wait { until: NEVER, .. }))
}

#[test]
fn every_wrong_form_of_the_protocol_gives_a_wrong_payload() {
    let bcasts: Sequence = &[(Bcast, 0, 1), (Bcast, 0, 1), (Bcast, 0, 1)];
    let sums: Sequence = &[(Allreduce, 0, 1), (Allreduce, 0, 1), (Allreduce, 0, 1)];
    let slots: Sequence = &[(Bcast, 0, 2), (Bcast, 0, 2), (Bcast, 0, 2)];
    for (fault, calls) in [
        (Fault::NoAcknowledgement, bcasts),
        (Fault::NoAcknowledgement, slots),
        (Fault::OneSlot, bcasts),
        (Fault::OneSlot, sums),
        (Fault::WrappedRound, bcasts),
        (Fault::WrappedRound, sums),
        (Fault::FlagFirst, bcasts),
        (Fault::FlagFirst, sums),
        (Fault::RelaxedFlag, slots),
        (Fault::RelaxedFlag, sums),
    ] {
        for size in 2..=3 {
            let found = explored(size, calls, fault);
            assert!(is_wrong_payload(&found), "{fault:?}, P = {size}, {calls:?}: {found}");
        }
    }
}

/// An operation in which all ranks publish needs no acknowledgement.
#[test]
fn operations_of_all_to_all_need_no_acknowledgement() {
    for calls in [TWO[2], &[(Allgather, 0, 1), (Allreduce, 0, 2), (Allgather, 0, 2), (Allgather, 0, 1)]] {
        let found = explored(2, calls, Fault::NoAcknowledgement);
        assert!(found.is_safe(), "{calls:?}: {found}");
    }
}
