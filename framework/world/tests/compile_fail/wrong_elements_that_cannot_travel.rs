//! Only numbers can be sent: there are no datatype handles, so none can be wrong.
use wb_world::{Result, World};

fn program(world: &World) -> Result<()> {
    world.send(&["text"], 1, 0)
}

fn main() {}
