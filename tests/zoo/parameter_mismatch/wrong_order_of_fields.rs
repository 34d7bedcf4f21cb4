//! The receiver's struct has the same size, and its fields in another order.
//!
//! ranks: 2
use workbench::{Result, Wire, World};

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Particle {
    place: [f64; 2],
    mass: f64,
    id: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Body {
    place: [f64; 2],
    id: u64,
    mass: f64,
}

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        let particle = Particle { place: [0.5, 1.5], mass: 2.0, id: 7 };
        return world.send(&[particle], 1, 0); // WB0041 (0)
    }
    let mut bodies = [Body::default(); 2];
    world.recv(&mut bodies, 0, 0)?; // WB0041 (1)
    Ok(())
}
