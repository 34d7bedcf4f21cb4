//! Every rank publishes its block and reads those of all others (Open MPI coll/acoll's linear allgather).
//!
//! Round s: part s of the blocks; a rank begins with the next rank. Lines: each rank writes those of its block and reads P - 1 times as many.
use wb_comm::{BorrowedBuffers, CollectiveKind, Result, Text, Verb};

use crate::collectives::shared_memory::{
    CacheLines, Segment, SegmentWords, SharedAlgorithm, bodies,
    rounds::{others, parts, publish},
};

pub(crate) fn run<W: SegmentWords>(
    segment: &mut Segment<'_, W>,
    _kind: &CollectiveKind<'_>,
    buffers: BorrowedBuffers<'_>,
) -> Result<()> {
    let BorrowedBuffers { send, mut recv } = buffers;
    let (rank, size) = (segment.rank(), segment.size());
    let (own, all) = (send.bytes(), recv.bytes());
    let block = own.len();
    all[rank * block..][..block].copy_from_slice(own);
    for part in parts(block, segment.layout().slot_bytes()) {
        let round = segment.begin();
        publish(segment, round, &own[part.clone()])?;
        for other in others(rank, size) {
            let into = &mut all[other * block + part.start..][..part.len()];
            segment.read((other, round), (part.len(), 0), into)?;
        }
        segment.complete(round)?;
    }
    Ok(())
}

pub(crate) const ENTRIES: &[SharedAlgorithm] = &[SharedAlgorithm {
    name: "allgather_one_hop",
    verbs: &[Verb::Allgather],
    source: "Open MPI coll/acoll, linear",
    summary: Text {
        en: "every rank publishes its block and reads all others",
        ru: "каждый процесс публикует свой блок и читает остальные",
    },
    lines: |extent| CacheLines { written: extent.block(), read: (extent.size - 1) * extent.block() },
    bodies: bodies!(run),
}];
