//! The ranks that share a node, according to the library; the same on all ranks.
use std::ffi::c_int;

use mpi::ffi::{MPI_Comm_free, MPI_Comm_split_type};
use wb_comm::{Context, Rank, Result, nodes};

use crate::{
    check::check,
    communicator::{MpiCommunicator, all_gather},
    group::translate_ranks,
    handles, session,
};

/// Collective: the node of every rank of `communicator`.
pub(crate) fn nodes(communicator: &MpiCommunicator) -> Result<Vec<usize>> {
    let lowest = lowest_neighbour(communicator)?;
    let names = all_gather(communicator, lowest as u64)?;
    Ok(nodes::renumber(&names.iter().map(|name| *name as usize).collect::<Vec<_>>()))
}

/// The lowest rank on this rank's node.
fn lowest_neighbour(communicator: &MpiCommunicator) -> Result<Rank> {
    let mut part = handles::COMM_NULL;
    let comm = communicator.comm_of(Context::User)?;
    // SAFETY: a live communicator, no hints, one handle for the answer. Equal keys keep the order of ranks.
    let code =
        unsafe { MPI_Comm_split_type(comm, handles::COMM_TYPE_SHARED, 0, handles::INFO_NULL, &mut part) };
    check("MPI_Comm_split_type", code)?;
    session::return_errors(part)?;
    let lowest = translate_ranks(part, &[0], comm);
    // SAFETY: made above, freed once.
    check("MPI_Comm_free", unsafe { MPI_Comm_free(&mut part) })?;
    Ok(lowest?[0])
}

/// The members' ranks in the job; a case has the first ranks of the job.
pub(crate) fn ranks_in_job(communicator: &MpiCommunicator) -> Result<Vec<Rank>> {
    let ranks: Vec<_> = (0..communicator.size as c_int).collect();
    translate_ranks(communicator.comm_of(Context::User)?, &ranks, handles::COMM_WORLD)
}
