//! Sample values of every layout.
use wb_comm::{Number, Wire};

/// A type with a conversion from small numbers.
pub(crate) trait TestValue: Wire {
    /// The number as this type; small enough for all of them.
    fn from_number(number: usize) -> Self;
}

macro_rules! samples { ($($ty:ident)*) => { $(impl TestValue for $ty {
    fn from_number(number: usize) -> Self { (number % 100) as $ty }
})* } }
samples!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);

/// `count` values that depend on `seed`.
pub(crate) fn values<T: TestValue>(seed: usize, count: usize) -> Vec<T> {
    (0..count).map(|n| T::from_number(seed * 7 + n)).collect()
}

/// Runs a generic function for all 14 layouts.
macro_rules! for_every_layout {
    ($check:ident($($argument:expr),*)) => {
        $crate::sample::for_types!($check($($argument),*): i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64)
    };
}

/// Runs a generic function for the 12 layouts that MPI reduces.
macro_rules! for_every_number {
    ($check:ident($($argument:expr),*)) => {
        $crate::sample::for_types!($check($($argument),*): i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64)
    };
}

macro_rules! for_types {
    ($check:ident $arguments:tt: $($ty:ident)*) => { $($crate::sample::call!($check::<$ty> $arguments);)* };
}

macro_rules! call {
    ($check:ident::<$ty:ident> ($($argument:expr),*)) => { $check::<$ty>($($argument),*) };
}

pub(crate) use {call, for_every_layout, for_every_number, for_types};

/// A [`TestValue`] that can be reduced.
pub(crate) trait ReducibleValue: TestValue + Number {}
impl<T: TestValue + Number> ReducibleValue for T {}
