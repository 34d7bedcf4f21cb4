//! A struct of numbers, of arrays and of another struct is an element.
use workbench::{Operation, Result, Wire, World};

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Point(f64, f64);

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Particle {
    path: [Point; 2],
    marks: [[u16; 2]; 2],
    id: [u32; 2],
}

fn program(world: &World) -> Result<()> {
    let mut particles = [Particle::default(); 2];
    world.bcast(&mut particles, 0)?;
    let first = Operation::user(false, |a: Particle, _: Particle| a);
    world.allreduce(&particles.clone(), &mut particles, first)
}

fn main() {
    let _: fn(&World) -> Result<()> = program;
}
