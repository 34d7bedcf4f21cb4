//! The library's derived datatypes for layouts: each is made and committed once, and kept for later messages.
//!
//! A type has no offset: a message adds it to the address. So all columns of a matrix share one type.
use std::{
    collections::HashMap,
    ffi::c_int,
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use mpi::ffi::{
    MPI_Datatype, MPI_Type_commit, MPI_Type_contiguous, MPI_Type_create_hvector, MPI_Type_create_subarray,
    MPI_Type_free, MPI_Type_indexed, MPI_Type_vector,
};
use wb_comm::{Blocks, Datatype, LayoutShape, Result};

use crate::{
    check::{check, to_count},
    handles,
    struct_types::{resized, to_address},
};

/// The types of one generation. When the newer generation is full, the older one is freed: MPI completes messages of freed types.
/// The type that a call was given last is never freed, so the two types of one call are valid together.
const MAX_TYPES: usize = 256;

/// The shape, its extent in a collective, and the elements.
type Key = (Arc<LayoutShape>, Option<usize>, Datatype);

type Types = HashMap<Key, MPI_Datatype>;

/// The derived datatypes that this process has made.
#[derive(Default)]
pub(crate) struct DerivedTypes(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    newer: Types,
    older: Types,
}

impl DerivedTypes {
    /// The committed type of `shape` over elements of `datatype`, whose handle is `element`. With an extent that is the distance of two such
    /// types in one buffer, in elements.
    pub(crate) fn get(
        &self,
        (shape, extent): (&Arc<LayoutShape>, Option<usize>),
        datatype: Datatype,
        element: MPI_Datatype,
    ) -> Result<MPI_Datatype> {
        let mut types = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (Arc::clone(shape), extent, datatype);
        if let Some(known) = types.newer.get(&key) {
            return Ok(*known);
        }
        let made = match types.older.remove(&key) {
            Some(made) => made,
            None => {
                let made = create(shape.blocks(), element, datatype.size())?;
                commit(match extent {
                    Some(extent) => resized(made, to_address(extent.saturating_mul(datatype.size()))?)?,
                    None => made,
                })?
            }
        };
        if types.newer.len() >= MAX_TYPES {
            free_all(&mut types.older);
            types.older = mem::take(&mut types.newer);
        }
        types.newer.insert(key, made);
        Ok(made)
    }

    /// Frees all types, right before MPI is finalised.
    pub(crate) fn free(&self) {
        let mut types = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        free_all(&mut types.newer);
        free_all(&mut types.older);
    }
}

fn free_all(types: &mut Types) {
    for (_, mut made) in types.drain() {
        // SAFETY: committed by us, freed once, as it leaves the table. A failure changes nothing for later messages.
        let _ = unsafe { MPI_Type_free(&mut made) };
    }
}

/// The library's type, not committed.
fn create(blocks: &Blocks, element: MPI_Datatype, size: usize) -> Result<MPI_Datatype> {
    let mut made = element;
    match blocks {
        Blocks::Contiguous { count } => {
            // SAFETY: a committed type in, one handle for the answer.
            let code = unsafe { MPI_Type_contiguous(to_count(*count)?, element, &mut made) };
            check("MPI_Type_contiguous", code)?;
        }
        Blocks::Vector { count, block_length, stride } => {
            let (count, length, stride) = (to_count(*count)?, to_count(*block_length)?, to_count(*stride)?);
            // SAFETY: as above.
            let code = unsafe { MPI_Type_vector(count, length, stride, element, &mut made) };
            check("MPI_Type_vector", code)?;
        }
        Blocks::Indexed { block_lengths, displacements } => {
            let (lengths, starts) = (to_counts(block_lengths)?, to_counts(displacements)?);
            let count = to_count(lengths.len())?;
            // SAFETY: as above, with `count` numbers in both arrays.
            let code =
                unsafe { MPI_Type_indexed(count, lengths.as_ptr(), starts.as_ptr(), element, &mut made) };
            check("MPI_Type_indexed", code)?;
        }
        Blocks::Subarray { sizes, subsizes, starts } => {
            let [sizes, parts, starts] = [to_counts(sizes)?, to_counts(subsizes)?, to_counts(starts)?];
            let (count, order) = (to_count(sizes.len())?, handles::ORDER_C);
            let [sizes, parts, starts] = [&sizes, &parts, &starts].map(Vec::as_ptr);
            // SAFETY: as above, with `count` numbers in each of the arrays.
            let code =
                unsafe { MPI_Type_create_subarray(count, sizes, parts, starts, order, element, &mut made) };
            check("MPI_Type_create_subarray", code)?;
        }
        Blocks::Repeated { shape, count, extent } => {
            let mut one = create(shape.blocks(), element, size)?;
            let (count, distance) = (to_count(*count)?, to_address(extent.saturating_mul(size))?);
            // SAFETY: as above, of the type that was just made.
            let code = unsafe { MPI_Type_create_hvector(count, 1, distance, one, &mut made) };
            // SAFETY: made by us; the new type does not need it any more.
            let freed = unsafe { MPI_Type_free(&mut one) };
            check("MPI_Type_create_hvector", code)?;
            check("MPI_Type_free", freed)?;
        }
    }
    Ok(made)
}

fn to_counts(numbers: &[usize]) -> Result<Vec<c_int>> {
    numbers.iter().map(|number| to_count(*number)).collect()
}

fn commit(mut made: MPI_Datatype) -> Result<MPI_Datatype> {
    // SAFETY: a type that `create` made.
    check("MPI_Type_commit", unsafe { MPI_Type_commit(&mut made) })?;
    Ok(made)
}
