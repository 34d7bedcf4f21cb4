//! What the algorithms share: the parts of a block that the rounds carry, payloads of several pieces, and the reduction in the order of ranks.
use std::{iter, ops::Range};

use wb_comm::{Datatype, Error, Operation, Rank, Result, View, ViewMut, text::collective};

use super::{
    SegmentLayout,
    layout::LINE_WORDS,
    segment::{Round, Segment},
    words::{SegmentWords, WORD_BYTES},
};

/// Bytes of a cache line.
const LINE_BYTES: usize = LINE_WORDS * WORD_BYTES;

/// `0..count` in parts of at most `most`, one for each round.
pub(crate) fn parts(count: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0_usize;
    // A division, as of a range with steps, costs as much as a short operation.
    iter::from_fn(move || {
        let part = start..count.min(start.saturating_add(most));
        start = part.end;
        (!part.is_empty()).then_some(part)
    })
}

/// The number of elements that fit `bytes`; if all `count` do, it is not less than that.
///
/// # Errors
/// [`Error::Setup`] if not even one does.
#[inline]
pub(crate) fn elements_in(bytes: usize, datatype: Datatype, count: usize) -> Result<usize> {
    if count * datatype.size() <= bytes {
        return Ok(count.max(1));
    }
    match bytes / datatype.size() {
        0 => Err(Error::Setup(collective::too_large_for_slot(datatype.size(), bytes))),
        elements => Ok(elements),
    }
}

/// A payload that has a piece for each rank but its writer.
#[derive(Clone, Copy)]
pub(crate) struct Pieces {
    stride: usize,
    /// Bytes of the payload.
    pub(crate) bytes: usize,
}

impl Pieces {
    /// Pieces of at most `piece_bytes` for `size` ranks. In a slot each begins a cache line.
    pub(crate) fn new(layout: &SegmentLayout, size: usize, piece_bytes: usize) -> Self {
        let (pieces, stride) = (size - 1, piece_bytes.next_multiple_of(WORD_BYTES));
        if pieces * stride <= layout.inline_bytes() {
            return Self { stride, bytes: pieces * stride };
        }
        let stride = piece_bytes.next_multiple_of(LINE_BYTES);
        Self { stride, bytes: pieces * stride }
    }

    /// The most bytes of a piece.
    pub(crate) fn most(layout: &SegmentLayout, size: usize) -> usize {
        layout.slot_bytes() / (size - 1).max(1) / LINE_BYTES * LINE_BYTES
    }

    /// Where the piece for `reader` is in the payload of `writer`.
    #[inline]
    pub(crate) fn at(&self, writer: Rank, reader: Rank) -> usize {
        (reader - usize::from(reader > writer)) * self.stride
    }
}

/// A payload that is a copy of these bytes.
#[inline]
pub(crate) fn publish<W: SegmentWords>(
    segment: &mut Segment<'_, W>,
    round: Round,
    bytes: &[u8],
) -> Result<()> {
    let mut output = segment.output(round, bytes.len())?;
    output.write(0, bytes)?;
    output.publish()
}

/// A payload with a piece for each other rank.
pub(crate) fn publish_pieces<'b, W: SegmentWords>(
    segment: &mut Segment<'_, W>,
    round: Round,
    pieces: Pieces,
    piece: impl Fn(Rank) -> &'b [u8],
) -> Result<()> {
    let (rank, size) = (segment.rank(), segment.size());
    let mut output = segment.output(round, pieces.bytes)?;
    for reader in (0..size).filter(|&reader| reader != rank) {
        output.write(pieces.at(rank, reader), piece(reader))?;
    }
    output.publish()
}

/// The other ranks, beginning with the next one, so that not all read the same rank at a time.
#[inline]
pub(crate) fn others(rank: Rank, size: usize) -> impl Iterator<Item = Rank> {
    (rank + 1..size).chain(0..rank)
}

/// The reduction of what the first ranks contribute: x(0) op (x(1) op (... op x(ranks - 1))).
///
/// The order of the operands is that of the ranks, and the order of the operations is the same on all ranks. So operations need not commute, and all
/// ranks that compute a result get the same bits.
pub(crate) struct OrderedFold<F> {
    /// The round in which they are published.
    pub(crate) round: Round,
    /// Operands: of ranks `0..ranks`.
    pub(crate) ranks: usize,
    pub(crate) operation: Operation,
    /// The bytes of a payload, and where in that of a rank its operand is.
    pub(crate) place: F,
}

impl<F: Fn(Rank) -> (usize, usize)> OrderedFold<F> {
    /// `own` is the contribution of this rank.
    #[inline]
    pub(crate) fn run<W: SegmentWords>(
        &self,
        segment: &mut Segment<'_, W>,
        own: View<'_>,
        mut into: ViewMut<'_>,
    ) -> Result<()> {
        let last = self.ranks - 1;
        if last == segment.rank() {
            into.bytes().copy_from_slice(own.bytes());
        } else {
            segment.read((last, self.round), (self.place)(last), into.bytes())?;
        }
        for rank in (0..last).rev() {
            if rank == segment.rank() {
                self.operation.fold(own, into.reborrow())?;
            } else {
                segment.fold((rank, self.round), (self.place)(rank), self.operation, into.reborrow())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_block_follow_each_other() {
        assert_eq!(parts(0, 4).count(), 0);
        assert_eq!(parts(4, 4).collect::<Vec<_>>(), vec![0..4; 1]);
        assert_eq!(parts(9, 4).collect::<Vec<_>>(), [0..4, 4..8, 8..9]);
    }

    #[test]
    fn pieces_of_a_slot_begin_lines_and_fit_it() {
        let layout = SegmentLayout::padded(4, 1024);
        for size in 2..=17 {
            let most = Pieces::most(&layout, size);
            let pieces = Pieces::new(&layout, size, most);
            assert!(
                pieces.bytes <= layout.slot_bytes() && pieces.stride.is_multiple_of(LINE_BYTES),
                "{size} ranks"
            );
            let places: Vec<_> = others(1, size).map(|reader| pieces.at(1, reader)).collect();
            assert!(places.iter().all(|at| at + most <= pieces.bytes), "{places:?}");
        }
        let small = Pieces::new(&layout, 4, 12);
        assert_eq!((small.bytes, small.at(1, 0), small.at(1, 3)), (48, 0, 32));
    }
}
