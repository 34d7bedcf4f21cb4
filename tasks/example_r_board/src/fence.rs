//! Fences: all ranks together open and close an epoch, whichever ranks communicate in it.
use workbench::{Operation, Result, Window};

use crate::mpi::{Neighbours, ROOT, left_halo};

/// Puts this strip's edges (first, last) into the neighbours' windows.
///
/// # Errors
/// Errors of the window.
pub fn exchange(halos: &Window<f64>, neighbours: Neighbours, edges: [f64; 2], step: usize) -> Result<()> {
    let at = left_halo(step);
    let epoch = halos.fence()?;
    if let Some(left) = neighbours.left {
        epoch.put(&edges[..1], left, at + 1)?;
    }
    if let Some(right) = neighbours.right {
        epoch.put(&edges[1..], right, at)?;
    }
    // The put data are in the window after the end of the epoch.
    epoch.end()
}

/// Puts numbers on the board, two for each notice; returns the whole board on the root.
///
/// # Errors
/// Errors of the window.
pub fn pin(board: &Window<u64>, numbers: &[u64]) -> Result<Vec<u64>> {
    // A fence gives no mutual exclusion, so an atomic addition reserves the places; its result is known in the next
    // epoch.
    let epoch = board.fence()?;
    let place = epoch.fetch_and_op(numbers.len() as u64, ROOT, 0, Operation::Sum)?;
    let epoch = epoch.fence()?;
    epoch.put(numbers, ROOT, 1 + place.value()? as usize)?;
    epoch.end()?;
    board.read_all()
}
