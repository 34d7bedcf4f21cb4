//! The order of blocks in the library's neighbourhood exchanges.
//!
//! In a ring of one or two ranks, both neighbours are the same rank. What goes to the neighbour before must come there from the neighbour
//! after (MPI 4.0, section 8.6). In a graph, several edges between two ranks keep their order. Some calls of the libraries match the
//! messages of the same two ranks in another order:
//!
//! | library | calls | what comes from the neighbours of a 1 x 1 torus that sends 1, 2, 3, 4 |
//! |---|---|---|
//! | as MPI defines | | 2, 1, 4, 3 |
//! | Open MPI 4.1 | the nonblocking ones | 1, 2, 3, 4 |
//! | MPICH 4.0 | `alltoall` | 4, 3, 2, 1 |
//! | MPICH 4.0 | `alltoallv` | 1, 2, 3, 4 |
//!
//! In place of an `alltoall` that has the mistake an `alltoallv` is called; in a graph always, since all ranks must make the same call and
//! none knows the edges of the others. Where that matches in the order of the blocks, as is right in a graph, the two blocks of a grid to
//! the same rank are passed in the other order.
use std::{ffi::c_int, sync::OnceLock};

use mpi::ffi::{
    MPI_Cart_create, MPI_Comm, MPI_Comm_free, MPI_Ineighbor_alltoall, MPI_Ineighbor_alltoallv,
    MPI_Neighbor_alltoall, MPI_Neighbor_alltoallv, MPI_Wait,
};
use wb_comm::{Neighbours, PROC_NULL, Result};

use crate::{buffers::CountsAndDispls, check::check, collectives::Form, handles, message_args::empty_status};

/// The two exchanges of different blocks.
#[derive(Clone, Copy)]
enum Exchange {
    Alltoall,
    Alltoallv,
}

/// Whether an `alltoallv` has to be called in place of an `alltoall`.
pub(crate) fn needs_alltoallv(neighbours: &Neighbours, form: Form) -> Result<bool> {
    let may_match = !neighbours.is_cartesian || has_double_neighbours(neighbours);
    Ok(may_match && received(Exchange::Alltoall, form)? != [2, 1, 4, 3])
}

/// Passes the blocks of an `alltoallv` to the same rank in the order in which the library matches them; `blocks` are those to the
/// destinations.
pub(crate) fn reorder_blocks(
    neighbours: &Neighbours,
    blocks: &mut CountsAndDispls,
    form: Form,
) -> Result<()> {
    if !has_double_neighbours(neighbours) || received(Exchange::Alltoallv, form)? != [1, 2, 3, 4] {
        return Ok(());
    }
    for (dimension, pair) in neighbours.destinations.chunks_exact(2).enumerate() {
        if pair[0] == pair[1] {
            blocks.counts.swap(2 * dimension, 2 * dimension + 1);
            blocks.displs.swap(2 * dimension, 2 * dimension + 1);
        }
    }
    Ok(())
}

/// Whether both neighbours in a dimension of a grid are the same rank.
fn has_double_neighbours(neighbours: &Neighbours) -> bool {
    let is_double = |pair: &[usize]| pair[0] == pair[1] && pair[0] != PROC_NULL;
    neighbours.is_cartesian && neighbours.destinations.chunks_exact(2).any(is_double)
}

/// What this rank receives from its neighbours when it is alone on a torus of two dimensions; found once for each call.
fn received(exchange: Exchange, form: Form) -> Result<[c_int; 4]> {
    static KNOWN: [OnceLock<[c_int; 4]>; 4] = [const { OnceLock::new() }; 4];
    let known = &KNOWN[2 * exchange as usize + form as usize];
    if let Some(received) = known.get() {
        return Ok(*received);
    }
    let mut torus = handles::COMM_NULL;
    let (extents, periods): ([c_int; 2], [c_int; 2]) = ([1; 2], [1; 2]);
    let (extents, periods) = (extents.as_ptr(), periods.as_ptr());
    // SAFETY: two extents, two periods, one handle for the answer.
    let made = unsafe { MPI_Cart_create(handles::COMM_SELF, 2, extents, periods, 0, &mut torus) };
    check("MPI_Cart_create", made)?;
    let received = run(exchange, form, torus)?;
    // SAFETY: made above, freed once.
    check("MPI_Comm_free", unsafe { MPI_Comm_free(&mut torus) })?;
    Ok(*known.get_or_init(|| received))
}

/// Sends a number to each of the four neighbours; what comes from them.
fn run(exchange: Exchange, form: Form, torus: MPI_Comm) -> Result<[c_int; 4]> {
    let (sent, mut received): ([c_int; 4], [c_int; 4]) = ([1, 2, 3, 4], [0; 4]);
    let (ones, displs): ([c_int; 4], [c_int; 4]) = ([1; 4], [0, 1, 2, 3]);
    let (ones, displs, int) = (ones.as_ptr(), displs.as_ptr(), handles::INT);
    let (from, into) = (sent.as_ptr().cast(), received.as_mut_ptr().cast());
    let mut request = handles::REQUEST_NULL;
    // SAFETY: a block of one element for each of the four neighbours in both buffers; buffers, counts and displacements live until the
    // wait below.
    let code = unsafe {
        match (exchange, form) {
            (Exchange::Alltoall, Form::Blocking) => MPI_Neighbor_alltoall(from, 1, int, into, 1, int, torus),
            (Exchange::Alltoall, Form::Nonblocking) => {
                MPI_Ineighbor_alltoall(from, 1, int, into, 1, int, torus, &mut request)
            }
            (Exchange::Alltoallv, Form::Blocking) => {
                MPI_Neighbor_alltoallv(from, ones, displs, int, into, ones, displs, int, torus)
            }
            (Exchange::Alltoallv, Form::Nonblocking) => {
                MPI_Ineighbor_alltoallv(from, ones, displs, int, into, ones, displs, int, torus, &mut request)
            }
        }
    };
    check("a neighbourhood exchange", code)?;
    let mut status = empty_status();
    // SAFETY: the request is that of the call, or none; one status for the answer.
    check("MPI_Wait", unsafe { MPI_Wait(&mut request, &mut status) })?;
    Ok(received)
}
