//! A parallel version that communicates nothing: every rank knows the answer.
use crate::number_task::{NUMBER, test};

#[test]
fn every_rank_guesses() {
    test(|_, _| Ok(NUMBER));
}

/// A barrier carries no data.
#[test]
fn every_rank_guesses_between_barriers() {
    test(|world, _| {
        world.barrier()?;
        Ok(NUMBER)
    });
}
