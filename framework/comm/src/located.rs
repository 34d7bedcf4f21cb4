//! A value with an index, for the reductions that say where an extremum is.
use std::fmt;

/// A value and an index: MPI's pair types (`MPI_2INT`, `MPI_LONG_INT`, `MPI_FLOAT_INT`, `MPI_DOUBLE_INT`). The index is often the rank.
///
/// ```
/// use wb_comm::{Located, Operation, View, ViewMut};
/// let (left, mut into) = ([Located::new(2.5, 0)], [Located::new(2.5, 3)]);
/// Operation::MaxLoc.fold(View::from_slice(&left), ViewMut::from_slice(&mut into)).unwrap();
/// assert_eq!((into[0].value, into[0].index), (2.5, 0));
/// ```
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Located<T: LocatedValue> {
    /// The value that is compared.
    pub value: T,
    /// The index of the value, such as its rank.
    pub index: i32,
    /// The bytes up to the next element.
    rest: T::Rest,
}

/// A type of values that can be [`Located`].
pub trait LocatedValue: Copy + Default + PartialOrd + fmt::Debug + Send + Sync + 'static {
    /// What fills the space between two elements, so that there is no padding.
    #[doc(hidden)]
    type Rest: Copy + Default + Send + Sync + 'static;
}

impl LocatedValue for i32 {
    type Rest = [u32; 0];
}
impl LocatedValue for f32 {
    type Rest = [u32; 0];
}
impl LocatedValue for i64 {
    type Rest = [u32; 1];
}
impl LocatedValue for f64 {
    type Rest = [u32; 1];
}

pub(crate) type LocatedI32 = Located<i32>;
pub(crate) type LocatedI64 = Located<i64>;
pub(crate) type LocatedF32 = Located<f32>;
pub(crate) type LocatedF64 = Located<f64>;

impl<T: LocatedValue> Located<T> {
    /// A value with its index.
    pub fn new(value: T, index: i32) -> Self {
        Self { value, index, rest: T::Rest::default() }
    }
}

impl<T: LocatedValue> PartialEq for Located<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.value, self.index) == (other.value, other.index)
    }
}

impl<T: LocatedValue> fmt::Debug for Located<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Located").field("value", &self.value).field("index", &self.index).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_no_padding() {
        assert_eq!((size_of::<LocatedI32>(), size_of::<LocatedF32>()), (8, 8));
        assert_eq!((size_of::<LocatedI64>(), size_of::<LocatedF64>()), (16, 16));
        assert_eq!(size_of::<f64>() + size_of::<i32>() + size_of::<<f64 as LocatedValue>::Rest>(), 16);
    }
}
