//! The reductions of collective operations and of windows.
use std::fmt;

use crate::{Datatype, Error, Located, LocatedValue, Number, Result, View, ViewMut, Wire};

mod user;

pub use user::{NativeFold, UserOperation};

/// A reduction: one of MPI's, or a [user's](UserOperation). Integer sums and products wrap; `Min` and `Max` of floats follow `f64::min`. The
/// logical ones take 0 for false and everything else for true; their results are 0 and 1. `MinLoc` and `MaxLoc` are for
/// [`Located`] values; of equal values the smaller index is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is MPI's own operation")]
pub enum Operation {
    Sum,
    Prod,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
    LogicalAnd,
    LogicalOr,
    LogicalXor,
    MinLoc,
    MaxLoc,
    User(UserOperation),
}

impl Operation {
    /// MPI's operations, for tests that cover all of them.
    pub const ALL: [Self; 12] = [
        Self::Sum,
        Self::Prod,
        Self::Min,
        Self::Max,
        Self::BitAnd,
        Self::BitOr,
        Self::BitXor,
        Self::LogicalAnd,
        Self::LogicalOr,
        Self::LogicalXor,
        Self::MinLoc,
        Self::MaxLoc,
    ];

    /// A user's reduction of elements `T`: see [`UserOperation::new`].
    #[track_caller]
    pub fn user<T: Wire, F: Fn(T, T) -> T + Copy + 'static>(
        is_commutative: bool,
        function: F,
    ) -> UserOperation {
        UserOperation::new(is_commutative, function)
    }

    /// Whether the operation is defined for elements of `datatype`. Bitwise and logical ones are for integers only, `MinLoc` and `MaxLoc` for
    /// located values only, none of MPI's is for 128 bits or for structs.
    pub fn is_defined_for(self, datatype: Datatype) -> bool {
        let wide = matches!(datatype, Datatype::I128 | Datatype::U128);
        let float = matches!(datatype, Datatype::F32 | Datatype::F64);
        let single = !wide && !datatype.is_located() && !matches!(datatype, Datatype::Struct(_));
        match self {
            Self::User(operation) => operation.datatype() == datatype,
            Self::MinLoc | Self::MaxLoc => datatype.is_located(),
            Self::Sum | Self::Prod | Self::Min | Self::Max => single,
            Self::BitAnd
            | Self::BitOr
            | Self::BitXor
            | Self::LogicalAnd
            | Self::LogicalOr
            | Self::LogicalXor => single && !float,
        }
    }

    /// Whether ranks may be exchanged; a user's operation that is not commutative keeps the order of ranks.
    pub fn is_commutative(self) -> bool {
        !matches!(self, Self::User(operation) if !operation.is_commutative())
    }

    /// `into[i] = left[i] (op) into[i]` for all elements, where `left` comes from the lower ranks.
    ///
    /// # Errors
    /// [`Error::NotAssociative`] if the first two elements show that a user's operation is not associative.
    ///
    /// # Panics
    /// If the views differ in datatype or length, or the operation is not defined for the datatype: the caller checks.
    pub fn fold(self, left: View<'_>, into: ViewMut<'_>) -> Result<()> {
        assert!(self.is_defined_for(into.datatype()), "{self} is not defined for {}", into.datatype());
        match self {
            Self::User(operation) if !operation.associates(left, into.as_view()) => {
                Err(Error::NotAssociative { operation })
            }
            Self::User(operation) => {
                operation.fold(left, into);
                Ok(())
            }
            predefined => {
                fold(predefined, left, into);
                Ok(())
            }
        }
    }
}

/// What reduces elements `T`: one of MPI's operations if they are numbers, a user's for all elements.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not reduce elements of type `{T}`",
    label = "MPI's operations reduce numbers",
    note = "define an operation of these elements: `Operation::user(true, |a: {T}, b: {T}| ...)`"
)]
pub trait Reduces<T> {
    /// The operation.
    fn into_operation(self) -> Operation;
}

impl<T: Number> Reduces<T> for Operation {
    fn into_operation(self) -> Operation {
        self
    }
}

impl<T: Wire> Reduces<T> for UserOperation {
    fn into_operation(self) -> Operation {
        Operation::User(self)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sum => "sum",
            Self::Prod => "prod",
            Self::Min => "min",
            Self::Max => "max",
            Self::BitAnd => "band",
            Self::BitOr => "bor",
            Self::BitXor => "bxor",
            Self::LogicalAnd => "land",
            Self::LogicalOr => "lor",
            Self::LogicalXor => "lxor",
            Self::MinLoc => "minloc",
            Self::MaxLoc => "maxloc",
            Self::User(operation) => return operation.fmt(f),
        })
    }
}

/// See [`Operation::fold`].
fn fold(operation: Operation, left: View<'_>, into: ViewMut<'_>) {
    macro_rules! dispatch {
        (ints: $($int:ident $i:ident),*; floats: $($float:ident $f:ident),*; located: $($pair:ident $l:ident),*) => {
            match into.datatype() {
                $(Datatype::$int => each::<$i>(left, into, |a, b| match operation {
                    Operation::Sum => a.wrapping_add(b),
                    Operation::Prod => a.wrapping_mul(b),
                    Operation::Min => a.min(b),
                    Operation::Max => a.max(b),
                    Operation::BitAnd => a & b,
                    Operation::BitOr => a | b,
                    Operation::BitXor => a ^ b,
                    Operation::LogicalAnd => $i::from(a != 0 && b != 0),
                    Operation::LogicalOr => $i::from(a != 0 || b != 0),
                    Operation::LogicalXor => $i::from((a != 0) != (b != 0)),
                    _ => unreachable!("{operation} of integers: refused by Operation::is_defined_for"),
                }),)*
                $(Datatype::$float => each::<$f>(left, into, |a, b| match operation {
                    Operation::Sum => a + b,
                    Operation::Prod => a * b,
                    Operation::Min => a.min(b),
                    Operation::Max => a.max(b),
                    _ => unreachable!("{operation} of floats: refused by Operation::is_defined_for"),
                }),)*
                $(Datatype::$pair => each::<Located<$l>>(left, into, |a, b| match operation {
                    Operation::MinLoc => first_of(a, b, a.value < b.value, b.value < a.value),
                    _ => first_of(a, b, a.value > b.value, b.value > a.value),
                }),)*
                other => unreachable!("{other}: refused by Operation::is_defined_for"),
            }
        };
    }
    dispatch!(ints: I8 i8, I16 i16, I32 i32, I64 i64, Isize isize, U8 u8, U16 u16, U32 u32, U64 u64, Usize usize;
              floats: F32 f32, F64 f64;
              located: LocatedI32 i32, LocatedI64 i64, LocatedF32 f32, LocatedF64 f64);
}

/// Combines all elements.
fn each<T: Wire>(left: View<'_>, into: ViewMut<'_>, combine: impl Fn(T, T) -> T) {
    let left = left.slice::<T>().expect("both sides of a reduction have one type");
    let into = into.slice::<T>().expect("dispatched on this type");
    assert_eq!(left.len(), into.len(), "both sides of a reduction have one length");
    for (right, left) in into.iter_mut().zip(left) {
        *right = combine(*left, *right);
    }
}

/// The value that wins; of two that do not, the one with the smaller index.
fn first_of<T: LocatedValue>(a: Located<T>, b: Located<T>, a_wins: bool, b_wins: bool) -> Located<T> {
    match (a_wins, b_wins) {
        (true, _) => a,
        (_, true) => b,
        _ if a.index <= b.index => a,
        _ => b,
    }
}
