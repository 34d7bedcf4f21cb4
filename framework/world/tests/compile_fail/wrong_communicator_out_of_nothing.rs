//! There is no communicator before there is a job: whoever starts the ranks gives one.
use wb_world::{Result, World};

fn program() -> Result<()> {
    World::default().barrier()
}

fn main() {}
