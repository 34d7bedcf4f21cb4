//! Strong synchronisation (figure 6.1 of the MPI-2 standard): a call returns only after its partner's call.
//!
//! `cargo run -p workbench --example rma_strong`, or the program it builds under `mpirun -n 2`.
//!
//! One pair of post and start is not enough: MPI permits start, put and complete to return before the target has
//! posted. MPI guarantees only that wait returns after complete was called. So each direction gets its own pair: on a
//! second window the target signals that it has posted, and later that it has read.
//!
//! ```text
//!   origin                          target
//!                                   store
//!                                   post
//!   post (echo)                     start, complete (echo)   "I have posted"
//!   wait (echo)   <---------------
//!   start, put, complete  ------->  wait
//!                                   load
//!   post (echo)                     start, complete (echo)   "I have read"
//!   wait (echo)   <---------------
//! ```
use workbench::{Result, Window, World};

/// The rank that puts.
pub const ORIGIN: usize = 0;
/// The rank whose window receives the data.
pub const TARGET: usize = 1;

/// The times of the events, in nanoseconds of the common clock; the same on all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrongSyncTimes {
    /// The value that the target found in its window.
    pub found: i64,
    /// The target calls post.
    pub post_called: u64,
    /// The origin's start has returned.
    pub start_returned: u64,
    /// The origin calls complete.
    pub complete_called: u64,
    /// The target's wait has returned.
    pub wait_returned: u64,
    /// The origin knows that the target has read.
    pub origin_goes_on: u64,
}

/// Executes the figure on ranks 0 and 1; the other ranks only take part in the collective calls.
///
/// # Errors
/// Errors of the windows.
pub fn strong(world: &World) -> Result<StrongSyncTimes> {
    let (data, echo) = (world.window::<i64>(1)?, world.window::<i64>(1)?);
    let mut mine = [0u64; 6];
    match world.rank() {
        ORIGIN => origin(world, &data, &echo, &mut mine)?,
        TARGET => target(world, &data, &echo, &mut mine)?,
        _ => {}
    }
    echo.free()?;
    data.free()?;
    let mut all = [0u64; 6];
    // Each event has a time on one rank and 0 on the others.
    world.allreduce(&mine, &mut all, workbench::Operation::Max)?;
    let [found, post_called, start_returned, complete_called, wait_returned, origin_goes_on] = all;
    let found = found as i64;
    Ok(StrongSyncTimes { found, post_called, start_returned, complete_called, wait_returned, origin_goes_on })
}

fn origin(world: &World, data: &Window<i64>, echo: &Window<i64>, events: &mut [u64; 6]) -> Result<()> {
    echo.post(&[TARGET])?.wait()?;
    let access = data.start(&[TARGET])?;
    events[2] = world.now();
    access.put(&[61], TARGET, 0)?;
    events[3] = world.now();
    access.complete()?;
    echo.post(&[TARGET])?.wait()?;
    events[5] = world.now();
    Ok(())
}

fn target(world: &World, data: &Window<i64>, echo: &Window<i64>, events: &mut [u64; 6]) -> Result<()> {
    data.write(0, &[-1])?;
    events[1] = world.now();
    let exposure = data.post(&[ORIGIN])?;
    echo.start(&[ORIGIN])?.complete()?;
    exposure.wait()?;
    events[4] = world.now();
    events[0] = data.read_all()?[0] as u64;
    echo.start(&[ORIGIN])?.complete()
}

fn main() {
    workbench::ranks(2, |world| {
        let events = strong(world).expect("the figure is legal");
        if world.rank() == ORIGIN {
            println!("{events:#?}");
        }
    });
}
