//! A struct of one type of numbers is received as these numbers.
//!
//! ranks: 2
use workbench::{Result, Wire, World};

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Point {
    x: f64,
    y: f64,
}

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[Point { x: 1.5, y: 2.5 }, Point { x: 3.5, y: 4.5 }], 1, 0);
    }
    let mut numbers = [0.0; 4];
    world.recv(&mut numbers, 0, 0)?;
    assert_eq!(numbers, [1.5, 2.5, 3.5, 4.5]);
    Ok(())
}
