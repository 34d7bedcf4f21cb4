//! All ranks pass the same graph.
//!
//! ranks: 3
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let path = world.graph_create(&[vec![1], vec![0, 2], vec![1]], false)?.expect("a place");
    let mut sides = vec![0; path.neighbours().sources.len()];
    path.neighbor_allgather(&[world.rank()], &mut sides)
}
