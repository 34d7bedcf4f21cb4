//! Locks: the target does not take part and does not detect an access, so a barrier has to follow the accesses.
//!
//! A lock gives mutual exclusion and no order. For the board this is enough: each rank finds the board in the state
//! that the previous one left. For the halos it is not: after the unlock the edge is in the window, but the neighbour
//! knows this only after the barrier.
use workbench::{LockKind, Result, Window, World};

use crate::mpi::{Neighbours, ROOT, left_halo};

/// Puts this strip's edges (first, last) into the neighbours' windows.
///
/// # Errors
/// Errors of the window.
pub fn exchange(
    world: &World,
    halos: &Window<f64>,
    neighbours: Neighbours,
    edges: [f64; 2],
    step: usize,
) -> Result<()> {
    let at = left_halo(step);
    if let Some(left) = neighbours.left {
        let lock = halos.lock(LockKind::Exclusive, left)?;
        lock.put(&edges[..1], at + 1)?;
        lock.unlock()?;
    }
    if let Some(right) = neighbours.right {
        let lock = halos.lock(LockKind::Exclusive, right)?;
        lock.put(&edges[1..], at)?;
        lock.unlock()?;
    }
    // The edges of the next step are put into the other pair of elements, so no rank waits until these have been read.
    world.barrier()
}

/// Reads this rank's halos. This needs a lock of its own window, because other ranks may be putting the next halos.
///
/// # Errors
/// Errors of the window.
pub fn read(halos: &Window<f64>, step: usize, into: &mut [f64; 2]) -> Result<()> {
    let lock = halos.lock(LockKind::Shared, halos.rank())?;
    let pair = lock.get(2, left_halo(step))?;
    lock.unlock()?;
    into.copy_from_slice(&pair.take()?);
    Ok(())
}

/// Puts numbers on the board, two for each notice; returns the whole board on the root.
///
/// # Errors
/// Errors of the window.
pub fn pin(world: &World, board: &Window<u64>, numbers: &[u64]) -> Result<Vec<u64>> {
    let lock = board.lock(LockKind::Exclusive, ROOT)?;
    let pinned = lock.get(1, 0)?;
    // The number is needed now, and its element is changed in the same epoch: a flush completes the get.
    lock.flush()?;
    let pinned = pinned.value()?;
    lock.put(numbers, 1 + pinned as usize)?;
    lock.put(&[pinned + numbers.len() as u64], 0)?;
    lock.unlock()?;
    world.barrier()?;
    if board.rank() != ROOT {
        return Ok(vec![]);
    }
    let lock = board.lock(LockKind::Shared, ROOT)?;
    let all = lock.get(board.count(ROOT), 0)?;
    lock.unlock()?;
    all.take()
}
