//! The root publishes, all others read (XHC's flat group in Open MPI; MPICH's release step).
//!
//! Round s: the root publishes part s; each other rank reads it. The root does not wait for its readers until K rounds later. Lines: the root
//! writes those of the data, each other rank reads them.
use wb_comm::{BorrowedBuffers, CollectiveKind, Result, Text, Verb};

use crate::collectives::shared_memory::{
    CacheLines, Segment, SegmentWords, SharedAlgorithm, bodies,
    rounds::{parts, publish},
};

pub(crate) fn run<W: SegmentWords>(
    segment: &mut Segment<'_, W>,
    kind: &CollectiveKind<'_>,
    buffers: BorrowedBuffers<'_>,
) -> Result<()> {
    let root = kind.root().expect("a broadcast has a root");
    let mut data = buffers.recv;
    let bytes = data.bytes();
    for part in parts(bytes.len(), segment.layout().slot_bytes()) {
        let round = segment.begin();
        if segment.rank() == root {
            publish(segment, round, &bytes[part])?;
        } else {
            segment.read((root, round), (part.len(), 0), &mut bytes[part])?;
        }
        segment.complete(round)?;
    }
    Ok(())
}

pub(crate) const ENTRIES: &[SharedAlgorithm] = &[SharedAlgorithm {
    name: "bcast_flat",
    verbs: &[Verb::Bcast],
    source: "Open MPI coll/xhc, a flat group",
    summary: Text {
        en: "the root publishes, all others read",
        ru: "корневой процесс публикует данные, остальные читают",
    },
    lines: |extent| CacheLines { written: extent.block(), read: extent.block() },
    bodies: bodies!(run),
}];
