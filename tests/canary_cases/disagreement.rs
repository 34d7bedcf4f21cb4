//! Ranks that come to different results.
use crate::kit::{NUMBER, spread, test};

#[test]
fn rank_1_has_another_number() {
    test(|world, number| Ok(spread(world, number)? + u64::from(world.rank() == 1)));
}

/// The answer is right wherever the library takes everybody at its word.
#[test]
fn everybody_is_the_root() {
    test(|world, number| {
        let mut number = [number.unwrap_or(NUMBER)];
        world.bcast(&mut number, world.rank())?;
        Ok(number[0])
    });
}
