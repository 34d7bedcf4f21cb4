//! `wb_comm`'s element types and reductions as MPI's own handles.
//!
//! Every type is sent as its true MPI datatype, so the library may convert, reduce and trace it. MPI has no 128-bit
//! integers: they are committed contiguous types of two 64-bit ones, which can be sent but not reduced.
use std::{
    ffi::{c_int, c_void},
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use mpi::ffi::{
    MPI_Datatype, MPI_Op, MPI_Op_create, MPI_Op_free, MPI_Type_commit, MPI_Type_contiguous, MPI_Type_free,
};
use wb_comm::{Accumulation, Datatype, NativeFold, Operation, Result, UserOperation};

use crate::{check::check, handles, struct_types::StructTypes};

/// One handle for each type of numbers, by its number, and those of the structs.
pub(crate) struct Datatypes {
    numbers: [MPI_Datatype; Datatype::ALL.len()],
    structs: StructTypes,
}

impl Datatypes {
    /// Builds the table; MPI must be initialised.
    pub(crate) fn commit() -> Result<Self> {
        let mut numbers = [handles::BYTE; Datatype::ALL.len()];
        for (&datatype, handle) in Datatype::ALL.iter().zip(&mut numbers) {
            *handle = mpi_datatype(datatype)?;
        }
        Ok(Self { numbers, structs: StructTypes::default() })
    }

    /// Frees our own types, right before MPI is finalised.
    pub(crate) fn free(&self) {
        self.structs.free();
        for wide in [Datatype::I128, Datatype::U128] {
            let Ok(mut datatype) = self.get(wide) else { continue };
            // SAFETY: committed by us, freed once, on a copy of the handle that is not used any more. A failure has no
            // caller left to return to.
            let _ = unsafe { MPI_Type_free(&mut datatype) };
        }
    }

    /// The handle of a type; that of a struct is made when it is used first.
    #[inline]
    pub(crate) fn get(&self, datatype: Datatype) -> Result<MPI_Datatype> {
        match datatype {
            Datatype::Struct(made) => self.structs.get(made, self),
            number => Ok(self.numbers[number.number().unwrap_or_default()]),
        }
    }
}

fn mpi_datatype(datatype: Datatype) -> Result<MPI_Datatype> {
    Ok(match datatype {
        Datatype::I8 => handles::INT8,
        Datatype::I16 => handles::INT16,
        Datatype::I32 => handles::INT,
        Datatype::I64 => handles::INT64,
        Datatype::U8 => handles::UINT8,
        Datatype::U16 => handles::UINT16,
        Datatype::U32 => handles::UINT32,
        Datatype::U64 => handles::UINT64,
        Datatype::F32 => handles::FLOAT,
        Datatype::F64 => handles::DOUBLE,
        Datatype::Isize if size_of::<isize>() == 4 => handles::INT,
        Datatype::Isize => handles::INT64,
        Datatype::Usize if size_of::<usize>() == 4 => handles::UINT32,
        Datatype::Usize => handles::UINT64,
        Datatype::LocatedI32 => handles::TWO_INTS,
        Datatype::LocatedI64 => handles::LONG_INT,
        Datatype::LocatedF32 => handles::FLOAT_INT,
        Datatype::LocatedF64 => handles::DOUBLE_INT,
        Datatype::I128 => contiguous_pair(handles::INT64)?,
        Datatype::U128 => contiguous_pair(handles::UINT64)?,
        Datatype::Struct(made) => unreachable!("{} is no number", made.name()),
    })
}

fn contiguous_pair(half: MPI_Datatype) -> Result<MPI_Datatype> {
    const HALVES: c_int = 2;
    let mut pair = half;
    // SAFETY: a predefined type in, one handle for the answer.
    check("MPI_Type_contiguous", unsafe { MPI_Type_contiguous(HALVES, half, &mut pair) })?;
    // SAFETY: the handle that the call above made.
    check("MPI_Type_commit", unsafe { MPI_Type_commit(&mut pair) })?;
    Ok(pair)
}

/// The MPI operations of the reductions that users have defined, each made once, by the address of its function.
#[derive(Default)]
pub(crate) struct UserOps(Mutex<Vec<(usize, bool, MPI_Op)>>);

impl UserOps {
    fn lock(&self) -> MutexGuard<'_, Vec<(usize, bool, MPI_Op)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, operation: UserOperation) -> Result<MPI_Op> {
        let (function, commutes) = (operation.native(), operation.is_commutative());
        let mut known = self.lock();
        let same = |made: &&(usize, bool, MPI_Op)| (made.0, made.1) == (function as usize, commutes);
        if let Some((.., op)) = known.iter().find(same) {
            return Ok(*op);
        }
        // SAFETY: the types differ only in what the last pointer is to, which the function does not use.
        let called = unsafe { mem::transmute::<NativeFold, UserFunction>(function) };
        let mut op = handles::SUM;
        // SAFETY: a function that lives as long as the process, and room for a handle.
        check("MPI_Op_create", unsafe { MPI_Op_create(Some(called), c_int::from(commutes), &mut op) })?;
        known.push((function as usize, commutes, op));
        Ok(op)
    }

    /// Frees them, right before MPI is finalised.
    pub(crate) fn free(&self) {
        for (.., mut op) in self.lock().drain(..) {
            // SAFETY: made by us, freed once. A failure has no caller left to return to.
            let _ = unsafe { MPI_Op_free(&mut op) };
        }
    }
}

