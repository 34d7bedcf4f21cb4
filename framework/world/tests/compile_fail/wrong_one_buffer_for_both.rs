//! The buffers of a sendrecv must not overlap.
use wb_world::{Result, World};

fn program(world: &World) -> Result<()> {
    let mut data = [1, 2, 3];
    world.sendrecv(&data, 1, 0, &mut data, 1, 0).map(drop)
}

fn main() {}
