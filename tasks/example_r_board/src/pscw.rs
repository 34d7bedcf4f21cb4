//! By post, start, complete, wait: only those wait for each other that have to do with each other.
//!
//! Post comes before start on every rank. A start may wait for its post, so if all started first, all would wait.
use workbench::{Operation, Rank, Result, Window};

use crate::mpi::{Neighbours, ROOT, left_halo};

/// Puts this strip's edges (first, last) into the neighbours' windows.
///
/// # Errors
/// What the window can meet.
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
    // Only this says that the neighbours' edges are here.
    exposure.wait()
}

/// Pins numbers on the board, two a notice; gives the whole board on the root.
///
/// # Errors
/// What the window can meet.
pub fn pin(board: &Window<u64>, numbers: &[u64]) -> Result<Vec<u64>> {
    // As with fences: places in one epoch, notices in the next.
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
