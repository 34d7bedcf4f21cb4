//! A layout without its offset: the blocks that it consists of, under the names of MPI's constructors.
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

/// A layout without its offset.
#[derive(Debug)]
pub struct LayoutShape {
    blocks: Blocks,
    /// The number of elements; the largest `usize` if that is too small.
    pub(super) count: usize,
    /// One more than the last position; 0 without elements.
    pub(super) end: usize,
    /// The first position that occurs twice.
    pub(super) repeated: Option<usize>,
    /// The hash of `blocks`.
    hash: u64,
}

/// The blocks of a shape, under the names of MPI's constructors.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Blocks {
    /// `MPI_Type_contiguous`.
    Contiguous {
        /// The number of elements.
        count: usize,
    },
    /// `MPI_Type_vector`.
    Vector {
        /// The number of blocks.
        count: usize,
        /// The elements of each block.
        block_length: usize,
        /// The elements from the start of one block to the start of the next.
        stride: usize,
    },
    /// `MPI_Type_indexed`.
    Indexed {
        /// The elements of each block.
        block_lengths: Vec<usize>,
        /// The start of each block.
        displacements: Vec<usize>,
    },
    /// `MPI_Type_create_subarray`, by rows.
    Subarray {
        /// The elements of the array in each dimension.
        sizes: Vec<usize>,
        /// The elements of the part.
        subsizes: Vec<usize>,
        /// The first element of the part.
        starts: Vec<usize>,
    },
    /// `MPI_Type_contiguous` of a type with an extent (`MPI_Type_create_resized`).
    Repeated {
        /// The shape that is repeated.
        shape: Arc<LayoutShape>,
        /// The number of repetitions.
        count: usize,
        /// The elements from the start of one to the start of the next.
        extent: usize,
    },
}

impl LayoutShape {
    pub(super) fn new(blocks: Blocks) -> Self {
        let mut hasher = DefaultHasher::new();
        blocks.hash(&mut hasher);
        let (count, end, repeated) = (blocks.count(), blocks.end(), blocks.repeated());
        Self { count, end, repeated, hash: hasher.finish(), blocks }
    }

    /// Whether both have blocks in every row of one array, in columns that differ: that needs no look at each block.
    pub(super) fn is_beside(&self, start: usize, other: &Self, other_start: usize) -> bool {
        self.blocks.is_beside(start, &other.blocks, other_start)
    }

    /// MPI's extent of the constructor.
    pub(super) fn extent(&self) -> usize {
        match &self.blocks {
            Blocks::Subarray { sizes, .. } if self.count > 0 => product(sizes),
            Blocks::Indexed { block_lengths, displacements } => {
                let filled = block_lengths.iter().zip(displacements).filter(|(length, _)| **length > 0);
                self.end - filled.map(|(_, start)| *start).min().unwrap_or(0)
            }
            _ => self.end,
        }
    }

    /// The largest of the numbers that MPI counts with an `int`: of elements, and those that the constructor takes.
    pub(super) fn largest_number(&self) -> usize {
        let max = |numbers: &[usize]| numbers.iter().copied().max().unwrap_or(0);
        self.count.max(match &self.blocks {
            Blocks::Contiguous { .. } => 0,
            Blocks::Vector { count, block_length, stride } => max(&[*count, *block_length, *stride]),
            Blocks::Indexed { block_lengths, displacements } => max(block_lengths).max(max(displacements)),
            Blocks::Subarray { sizes, .. } => max(sizes),
            Blocks::Repeated { shape, count, .. } => shape.largest_number().max(*count),
        })
    }

    /// The constructor and its arguments.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }
}

impl PartialEq for LayoutShape {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.blocks == other.blocks
    }
}

impl Eq for LayoutShape {}

impl Hash for LayoutShape {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Blocks {
    fn count(&self) -> usize {
        match self {
            Self::Contiguous { count } => *count,
            Self::Vector { count, block_length, .. } => count.saturating_mul(*block_length),
            Self::Indexed { block_lengths, .. } => {
                block_lengths.iter().fold(0, |sum, length| sum.saturating_add(*length))
            }
            Self::Repeated { shape, count, .. } => count.saturating_mul(shape.count),
            Self::Subarray { subsizes, .. } => product(subsizes),
        }
    }

