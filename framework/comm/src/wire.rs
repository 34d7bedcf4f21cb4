//! The types of elements: plain numbers, as typed slices whose type is known as data.
//!
//! Slices of numbers become bytes here, and numbers again. Every implementor of [`Wire`] is a number or a struct of numbers without
//! padding, for which every bit pattern is a value, so no message can become an invalid value.
#![allow(unsafe_code)]
use std::{fmt, marker::PhantomData, ptr};

use crate::{
    StructType,
    located::{LocatedF32, LocatedF64, LocatedI32, LocatedI64},
};

/// An element's type as data; only the MPI backend turns it into an `MPI_Datatype`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each is the Rust primitive of that name")]
pub enum Datatype {
    I8,
    I16,
    I32,
    I64,
    I128,
    Isize,
    U8,
    U16,
    U32,
    U64,
    U128,
    Usize,
    F32,
    F64,
    LocatedI32,
    LocatedI64,
    LocatedF32,
    LocatedF64,
    #[doc = "A struct of numbers."]
    Struct(&'static StructType),
}

impl Datatype {
    /// Whether its elements are [`Located`](crate::Located).
    #[inline]
    pub const fn is_located(self) -> bool {
        matches!(self, Self::LocatedI32 | Self::LocatedI64 | Self::LocatedF32 | Self::LocatedF64)
    }
}

impl fmt::Display for Datatype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A type whose slices can be sent.
///
/// # Safety
/// No padding, every bit pattern is a valid value, and `DATATYPE` names exactly this type: the type map of a struct has all its fields.
#[diagnostic::on_unimplemented(note = "elements are numbers, and structs of numbers that derive `Wire`")]
pub unsafe trait Wire: Copy + Default + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The type as data.
    const DATATYPE: Datatype;
}

/// A [`Wire`] type that MPI can reduce: all but the 128-bit integers.
#[diagnostic::on_unimplemented(
    message = "MPI's operations do not reduce elements of type `{Self}`",
    note = "define an operation of these elements: `Operation::user(true, |a: {Self}, b: {Self}| ...)`"
)]
pub trait Number: Wire {}

macro_rules! wires {
    ($($datatype:ident $ty:ident),* $(,)?) => {
        impl Datatype {
            /// Every type of numbers, by its number.
            pub const ALL: &[Self] = &[$(Self::$datatype),*];

            /// The position in [`ALL`](Self::ALL); `None` for a struct.
            #[inline]
            pub const fn number(self) -> Option<usize> {
                #[derive(Clone, Copy)]
                enum Number { $($datatype),* }
                match self {
                    $(Self::$datatype => Some(Number::$datatype as usize),)*
                    Self::Struct(_) => None,
                }
            }

            /// Bytes of one element.
            #[inline]
            pub const fn size(self) -> usize {
                match self {
                    $(Self::$datatype => size_of::<$ty>(),)*
                    Self::Struct(made) => made.size(),
                }
            }

            /// The alignment of an element.
            #[inline]
            pub const fn align(self) -> usize {
                match self {
                    $(Self::$datatype => align_of::<$ty>(),)*
                    Self::Struct(made) => made.align(),
                }
            }

            /// Rust's name of the type.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$datatype => stringify!($ty),)*
                    Self::Struct(made) => made.name(),
                }
            }
        }
        $(
            // SAFETY: a primitive number or a pair of them: no padding, all bit patterns valid, layout of the same name.
            unsafe impl Wire for $ty { const DATATYPE: Datatype = Datatype::$datatype; }
        )*
    };
}
wires!(I8 i8, I16 i16, I32 i32, I64 i64, I128 i128, Isize isize, U8 u8, U16 u16, U32 u32, U64 u64, U128 u128,
       Usize usize, F32 f32, F64 f64, LocatedI32 LocatedI32, LocatedI64 LocatedI64, LocatedF32 LocatedF32,
       LocatedF64 LocatedF64);

macro_rules! numbers { ($($ty:ident)*) => { $(impl Number for $ty {})* } }
numbers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 LocatedI32 LocatedI64 LocatedF32 LocatedF64);

/// The address of a slice without elements, aligned for every type.
const NO_ELEMENTS: *mut u8 = ptr::without_provenance_mut(align_of::<u128>());

/// A slice of some [`Wire`] type, the type kept as data.
#[derive(Clone, Copy)]
pub struct View<'a> {
    start: *const u8,
    count: usize,
    datatype: Datatype,
    lifetime: PhantomData<&'a [u8]>,
}

impl<'a> View<'a> {
    /// Views a typed slice.
    #[inline]
    pub fn from_slice<T: Wire>(slice: &'a [T]) -> Self {
        Self {
            start: slice.as_ptr().cast(),
            count: slice.len(),
            datatype: T::DATATYPE,
            lifetime: PhantomData,
        }
    }

    /// Views the elements at this address.
    ///
    /// # Safety
    /// `count` elements of this type must be there for as long as the view lives, and not change.
    #[inline]
    pub unsafe fn from_raw(start: *const u8, count: usize, datatype: Datatype) -> Self {
        Self { start, count, datatype, lifetime: PhantomData }
    }

    /// The address of the elements.
    #[inline]
    pub(crate) fn as_ptr(self) -> *const u8 {
        self.start
    }

    /// No elements of this type.
    #[inline]
    pub fn empty(datatype: Datatype) -> Self {
        Self { start: NO_ELEMENTS, count: 0, datatype, lifetime: PhantomData }
    }

