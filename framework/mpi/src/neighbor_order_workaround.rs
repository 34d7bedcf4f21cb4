//! The order of blocks in the library's nonblocking neighbourhood exchanges.
//!
//! In a ring of one or two ranks, both neighbours are the same rank. What goes to the neighbour before must come there from the neighbour
//! after (MPI 4.0, section 8.6). The nonblocking exchanges of Open MPI 4.1 match the messages of the same two ranks in the order of the
//! blocks instead, so both blocks change places. Then the two blocks to the same rank are passed in the other order.
use std::{ffi::c_int, sync::OnceLock};

use mpi::ffi::{MPI_Cart_create, MPI_Comm_free, MPI_Ineighbor_alltoall, MPI_Wait};
use wb_comm::{Neighbours, PROC_NULL, Result};

use crate::{buffers::CountsAndDispls, check::check, handles, message_args::empty_status};

/// Passes the blocks to the same rank in the order in which the library matches them; `blocks` are those to the destinations.
pub(crate) fn reorder_blocks(neighbours: &Neighbours, blocks: &mut CountsAndDispls) -> Result<()> {
    if !has_double_neighbours(neighbours) || !matches_in_order_of_blocks()? {
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
pub(crate) fn has_double_neighbours(neighbours: &Neighbours) -> bool {
    let is_double = |pair: &[usize]| pair[0] == pair[1] && pair[0] != PROC_NULL;
    neighbours.is_cartesian && neighbours.destinations.chunks_exact(2).any(is_double)
}

/// Whether the library has the mistake: an exchange of this rank with itself shows it.
fn matches_in_order_of_blocks() -> Result<bool> {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    if let Some(known) = KNOWN.get() {
        return Ok(*known);
    }
    let (send, mut recv): ([c_int; 2], [c_int; 2]) = ([1, 2], [0, 0]);
    let (mut ring, mut request, mut status) = (handles::COMM_NULL, handles::REQUEST_NULL, empty_status());
    let (extent, period): (c_int, c_int) = (1, 1);
    // SAFETY: one extent, one period, one handle for the answer.
    let made = unsafe { MPI_Cart_create(handles::COMM_SELF, 1, &extent, &period, 0, &mut ring) };
    check("MPI_Cart_create", made)?;
    let (from, into) = (send.as_ptr().cast(), recv.as_mut_ptr().cast());
    // SAFETY: a block of one element for each of the two neighbours in both buffers, which live until the wait below.
    let started =
        unsafe { MPI_Ineighbor_alltoall(from, 1, handles::INT, into, 1, handles::INT, ring, &mut request) };
    check("MPI_Ineighbor_alltoall", started)?;
    // SAFETY: the request is the one just made, and one status for the answer.
    check("MPI_Wait", unsafe { MPI_Wait(&mut request, &mut status) })?;
    // SAFETY: made above, freed once.
    check("MPI_Comm_free", unsafe { MPI_Comm_free(&mut ring) })?;
    Ok(*KNOWN.get_or_init(|| recv == send))
}
