//! Collectives and messages in one order on all ranks: whether a collective waits makes no difference.
//!
//! ranks: 3
use workbench::{Operation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let (rank, root, mut one) = (world.rank(), world.rank() == 0, [1]);
    world.bcast(&mut one, 0)?;
    world.scatter(root.then_some(&[1, 2, 3][..]), &mut one, 0)?;
    if rank == 0 {
        world.send(&one, 1, 5)?;
    } else if rank == 1 {
        world.recv(&mut one, 0, 5)?;
    }
    world.gather(&[1], root.then_some(&mut [0; 3][..]), 0)?;
    world.reduce(&[1], root.then_some(&mut [0][..]), Operation::Sum, 0)?;
    world.scan(&[1], &mut one, Operation::Sum)?;
    world.exscan(&[1], &mut one, Operation::Sum)
}
