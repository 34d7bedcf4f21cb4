//! Barriers of some PEs: only the listed PEs call them, and no team is made.
//!
//! They use one counter for each *pair* of PEs, which only grows. So no counter is shared with PEs outside the list,
//! overlapping lists do not disturb each other, and no cell is reset. The callers must obey one rule: any two of them call
//! the barriers that contain both in the same order.
//!
//! The catalogue has two graphs on the same cells, by the number n of listed PEs: every PE with every PE, n (n - 1) signals
//! and 1 hop, up to [`MAX_ALL_TO_ALL`]; dissemination above, n ceil(log2 n) signals and ceil(log2 n) hops.
use wb_algorithms::barriers::{
    Subset,
    catalogue::program::{partial_dissemination, partial_pairwise},
};
use wb_comm::{Memory, Result};

/// Up to this number of PEs, every PE signals every PE.
pub const MAX_ALL_TO_ALL: usize = 8;

/// The cells that the pairs of `n_pes` PEs need in the memory of each: the first ones, initially 0.
pub fn pair_cells(n_pes: usize) -> usize {
    2 * n_pes
}

/// Returns once all listed PEs have called it with the same list the same number of times.
///
/// # Errors
/// For a PE that is not listed; the errors of the memory.
pub fn partial_barrier<M: Memory>(m: &mut M, listed: &Subset) -> Result<()> {
    match listed.members().len() {
        ..=MAX_ALL_TO_ALL => partial_pairwise::barrier(m, listed),
        _ => partial_dissemination::barrier(m, listed),
    }
}
