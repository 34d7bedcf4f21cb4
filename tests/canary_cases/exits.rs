//! Ranks whose process ends in the middle, as if all were well.
use crate::number_task::{distribute, test};

#[test]
fn rank_1_calls_exit_0() {
    test(|world, number| {
        if world.rank() == 1 {
            std::process::exit(0);
        }
        let number = distribute(world, number)?;
        world.recv(&mut [0], 1, 1)?;
        Ok(number)
    });
}

#[test]
fn rank_1_aborts() {
    test(|world, number| {
        if world.rank() == 1 {
            std::process::abort();
        }
        let number = distribute(world, number)?;
        world.recv(&mut [0], 1, 1)?;
        Ok(number)
    });
}
