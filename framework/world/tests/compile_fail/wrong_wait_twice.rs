//! A wait consumes the request.
use wb_world::{Result, World};

fn program(world: &World) -> Result<()> {
    let request = world.isend(vec![1], 1, 0)?;
    request.wait()?;
    request.wait().map(drop)
}

fn main() {}