    fn end(&self) -> usize {
        if self.count() == 0 {
            return 0;
        }
        match self {
            Self::Contiguous { count } => *count,
            Self::Repeated { shape, count, extent } => {
                (count - 1).saturating_mul(*extent).saturating_add(shape.end)
            }
            Self::Vector { count, block_length, stride } => {
                (count - 1).saturating_mul(*stride).saturating_add(*block_length)
            }
            Self::Indexed { block_lengths, displacements } => {
                let filled = block_lengths.iter().zip(displacements).filter(|(length, _)| **length > 0);
                filled.map(|(length, start)| start.saturating_add(*length)).max().unwrap_or(0)
            }
            Self::Subarray { sizes, subsizes, starts } => {
                let last = starts.iter().zip(subsizes).map(|(start, size)| start + size - 1);
                let place =
                    |at: usize, (size, last): (&usize, usize)| at.saturating_mul(*size).saturating_add(last);
                sizes.iter().zip(last).fold(0, place).saturating_add(1)
            }
        }
    }

    fn repeated(&self) -> Option<usize> {
        match self {
            Self::Contiguous { .. } | Self::Subarray { .. } => None,
            Self::Vector { count, block_length, stride } => {
                (*count > 1 && block_length > stride).then_some(*stride)
            }
            Self::Indexed { block_lengths, displacements } => {
                let filled = block_lengths.iter().zip(displacements).filter(|(length, _)| **length > 0);
                first_shared(filled.map(|(length, start)| (*start, start.saturating_add(*length))).collect())
            }
            Self::Repeated { shape, count, extent } => {
                if shape.repeated.is_some() || *count < 2 || *extent >= shape.end {
                    return shape.repeated.filter(|_| *count > 0);
                }
                if let Self::Vector { block_length, stride, .. } = shape.blocks
                    && *extent >= block_length
                    && (count - 1).saturating_mul(*extent).saturating_add(block_length) <= stride
                {
                    // All of them have their blocks side by side in each row.
                    return None;
                }
                // A position after the end of the memory is found by the comparison with the slice.
                self.end().checked_add(1)?;
                let mut blocks = vec![];
                self.for_each(&mut |start, length| blocks.push((start, start + length)));
                blocks.retain(|(start, end)| start < end);
                first_shared(blocks)
            }
        }
    }

    fn is_beside(&self, start: usize, other: &Self, other_start: usize) -> bool {
        let (
            Self::Vector { block_length: one, stride, .. },
            Self::Vector { block_length: two, stride: same, .. },
        ) = (self, other)
        else {
            return false;
        };
        if stride != same || *stride == 0 {
            return false;
        }
        let (first, second) = (start % stride, other_start % stride);
        let (end, other_end) = (first.saturating_add(*one), second.saturating_add(*two));
        end <= *stride && other_end <= *stride && (end <= second || other_end <= first)
    }

    /// Calls `each` with the start and the length of every block. No position exceeds the end of the shape.
    pub(super) fn for_each(&self, each: &mut dyn FnMut(usize, usize)) {
        match self {
            Self::Contiguous { count } => each(0, *count),
            Self::Vector { count, block_length, stride } => {
                (0..*count).for_each(|block| each(block * stride, *block_length));
            }
            Self::Indexed { block_lengths, displacements } => {
                for (length, start) in
                    block_lengths.iter().zip(displacements).filter(|(length, _)| **length > 0)
                {
                    each(*start, *length);
                }
            }
            Self::Subarray { sizes, subsizes, starts } => for_each_row(sizes, subsizes, starts, 0, each),
            Self::Repeated { shape, count, extent } => {
                for at in 0..*count {
                    shape.blocks.for_each(&mut |start, length| each(at * extent + start, length));
                }
            }
        }
    }
}

/// The first position in two of these blocks.
fn first_shared(mut blocks: Vec<(usize, usize)>) -> Option<usize> {
    blocks.sort_unstable();
    blocks.windows(2).find(|pair| pair[1].0 < pair[0].1).map(|pair| pair[1].0)
}

/// The rows of a part of an array whose first dimension starts at `base`.
fn for_each_row(
    sizes: &[usize],
    subsizes: &[usize],
    starts: &[usize],
    base: usize,
    each: &mut dyn FnMut(usize, usize),
) {
    if let ([_], [length], [start]) = (sizes, subsizes, starts) {
        return each(base + start, *length);
    }
    let inner: usize = sizes[1..].iter().product();
    for index in starts[0]..starts[0] + subsizes[0] {
        for_each_row(&sizes[1..], &subsizes[1..], &starts[1..], base + index * inner, each);
    }
}

/// The elements of an array of these sizes; the largest `usize` if that is too small.
fn product(sizes: &[usize]) -> usize {
    sizes.iter().copied().fold(1, usize::saturating_mul)
}
