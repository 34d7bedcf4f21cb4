//! Reductions that a user defines (`MPI_Op_create`).
//!
//! An operation is a function without state, so that the library can call it through a plain C function.
#![allow(unsafe_code)]
use std::{
    ffi::{c_int, c_void},
    fmt,
    hash::{Hash, Hasher},
    panic::Location,
    ptr::NonNull,
};

use crate::{Datatype, SourceLocation, View, ViewMut, Wire};

/// The function that MPI calls (`MPI_User_function`): the operands, their number, and a pointer to their type, which is not used.
pub type NativeFold = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut c_void);

/// About a hundred roundings in single precision.
const ROUNDING_TOLERANCE: f64 = 1e-5;

/// A reduction operation of the user (`MPI_Op`). Two are equal if they were made in the same line for the same type.
#[derive(Clone, Copy)]
pub struct UserOperation {
    datatype: Datatype,
    is_commutative: bool,
    /// The functions; `None` if another process has made the operation.
    functions: Option<&'static Functions>,
    made: SourceLocation,
}

/// The code of an operation `f`.
struct Functions {
    /// `into[i] = f(left[i], into[i])`.
    fold: fn(View<'_>, ViewMut<'_>),
    /// Whether `f(f(l, l), r) == f(l, f(l, r))` and `f(f(l, r), r) == f(l, f(r, r))` for the first elements, apart from rounding.
    associates: fn(View<'_>, View<'_>) -> bool,
    native: NativeFold,
}

impl UserOperation {
    /// An operation of elements `T` (`MPI_Op_create`). It must be associative: `f(f(a, b), c)` is `f(a, f(b, c))`. If it is commutative, too,
    /// say so: the library may then exchange ranks.
    ///
    /// ```
    /// use wb_comm::UserOperation;
    /// // Composes x -> a x + b, written as a << 32 | b.
    /// let compose = UserOperation::new(false, |f: u64, g: u64| {
    ///     let ([a, b], [c, d]) = ([f >> 32, f & 0xffff_ffff], [g >> 32, g & 0xffff_ffff]);
    ///     ((a * c) & 0xffff_ffff) << 32 | (c * b + d) & 0xffff_ffff
    /// });
    /// assert!(!compose.is_commutative());
    /// ```
    ///
    /// A function that captures variables does not compile: the library passes none.
    ///
    /// ```compile_fail
    /// let modulus = 7_u64;
    /// wb_comm::UserOperation::new(true, move |a: u64, b: u64| (a + b) % modulus);
    /// ```
    #[track_caller]
    pub fn new<T: Wire, F: Fn(T, T) -> T + Copy + 'static>(is_commutative: bool, function: F) -> Self {
        const {
            assert!(size_of::<F>() == 0, "a reduction captures no variables: MPI passes it none");
        }
        let _: F = function;
        let functions = const {
            &Functions { fold: fold::<T, F>, associates: associates::<T, F>, native: native::<T, F> }
        };
        Self {
            datatype: T::DATATYPE,
            is_commutative,
            functions: Some(functions),
            made: SourceLocation::native(Location::caller()),
        }
    }

    /// An operation that another process has made in this line: it can be compared, and not executed.
    pub fn recorded(datatype: Datatype, is_commutative: bool, made: SourceLocation) -> Self {
        Self { datatype, is_commutative, functions: None, made }
    }

    /// The type of its elements.
    pub fn datatype(self) -> Datatype {
        self.datatype
    }

    /// Whether ranks may be exchanged.
    pub fn is_commutative(self) -> bool {
        self.is_commutative
    }

    /// The line that made it.
    pub fn made(self) -> SourceLocation {
        self.made
    }

    /// The function for the library.
    ///
    /// # Panics
    /// If it was [recorded](Self::recorded).
    pub fn native(self) -> NativeFold {
        self.functions.expect("only an operation of this process is executed").native
    }

    /// See [`Operation::fold`](crate::Operation::fold).
    pub(super) fn fold(self, left: View<'_>, into: ViewMut<'_>) {
        if let Some(functions) = self.functions {
            (functions.fold)(left, into);
        }
    }

    /// Whether the first elements do not show that it is not associative.
    pub(super) fn associates(self, left: View<'_>, right: View<'_>) -> bool {
        self.functions.is_none_or(|functions| (functions.associates)(left, right))
    }
}

/// The function of this type.
fn function<F: Copy + 'static>() -> F {
    const { assert!(size_of::<F>() == 0) };
    // SAFETY: `UserOperation::new` was given a value of this type, which has no bytes and may be copied.
    unsafe { NonNull::<F>::dangling().read() }
}

fn fold<T: Wire, F: Fn(T, T) -> T + Copy + 'static>(left: View<'_>, into: ViewMut<'_>) {
    super::each(left, into, function::<F>());
}