/// The function of a reduction, as MPI declares it.
type UserFunction = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut MPI_Datatype);

pub(crate) fn reduction_op(operation: Operation, of_users: &UserOps) -> Result<MPI_Op> {
    match operation {
        Operation::User(operation) => of_users.get(operation),
        predefined => Ok(predefined_op(predefined)),
    }
}

/// The MPI operation of one of MPI's reductions.
///
/// # Panics
/// For a user's, which windows refuse before.
fn predefined_op(operation: Operation) -> MPI_Op {
    match operation {
        Operation::Sum => handles::SUM,
        Operation::Prod => handles::PROD,
        Operation::Min => handles::MIN,
        Operation::Max => handles::MAX,
        Operation::BitAnd => handles::BAND,
        Operation::BitOr => handles::BOR,
        Operation::BitXor => handles::BXOR,
        Operation::LogicalAnd => handles::LAND,
        Operation::LogicalOr => handles::LOR,
        Operation::LogicalXor => handles::LXOR,
        Operation::MinLoc => handles::MINLOC,
        Operation::MaxLoc => handles::MAXLOC,
        Operation::User(operation) => unreachable!("{operation} on a window"),
    }
}

/// The MPI operation of an accumulate.
pub(crate) fn accumulate_op(op: Accumulation) -> MPI_Op {
    match op {
        Accumulation::With(reduction) => predefined_op(reduction),
        Accumulation::Replace => handles::REPLACE,
        Accumulation::Keep => handles::NO_OP,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_names_of_one_width_share_a_type_and_no_others_do() {
        let of = |datatype| mpi_datatype(datatype).expect("predefined");
        let distinct = [
            Datatype::I8,
            Datatype::I16,
            Datatype::I32,
            Datatype::I64,
            Datatype::U8,
            Datatype::U16,
            Datatype::U32,
            Datatype::U64,
            Datatype::F32,
            Datatype::F64,
        ];
        for (n, &one) in distinct.iter().enumerate() {
            assert!(distinct[..n].iter().all(|&other| of(other) != of(one)), "{one}");
        }
        assert_eq!(
            of(Datatype::Isize),
            of(if size_of::<isize>() == 4 { Datatype::I32 } else { Datatype::I64 })
        );
        assert_eq!(
            of(Datatype::Usize),
            of(if size_of::<usize>() == 4 { Datatype::U32 } else { Datatype::U64 })
        );
    }

    #[test]
    fn every_operation_has_its_own_handle() {
        for (n, &one) in Operation::ALL.iter().enumerate() {
            assert!(
                Operation::ALL[..n].iter().all(|&other| predefined_op(other) != predefined_op(one)),
                "{one}"
            );
        }
    }
}
