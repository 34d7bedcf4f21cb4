//! Every rank publishes an empty payload and waits for those of all others (the flat barrier of Open MPI's coll/xhc without a leader).
//!
//! One round: a rank that has the flags of all ranks knows that all have entered. One hop. Lines: each rank writes one and reads P - 1. Unlike the
//! barriers on cells it is one of a sequence of calls on a segment, so ranks that make another call are found.
use wb_comm::{BorrowedBuffers, CollectiveKind, Result, Text, Verb};

use crate::collectives::shared_memory::{
    CacheLines, Segment, SegmentWords, SharedAlgorithm, bodies,
    rounds::{others, publish},
};

pub(crate) fn run<W: SegmentWords>(
    segment: &mut Segment<'_, W>,
    _kind: &CollectiveKind<'_>,
    _buffers: BorrowedBuffers<'_>,
) -> Result<()> {
    let (rank, size) = (segment.rank(), segment.size());
    let round = segment.begin();
    publish(segment, round, &[])?;
    for other in others(rank, size) {
        segment.read((other, round), (0, 0), &mut [])?;
    }
    segment.complete(round)
}

pub(crate) const ENTRIES: &[SharedAlgorithm] = &[SharedAlgorithm {
    name: "barrier_one_hop",
    verbs: &[Verb::Barrier],
    source: "Open MPI coll/xhc, flat, without a leader",
    summary: Text {
        en: "every rank publishes that it has entered and waits for all others",
        ru: "каждый процесс публикует, что вошёл, и ждёт всех остальных",
    },
    lines: |extent| CacheLines { written: 1, read: extent.size - 1 },
    bodies: bodies!(run),
}];
