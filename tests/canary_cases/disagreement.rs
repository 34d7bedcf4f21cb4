//! Ranks with different results.
use crate::number_task::{NUMBER, distribute, test};

#[test]
fn rank_1_has_another_number() {
    test(|world, number| Ok(distribute(world, number)? + u64::from(world.rank() == 1)));
}

/// The answer is right where the library does not compare the roots.
#[test]
fn every_rank_is_the_root() {
    test(|world, number| {
        let mut number = [number.unwrap_or(NUMBER)];
        world.bcast(&mut number, world.rank())?;
        Ok(number[0])
    });
}

/// A reduction lets its ranks continue without the root.
#[test]
fn all_but_the_root_reduce_again() {
    test(|world, number| {
        let number = distribute(world, number)?;
        if world.rank() > 0 {
            world.reduce(&[number], None, workbench::Operation::Sum, 0)?;
        }
        Ok(number)
    });
}
