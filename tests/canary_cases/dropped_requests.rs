//! A request that is never waited for.
use crate::number_task::{distribute, test};

#[test]
fn a_request_is_dropped() {
    test(|world, number| {
        let number = distribute(world, number)?;
        if world.rank() == 1 {
            drop(world.irecv::<u64>(1, 0, 77)?);
        }
        Ok(number)
    });
}

/// Its message was sent, and no rank reads it.
#[test]
fn a_request_is_dropped_with_its_message() {
    test(|world, number| {
        let number = distribute(world, number)?;
        match world.rank() {
            0 => world.send(&[number], 1, 78)?,
            1 => drop(world.irecv::<u64>(1, 0, 78)?),
            _ => {}
        }
        Ok(number)
    });
}
