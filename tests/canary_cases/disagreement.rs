//! Ranks that come to different results.
use crate::kit::{spread, test};

#[test]
fn rank_1_has_another_number() {
    test(|world, number| Ok(spread(world, number)? + u64::from(world.rank() == 1)));
}
