//! The root copies entries whose columns are 64 bits wide, the others expect 32 bits and a row.
//!
//! ranks: 2
use workbench::{Result, Wire, World};

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Entry {
    column: u64,
    value: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Cell {
    row: u32,
    column: u32,
    value: f64,
}

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return world.bcast(&mut [Entry { column: 3, value: 0.5 }], 0); // WB0033 (0)
    }
    world.bcast(&mut [Cell::default()], 0) // WB0033 (1)
}
