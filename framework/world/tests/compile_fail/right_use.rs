//! The canary: the right uses compile.
use wb_world::{LockKind, Result, World};

fn program(world: &World) -> Result<()> {
    let request = world.isend(vec![1, 2, 3], 1, 0)?;
    let mut room = [0; 3];
    world.sendrecv(&[4, 5, 6], 1, 1, &mut room, 1, 1)?;
    let data = request.wait()?;
    let window = world.window::<i64>(data.len())?;
    let lock = window.lock(LockKind::Shared, 0)?;
    lock.put(&[1], 0)?;
    lock.unlock()?;
    window.free()
}

fn main() {
    let _: fn(&World) -> Result<()> = program;
}
