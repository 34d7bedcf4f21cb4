//! An epoch borrows its window.
use wb_world::{LockKind, Result, World};

fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let lock = window.lock(LockKind::Shared, 0)?;
    window.free()?;
    lock.unlock()
}

fn main() {}
