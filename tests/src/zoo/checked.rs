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
    let mut judge = |outcome| match looked::with_result(animal, outcome) {
        Ok((findings, result)) => Judgement { findings, wrong: None, result: Some(result) },
        Err(why) => Judgement { wrong: Some(why), ..Judgement::default() },
    };
    let explored = orders.explore(animal.ranks, BUDGET, &looked::job(animal), &mut judge);
    explored.unwrap_or_else(|why| panic!("{}: {why}", animal.file()))
}
