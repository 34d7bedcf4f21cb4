//! Both send first, and so much that no library keeps it.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    let partner = 1 - world.rank();
    let (mine, mut theirs) = (vec![1.0; 1 << 18], vec![0.0; 1 << 18]);
    world.send(&mine, partner, 0)?; // WB0020 (0, 1)
    world.recv(&mut theirs, partner, 0)?;
    Ok(())
}
