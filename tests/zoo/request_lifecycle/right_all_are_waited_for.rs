//! The requests are kept, and all are waited for.
//!
//! ranks: 2
use workbench::{Result, World};

pub fn program(world: &World) -> Result<()> {
    if world.rank() == 0 {
        return (0..3).try_for_each(|tag| world.send(&[tag], 1, tag));
    }
    let start = |tag| world.irecv::<i32>(1, 0, tag);
    let requests = (0..3).map(start).collect::<Result<Vec<_>>>()?;
    requests.into_iter().try_for_each(|request| request.wait().map(drop))
}
