//! Views of the elements that a layout names.
#![allow(unsafe_code)]
use std::{marker::PhantomData, slice};

use crate::{Block, Datatype, Layout, Result, View, ViewMut};

/// The elements of a slice that a layout names, the type kept as data.
#[derive(Clone, Copy, Debug)]
pub struct LayoutView<'a> {
    start: *const u8,
    datatype: Datatype,
    layout: &'a Layout,
    lifetime: PhantomData<&'a [u8]>,
}

impl<'a> LayoutView<'a> {
    /// Views the elements of a slice.
    ///
    /// # Errors
    /// Those of [`Layout::check_slice`].
    pub fn new(slice: View<'a>, layout: &'a Layout) -> Result<Self> {
        let datatype = slice.datatype();
        layout.check_slice(slice.count(), datatype.size())?;
        Ok(Self { start: slice.as_ptr(), datatype, layout, lifetime: PhantomData })
    }

    /// The element type.
    pub fn datatype(self) -> Datatype {
        self.datatype
    }

    /// The layout.
    pub fn layout(self) -> &'a Layout {
        self.layout
    }

    /// The size of the elements in bytes.
    pub fn byte_count(self) -> usize {
        self.layout.count() * self.datatype.size()
    }

    /// The address of the slice. Only the elements of the layout may be read through it.
    pub fn as_ptr(self) -> *const u8 {
        self.start
    }

    /// Appends the elements as raw bytes.
    pub fn append_to(self, bytes: &mut Vec<u8>) {
        bytes.reserve(self.byte_count());
        self.for_each_block(&mut |block| bytes.extend_from_slice(block));
    }

    /// A copy of the elements, one after the other.
    pub fn to_block(self) -> Block {
        let mut copy = Block::zeroed(self.datatype, self.layout.count());
        let mut view = copy.view_mut();
        let mut rest = view.bytes();
        self.for_each_block(&mut |block| {
            let (now, later) = std::mem::take(&mut rest).split_at_mut(block.len());
            now.copy_from_slice(block);
            rest = later;
        });
        copy
    }

    /// Calls `each` with the bytes of every block of neighbouring elements, in their order.
    fn for_each_block(self, each: &mut dyn FnMut(&[u8])) {
        let size = self.datatype.size();
        self.layout.for_each_block(&mut |block| {
            // SAFETY: `new` has checked that the elements of the layout are inside the slice; no other code writes them.
            each(unsafe { slice::from_raw_parts(self.start.add(block.start * size), block.len() * size) });
        });
    }
}

/// The elements of a mutable slice that a layout names, the type kept as data. No element occurs twice.
#[derive(Debug)]
pub struct LayoutViewMut<'a> {
    start: *mut u8,
    datatype: Datatype,
    layout: &'a Layout,
    lifetime: PhantomData<&'a mut [u8]>,
}

impl<'a> LayoutViewMut<'a> {
    /// Views the elements of a slice.
    ///
    /// # Errors
    /// Those of [`Layout::check_slice`] and [`Layout::check_distinct`].
    pub fn new(mut slice: ViewMut<'a>, layout: &'a Layout) -> Result<Self> {
        let datatype = slice.as_view().datatype();
        layout.check_slice(slice.as_view().count(), datatype.size())?;
        layout.check_distinct()?;
        Ok(Self { start: slice.bytes().as_mut_ptr(), datatype, layout, lifetime: PhantomData })
    }

    /// Views two parts of one slice that share no element: one may be sent while the other is received.
    ///
    /// # Errors
    /// As [`new`](Self::new), and those of [`Layout::check_disjoint`].
    pub fn pair(slice: ViewMut<'a>, send: &'a Layout, recv: &'a Layout) -> Result<(LayoutView<'a>, Self)> {
        let (start, datatype) = (slice.as_view().as_ptr(), slice.as_view().datatype());
        send.check_slice(slice.as_view().count(), datatype.size())?;
        let recv = Self::new(slice, recv)?;
        send.check_disjoint(recv.layout)?;
        Ok((LayoutView { start, datatype, layout: send, lifetime: PhantomData }, recv))
    }

    /// The element type.
    pub fn datatype(&self) -> Datatype {
        self.datatype
    }

    /// The layout.
    pub fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// The size of the elements in bytes.
    pub fn byte_count(&self) -> usize {
        self.layout.count() * self.datatype.size()
    }

    /// The same elements, shared.
    pub fn as_view(&self) -> LayoutView<'_> {
        LayoutView { start: self.start, datatype: self.datatype, layout: self.layout, lifetime: PhantomData }
    }

    /// The address of the slice. Only the elements of the layout may be used through it.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.start
    }

    /// Copies raw bytes into the first elements. Bytes for which there is no element are left out.
    pub fn copy_from(&mut self, bytes: &[u8]) {
        let (size, start) = (self.datatype.size(), self.start);
        let mut rest = bytes;
        self.layout.for_each_block(&mut |block| {
            let (now, later) = rest.split_at(rest.len().min(block.len() * size));
            // SAFETY: `new` has checked that the elements of the layout are inside the exclusive slice; any bytes are valid
            // values (Wire's promise).
            unsafe { slice::from_raw_parts_mut(start.add(block.start * size), now.len()) }
                .copy_from_slice(now);
            rest = later;
        });
    }
}
