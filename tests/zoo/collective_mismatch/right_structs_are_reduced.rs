//! A user's operation over structs: the largest value with its place.
//!
//! ranks: 3
use workbench::{Operation, Result, Wire, World};

#[derive(Clone, Copy, Debug, Default, PartialEq, Wire)]
#[repr(C)]
struct Peak {
    value: f64,
    row: u32,
    column: u32,
}

pub fn program(world: &World) -> Result<()> {
    let rank = world.rank() as u32;
    let largest = Operation::user(true, |a: Peak, b: Peak| if b.value > a.value { b } else { a });
    let mut peak = [Peak { value: f64::from(rank * (2 - rank)), row: rank, column: 5 }];
    world.allreduce_in_place(&mut peak, largest)?;
    assert_eq!(peak, [Peak { value: 1.0, row: 1, column: 5 }]);
    Ok(())
}
