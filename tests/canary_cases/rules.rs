//! Rules of an assignment that are broken.
use workbench::functional;

use crate::number_task::{NUMBER, distribute, ranks, solution};

#[test]
fn a_collective_is_called() {
    let solution = solution(|world, number| {
        let mut buffer = [number.unwrap_or_default()];
        world.bcast(&mut buffer, 0)?;
        Ok(buffer[0])
    });
    functional(solution).ranks(ranks()).point_to_point_only().check(|_| [NUMBER]);
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
