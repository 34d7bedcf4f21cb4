//! Weak synchronisation (figure 6.2 of the MPI-2 standard): right whether or not the library buffers.
//!
//! `cargo run -p workbench --example rma_weak`, or the program it builds under `mpirun -n 2`.
//!
//! Start, put and complete may all return before the target has posted, when the library keeps what was put until then;
//! or any one of them may wait for the post. A program must be right under both, and this one is:
//!
//! * the origin uses its buffer again after complete, which is allowed either way;
//! * the target does not wait for the origin before it posts: the origin may be waiting for the post;
//! * the target looks after wait, not after it has otherwise heard that the origin is through.
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

/// Who puts, and where it goes.
pub const ORIGIN: usize = 0;
/// See [`ORIGIN`].
pub const TARGET: usize = 1;

/// How late the target comes, in nanoseconds.
const TARGET_DELAY_NS: u64 = 2_000_000;

/// What is to be seen afterwards; the same on all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeakSyncResult {
    /// What the target found after wait.
    pub found: [i64; 2],
    /// Did the origin's complete return before the target posted? Either is right; it tells what the library does.
    pub is_buffered: bool,
}

/// The figure, on ranks 0 and 1; the others look on.
///
/// # Errors
/// What the window can meet.
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
    // Each number is of one rank; 0 everywhere else.
    world.allreduce(&mine, &mut all, workbench::Operation::Max)?;
    let [first, second, completed, posted] = all;
    Ok(WeakSyncResult { found: [first as i64, second as i64], is_buffered: completed < posted })
}

/// Gives the time at which complete had returned.
fn origin(world: &World, window: &Window<i64>) -> Result<u64> {
    let mut buffer = [6];
    let access = window.start(&[TARGET])?;
    access.put(&buffer, TARGET, 0)?;
    buffer[0] = 2;
    access.put(&buffer, TARGET, 1)?;
    access.complete()?;
    let completed = world.now();
    buffer[0] = -1;
    // Its own part is nobody else's business.
    window.write(0, &buffer)?;
    Ok(completed)
}

/// Gives what came, and the time at which post was called.
fn target(world: &World, window: &Window<i64>) -> Result<([i64; 2], u64)> {
    let arrived = world.now();
    while world.now() < arrived + TARGET_DELAY_NS {
        // In virtual time nothing else makes it later.
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
