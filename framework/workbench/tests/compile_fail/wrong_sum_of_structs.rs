//! MPI's operations reduce numbers.
use workbench::{Operation, Result, Wire, World};

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Point {
    x: f64,
    y: f64,
}

fn program(world: &World, points: &[Point], sum: &mut [Point]) -> Result<()> {
    world.allreduce(points, sum, Operation::Sum)
}

fn main() {}
