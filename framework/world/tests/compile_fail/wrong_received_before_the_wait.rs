//! The wait returns the received elements; there is no buffer to read before it.
use wb_world::{Result, World};

fn program(world: &World) -> Result<Vec<i32>> {
    let request = world.irecv::<i32>(1, 0, 0)?;
    let data: Vec<i32> = request;
    Ok(data)
}

fn main() {}
