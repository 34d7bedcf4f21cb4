//! Layouts: which elements of a slice a message consists of (MPI's derived datatypes, as values).
//!
//! All numbers count elements of the slice. A layout says nothing about the type of the elements, so one layout serves slices of
//! every type. The shape is shared by all layouts that differ only in their offset: a backend makes one type of its library for it.
use std::{ops::Range, sync::Arc};

#[cfg(doc)]
use crate::Error;
use crate::{LayoutError, Result, Wire, limits};

mod layout_shape;

pub use layout_shape::{Blocks, LayoutShape};

/// The elements of a slice that a message consists of, in their order.
///
/// ```
/// use wb_comm::Layout;
/// // Two rows of three elements, by rows.
/// let matrix = [1, 2, 3, 4, 5, 6];
/// let column = Layout::vector(2, 1, 3);
/// assert_eq!(column.pack(&matrix)?, [1, 4]);
/// assert_eq!(column.at(2).pack(&matrix)?, [3, 6]);
/// # Ok::<(), wb_comm::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    shape: Arc<LayoutShape>,
    offset: usize,
    /// The distance to the block of the next rank; `None`: the end of the shape.
    extent: Option<usize>,
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
    /// block starts where MPI's extent ends: after the last element, and after the whole array of a [`subarray`](Self::subarray).
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
        let shape = LayoutShape::new(blocks);
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

    /// The number of its elements.
    pub fn count(&self) -> usize {
        self.shape.count
    }

    /// The elements from one copy of the layout, or from the block of one rank, to the next one (`MPI_Type_get_extent`); the offset does not
    /// count.
    pub fn extent(&self) -> usize {
        self.extent.unwrap_or_else(|| self.shape.extent())
    }

    /// The extent, if it was set ([`resized`](Self::resized)).
    pub fn resized_extent(&self) -> Option<usize> {
        self.extent
    }

    /// The length that a slice needs at least; 0 for a layout without elements.
    pub fn end(&self) -> usize {
        if self.count() == 0 { 0 } else { self.offset.saturating_add(self.shape.end) }
    }

    /// Calls `each` with every block of neighbouring elements, in their order.
    pub fn for_each_block(&self, each: &mut dyn FnMut(Range<usize>)) {
        if self.count() > 0 {
            let offset = self.offset;
            self.shape.blocks().for_each(&mut |start, length| each(offset + start..offset + start + length));
        }
    }

    /// Checks that every element is inside a slice of `length` elements of `size` bytes.
    ///
    /// # Errors
    /// [`Error::Layout`] where one is not; [`Error::TooLong`] where MPI cannot count the elements, or those before a block.
    pub fn check_slice(&self, length: usize, size: usize) -> Result<()> {
        if self.end() > length {
            return Err(LayoutError::Outside { position: self.end() - 1, length }.into_error());
        }
        if self.count() == 0 { Ok(()) } else { limits::check_count(self.shape.largest_number(), size) }
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
        if self.shape.is_beside(self.offset, &other.shape, other.offset) {
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

#[cfg(test)]
mod tests;
