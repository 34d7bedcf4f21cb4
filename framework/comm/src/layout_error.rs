//! What is wrong with a layout, or with a layout and the slice that it is used on.
use std::ops::Range;

use crate::{Error, Rank, Text, text::layout as text};

/// What is wrong with a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// An element is outside of the slice.
    Outside {
        /// The position of the element.
        position: usize,
        /// The length of the slice.
        length: usize,
    },
    /// A receive would fill an element twice.
    Repeated {
        /// The position of the element.
        position: usize,
    },
    /// One element is in the part that is sent and in the part that is received.
    Shared {
        /// The position of the element.
        position: usize,
    },
    /// An argument has more or fewer elements than another one requires.
    Lengths {
        /// The argument.
        what: &'static str,
        /// The number of elements.
        got: usize,
        /// The number required.
        expected: usize,
    },
    /// A part of an array without dimensions.
    NoDimension,
    /// A part of an array is not inside the array.
    Part {
        /// The dimension.
        dimension: usize,
        /// The first element of the part.
        start: usize,
        /// The first element after it.
        end: usize,
        /// The elements of the array.
        size: usize,
    },
    /// The block of a rank is not inside the buffer.
    BlockOutside {
        /// The buffer.
        buffer: &'static str,
        /// The rank.
        rank: Rank,
        /// The elements of its block.
        block: Range<usize>,
        /// The length of the buffer.
        length: usize,
    },
    /// The blocks of two ranks share elements that are received.
    BlocksOverlap {
        /// The ranks.
        ranks: [Rank; 2],
        /// The elements.
        shared: Range<usize>,
    },
}

impl LayoutError {
    /// The description of the error.
    pub fn text(&self) -> Text {
        match *self {
            Self::Outside { position, length: 0 } => text::outside_of_nothing(position),
            Self::Outside { position, length } => text::outside(position, length, length - 1),
            Self::Repeated { position } => text::repeated(position),
            Self::Shared { position } => text::shared(position),
            Self::Lengths { what, got, expected } => text::lengths(what, got, expected),
            Self::NoDimension => text::no_dimension(),
            Self::Part { dimension, start, end, size } => text::part(dimension, start, end, size),
            Self::BlockOutside { buffer, rank, ref block, length } => {
                text::block_outside(buffer, rank, block.start, block.end, length)
            }
            Self::BlocksOverlap { ranks: [one, other], ref shared } => {
                text::blocks_overlap(one, other, shared.start, shared.end)
            }
        }
    }

    /// The error of a call. This is not `From`: with a second source of errors the compiler could no longer infer the type of a
    /// closure that uses `?`.
    pub(crate) fn into_error(self) -> Error {
        Error::Layout(Box::new(self))
    }
}
