//! Owned buffers of elements whose type is known as data.
use std::{any::Any, fmt};

use crate::{Datatype, View, ViewMut, Wire};

/// An owned buffer of some [`Wire`] type, for operations that outlive the call that posts them.
///
/// ```
/// # use wb_comm::Block;
/// let block = Block::from_vec(vec![1.5, 2.5]);
/// assert_eq!(block.view().count(), 2);
/// assert_eq!(block.into_vec::<f64>(), Some(vec![1.5, 2.5]));
/// ```
#[derive(Debug)]
pub struct Block(Box<dyn Erased>);

/// A vector of some [`Wire`] type.
pub(crate) trait Erased: Any + Send + fmt::Debug {
    fn view(&self) -> View<'_>;
    fn view_mut(&mut self) -> ViewMut<'_>;
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl<T: Wire> Erased for Vec<T> {
    fn view(&self) -> View<'_> {
        View::from_slice(self)
    }
    fn view_mut(&mut self) -> ViewMut<'_> {
        ViewMut::from_slice(self)
    }
    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

impl Block {
    /// Takes a vector without copying its elements.
    pub fn from_vec<T: Wire>(data: Vec<T>) -> Self {
        Self(Box::new(data))
    }

    /// `count` zeros of a type known only as data: a buffer for an algorithm that does not know the type.
    pub fn zeroed(layout: Datatype, count: usize) -> Self {
        Self(layout.zeros(count))
    }

    /// A copy of these elements.
    pub fn copy_of(data: View<'_>) -> Self {
        let mut copy = Self::zeroed(data.datatype(), data.count());
        copy.view_mut().bytes().copy_from_slice(data.bytes());
        copy
    }

    /// A view of the elements.
    pub fn view(&self) -> View<'_> {
        self.0.view()
    }

    /// A mutable view of the elements. They never move in memory while the block lives.
    pub fn view_mut(&mut self) -> ViewMut<'_> {
        self.0.view_mut()
    }

    /// The vector again, without copying; `None` when the type is another.
    pub fn into_vec<T: Wire>(self) -> Option<Vec<T>> {
        self.0.into_any().downcast().ok().map(|vec| *vec)
    }
}