fn associates<T: Wire, F: Fn(T, T) -> T + Copy + 'static>(left: View<'_>, right: View<'_>) -> bool {
    let f = function::<F>();
    let (Some([l, ..]), Some([r, ..])) = (left.slice::<T>(), right.slice::<T>()) else { return true };
    let (l, r) = (*l, *r);
    let agree = |one: T, other: T| one == other || is_rounding(&one, &other);
    agree(f(f(l, l), r), f(l, f(l, r))) && agree(f(f(l, r), r), f(l, f(r, r)))
}

/// Whether two values differ in floating-point numbers only, and little. Values are compared as their `Debug` texts show them: their numbers in
/// order, and everything between.
fn is_rounding(one: &impl fmt::Debug, other: &impl fmt::Debug) -> bool {
    let (one, other) = (format!("{one:?}"), format!("{other:?}"));
    let is_of_number = |c: char| c.is_ascii_alphanumeric() || ['.', '-', '+'].contains(&c);
    let words = |text: &str| text.split(|c: char| !is_of_number(c)).map(str::to_owned).collect::<Vec<_>>();
    let (one, other) = (words(&one), words(&other));
    let close = |(one, other): (&String, &String)| {
        let is_float = |text: &str| text.contains(['.', 'e', 'N', 'i']);
        let numbers = one.parse::<f64>().ok().zip(other.parse::<f64>().ok());
        let near = |(a, b): (f64, f64)| (a - b).abs() <= ROUNDING_TOLERANCE * a.abs().max(b.abs());
        one == other || is_float(one) && is_float(other) && numbers.is_some_and(near)
    };
    one.len() == other.len() && one.iter().zip(&other).all(close)
}

/// What the library calls.
///
/// # Safety
/// Both pointers are to `length` elements of `T`, which no other code uses meanwhile.
unsafe extern "C" fn native<T: Wire, F: Fn(T, T) -> T + Copy + 'static>(
    left: *mut c_void,
    into: *mut c_void,
    length: *mut c_int,
    _: *mut c_void,
) {
    let f = function::<F>();
    // SAFETY: the caller's promise.
    let length = usize::try_from(unsafe { *length }).unwrap_or(0);
    let (left, into) = (left.cast::<T>(), into.cast::<T>());
    for at in 0..length {
        // SAFETY: the caller's promise. A library may pass buffers that are not aligned.
        unsafe {
            let combined = f(left.add(at).read_unaligned(), into.add(at).read_unaligned());
            into.add(at).write_unaligned(combined);
        }
    }
}

impl PartialEq for UserOperation {
    fn eq(&self, other: &Self) -> bool {
        let identity = |it: &Self| (it.datatype, it.is_commutative, it.made.file(), it.made.line());
        identity(self) == identity(other)
    }
}

impl Eq for UserOperation {}

impl Hash for UserOperation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.datatype, self.is_commutative, self.made.file(), self.made.line()).hash(state);
    }
}

impl fmt::Debug for UserOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for UserOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.made.file(), self.made.line())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn associates_for<T: Wire, F: Fn(T, T) -> T + Copy + 'static>(f: F, l: T, r: T) -> bool {
        UserOperation::new(true, f).associates(View::from_slice(&[l]), View::from_slice(&[r]))
    }

    #[test]
    fn operations_that_are_not_associative_are_found() {
        assert!(!associates_for(|a: i64, b: i64| a - b, 5, 5));
        assert!(!associates_for(|a: f64, b: f64| (a + b) / 2.0, 1.0, 2.0));
        assert!(!associates_for(|a: u32, b: u32| (a + b) / 2, 1, 5));
        assert!(!associates_for(|a: i64, b: i64| a * a + b, 1, 0), "only the first law shows it");
        assert!(!associates_for(|a: i64, b: i64| a + b * b, 0, 1), "only the second law shows it");
    }

    #[test]
    fn associative_operations_are_not_accused_of_rounding() {
        assert!(associates_for(|a: f64, b: f64| a + b, 0.1, 0.7));
        assert!(associates_for(|a: f32, b: f32| a * b, 1.1e-3, 7.3));
        assert!(associates_for(|a: i64, b: i64| a.max(b), 3, 4));
        assert!(associates_for(|a: f64, _: f64| a, f64::NAN, 1.0));
    }

    #[test]
    fn the_native_function_combines_as_the_fold_does() {
        let operation = UserOperation::new(false, |a: i32, b: i32| 10 * a + b);
        let (mut left, mut into, mut also, mut length) = ([1, 2], [3, 4], [3, 4], 2);
        operation.fold(View::from_slice(&left), ViewMut::from_slice(&mut into));
        // SAFETY: two arrays of two elements.
        unsafe {
            let (left, also) = (left.as_mut_ptr().cast(), also.as_mut_ptr().cast());
            operation.native()(left, also, &mut length, std::ptr::null_mut());
        }
        assert_eq!((into, also), ([13, 24], [13, 24]));
    }
}
