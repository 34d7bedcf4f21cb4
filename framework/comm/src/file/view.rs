//! A view of a file: which of its bytes a rank sees, and as elements of which type.
use std::{iter, ops::Range};

use crate::{Blocks, Datatype, FileError, Layout, Result};

/// The largest offset of MPI (`MPI_Offset` has 64 bits with a sign).
const MAX_OFFSET: u128 = i64::MAX as u128;

/// The part of a file that a rank sees: from `displacement` on, the elements that copies of a layout name, one copy after the other
/// (`MPI_File_set_view`; the layout is MPI's filetype).
///
/// ```
/// # fn main() -> wb_comm::Result<()> {
/// use wb_comm::{Datatype, FileView, Layout};
/// // Column 1 of a matrix of 2 rows and 3 columns, by rows, behind a header of 16 bytes.
/// let column = FileView::new(16, Datatype::F64, &Layout::vector(2, 1, 3).at(1))?;
/// assert_eq!(column.blocks(0, 2)?, [24..32, 48..56]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FileView {
    displacement: u64,
    datatype: Datatype,
    layout: Layout,
}

impl Default for FileView {
    /// All bytes: the view of a file that was just opened.
    fn default() -> Self {
        Self { displacement: 0, datatype: Datatype::U8, layout: Layout::contiguous(1) }
    }
}

impl FileView {
    /// The elements of type `datatype` that copies of `layout` name, from byte `displacement` on.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File) if the positions of the layout do not rise, or the next copy starts before the end of one.
    pub fn new(displacement: u64, datatype: Datatype, layout: &Layout) -> Result<Self> {
        layout.check_slice(usize::MAX, datatype.size())?;
        let (mut first, mut before, mut falls) = (None, 0, None);
        layout.for_each_block(&mut |block| {
            if !block.is_empty() {
                falls = falls.or((block.start < before).then_some((block.start, before)));
                first = first.or(Some(block.start));
                before = block.end;
            }
        });
        let next_copy = first.map_or(before, |first| first.saturating_add(layout.extent()));
        match falls.or((next_copy < before).then_some((next_copy, before))) {
            Some((position, end)) => Err(FileError::FallingView { position, last: end - 1 }.into_error()),
            None => Ok(Self { displacement, datatype, layout: layout.clone() }),
        }
    }

    /// The bytes before the first copy of the layout.
    pub fn displacement(&self) -> u64 {
        self.displacement
    }

    /// The type of the elements (MPI's etype).
    pub fn datatype(&self) -> Datatype {
        self.datatype
    }

    /// The layout of one copy.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Whether it is a view of bytes. Calls may read and write elements of every type through it.
    pub fn is_of_bytes(&self) -> bool {
        self.datatype == Datatype::U8
    }

    /// Checks that a call may read or write elements of `given`.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File) for another type than the view's, unless that is one of bytes.
    pub fn check_datatype(&self, given: Datatype) -> Result<()> {
        if given == self.datatype || self.is_of_bytes() {
            return Ok(());
        }
        Err(FileError::ElementType { given, view: self.datatype }.into_error())
    }

    /// The bytes of `count` elements of the view from `offset` on, as blocks of neighbouring bytes in rising order.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File) for elements of a view that has none, or beyond the largest offset.
    pub fn blocks(&self, offset: u64, count: u64) -> Result<Vec<Range<u64>>> {
        if count == 0 {
            return Ok(vec![]);
        }
        let per_copy = self.layout.count() as u64;
        if per_copy == 0 {
            return Err(FileError::EmptyView { count }.into_error());
        }
        let (size, extent) = (self.datatype.size() as u64, self.layout.extent() as u64);
        let last_copy = u128::from(offset).saturating_add(u128::from(count) - 1) / u128::from(per_copy);
        let elements = last_copy.saturating_mul(u128::from(extent)).saturating_add(self.layout.end() as u128);
        let end = elements.saturating_mul(u128::from(size)).saturating_add(u128::from(self.displacement));
        if end > MAX_OFFSET {
            return Err(FileError::Offset { offset, count }.into_error());
        }
        if let Blocks::Contiguous { .. } = self.layout.shape().blocks()
            && extent == per_copy
        {
            let start = self.displacement + (self.layout.offset() as u64 + offset) * size;
            return Ok(iter::once(start..start + count * size).collect());
        }
        let (mut blocks, mut skipped, mut left) = (Vec::<Range<u64>>::new(), offset % per_copy, count);
        let mut copy = offset / per_copy;
        while left > 0 {
            let base = self.displacement + copy * extent * size;
            self.layout.for_each_block(&mut |block| {
                let skip = skipped.min(block.len() as u64);
                let taken = left.min(block.len() as u64 - skip);
                (skipped, left) = (skipped - skip, left - taken);
                let start = base + (block.start as u64 + skip) * size;
                match blocks.last_mut() {
                    Some(last) if last.end == start => last.end += taken * size,
                    _ if taken > 0 => blocks.push(start..start + taken * size),
                    _ => {}
                }
            });
            copy += 1;
        }
        Ok(blocks)
    }

