//! Owned buffers of elements whose type is known as data.
//!
//! A block is a vector without its type parameter: to make one allocates nothing, since a request makes two.
#![allow(unsafe_code)]
use std::{
    alloc::{self, Layout},
    fmt,
    mem::ManuallyDrop,
    ptr::NonNull,
};

use crate::{Datatype, View, ViewMut, Wire};

/// An owned buffer of some [`Wire`] type, for operations that outlive the call that posts them.
///
/// ```
/// # use wb_comm::Block;
/// let block = Block::from_vec(vec![1.5, 2.5]);
/// assert_eq!(block.view().count(), 2);
/// assert_eq!(block.into_vec::<f64>(), Some(vec![1.5, 2.5]));
/// ```
pub struct Block {
    /// The start of a vector of this type, count and capacity.
    start: NonNull<u8>,
    count: usize,
    capacity: usize,
    datatype: Datatype,
}

// SAFETY: it owns its elements, which are numbers.
unsafe impl Send for Block {}

impl Block {
    /// Takes a vector without copying its elements.
    #[inline]
    pub fn from_vec<T: Wire>(data: Vec<T>) -> Self {
        let mut data = ManuallyDrop::new(data);
        let start = NonNull::from(data.as_mut_slice()).cast();
        Self { start, count: data.len(), capacity: data.capacity(), datatype: T::DATATYPE }
    }

    /// `count` zeros of a type known only as data: a buffer for an algorithm that does not know the type.
    ///
    /// # Panics
    /// If no memory can hold `count` elements.
    pub fn zeroed(datatype: Datatype, count: usize) -> Self {
        let layout = memory(datatype, count);
        let start = match layout.size() {
            0 => NonNull::new(View::empty(datatype).as_ptr().cast_mut()),
            // SAFETY: the size is not zero.
            _ => NonNull::new(unsafe { alloc::alloc_zeroed(layout) }),
        };
        let start = start.unwrap_or_else(|| alloc::handle_alloc_error(layout));
        Self { start, count, capacity: count, datatype }
    }

    /// A copy of these elements.
    pub fn copy_of(data: View<'_>) -> Self {
        let mut copy = Self::zeroed(data.datatype(), data.count());
        copy.view_mut().bytes().copy_from_slice(data.bytes());
        copy
    }

    /// A view of the elements.
    #[inline]
    pub fn view(&self) -> View<'_> {
        // SAFETY: the block owns `count` elements of this type and lends them for as long as the view lives.
        unsafe { View::from_raw(self.start.as_ptr(), self.count, self.datatype) }
    }

    /// A mutable view of the elements. They never move in memory while the block lives.
    #[inline]
    pub fn view_mut(&mut self) -> ViewMut<'_> {
        // SAFETY: as in `view`, and the borrow is exclusive.
        unsafe { ViewMut::from_raw(self.start.as_ptr(), self.count, self.datatype) }
    }

    /// The vector again, without copying; `None` when the type is another.
    #[inline]
    pub fn into_vec<T: Wire>(self) -> Option<Vec<T>> {
        if T::DATATYPE != self.datatype {
            return None;
        }
        let block = ManuallyDrop::new(self);
        // SAFETY: memory of a vector of this type, count and capacity (same datatype means same type: Wire's promise), which the block
        // does not free.
        Some(unsafe { Vec::from_raw_parts(block.start.as_ptr().cast(), block.count, block.capacity) })
    }
}

/// The memory of a vector of this capacity.
fn memory(datatype: Datatype, capacity: usize) -> Layout {
    let bytes = capacity.checked_mul(datatype.size());
    let layout = bytes.and_then(|bytes| Layout::from_size_align(bytes, datatype.align()).ok());
    layout.expect("a buffer is not larger than the memory")
}

impl Drop for Block {
    #[inline]
    fn drop(&mut self) {
        if self.capacity == 0 {
            return;
        }
        let layout = memory(self.datatype, self.capacity);
        if layout.size() > 0 {
            // SAFETY: memory of a vector of this capacity, which the global allocator has given with this layout.
            unsafe { alloc::dealloc(self.start.as_ptr(), layout) };
        }
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_keeps_its_memory_through_a_block() {
        let mut data: Vec<u16> = Vec::with_capacity(9);
        data.extend([1, 2, 3]);
        let (start, capacity) = (data.as_ptr(), data.capacity());
        let mut block = Block::from_vec(data);
        block.view_mut().slice::<u16>().expect("its type")[2] = 7;
        let data: Vec<u16> = block.into_vec().expect("its type");
        assert_eq!((data.as_ptr(), data.capacity(), &data[..]), (start, capacity, &[1, 2, 7][..]));
    }

    #[test]
    fn a_block_of_another_type_or_without_elements_is_freed_as_it_was_made() {
        assert_eq!(Block::from_vec(vec![1_i64]).into_vec::<u64>(), None);
        assert_eq!(Block::from_vec(Vec::<i128>::new()).into_vec::<i128>(), Some(vec![]));
        for &datatype in Datatype::ALL {
            drop(Block::zeroed(datatype, 0));
            let block = Block::zeroed(datatype, 3);
            assert!(block.view().bytes().iter().all(|byte| *byte == 0), "{block:?}");
        }
    }

    #[test]
    #[should_panic(expected = "larger than the memory")]
    fn a_block_that_no_memory_can_hold_is_refused() {
        Block::zeroed(Datatype::F64, usize::MAX / 4);
    }
}
