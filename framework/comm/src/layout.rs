//! Layouts: which elements of a slice a message consists of (MPI's derived datatypes, as values).
//!
//! All numbers count elements of the slice. A layout says nothing about the type of the elements, so one layout serves slices of
//! every type. The shape is shared by all layouts that differ only in their offset: a backend makes one type of its library for it.
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
    sync::Arc,
};

use crate::{Error, LayoutError, Result, Wire};

/// Which elements of a slice a message consists of, in their order.
///
/// ```
/// # fn main() -> wb_comm::Result<()> {
/// use wb_comm::Layout;
/// // Two rows of three elements, by rows.
/// let matrix = [1, 2, 3, 4, 5, 6];
/// let column = Layout::vector(2, 1, 3);
/// assert_eq!(column.pack(&matrix)?, [1, 4]);
/// assert_eq!(column.at(2).pack(&matrix)?, [3, 6]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    shape: Arc<LayoutShape>,
    offset: usize,
    /// The distance to the block of the next rank; `None`: the end of the shape.
    extent: Option<usize>,
}

/// A layout without its offset.
#[derive(Debug)]
pub struct LayoutShape {
    blocks: Blocks,
    /// The number of elements; the largest `usize` if that is too small.
    count: usize,
    /// One more than the last position; 0 without elements.
    end: usize,
    /// The first position that occurs twice.
    repeated: Option<usize>,
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
        /// How often.
        count: usize,
        /// The elements from the start of one to the start of the next.
        extent: usize,
    },
}

impl Layout {
    /// `count` neighbouring elements (`MPI_Type_contiguous`).
    pub fn contiguous(count: usize) -> Self {
        Self::from_blocks(Blocks::Contiguous { count })
    }

    /// `count` blocks of `block_length` elements, whose starts are `stride` elements apart (`MPI_Type_vector`).
    pub fn vector(count: usize, block_length: usize, stride: usize) -> Self {
        Self::from_blocks(Blocks::Vector { count, block_length, stride })
    }

    /// A block of each of these lengths at each of these displacements (`MPI_Type_indexed`).
    ///
    /// # Errors
    /// [`Error::Layout`] where there are more lengths than displacements, or fewer.
    pub fn indexed(block_lengths: &[usize], displacements: &[usize]) -> Result<Self> {
        check_lengths("displacements", displacements.len(), block_lengths.len())?;
        let (block_lengths, displacements) = (block_lengths.to_vec(), displacements.to_vec());
        Ok(Self::from_blocks(Blocks::Indexed { block_lengths, displacements }))
    }

    /// The part of an array of `sizes` elements that starts at `starts` and has `subsizes` elements, one number for each dimension;
    /// the array is stored by rows (`MPI_Type_create_subarray`).
    ///
    /// # Errors
    /// [`Error::Layout`] where the numbers of dimensions differ or are 0, or the part is not inside the array.
    pub fn subarray(sizes: &[usize], subsizes: &[usize], starts: &[usize]) -> Result<Self> {
        check_lengths("subsizes", subsizes.len(), sizes.len())?;
        check_lengths("starts", starts.len(), sizes.len())?;
        if sizes.is_empty() {
            return Err(LayoutError::NoDimension.into_error());
        }
        for (dimension, ((size, part), start)) in sizes.iter().zip(subsizes).zip(starts).enumerate() {
            let end = start.saturating_add(*part);
            if end > *size {
                return Err(LayoutError::Part { dimension, start: *start, end, size: *size }.into_error());
            }
        }
        let [sizes, subsizes, starts] = [sizes, subsizes, starts].map(<[usize]>::to_vec);
        Ok(Self::from_blocks(Blocks::Subarray { sizes, subsizes, starts }))
    }

    /// The same layout, `offset` elements later.
    #[must_use]
    pub fn at(&self, offset: usize) -> Self {
        Self { shape: Arc::clone(&self.shape), offset: self.offset.saturating_add(offset), ..*self }
    }

    /// The same layout with another distance to the block of the next rank in a collective (`MPI_Type_create_resized`). Without it the next
    /// block starts after the last element.
    ///
    /// ```
    /// use wb_comm::Layout;
    /// // Column r of a matrix of 2 rows and 3 columns belongs to rank r.
    /// let column = Layout::vector(2, 1, 3).resized(1);
    /// assert_eq!(column.of_ranks(3).pack(&[1, 2, 3, 4, 5, 6]), Ok(vec![1, 4, 2, 5, 3, 6]));
    /// ```
    #[must_use]
    pub fn resized(&self, extent: usize) -> Self {
        Self { shape: Arc::clone(&self.shape), extent: Some(extent), ..*self }
    }

    /// The blocks of `count` ranks, in their order.
    #[must_use]
    pub fn of_ranks(&self, count: usize) -> Self {
        let (shape, extent) = (Arc::clone(&self.shape), self.extent());
        let blocks = Blocks::Repeated { shape, count, extent };
        Self { offset: self.offset, ..Self::from_blocks(blocks) }
    }

