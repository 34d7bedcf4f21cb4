//! Every rank but the root publishes its vector; the root reduces them in the order of ranks (the leaves of Open MPI's coll/sm; XHC's reduce
//! within a flat group, for any root and any operation).
//!
//! Round s: part s of the vectors. Lines: each rank but the root writes those of its vector; the root reads P - 1 times as many.
use wb_comm::{BorrowedBuffers, CollectiveKind, Result, Text, Verb};

use crate::collectives::shared_memory::{
    CacheLines, Segment, SegmentWords, SharedAlgorithm, bodies,
    rounds::{OrderedFold, elements_in, parts, publish},
};

pub(crate) fn run<W: SegmentWords>(
    segment: &mut Segment<'_, W>,
    kind: &CollectiveKind<'_>,
    buffers: BorrowedBuffers<'_>,
) -> Result<()> {
    let root = kind.root().expect("a reduction to one rank has a root");
    let operation = kind.operation().expect("a reduction has an operation");
    let BorrowedBuffers { send, mut recv } = buffers;
    let most = elements_in(segment.layout().slot_bytes(), send.datatype(), send.count())?;
    for part in parts(send.count(), most) {
        let own = send.part(part.start, part.len());
        let round = segment.begin();
        if segment.rank() == root {
            let place = |_| (own.bytes().len(), 0);
            let fold = OrderedFold { round, ranks: segment.size(), operation, place };
            fold.run(segment, own, recv.reborrow().part(part.start, part.len()))?;
        } else {
            publish(segment, round, own.bytes())?;
        }
        segment.complete(round)?;
    }
    Ok(())
}

pub(crate) const ENTRIES: &[SharedAlgorithm] = &[SharedAlgorithm {
    name: "reduce_flat",
    verbs: &[Verb::Reduce],
    source: "Open MPI coll/xhc, a flat group",
    summary: Text {
        en: "all but the root publish, the root reduces",
        ru: "все, кроме корневого, публикуют векторы, корневой их складывает",
    },
    lines: |extent| CacheLines { written: extent.block(), read: (extent.size - 1) * extent.block() },
    bodies: bodies!(run),
}];
