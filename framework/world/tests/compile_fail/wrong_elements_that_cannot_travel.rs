//! What travels are numbers: no datatype handle can be wrong, as there is none.
use wb_world::{Result, World};

fn program(world: &World) -> Result<()> {
    world.send(&["text"], 1, 0)
}

fn main() {}
