//! By locks: the target takes no part, so it cannot know when it was touched; a barrier has to say so.
//!
//! A lock excludes others and orders nothing. On the board that is enough: each finds the board as the last one left it.
//! For the halos it is not: after the unlock the edge is there, but only the barrier tells the neighbour.
use workbench::{LockKind, Result, Window, World};

use crate::mpi::{Neighbours, ROOT, left_halo};

/// Puts this strip's edges (first, last) into the neighbours' windows.
///
/// # Errors
/// What the window can meet.
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
    // Next step's edges go to the other pair of elements: nobody has to wait until these have been read.
    world.barrier()
}

/// Reads this rank's halos, which needs a lock of its own part: others may be putting the next ones.
///
/// # Errors
/// What the window can meet.
pub fn read(halos: &Window<f64>, step: usize, into: &mut [f64; 2]) -> Result<()> {
    let lock = halos.lock(LockKind::Shared, halos.rank())?;
    let pair = lock.get(2, left_halo(step))?;
    lock.unlock()?;
    into.copy_from_slice(&pair.take()?);
    Ok(())
}

/// Pins numbers on the board, two a notice; gives the whole board on the root.
///
/// # Errors
/// What the window can meet.
pub fn pin(world: &World, board: &Window<u64>, numbers: &[u64]) -> Result<Vec<u64>> {
    let lock = board.lock(LockKind::Exclusive, ROOT)?;
    let pinned = lock.get(1, 0)?;
    // The number is needed now, and its element is put in the same epoch: a flush completes the get.
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
