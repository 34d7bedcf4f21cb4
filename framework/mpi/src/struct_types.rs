//! The library's struct datatypes: each is made and committed once for a process, and freed right before MPI is finalised.
use std::{
    ffi::c_int,
    sync::{Mutex, MutexGuard, PoisonError},
};

use mpi::ffi::{
    MPI_Aint, MPI_Datatype, MPI_Type_commit, MPI_Type_create_resized, MPI_Type_create_struct, MPI_Type_free,
};
use wb_comm::{Error, Result, StructType};

use crate::{
    check::{check, to_count},
    datatype::Datatypes,
};

/// The types that this process has made.
#[derive(Default)]
pub(crate) struct StructTypes(Mutex<Vec<(&'static StructType, MPI_Datatype)>>);

impl StructTypes {
    fn lock(&self) -> MutexGuard<'_, Vec<(&'static StructType, MPI_Datatype)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The committed type of this struct; `datatypes` has those of its fields.
    pub(crate) fn get(&self, made: &'static StructType, datatypes: &Datatypes) -> Result<MPI_Datatype> {
        let known = self.lock().iter().find(|(one, _)| *one == made).map(|(_, datatype)| *datatype);
        if let Some(datatype) = known {
            return Ok(datatype);
        }
        // Without the lock, since a field may be a struct, too. Ranks call MPI one thread at a time, so no other thread makes it meanwhile.
        let datatype = commit(made, datatypes)?;
        self.lock().push((made, datatype));
        Ok(datatype)
    }

    /// Frees all types.
    pub(crate) fn free(&self) {
        for (_, mut datatype) in self.lock().drain(..) {
            // SAFETY: committed by us, freed once, as it leaves the table. A failure has no caller left to return to.
            let _ = unsafe { MPI_Type_free(&mut datatype) };
        }
    }
}

fn commit(made: &StructType, datatypes: &Datatypes) -> Result<MPI_Datatype> {
    let fields = made.fields();
    let counts = fields.iter().map(|field| to_count(field.count())).collect::<Result<Vec<c_int>>>()?;
    let offsets = fields.iter().map(|field| to_address(field.offset())).collect::<Result<Vec<_>>>()?;
    let types = fields.iter().map(|field| datatypes.get(field.datatype())).collect::<Result<Vec<_>>>()?;
    let mut whole = types[0];
    let (count, lengths) = (to_count(fields.len())?, counts.as_ptr());
    // SAFETY: `count` numbers or live types in each of the arrays, one handle for the answer.
    let code =
        unsafe { MPI_Type_create_struct(count, lengths, offsets.as_ptr(), types.as_ptr(), &mut whole) };
    check("MPI_Type_create_struct", code)?;
    let mut element = resized(whole, to_address(made.size())?)?;
    // SAFETY: the type just made.
    check("MPI_Type_commit", unsafe { MPI_Type_commit(&mut element) })?;
    Ok(element)
}

/// The type with this extent in bytes, instead of the type.
pub(crate) fn resized(mut made: MPI_Datatype, extent: MPI_Aint) -> Result<MPI_Datatype> {
    let mut resized = made;
    // SAFETY: a type that was made, one handle for the answer.
    let code = unsafe { MPI_Type_create_resized(made, 0, extent, &mut resized) };
    // SAFETY: made by us; the resized type does not need it any more.
    let freed = unsafe { MPI_Type_free(&mut made) };
    check("MPI_Type_create_resized", code)?;
    check("MPI_Type_free", freed)?;
    Ok(resized)
}

/// A number of bytes, as MPI takes it.
pub(crate) fn to_address(bytes: usize) -> Result<MPI_Aint> {
    let max = MPI_Aint::MAX as usize;
    MPI_Aint::try_from(bytes).map_err(|_| Error::TooLong { count: bytes, size: 1, max })
}
