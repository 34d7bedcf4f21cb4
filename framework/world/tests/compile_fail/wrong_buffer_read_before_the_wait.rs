//! The request owns the buffer of a send until it is waited for.
use wb_world::{Result, World};

fn program(world: &World) -> Result<()> {
    let data = vec![1, 2, 3];
    let request = world.isend(data, 1, 0)?;
    println!("{}", data[0]);
    request.wait().map(drop)
}

fn main() {}