    /// The number of the view's elements that are in a file of `bytes` bytes.
    pub fn elements_in(&self, bytes: u64) -> u64 {
        let per_copy = self.layout.count() as u64;
        if per_copy == 0 {
            return 0;
        }
        let positions = bytes.saturating_sub(self.displacement) / self.datatype.size() as u64;
        let (end, extent) = (self.layout.end() as u64, self.layout.extent() as u64);
        let copies = if positions >= end { (positions - end) / extent + 1 } else { 0 };
        let (rest, mut of_next) = (positions.saturating_sub(copies * extent), 0);
        self.layout.for_each_block(&mut |block| {
            of_next += (block.end as u64).min(rest).saturating_sub(block.start as u64);
        });
        copies * per_copy + of_next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    fn views() -> Vec<FileView> {
        let layouts = [
            Layout::contiguous(1),
            Layout::contiguous(3).at(2),
            Layout::contiguous(3).resized(4).at(2),
            Layout::vector(2, 1, 3).resized(6).at(2),
            Layout::vector(3, 2, 5).at(1),
            Layout::indexed(&[1, 0, 2], &[2, 9, 5]).expect("as many"),
            Layout::subarray(&[3, 4], &[2, 2], &[1, 1]).expect("inside"),
        ];
        layouts.iter().map(|layout| FileView::new(3, Datatype::I16, layout).expect("rising")).collect()
    }

    /// The byte at which element `index` of a view starts, from the definition.
    fn start(view: &FileView, index: u64) -> u64 {
        let mut positions = vec![];
        view.layout.for_each_block(&mut |block| positions.extend(block));
        let (copy, within) = (index / positions.len() as u64, index as usize % positions.len());
        3 + 2 * (copy * view.layout.extent() as u64 + positions[within] as u64)
    }

    #[test]
    fn blocks_are_the_elements_one_by_one() {
        for view in views() {
            for offset in 0..9 {
                for count in 0..12 {
                    let blocks = view.blocks(offset, count).expect("small");
                    let bytes: Vec<u64> = blocks.iter().cloned().flatten().collect();
                    let each = (offset..offset + count).map(|index| start(&view, index));
                    assert_eq!(
                        bytes,
                        each.flat_map(|start| [start, start + 1]).collect::<Vec<_>>(),
                        "{view:?}"
                    );
                    assert!(blocks.windows(2).all(|pair| pair[0].end < pair[1].start), "{blocks:?}");
                }
            }
        }
    }

    #[test]
    fn an_element_is_in_a_file_that_has_all_its_bytes() {
        for view in views() {
            for bytes in 0..120 {
                let inside = (0..).take_while(|index| start(&view, *index) + 2 <= bytes).count();
                assert_eq!(view.elements_in(bytes), inside as u64, "{bytes} bytes, {view:?}");
            }
        }
    }

    #[test]
    fn the_extent_is_that_of_mpi() {
        let extents: Vec<_> = views().iter().map(|view| view.layout.extent()).collect();
        assert_eq!(extents, [1, 3, 4, 6, 12, 5, 12]);
    }

    #[test]
    fn positions_rise_and_offsets_have_a_limit() {
        for layout in [
            Layout::indexed(&[1, 1], &[4, 2]).expect("as many"),
            Layout::indexed(&[2, 1], &[0, 1]).expect("as many"),
            Layout::vector(2, 3, 2),
            Layout::vector(3, 1, 2).resized(1),
        ] {
            assert!(matches!(FileView::new(0, Datatype::U8, &layout), Err(Error::File(_))), "{layout:?}");
        }
        let view = FileView::new(8, Datatype::F64, &Layout::contiguous(1)).expect("rising");
        for (offset, count) in [(u64::MAX, 1), (u64::MAX, u64::MAX), (i64::MAX as u64 / 8, 1)] {
            assert!(view.blocks(offset, count).is_err(), "{offset} {count}");
        }
        assert!(view.blocks(i64::MAX as u64 / 8 - 2, 1).is_ok());
        let empty = FileView::new(0, Datatype::F64, &Layout::contiguous(0)).expect("rising");
        assert!(empty.blocks(5, 0).is_ok() && empty.blocks(0, 1).is_err());
        assert_eq!(empty.elements_in(100), 0);
    }
}
