//! Stages that take too long.
use std::time::Duration;

use workbench::functional;

use crate::kit::{NUMBER, Solution, ranks, spread};

fn three_seconds(number: u64) -> u64 {
    std::thread::sleep(Duration::from_secs(3));
    number
}

#[test]
fn postprocessing_takes_three_seconds() {
    functional(Solution { run: spread, postprocessing: three_seconds }).ranks(ranks()).check(|_| [NUMBER]);
}