    /// The element type.
    #[inline]
    pub fn datatype(self) -> Datatype {
        self.datatype
    }

    /// The number of elements.
    #[inline]
    pub fn count(self) -> usize {
        self.count
    }

    /// The elements as raw bytes in native order.
    #[inline]
    pub fn bytes(self) -> &'a [u8] {
        // SAFETY: made from a live slice of `count` elements of `datatype` without padding.
        unsafe { std::slice::from_raw_parts(self.start, self.count * self.datatype.size()) }
    }

    /// Elements `start .. start + count`.
    ///
    /// # Panics
    /// If some of them are out of range.
    pub fn part(self, start: usize, count: usize) -> Self {
        check_part(start, count, self.count);
        // SAFETY: in bounds by the check; a slice has at most `isize::MAX` bytes, so the product does not overflow.
        let start = unsafe { self.start.add(start * self.datatype.size()) };
        Self { start, count, ..self }
    }

    /// The typed slice again; `None` when the type is another.
    pub fn slice<T: Wire>(self) -> Option<&'a [T]> {
        // SAFETY: same layout means same type (Wire's promise), so alignment and length are those of the origin.
        (T::DATATYPE == self.datatype)
            .then(|| unsafe { std::slice::from_raw_parts(self.start.cast(), self.count) })
    }
}

/// Checks that elements `start .. start + count` are inside a view of `all`. The sum must not wrap around: memory
/// safety depends on it.
#[track_caller]
fn check_part(start: usize, count: usize, all: usize) {
    let end = start.checked_add(count);
    assert!(end.is_some_and(|end| end <= all), "part {start}+{count} of a view of {all}");
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}; {}]", self.datatype, self.count)
    }
}

/// A mutable slice of some [`Wire`] type, the type kept as data.
pub struct ViewMut<'a> {
    start: *mut u8,
    count: usize,
    datatype: Datatype,
    lifetime: PhantomData<&'a mut [u8]>,
}

impl<'a> ViewMut<'a> {
    /// Views a typed slice.
    #[inline]
    pub fn from_slice<T: Wire>(slice: &'a mut [T]) -> Self {
        Self {
            start: slice.as_mut_ptr().cast(),
            count: slice.len(),
            datatype: T::DATATYPE,
            lifetime: PhantomData,
        }
    }

    /// Views the elements at this address.
    ///
    /// # Safety
    /// `count` elements of this type must be there for as long as the view lives, and no other code may use them.
    #[inline]
    pub unsafe fn from_raw(start: *mut u8, count: usize, datatype: Datatype) -> Self {
        Self { start, count, datatype, lifetime: PhantomData }
    }

    /// No elements of this type.
    #[inline]
    pub fn empty(datatype: Datatype) -> Self {
        Self { start: NO_ELEMENTS, count: 0, datatype, lifetime: PhantomData }
    }

    /// The element type.
    #[inline]
    pub fn datatype(&self) -> Datatype {
        self.datatype
    }

    /// The number of elements.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The same slice for a shorter time.
    #[inline]
    pub fn reborrow(&mut self) -> ViewMut<'_> {
        ViewMut { lifetime: PhantomData, ..*self }
    }

    /// The same slice, shared.
    #[inline]
    pub fn as_view(&self) -> View<'_> {
        View { start: self.start, count: self.count, datatype: self.datatype, lifetime: PhantomData }
    }

    /// The same slice, shared from now on.
    pub fn into_view(self) -> View<'a> {
        View { start: self.start, count: self.count, datatype: self.datatype, lifetime: PhantomData }
    }

    /// The elements as raw bytes in native order.
    #[inline]
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: made from a live exclusive slice of `count` elements of `datatype` without padding; any bytes written
        // are valid values (Wire's promise).
        unsafe { std::slice::from_raw_parts_mut(self.start, self.count * self.datatype.size()) }
    }

    /// Elements `start .. start + count`, consuming the view.
    ///
    /// # Panics
    /// If some of them are out of range.
    pub fn part(self, start: usize, count: usize) -> ViewMut<'a> {
        check_part(start, count, self.count);
        // SAFETY: in bounds by the check; a slice has at most `isize::MAX` bytes, so the product does not overflow.
        let start = unsafe { self.start.add(start * self.datatype.size()) };
        Self { start, count, ..self }
    }

    /// Elements `0 .. middle`, and the others: one part may be sent while the other is received.
    ///
    /// # Panics
    /// If there are fewer than `middle`.
    pub fn split_at(self, middle: usize) -> (ViewMut<'a>, ViewMut<'a>) {
        assert!(middle <= self.count, "split at {middle} of a view of {}", self.count);
        // SAFETY: in bounds by the assertion, no overflow as in `part`; the two do not overlap, and the whole is gone.
        let start = unsafe { self.start.add(middle * self.datatype.size()) };
        let (count, datatype, life) = (self.count - middle, self.datatype, PhantomData);
        (ViewMut { count: middle, ..self }, ViewMut { start, count, datatype, lifetime: life })
    }

    /// The typed slice again; `None` when the type is another.
    pub fn slice<T: Wire>(self) -> Option<&'a mut [T]> {
        // SAFETY: as in View::slice, and the view was exclusive.
        (T::DATATYPE == self.datatype)
            .then(|| unsafe { std::slice::from_raw_parts_mut(self.start.cast(), self.count) })
    }
}

impl fmt::Debug for ViewMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}; {}] mut", self.datatype, self.count)
    }
}

#[cfg(test)]
mod tests;