    fn from_blocks(blocks: Blocks) -> Self {
        let mut hasher = DefaultHasher::new();
        blocks.hash(&mut hasher);
        let (count, end, repeated) = (blocks.count(), blocks.end(), blocks.repeated());
        let shape = LayoutShape { count, end, repeated, hash: hasher.finish(), blocks };
        Self { shape: Arc::new(shape), offset: 0, extent: None }
    }

    /// The layout without its offset.
    pub fn shape(&self) -> &Arc<LayoutShape> {
        &self.shape
    }

    /// The elements before it.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The elements from its start to the start of the next rank's block.
    pub fn extent(&self) -> usize {
        self.extent.unwrap_or(self.shape.end)
    }

    /// The number of its elements.
    pub fn count(&self) -> usize {
        self.shape.count
    }

    /// The length that a slice needs at least; 0 for a layout without elements.
    pub fn end(&self) -> usize {
        if self.count() == 0 { 0 } else { self.offset.saturating_add(self.shape.end) }
    }

    /// Calls `each` with every block of neighbouring elements, in their order.
    pub fn for_each_block(&self, each: &mut dyn FnMut(Range<usize>)) {
        if self.count() > 0 {
            let offset = self.offset;
            self.shape.blocks.for_each(&mut |start, length| each(offset + start..offset + start + length));
        }
    }

    /// Checks that every element is inside a slice of `length` elements of `size` bytes.
    ///
    /// # Errors
    /// [`Error::Layout`] where one is not; [`Error::TooLong`] where the elements are more than the memory can have.
    pub fn check_slice(&self, length: usize, size: usize) -> Result<()> {
        if self.end() > length {
            return Err(LayoutError::Outside { position: self.end() - 1, length }.into_error());
        }
        let max = isize::MAX as usize / size;
        if self.count() > max { Err(Error::TooLong { count: self.count(), max }) } else { Ok(()) }
    }

    /// Checks that a receive fills no element twice.
    ///
    /// # Errors
    /// [`Error::Layout`] where it does.
    pub fn check_distinct(&self) -> Result<()> {
        match self.shape.repeated {
            Some(position) => {
                Err(LayoutError::Repeated { position: self.offset.saturating_add(position) }.into_error())
            }
            None => Ok(()),
        }
    }

    /// Checks that no element is in both layouts.
    ///
    /// # Errors
    /// [`Error::Layout`] where one is.
    pub fn check_disjoint(&self, other: &Self) -> Result<()> {
        let apart = |one: &Self, other: &Self| one.end() <= other.offset;
        if self.count() == 0 || other.count() == 0 || apart(self, other) || apart(other, self) {
            return Ok(());
        }
        if self.shape.blocks.is_beside(self.offset, &other.shape.blocks, other.offset) {
            return Ok(());
        }
        let mut theirs = other.sorted_blocks().into_iter().peekable();
        for block in self.sorted_blocks() {
            // One of theirs that ends before this block ends before all later ones, too.
            while let Some(next) = theirs.next_if(|next| next.start < block.end) {
                if next.end > block.start {
                    return Err(LayoutError::Shared { position: next.start.max(block.start) }.into_error());
                }
            }
        }
        Ok(())
    }

    /// The blocks by their starts, empty ones left out.
    fn sorted_blocks(&self) -> Vec<Range<usize>> {
        let mut blocks = vec![];
        self.for_each_block(&mut |block| {
            if !block.is_empty() {
                blocks.push(block);
            }
        });
        blocks.sort_unstable_by_key(|block| (block.start, block.end));
        blocks
    }

    /// Copies the elements into a vector (`MPI_Pack`).
    ///
    /// # Errors
    /// [`Error::Layout`] where an element is outside of `data`.
    pub fn pack<T: Wire>(&self, data: &[T]) -> Result<Vec<T>> {
        self.check_slice(data.len(), size_of::<T>())?;
        let mut packed = Vec::with_capacity(self.count());
        self.for_each_block(&mut |block| packed.extend_from_slice(&data[block]));
        Ok(packed)
    }

    /// Copies elements that were packed to their positions (`MPI_Unpack`).
    ///
    /// # Errors
    /// [`Error::Layout`] where an element is outside of `into` or occurs twice, or `packed` has another number of elements.
    pub fn unpack<T: Wire>(&self, packed: &[T], into: &mut [T]) -> Result<()> {
        self.check_slice(into.len(), size_of::<T>())?;
        self.check_distinct()?;
        check_lengths("packed", packed.len(), self.count())?;
        let mut done = 0;
        self.for_each_block(&mut |block| {
            let length = block.len();
            into[block].copy_from_slice(&packed[done..done + length]);
            done += length;
        });
        Ok(())
    }
}

fn check_lengths(what: &'static str, got: usize, expected: usize) -> Result<()> {
    if got == expected { Ok(()) } else { Err(LayoutError::Lengths { what, got, expected }.into_error()) }
}

impl LayoutShape {
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
            Self::Subarray { subsizes, .. } => {
                let product = |product: usize, size: &usize| product.saturating_mul(*size);
                if subsizes.contains(&0) { 0 } else { subsizes.iter().fold(1, product) }
            }
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

    /// Whether both have blocks in every row of one array, in columns that differ: that needs no look at each block.
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
    fn for_each(&self, each: &mut dyn FnMut(usize, usize)) {
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

#[cfg(test)]
mod tests;
