//! The library's calls that make communicators with a topology or of a group.
use std::ffi::c_int;

use mpi::ffi::{
    MPI_Cart_create, MPI_Cart_sub, MPI_Comm, MPI_Comm_create, MPI_Dist_graph_create_adjacent,
    MPI_Graph_create,
};
use wb_comm::{Neighbours, NewTopology, Rank, Result};

use crate::{
    check::{self, check},
    group::with_group,
    handles,
};

/// Collective: the communicator; `MPI_COMM_NULL` on ranks that the topology has no place for.
pub(crate) fn create_comm(comm: MPI_Comm, size: usize, topology: &NewTopology) -> Result<MPI_Comm> {
    let mut made = handles::COMM_NULL;
    match topology {
        NewTopology::Cartesian { grid, reorder } => {
            let (dims, periods) = (to_ints(&grid.dims)?, to_flags(&grid.periods));
            let (count, reorder) = (check::to_count(dims.len())?, c_int::from(*reorder));
            let (dims, periods) = (dims.as_ptr(), periods.as_ptr());
            // SAFETY: a live communicator, `count` extents and periods, one handle for the answer.
            let code = unsafe { MPI_Cart_create(comm, count, dims, periods, reorder, &mut made) };
            check("MPI_Cart_create", code)?;
        }
        NewTopology::CartesianPart { keep, .. } => made = cart_sub(comm, keep)?,
        NewTopology::Graph { neighbours: Neighbours { sources, destinations, .. }, reorder } => {
            let (sources, destinations) =
                (to_ranks("source", sources, size)?, to_ranks("destination", destinations, size)?);
            // SAFETY: a live communicator, two lists of the lengths that are passed, no weights, no hints, one handle for the answer.
            let code = unsafe {
                MPI_Dist_graph_create_adjacent(
                    comm,
                    check::to_count(sources.len())?,
                    sources.as_ptr(),
                    handles::unweighted(),
                    check::to_count(destinations.len())?,
                    destinations.as_ptr(),
                    handles::unweighted(),
                    handles::INFO_NULL,
                    c_int::from(*reorder),
                    &mut made,
                )
            };
            check("MPI_Dist_graph_create_adjacent", code)?;
        }
        NewTopology::WholeGraph { neighbours, reorder } => made = graph_create(comm, neighbours, *reorder)?,
        NewTopology::Group { ranks } => {
            with_group(comm, ranks, |group| {
                // SAFETY: a live communicator and a group of its ranks, one handle for the answer.
                check("MPI_Comm_create", unsafe { MPI_Comm_create(comm, group, &mut made) })
            })?;
        }
    }
    Ok(made)
}

/// A graph of the first ranks; `MPI_COMM_NULL` on the others.
fn graph_create(comm: MPI_Comm, neighbours: &[Vec<Rank>], reorder: bool) -> Result<MPI_Comm> {
    let nodes = check::to_count(neighbours.len())?;
    let edges: Vec<c_int> = to_ranks("neighbour", &neighbours.concat(), neighbours.len())?;
    let mut end = 0;
    let ends: Vec<usize> = neighbours
        .iter()
        .map(|of_one| {
            end += of_one.len();
            end
        })
        .collect();
    let (ends, mut made) = (to_ints(&ends)?, handles::COMM_NULL);
    let (ends, edges) = (ends.as_ptr(), edges.as_ptr());
    // SAFETY: a live communicator, for each node the number of edges up to it, as many edges, one handle for the answer.
    let code = unsafe { MPI_Graph_create(comm, nodes, ends, edges, c_int::from(reorder), &mut made) };
    check("MPI_Graph_create", code)?;
    Ok(made)
}

/// The part of a grid in which this rank is.
fn cart_sub(comm: MPI_Comm, keep: &[bool]) -> Result<MPI_Comm> {
    let (flags, mut made) = (to_flags(keep), handles::COMM_NULL);
    // SAFETY: a live communicator with as many dimensions as there are flags, one handle for the answer.
    check("MPI_Cart_sub", unsafe { MPI_Cart_sub(comm, flags.as_ptr(), &mut made) })?;
    // Where no dimension is kept each rank is a part; MPICH 4.0 makes only the part of rank 0.
    if made == handles::COMM_NULL && !keep.contains(&true) {
        let none = flags.as_ptr();
        // SAFETY: this rank alone, no dimension, so no element of the arrays is read; one handle for the answer.
        let code = unsafe { MPI_Cart_create(handles::COMM_SELF, 0, none, none, 0, &mut made) };
        check("MPI_Cart_create", code)?;
    }
    Ok(made)
}

fn to_ints(numbers: &[usize]) -> Result<Vec<c_int>> {
    numbers.iter().map(|number| check::to_count(*number)).collect()
}

fn to_flags(flags: &[bool]) -> Vec<c_int> {
    flags.iter().map(|flag| c_int::from(*flag)).collect()
}

fn to_ranks(role: &'static str, ranks: &[Rank], size: usize) -> Result<Vec<c_int>> {
    ranks.iter().map(|rank| check::to_peer(role, *rank, size)).collect()
}
