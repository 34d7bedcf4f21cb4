//! Groups of the library, and the communicators that only the members of a group make.
use std::ffi::c_int;

use mpi::ffi::{
    MPI_Comm, MPI_Comm_create_group, MPI_Comm_group, MPI_Group, MPI_Group_free, MPI_Group_incl,
    MPI_Group_translate_ranks,
};
use wb_comm::{Rank, Result};

use crate::{
    check::{check, to_count},
    handles,
};

/// The group of all ranks of a communicator.
pub(crate) fn comm_group(comm: MPI_Comm) -> Result<MPI_Group> {
    let mut group = handles::GROUP_NULL;
    // SAFETY: a live communicator, one handle for the answer.
    check("MPI_Comm_group", unsafe { MPI_Comm_group(comm, &mut group) })?;
    Ok(group)
}

/// The group of these ranks of another group, which are valid and distinct.
pub(crate) fn subgroup(all: MPI_Group, ranks: &[Rank]) -> Result<MPI_Group> {
    let numbers: Vec<_> = ranks.iter().map(|rank| to_count(*rank)).collect::<Result<_>>()?;
    let mut group = handles::GROUP_NULL;
    // SAFETY: a live group, as many of its ranks as are counted, one handle for the answer.
    let code = unsafe { MPI_Group_incl(all, to_count(numbers.len())?, numbers.as_ptr(), &mut group) };
    check("MPI_Group_incl", code)?;
    Ok(group)
}

/// Frees a group that was made by [`comm_group`] or [`subgroup`].
pub(crate) fn free_group(mut group: MPI_Group) -> Result<()> {
    // SAFETY: made by us, freed once.
    check("MPI_Group_free", unsafe { MPI_Group_free(&mut group) })
}

/// Passes the group of these ranks of a communicator, which are valid and distinct.
pub(crate) fn with_group<R>(
    comm: MPI_Comm,
    ranks: &[Rank],
    call: impl FnOnce(MPI_Group) -> Result<R>,
) -> Result<R> {
    let all = comm_group(comm)?;
    let group = subgroup(all, ranks)?;
    let result = call(group);
    free_group(all)?;
    // The group of no ranks is predefined: there is nothing to free.
    if !ranks.is_empty() {
        free_group(group)?;
    }
    result
}

/// Collective among these ranks of a communicator: a communicator of them.
pub(crate) fn create_group(comm: MPI_Comm, ranks: &[Rank], tag: i32) -> Result<MPI_Comm> {
    let mut made = handles::COMM_NULL;
    with_group(comm, ranks, |group| {
        // SAFETY: a live communicator and a group of its ranks that contains this one, one handle for the answer.
        check("MPI_Comm_create_group", unsafe { MPI_Comm_create_group(comm, group, tag, &mut made) })
    })?;
    Ok(made)
}

/// The ranks in one communicator of ranks of another one that contains them.
pub(crate) fn translate_ranks(from: MPI_Comm, ranks: &[c_int], to: MPI_Comm) -> Result<Vec<Rank>> {
    let (from, to) = (comm_group(from)?, comm_group(to)?);
    let mut found = vec![0; ranks.len()];
    // SAFETY: two live groups, as many ranks as are counted and room for as many answers.
    let code = unsafe {
        MPI_Group_translate_ranks(from, ranks.len() as c_int, ranks.as_ptr(), to, found.as_mut_ptr())
    };
    [from, to].into_iter().try_for_each(free_group)?;
    check("MPI_Group_translate_ranks", code)?;
    Ok(found.into_iter().map(|rank| rank as Rank).collect())
}
