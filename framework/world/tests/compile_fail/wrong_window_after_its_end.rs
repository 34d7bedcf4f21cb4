//! Freeing a window consumes it.
use wb_world::{Result, World};

fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    window.free()?;
    window.read_all().map(drop)
}

fn main() {}
