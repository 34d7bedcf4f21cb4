//! Every rank publishes the blocks of the others and reduces its own in the order of ranks (the first half of Rabenseifner's allreduce, in one
//! hop).
//!
//! Round s: part s of the blocks, which may differ in length. Lines: each rank writes and reads those of P - 1 blocks.
use wb_comm::{BorrowedBuffers, CollectiveKind, Rank, Result, Text, Verb};

use crate::collectives::shared_memory::{
    CacheLines, Segment, SegmentWords, SharedAlgorithm, bodies,
    rounds::{OrderedFold, Pieces, elements_in, parts, publish_pieces},
};

pub(crate) fn run<W: SegmentWords>(
    segment: &mut Segment<'_, W>,
    kind: &CollectiveKind<'_>,
    buffers: BorrowedBuffers<'_>,
) -> Result<()> {
    let operation = kind.operation().expect("a reduction has an operation");
    let BorrowedBuffers { send, mut recv } = buffers;
    let (rank, size, datatype) = (segment.rank(), segment.size(), send.datatype());
    let equal = recv.count();
    let block = |rank: Rank| match *kind {
        CollectiveKind::ReduceScatter { counts, .. } => (counts[..rank].iter().sum::<usize>(), counts[rank]),
        _ => (rank * equal, equal),
    };
    let longest = (0..size).map(|rank| block(rank).1).max().unwrap_or(0);
    let most = elements_in(Pieces::most(segment.layout(), size), datatype, longest)?;
    for part in parts(longest, most) {
        // The part of the block of a rank: shorter, or empty, where the block is shorter.
        let of = |rank| {
            let (start, count) = block(rank);
            let skipped = part.start.min(count);
            (start + skipped, skipped, (part.end.min(count)) - skipped)
        };
        let pieces = Pieces::new(segment.layout(), size, part.len() * datatype.size());
        let round = segment.begin();
        publish_pieces(segment, round, pieces, |reader| {
            let (start, _, count) = of(reader);
            send.part(start, count).bytes()
        })?;
        let (start, into, count) = of(rank);
        let place = |writer| (pieces.bytes, pieces.at(writer, rank));
        let fold = OrderedFold { round, ranks: size, operation, place };
        fold.run(segment, send.part(start, count), recv.reborrow().part(into, count))?;
        segment.complete(round)?;
    }
    Ok(())
}

pub(crate) const ENTRIES: &[SharedAlgorithm] = &[SharedAlgorithm {
    name: "reduce_scatter_one_hop",
    verbs: &[Verb::ReduceScatter, Verb::ReduceScatterBlock],
    source: "Rabenseifner 2004, in one hop",
    summary: Text {
        en: "every rank publishes the blocks of the others and reduces its own",
        ru: "каждый процесс публикует блоки остальных и складывает свой",
    },
    lines: |extent| {
        let CacheLines { written, read } = extent.pieces();
        CacheLines { written, read: (extent.size - 1) * read }
    },
    bodies: bodies!(run),
}];
