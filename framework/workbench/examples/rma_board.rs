//! Passive target (figure 6.3 of the MPI-2 standard): a bulletin board (доска объявлений).
//!
//! `cargo run -p workbench --example rma_board`, or the program it builds under `mpirun -n 4`.
//!
//! The board is a window of rank 0, which does not take part in the accesses. A rank that adds a notice locks the
//! board, reads the number of notices, writes its own after them and unlocks. The lock gives **mutual exclusion**: no
//! notice is lost or torn. It gives **no order**: the order of the notices is undefined, and may differ between runs.
//! Rank 0 itself reads the board under a lock of its own window, and only after a barrier, when all ranks have written.
//!
//! ```text
//!   rank 1                board at rank 0                rank 2
//!   lock
//!   get number, flush
//!   put notice, put number + 1
//!   unlock
//!                                                        lock
//!                                                        get number, flush
//!                                                        put notice, put number + 1
//!                                                        unlock
//! ```
use workbench::{LockKind, Result, World};

/// The rank whose window is the board.
pub const OWNER: usize = 0;

/// Numbers in a notice: the rank, the index among its notices, and their sum, which detects a torn notice.
pub const LENGTH: usize = 3;

/// Every rank adds `each` notices. Returns the board on its owner, in the order of the notices; nothing elsewhere.
///
/// # Errors
/// Errors of the window.
pub fn board(world: &World, each: i64) -> Result<Vec<[i64; LENGTH]>> {
    let room = world.size() * each as usize * LENGTH;
    let board = world.window::<i64>(if world.rank() == OWNER { 1 + room } else { 0 })?;
    for number in 0..each {
        let lock = board.lock(LockKind::Exclusive, OWNER)?;
        let pinned = lock.get(1, 0)?;
        lock.flush()?;
        let pinned = pinned.value()?;
        let who = world.rank() as i64;
        lock.put(&[who, number, who + number], 1 + LENGTH * pinned as usize)?;
        lock.put(&[pinned + 1], 0)?;
        lock.unlock()?;
    }
    world.barrier()?;
    let mut notices = vec![];
    if world.rank() == OWNER {
        let lock = board.lock(LockKind::Shared, OWNER)?;
        let all = lock.get(1 + room, 0)?;
        lock.unlock()?;
        let all = all.take()?;
        let pinned = &all[1..][..LENGTH * all[0] as usize];
        notices = pinned.as_chunks::<LENGTH>().0.to_vec();
    }
    board.free()?;
    Ok(notices)
}

fn main() {
    workbench::ranks(4, |world| {
        for [who, number, _] in board(world, 2).expect("the figure is legal") {
            println!("rank {who}, its notice {number}");
        }
    });
}
