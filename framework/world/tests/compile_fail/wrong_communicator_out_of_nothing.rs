//! A program cannot construct a communicator: the backend that starts the ranks provides it.
use wb_world::{Result, World};

fn program() -> Result<()> {
    World::default().barrier()
}

fn main() {}
