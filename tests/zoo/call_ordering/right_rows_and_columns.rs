//! The first rank of a row sends first, the second one receives first.
//!
//! ranks: 4
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let rank = world.rank() as u32;
    let row = world.split(Some(rank / 2), 0)?.expect("every rank is in a row");
    let column = world.split(Some(rank % 2), 0)?.expect("every rank is in a column");
    if rank == 1 {
        return column.send(&[1], 1, 0);
    }
    if rank == 0 {
        return Ok(());
    }
    let in_row = 1 - row.rank();
    if row.rank() == 0 {
        row.send(&[1], in_row, 0)?;
        row.recv(&mut [0], in_row, 0)?;
    } else {
        row.recv(&mut [0], in_row, 0)?;
        row.send(&[1], in_row, 0)?;
    }
    if rank == 3 {
        column.recv(&mut [0], 0, 0)?;
    }
    Ok(())
}
