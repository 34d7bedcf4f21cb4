//! More memory than there is.
use std::hint::black_box;

use crate::number_task::{distribute, test};

/// A side that was meant to be a number of elements.
const SIDE: usize = 1_000_000;

#[test]
fn rank_1_asks_for_a_matrix_too_large() {
    test(|world, number| {
        let number = distribute(world, number)?;
        if world.rank() == 1 {
            black_box(vec![1.0_f64; SIDE * SIDE]);
        }
        world.barrier()?;
        Ok(number)
    });
}

#[test]
fn rank_1_asks_for_more_than_an_address_can_name() {
    test(|world, number| {
        let number = distribute(world, number)?;
        if world.rank() == 1 {
            black_box(Vec::<f64>::with_capacity(usize::MAX / black_box(4)));
        }
        world.barrier()?;
        Ok(number)
    });
}
