//! Every rank reduces its share of the vectors and publishes it (Rabenseifner's reduce_scatter and allgather; acoll's scheme in Open MPI).
//!
//! The vector is cut into parts of P blocks. Rounds 2 s and 2 s + 1: every rank publishes the blocks of the others in part s, and reduces its own
//! block in the order of ranks; every rank publishes its reduced block and reads those of the others. Lines: each rank writes those of its
//! vector once, and reads about twice as many, for any P.
use wb_comm::{BorrowedBuffers, CollectiveKind, Operation, Rank, Result, Text, Verb, View, ViewMut};

use crate::collectives::shared_memory::{
    CacheLines, Segment, SegmentWords, SharedAlgorithm, SharedExtent, bodies,
    rounds::{OrderedFold, Pieces, elements_in, others, parts, publish, publish_pieces},
};

pub(crate) fn run<W: SegmentWords>(
    segment: &mut Segment<'_, W>,
    kind: &CollectiveKind<'_>,
    buffers: BorrowedBuffers<'_>,
) -> Result<()> {
    let operation = kind.operation().expect("a reduction has an operation");
    let BorrowedBuffers { send, mut recv } = buffers;
    let size = segment.size();
    let most = elements_in(Pieces::most(segment.layout(), size), send.datatype(), send.count())?;
    for part in parts(send.count(), most.saturating_mul(size)) {
        let (start, count) = (part.start, part.len());
        let own = send.part(start, count);
        reduce_part(segment, operation, own, recv.reborrow().part(start, count))?;
    }
    Ok(())
}

/// The elements of the block of a rank in a part: each has ceil(count / P) but the last ones.
fn block(count: usize, size: usize, rank: Rank) -> (usize, usize) {
    let each = count.div_ceil(size);
    let start = count.min(rank * each);
    (start, each.min(count - start))
}

fn reduce_part<W: SegmentWords>(
    segment: &mut Segment<'_, W>,
    operation: Operation,
    send: View<'_>,
    mut recv: ViewMut<'_>,
) -> Result<()> {
    let (rank, size) = (segment.rank(), segment.size());
    let of = |rank| block(send.count(), size, rank);
    let bytes_of = |rank| of(rank).1 * send.datatype().size();
    let pieces = Pieces::new(segment.layout(), size, bytes_of(0));
    let round = segment.begin();
    publish_pieces(segment, round, pieces, |reader| {
        let (start, count) = of(reader);
        send.part(start, count).bytes()
    })?;
    let (start, count) = of(rank);
    let place = |writer| (pieces.bytes, pieces.at(writer, rank));
    let fold = OrderedFold { round, ranks: size, operation, place };
    fold.run(segment, send.part(start, count), recv.reborrow().part(start, count))?;
    segment.complete(round)?;
    let round = segment.begin();
    publish(segment, round, recv.as_view().part(start, count).bytes())?;
    for other in others(rank, size) {
        let (start, count) = of(other);
        segment.read((other, round), (bytes_of(other), 0), recv.reborrow().part(start, count).bytes())?;
    }
    segment.complete(round)
}

/// For blocks of equal length.
fn lines(extent: SharedExtent) -> CacheLines {
    let (size, layout) = (extent.size, extent.layout);
    let mut lines = CacheLines { written: 0, read: 0 };
    for part in parts(extent.bytes, Pieces::most(&layout, size) * size) {
        let block = SharedExtent { bytes: part.len().div_ceil(size), ..extent };
        let CacheLines { written, read } = block.pieces();
        lines.written += written + block.block();
        lines.read += (size - 1) * (read + block.block());
    }
    lines
}

pub(crate) const ENTRIES: &[SharedAlgorithm] = &[SharedAlgorithm {
    name: "allreduce_two_hops",
    verbs: &[Verb::Allreduce],
    source: "Rabenseifner 2004; Open MPI coll/acoll for long vectors",
    summary: Text {
        en: "every rank reduces its share of the vectors, and reads the shares of the others",
        ru: "каждый процесс складывает свою долю векторов и читает доли остальных",
    },
    lines,
    bodies: bodies!(run),
}];
