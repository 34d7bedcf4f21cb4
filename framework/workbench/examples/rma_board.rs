//! Passive target (figure 6.3 of the MPI-2 standard): a bulletin board (доска объявлений).
//!
//! `cargo run -p workbench --example rma_board`, or the program it builds under `mpirun -n 4`.
//!
//! The board hangs at rank 0, which does nothing for it. Whoever pins a notice locks the board, looks how many notices
//! there are, pins its own behind them and unlocks. The lock **excludes**: no notice is lost or torn. It does **not
//! order**: who pins first is undefined, and may differ from run to run. Even its owner reads the board under a lock of
//! its own part, and only after something else (here a barrier) has told it that all have pinned.
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

/// Where the board hangs.
pub const OWNER: usize = 0;

/// Numbers of a notice: who pinned it, which of its notices it is, and their sum, which a torn notice would belie.
pub const LENGTH: usize = 3;

/// Every rank pins `each` notices. Gives the board on its owner, in the order in which they were pinned; nothing elsewhere.
///
/// # Errors
/// What the window can meet.
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
        notices = pinned.chunks_exact(LENGTH).map(|notice| [notice[0], notice[1], notice[2]]).collect();
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
