//! A request that is never waited for.
use crate::kit::{spread, test};

#[test]
fn a_request_is_dropped() {
    test(|world, number| {
        let number = spread(world, number)?;
        if world.rank() == 1 {
            drop(world.irecv::<u64>(1, 0, 77)?);
        }
        Ok(number)
    });
}
