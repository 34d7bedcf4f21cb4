//! The root has room for all blocks, with its own at its place.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let mut data = vec![world.rank(); if world.rank() == 0 { 6 } else { 3 }];
    world.gather_in_place(&mut data, 0)?;
    assert_eq!(data[..3], [world.rank(); 3]);
    assert_eq!(data.get(3..).filter(|rest| !rest.is_empty()), (world.rank() == 0).then_some(&[1; 3][..]));
    Ok(())
}
