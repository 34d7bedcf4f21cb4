//! Every rank but the root publishes its block; the root reads them (Open MPI coll/acoll's linear gather).
//!
//! Round s: part s of the blocks. Lines: each rank but the root writes those of its block; the root reads P - 1 times as many.
use wb_comm::{BorrowedBuffers, CollectiveKind, Result, Text, Verb};

use crate::collectives::shared_memory::{
    CacheLines, Segment, SegmentWords, SharedAlgorithm, bodies,
    rounds::{others, parts, publish},
};

pub(crate) fn run<W: SegmentWords>(
    segment: &mut Segment<'_, W>,
    kind: &CollectiveKind<'_>,
    buffers: BorrowedBuffers<'_>,
) -> Result<()> {
    let root = kind.root().expect("a gather has a root");
    let BorrowedBuffers { send, mut recv } = buffers;
    let (rank, size) = (segment.rank(), segment.size());
    let (own, all) = (send.bytes(), recv.bytes());
    let block = own.len();
    if rank == root {
        all[rank * block..][..block].copy_from_slice(own);
    }
    for part in parts(block, segment.layout().slot_bytes()) {
        let round = segment.begin();
        if rank == root {
            for other in others(rank, size) {
                let into = &mut all[other * block + part.start..][..part.len()];
                segment.read((other, round), (part.len(), 0), into)?;
            }
        } else {
            publish(segment, round, &own[part])?;
        }
        segment.complete(round)?;
    }
    Ok(())
}

pub(crate) const ENTRIES: &[SharedAlgorithm] = &[SharedAlgorithm {
    name: "gather_flat",
    verbs: &[Verb::Gather],
    source: "Open MPI coll/acoll, linear",
    summary: Text {
        en: "all but the root publish their blocks, the root reads them",
        ru: "все, кроме корневого, публикуют блоки, корневой их читает",
    },
    lines: |extent| CacheLines { written: extent.block(), read: (extent.size - 1) * extent.block() },
    bodies: bodies!(run),
}];
