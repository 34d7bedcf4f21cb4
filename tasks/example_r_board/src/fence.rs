//! By fences: an epoch is opened and closed by all ranks together, whoever has to do with whom.
use workbench::{Operation, Result, Window};

use crate::mpi::{Neighbours, ROOT, left_halo};

/// Puts this strip's edges (first, last) into the neighbours' windows.
///
/// # Errors
/// What the window can meet.
pub fn exchange(halos: &Window<f64>, neighbours: Neighbours, edges: [f64; 2], step: usize) -> Result<()> {
    let at = left_halo(step);
    let epoch = halos.fence()?;
    if let Some(left) = neighbours.left {
        epoch.put(&edges[..1], left, at + 1)?;
    }
    if let Some(right) = neighbours.right {
        epoch.put(&edges[1..], right, at)?;
    }
    // What was put is here when the epoch is over.
    epoch.end()
}

/// Pins numbers on the board, two a notice; gives the whole board on the root.
///
/// # Errors
/// What the window can meet.
pub fn pin(board: &Window<u64>, numbers: &[u64]) -> Result<Vec<u64>> {
    // A fence excludes nobody, so places are handed out by an atomic addition; what it brings is known in the next epoch.
    let epoch = board.fence()?;
    let place = epoch.fetch_and_op(numbers.len() as u64, ROOT, 0, Operation::Sum)?;
    let epoch = epoch.fence()?;
    epoch.put(numbers, ROOT, 1 + place.value()? as usize)?;
    epoch.end()?;
    board.read_all()
}
