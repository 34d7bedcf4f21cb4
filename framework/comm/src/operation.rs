//! The reductions of collective operations and of windows.
use std::fmt;

use crate::{Datatype, View, ViewMut, Wire};

/// MPI's predefined reductions. Integer sums and products wrap; `Min` and `Max` of floats follow `f64::min`.
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
}

impl Operation {
    /// Every operation, for tests that cover all of them.
    pub const ALL: [Self; 7] =
        [Self::Sum, Self::Prod, Self::Min, Self::Max, Self::BitAnd, Self::BitOr, Self::BitXor];

    /// Whether the operation is defined for elements of `layout`. Bitwise ones are for integers only, none is for 128
    /// bits.
    pub fn is_defined_for(self, layout: Datatype) -> bool {
        let wide = matches!(layout, Datatype::I128 | Datatype::U128);
        let float = matches!(layout, Datatype::F32 | Datatype::F64);
        let bitwise = matches!(self, Self::BitAnd | Self::BitOr | Self::BitXor);
        !(wide || float && bitwise)
    }

    /// `into[i] = left[i] (op) into[i]` for all elements, where `left` comes from the lower ranks.
    ///
    /// # Panics
    /// If the views differ in layout or length, or the operation is not defined for the layout: the caller checks.
    pub fn fold(self, left: View<'_>, into: ViewMut<'_>) {
        assert!(self.is_defined_for(into.datatype()), "{self} is not defined for {}", into.datatype());
        fold(self, left, into);
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
        })
    }
}

/// See [`Operation::fold`].
fn fold(operation: Operation, left: View<'_>, into: ViewMut<'_>) {
    macro_rules! dispatch {
        (ints: $($int:ident $i:ident),*; floats: $($float:ident $f:ident),*) => {
            match into.datatype() {
                $(Datatype::$int => each::<$i>(left, into, |a, b| match operation {
                    Operation::Sum => a.wrapping_add(b),
                    Operation::Prod => a.wrapping_mul(b),
                    Operation::Min => a.min(b),
                    Operation::Max => a.max(b),
                    Operation::BitAnd => a & b,
                    Operation::BitOr => a | b,
                    Operation::BitXor => a ^ b,
                }),)*
                $(Datatype::$float => each::<$f>(left, into, |a, b| match operation {
                    Operation::Sum => a + b,
                    Operation::Prod => a * b,
                    Operation::Min => a.min(b),
                    Operation::Max => a.max(b),
                    _ => unreachable!("{operation} of floats: refused by Operation::admits"),
                }),)*
                Datatype::I128 | Datatype::U128 => unreachable!("refused by Operation::admits"),
            }
        };
    }
    fn each<T: Wire>(left: View<'_>, into: ViewMut<'_>, combine: impl Fn(T, T) -> T) {
        let left = left.slice::<T>().expect("both sides of a reduction have one type");
        let into = into.slice::<T>().expect("dispatched on this type");
        assert_eq!(left.len(), into.len(), "both sides of a reduction have one length");
        for (right, left) in into.iter_mut().zip(left) {
            *right = combine(*left, *right);
        }
    }
    dispatch!(ints: I8 i8, I16 i16, I32 i32, I64 i64, Isize isize, U8 u8, U16 u16, U32 u32, U64 u64, Usize usize;
              floats: F32 f32, F64 f64);
}
