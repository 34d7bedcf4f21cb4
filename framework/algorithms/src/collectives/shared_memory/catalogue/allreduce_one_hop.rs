//! Every rank publishes its vector, reads those of all others and reduces them in the order of ranks (XHC's flat allreduce without a
//! leader; the direct exchange of Bruck et al., 1997).
//!
//! Round s: every rank publishes part s and computes x(0) op (x(1) op (... op x(P - 1))). One hop, the same bits on all ranks, and operations need not
//! commute. Lines: each rank writes those of its vector and reads P - 1 times as many.
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
    let operation = kind.operation().expect("a reduction has an operation");
    let BorrowedBuffers { send, mut recv } = buffers;
    let most = elements_in(segment.layout().slot_bytes(), send.datatype(), send.count())?;
    for part in parts(send.count(), most) {
        let own = send.part(part.start, part.len());
        let round = segment.begin();
        publish(segment, round, own.bytes())?;
        let place = |_| (own.bytes().len(), 0);
        let fold = OrderedFold { round, ranks: segment.size(), operation, place };
        fold.run(segment, own, recv.reborrow().part(part.start, part.len()))?;
        segment.complete(round)?;
    }
    Ok(())
}

pub(crate) const ENTRIES: &[SharedAlgorithm] = &[SharedAlgorithm {
    name: "allreduce_one_hop",
    verbs: &[Verb::Allreduce],
    source: "Open MPI coll/xhc, flat, every rank reduces",
    summary: Text {
        en: "every rank publishes its vector and reduces all of them",
        ru: "каждый процесс публикует свой вектор и складывает все векторы",
    },
    lines: |extent| CacheLines { written: extent.block(), read: (extent.size - 1) * extent.block() },
    bodies: bodies!(run),
}];
