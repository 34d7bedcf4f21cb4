//! What is found by who tries all orders of one program.
use std::time::Duration;

use wb_comm::{
    Orders,
    orders::{Budget, Explored, Judgement},
};

use super::{Animal, looked};

/// Enough for every program of the zoo.
const BUDGET: Budget = Budget { schedules: 20_000, time: Duration::from_secs(60) };

/// Tries all orders of the program, each judged as a run is.
///
/// # Panics
/// When the program makes other choices when it is run again.
pub fn all(animal: &Animal, orders: &dyn Orders) -> Explored {
    let mut judge = |outcome| match looked::judged(animal, outcome) {
        Ok(findings) => Judgement { findings, wrong: None },
        Err(why) => Judgement { findings: vec![], wrong: Some(why) },
    };
    let explored = orders.explore(animal.ranks, BUDGET, &looked::job(animal), &mut judge);
    explored.unwrap_or_else(|why| panic!("{}: {why}", animal.file()))
}
