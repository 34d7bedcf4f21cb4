//! Stages that take too long.
use std::time::Duration;

use workbench::functional;

use crate::number_task::{NUMBER, StageSolution, distribute, ranks, test};

fn three_seconds(number: u64) -> u64 {
    std::thread::sleep(Duration::from_secs(3));
    number
}

#[test]
fn postprocessing_takes_three_seconds() {
    functional(StageSolution { run: distribute, postprocessing: three_seconds })
        .ranks(ranks())
        .check(|_| [NUMBER]);
}

/// The step that never reaches its end.
fn halved(mut step: u64) -> u64 {
    while step != 1 {
        step = std::hint::black_box(step / 2 + 2);
    }
    step
}

#[test]
fn a_loop_does_not_end() {
    test(|world, number| {
        let number = distribute(world, number)?;
        if world.rank() == 1 {
            halved(number);
        }
        world.barrier()?;
        Ok(number)
    });
}
