//! Every rank publishes a block for each other rank and reads its own from all (Open MPI coll/acoll's alltoall within a group).
//!
//! Round s: part s of the blocks; in step i a rank reads from rank r + i. Lines: each rank writes and reads those of P - 1 blocks.
use wb_comm::{BorrowedBuffers, CollectiveKind, Result, Text, Verb};

use crate::collectives::shared_memory::{
    CacheLines, Segment, SegmentWords, SharedAlgorithm, bodies,
    rounds::{Pieces, elements_in, others, parts, publish_pieces},
};

pub(crate) fn run<W: SegmentWords>(
    segment: &mut Segment<'_, W>,
    _kind: &CollectiveKind<'_>,
    buffers: BorrowedBuffers<'_>,
) -> Result<()> {
    let BorrowedBuffers { send, mut recv } = buffers;
    let (rank, size, datatype) = (segment.rank(), segment.size(), send.datatype());
    let (out, into) = (send.bytes(), recv.bytes());
    let block = out.len() / size;
    into[rank * block..][..block].copy_from_slice(&out[rank * block..][..block]);
    let most =
        elements_in(Pieces::most(segment.layout(), size), datatype, send.count() / size)? * datatype.size();
    for part in parts(block, most) {
        let pieces = Pieces::new(segment.layout(), size, part.len());
        let round = segment.begin();
        publish_pieces(segment, round, pieces, |reader| &out[reader * block + part.start..][..part.len()])?;
        for other in others(rank, size) {
            let into = &mut into[other * block + part.start..][..part.len()];
            segment.read((other, round), (pieces.bytes, pieces.at(other, rank)), into)?;
        }
        segment.complete(round)?;
    }
    Ok(())
}

pub(crate) const ENTRIES: &[SharedAlgorithm] = &[SharedAlgorithm {
    name: "alltoall_one_hop",
    verbs: &[Verb::Alltoall],
    source: "Open MPI coll/acoll",
    summary: Text {
        en: "every rank publishes a block for each other rank",
        ru: "каждый процесс публикует по блоку для каждого процесса",
    },
    lines: |extent| {
        let CacheLines { written, read } = extent.pieces();
        CacheLines { written, read: (extent.size - 1) * read }
    },
    bodies: bodies!(run),
}];
