//! Weak synchronisation (figure 6.2 of the MPI-2 standard): correct whether or not the library buffers.
//!
//! `cargo run -p workbench --example rma_weak`, or the program it builds under `mpirun -n 2`.
//!
//! Start, put and complete may all return before the target has posted, if the library buffers the data until then; or
//! any one of them may wait for the post. A program must be correct in both cases, as this one is:
//!
//! * the origin reuses its buffer after complete, which is permitted in both cases;
//! * the target does not wait for the origin before it posts, because the origin may be waiting for the post;
//! * the target reads after wait, not after another signal that the origin has finished.
//!
//! ```text
//!   origin                          target
//!   start                           (late)
//!   put, put                        store
//!   complete      ------------+     post
//!   uses its buffer           +-->  wait
//!                                   load
//! ```
use workbench::{Result, Window, World};

/// The rank that puts.
pub const ORIGIN: usize = 0;
/// The rank whose window receives the data.
pub const TARGET: usize = 1;

/// The delay of the target, in nanoseconds.
const TARGET_DELAY_NS: u64 = 2_000_000;

/// The results; the same on all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeakSyncResult {
    /// The values that the target found after wait.
    pub found: [i64; 2],
    /// Whether the origin's complete returned before the target posted. Both are permitted; it shows whether the
    /// library buffers.
    pub is_buffered: bool,
}

/// Executes the figure on ranks 0 and 1; the other ranks only take part in the collective calls.
///
/// # Errors
/// Errors of the window.
pub fn weak(world: &World) -> Result<WeakSyncResult> {
    let window = world.window::<i64>(2)?;
    world.barrier()?;
    let mut mine = [0u64; 4];
    match world.rank() {
        ORIGIN => mine[2] = origin(world, &window)?,
        TARGET => {
            let (found, posted) = target(world, &window)?;
            mine = [found[0] as u64, found[1] as u64, 0, posted];
        }
        _ => {}
    }
    window.free()?;
    let mut all = [0u64; 4];
    // Each number has a value on one rank and 0 on the others.
    world.allreduce(&mine, &mut all, workbench::Operation::Max)?;
    let [first, second, completed, posted] = all;
    Ok(WeakSyncResult { found: [first as i64, second as i64], is_buffered: completed < posted })
}

/// Returns the time at which complete returned.
fn origin(world: &World, window: &Window<i64>) -> Result<u64> {
    let mut buffer = [6];
    let access = window.start(&[TARGET])?;
    access.put(&buffer, TARGET, 0)?;
    buffer[0] = 2;
    access.put(&buffer, TARGET, 1)?;
    access.complete()?;
    let completed = world.now();
    buffer[0] = -1;
    // Writes its own part of the window, which no other rank accesses.
    window.write(0, &buffer)?;
    Ok(completed)
}

/// Returns the received data, and the time at which post was called.
fn target(world: &World, window: &Window<i64>) -> Result<([i64; 2], u64)> {
    let arrived = world.now();
    while world.now() < arrived + TARGET_DELAY_NS {
        // In virtual time only this call delays the target.
        world.work(TARGET_DELAY_NS, 0);
        std::thread::yield_now();
    }
    window.write(0, &[-1, -1])?;
    let posted = world.now();
    window.post(&[ORIGIN])?.wait()?;
    let mut found = [0; 2];
    window.read(0, &mut found)?;
    Ok((found, posted))
}

fn main() {
    workbench::ranks(2, |world| {
        let seen = weak(world).expect("the figure is legal");
        if world.rank() == ORIGIN {
            println!("{seen:?}");
        }
    });
}
