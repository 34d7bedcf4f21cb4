//! The receiver's struct has other names and the same numbers in the same order: only the numbers count.
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
    x: f64,
    y: f64,
    weight: f64,
    number: u64,
}

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        let particle = Particle { place: [0.5, 1.5], mass: 2.0, id: 7 };
        return world.send(&[particle], 1, 0);
    }
    let mut bodies = [Body::default(); 2];
    world.recv(&mut bodies, 0, 0)?;
    assert_eq!(bodies[0], Body { x: 0.5, y: 1.5, weight: 2.0, number: 7 });
    Ok(())
}
