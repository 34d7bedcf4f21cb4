//! Rules of an assignment that are broken.
use workbench::{Result, World, functional};

use crate::number_task::{NUMBER, distribute, ranks, solution};

fn broadcast(world: &World, number: Option<u64>) -> Result<u64> {
    let mut buffer = [number.unwrap_or_default()];
    world.bcast(&mut buffer, 0)?;
    Ok(buffer[0])
}

#[test]
fn a_collective_is_called() {
    functional(solution(broadcast)).ranks(ranks()).point_to_point_only().check(|_| [NUMBER]);
}

/// Right where the variant of the task allows collective verbs.
#[test]
fn z_a_collective_may_be_allowed() {
    functional(solution(broadcast)).ranks(ranks()).check(|_| [NUMBER]);
}

#[test]
fn too_many_messages() {
    functional(solution(distribute)).ranks(ranks()).messages(|_, _| 0).check(|_| [NUMBER]);
}

#[test]
fn a_bad_input_is_accepted() {
    functional(solution(distribute)).ranks(ranks()).refuses("is zero", |_| [NUMBER]);
}

#[test]
fn a_good_input_is_refused() {
    functional(solution(distribute)).ranks(ranks()).check(|_| [0]);
}

#[test]
fn no_input_at_all() {
    functional(solution(distribute)).ranks(ranks()).check(|_| []);
}

#[test]
#[should_panic]
fn a_failure_is_expected() {
    too_many_messages();
}
