//! A struct is received as floating-point numbers, and one of its fields is an integer.
//!
//! ranks: 2
use workbench::{Result, Wire, World};

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Entry {
    column: u64,
    value: f64,
}

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[Entry { column: 3, value: 0.5 }], 1, 0); // WB0041 (0)
    }
    let mut numbers = [0.0; 2];
    world.recv(&mut numbers, 0, 0)?; // WB0041 (1)
    Ok(())
}
