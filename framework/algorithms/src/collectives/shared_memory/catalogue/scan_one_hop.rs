//! Every rank publishes its vector, and reduces those of the ranks before it in their order (the linear scan, in one hop).
//!
//! Round s: part s of the vectors. An inclusive scan reduces those of ranks 0..=r, an exclusive one those of ranks 0..r; rank 0 then gets
//! nothing. Lines: each rank writes those of its vector; the last one reads P - 1 times as many.
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
    let ranks = segment.rank() + usize::from(matches!(kind, CollectiveKind::Scan { .. }));
    let most = elements_in(segment.layout().slot_bytes(), send.datatype(), send.count())?;
    for part in parts(send.count(), most) {
        let own = send.part(part.start, part.len());
        let round = segment.begin();
        // No rank reads the vector of the last one.
        if segment.rank() + 1 < segment.size() {
            publish(segment, round, own.bytes())?;
        }
        if ranks > 0 {
            let place = |_| (own.bytes().len(), 0);
            let fold = OrderedFold { round, ranks, operation, place };
            fold.run(segment, own, recv.reborrow().part(part.start, part.len()))?;
        }
        segment.complete(round)?;
    }
    Ok(())
}

pub(crate) const ENTRIES: &[SharedAlgorithm] = &[SharedAlgorithm {
    name: "scan_one_hop",
    verbs: &[Verb::Scan, Verb::Exscan],
    source: "MPICH, the linear scan, in one hop",
    summary: Text {
        en: "every rank but the last publishes its vector and reduces those before it",
        ru: "каждый процесс, кроме последнего, публикует вектор и складывает векторы предыдущих",
    },
    lines: |extent| CacheLines { written: extent.block(), read: (extent.size - 1) * extent.block() },
    bodies: bodies!(run),
}];
