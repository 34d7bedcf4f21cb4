//! Post, start, complete, wait: only origins and their targets wait for each other.
//!
//! Every rank calls post before start. A start may wait for its post, so if all ranks called start first, all would
//! wait.
use workbench::{Operation, Rank, Result, Window};

use crate::mpi::{Neighbours, ROOT, left_halo};

/// Puts this strip's edges (first, last) into the neighbours' windows.
///
/// # Errors
/// Errors of the window.
pub fn exchange(halos: &Window<f64>, neighbours: Neighbours, edges: [f64; 2], step: usize) -> Result<()> {
    let (at, partners) = (left_halo(step), neighbours.ranks());
    if partners.is_empty() {
        return Ok(());
    }
    let exposure = halos.post(&partners)?;
    let access = halos.start(&partners)?;
    if let Some(left) = neighbours.left {
        access.put(&edges[..1], left, at + 1)?;
    }
    if let Some(right) = neighbours.right {
        access.put(&edges[1..], right, at)?;
    }
    access.complete()?;
    // Only this call guarantees that the neighbours' edges are in the window.
    exposure.wait()
}

/// Puts numbers on the board, two for each notice; returns the whole board on the root.
///
/// # Errors
/// Errors of the window.
pub fn pin(board: &Window<u64>, numbers: &[u64]) -> Result<Vec<u64>> {
    // As with fences, places are reserved in one epoch and written in the next.
    let everybody: Vec<Rank> = (0..board.size()).collect();
    let post = || if board.rank() == ROOT { board.post(&everybody).map(Some) } else { Ok(None) };
    let exposure = post()?;
    let access = board.start(&[ROOT])?;
    let place = access.fetch_and_op(numbers.len() as u64, ROOT, 0, Operation::Sum)?;
    access.complete()?;
    exposure.map_or(Ok(()), |exposure| exposure.wait())?;

    let exposure = post()?;
    let access = board.start(&[ROOT])?;
    access.put(numbers, ROOT, 1 + place.value()? as usize)?;
    access.complete()?;
    exposure.map_or(Ok(()), |exposure| exposure.wait())?;
    board.read_all()
}
