//! The collective operations in shared memory.

mod exploration;
mod failures;
mod lines;
mod loom;
mod results;

use std::sync::atomic::AtomicI64;

use crate::collectives::shared_memory::{SegmentLayout, SegmentState, SharedAlgorithm, of_verb};
use wb_comm::{BorrowedBuffers, CallSite, CollectiveKind, Operation, Rank, Verb, View, ViewMut, Wire};

/// A small segment: thresholds are near, and long operations need many rounds.
fn small(size: usize) -> SegmentLayout {
    if size == 2 { SegmentLayout::packed(4, 1024) } else { SegmentLayout::padded(4, 1024) }
}

fn memory(layout: &SegmentLayout, size: usize) -> Vec<AtomicI64> {
    (0..layout.words(size)).map(|_| AtomicI64::new(0)).collect()
}

fn states(size: usize) -> Vec<SegmentState> {
    (0..size).map(|_| SegmentState::new(size)).collect()
}

/// The place of a word of one rank in a memory without the words that only explain errors: lines, acknowledgement, slots; `None` for the others. With
/// `one_slot` all lines, and all slots, are one.
fn compact(layout: &SegmentLayout, at: usize, one_slot: bool) -> Option<usize> {
    let (line, slot) = (layout.inline_bytes() / 8 + 1, layout.slot_bytes() / 8);
    let (lines, slots) = (layout.slots() * line, layout.payload(0, 0, layout.slot_bytes()));
    match at {
        at if at < lines => Some(if one_slot { at % line } else { at }),
        at if at == layout.acknowledgement(0) => Some(lines),
        at if at >= slots => Some(lines + 1 + if one_slot { (at - slots) % slot } else { at - slots }),
        _ => None,
    }
}

/// The number of these words.
fn compact_words(layout: &SegmentLayout) -> usize {
    layout.slots() * (layout.inline_bytes() + 8 + layout.slot_bytes()) / 8 + 1
}

/// The first algorithm of a verb.
fn algorithm(verb: Verb) -> &'static SharedAlgorithm {
    of_verb(verb).next().expect("every verb has one")
}

/// Composes x -> a x + b, written as a << 32 | b: associative, and does not commute.
fn compose() -> Operation {
    Operation::User(Operation::user(false, |f: u64, g: u64| {
        let ([a, b], [c, d]) = ([f >> 32, f & 0xffff_ffff], [g >> 32, g & 0xffff_ffff]);
        ((a * c) & 0xffff_ffff) << 32 | (c * b + d) & 0xffff_ffff
    }))
}

/// A call of an operation with all its results: what each rank contributes, and what it gets.
#[derive(Clone, Copy, Debug)]
struct TestCall {
    verb: Verb,
    root: Rank,
    /// Elements of a block.
    count: usize,
    /// Distinguishes the data of calls.
    number: usize,
}

/// The block of `rank` for `to` in a call.
fn block(call: TestCall, rank: Rank, to: Rank) -> Vec<u64> {
    let element =
        |at| ((call.number * 1009 + rank * 101 + to * 11 + at * 7 + 3) as u64) << 32 | (rank + at + 1) as u64;
    (0..call.count).map(element).collect()
}

/// The reduction of the blocks of these ranks for `to`, from the first to the last.
fn reduced(call: TestCall, operation: Operation, ranks: usize, to: Rank) -> Vec<u64> {
    let blocks = (0..ranks).map(|rank| block(call, rank, to));
    let combine = |left: Vec<u64>, mut right: Vec<u64>| {
        operation.fold(View::from_slice(&left), ViewMut::from_slice(&mut right)).expect("associative");
        right
    };
    blocks.reduce(combine).unwrap_or_default()
}

/// What a rank sends and gets; `None` where it gets nothing.
fn expected(call: TestCall, operation: Operation, rank: Rank, size: usize) -> (Vec<u64>, Option<Vec<u64>>) {
    let (root, is_root) = (call.root, rank == call.root);
    let to_all = |rank| (0..size).flat_map(|to| block(call, rank, to)).collect::<Vec<_>>();
    let own = block(call, rank, 0);
    let gathered = || (0..size).flat_map(|from| block(call, from, 0)).collect::<Vec<_>>();
    match call.verb {
        Verb::Barrier => (vec![], Some(vec![])),
        Verb::Bcast => (vec![], Some(block(call, root, 0))),
        Verb::Reduce => (own, is_root.then(|| reduced(call, operation, size, 0))),
        Verb::Allreduce => (own, Some(reduced(call, operation, size, 0))),
        Verb::Allgather => (own, Some(gathered())),
        Verb::Gather => (own, is_root.then(gathered)),
        Verb::Scatter => (if is_root { to_all(root) } else { vec![] }, Some(block(call, root, rank))),
        Verb::Alltoall => (to_all(rank), Some((0..size).flat_map(|from| block(call, from, rank)).collect())),
        Verb::ReduceScatterBlock => (to_all(rank), Some(reduced(call, operation, size, rank))),
        Verb::Scan => (own, Some(reduced(call, operation, rank + 1, 0))),
        Verb::Exscan => (own, (rank > 0).then(|| reduced(call, operation, rank, 0))),
        other => unreachable!("{other}"),
    }
}

fn kind(call: TestCall, operation: Operation) -> CollectiveKind<'static> {
    let root = call.root;
    match call.verb {
        Verb::Barrier => CollectiveKind::Barrier,
        Verb::Bcast => CollectiveKind::Bcast { root },
        Verb::Reduce => CollectiveKind::Reduce { operation, root },
        Verb::Allreduce => CollectiveKind::Allreduce { operation },
        Verb::Allgather => CollectiveKind::Allgather,
        Verb::Gather => CollectiveKind::Gather { root },
        Verb::Scatter => CollectiveKind::Scatter { root },
        Verb::Alltoall => CollectiveKind::Alltoall,
        Verb::ReduceScatterBlock => CollectiveKind::ReduceScatterBlock { operation },
        Verb::Scan => CollectiveKind::Scan { operation },
        Verb::Exscan => CollectiveKind::Exscan { operation },
        other => unreachable!("{other}"),
    }
}

const VERBS: [Verb; 11] = [
    Verb::Barrier,
    Verb::Bcast,
    Verb::Reduce,
    Verb::Allreduce,
    Verb::Allgather,
    Verb::Gather,
    Verb::Scatter,
    Verb::Alltoall,
    Verb::ReduceScatterBlock,
    Verb::Scan,
    Verb::Exscan,
];

/// The buffers of a call; one for the result, which has wrong elements or, at the root of a broadcast, the right ones.
fn buffers(
    call: TestCall,
    operation: Operation,
    rank: Rank,
    size: usize,
) -> (Vec<u64>, Vec<u64>, Option<Vec<u64>>) {
    let (send, result) = expected(call, operation, rank, size);
    let is_bcast_root = call.verb == Verb::Bcast && rank == call.root;
    let length =
        if rank == 0 && call.verb == Verb::Exscan { call.count } else { result.as_ref().map_or(0, Vec::len) };
    let recv = if is_bcast_root { block(call, rank, 0) } else { vec![u64::MAX; length] };
    (send, recv, result)
}

fn both<'a, T: Wire>(send: &'a [T], recv: &'a mut [T]) -> BorrowedBuffers<'a> {
    BorrowedBuffers::new(send, recv)
}

#[track_caller]
fn site(verb: Verb) -> CallSite {
    CallSite::caller(verb)
}
