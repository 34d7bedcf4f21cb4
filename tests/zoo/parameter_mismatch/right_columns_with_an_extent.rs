//! The columns of a matrix are distributed: the next one starts one element later.
//!
//! ranks: 2
use workbench::{Layout, Result, World};

pub fn program(world: &World) -> Result<()> {
    let matrix = [1, 2, 3, 4, 5, 6];
    let column = Layout::vector(3, 1, 2).resized(1);
    let mut mine = [0; 3];
    world.scatter_layout((world.rank() == 0).then_some((&matrix[..], &column)), &mut mine, 0)?;
    assert_eq!(mine, if world.rank() == 0 { [1, 3, 5] } else { [2, 4, 6] });
    Ok(())
}
