//! A window itself has no put.
use wb_world::{Result, World};

fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(1)?;
    window.put(&[1], 0, 0)?;
    window.free()
}

fn main() {}
