//! The root publishes a block for each rank, which reads its own (the counterpart of a flat gather).
//!
//! Round s: part s of the blocks, one after the other in one payload. Lines: the root writes those of P - 1 blocks; each rank reads those of one.
use wb_comm::{BorrowedBuffers, CollectiveKind, Result, Text, Verb};

use crate::collectives::shared_memory::{
    Segment, SegmentWords, SharedAlgorithm, SharedExtent, bodies,
    rounds::{Pieces, elements_in, parts, publish_pieces},
};

pub(crate) fn run<W: SegmentWords>(
    segment: &mut Segment<'_, W>,
    kind: &CollectiveKind<'_>,
    buffers: BorrowedBuffers<'_>,
) -> Result<()> {
    let root = kind.root().expect("a scatter has a root");
    let BorrowedBuffers { send, mut recv } = buffers;
    let (rank, size, count, datatype) = (segment.rank(), segment.size(), recv.count(), recv.datatype());
    let (all, own) = (send.bytes(), recv.bytes());
    let block = own.len();
    if rank == root {
        own.copy_from_slice(&all[rank * block..][..block]);
    }
    let most = elements_in(Pieces::most(segment.layout(), size), datatype, count)? * datatype.size();
    for part in parts(block, most) {
        let pieces = Pieces::new(segment.layout(), size, part.len());
        let round = segment.begin();
        if rank == root {
            publish_pieces(segment, round, pieces, |reader| {
                &all[reader * block + part.start..][..part.len()]
            })?;
        } else {
            segment.read((root, round), (pieces.bytes, pieces.at(root, rank)), &mut own[part])?;
        }
        segment.complete(round)?;
    }
    Ok(())
}

pub(crate) const ENTRIES: &[SharedAlgorithm] = &[SharedAlgorithm {
    name: "scatter_flat",
    verbs: &[Verb::Scatter],
    source: "the counterpart of coll/acoll's gather",
    summary: Text {
        en: "the root publishes a block for each rank",
        ru: "корневой процесс публикует блок для каждого процесса",
    },
    lines: SharedExtent::pieces,
    bodies: bodies!(run),
}];
