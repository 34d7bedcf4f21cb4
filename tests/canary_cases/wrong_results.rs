//! Wrong results, errors, and a reference that does not agree.
use workbench::functional;

use crate::number_task::{NUMBER, distribute, solution, test};

#[test]
fn the_result_is_wrong_everywhere() {
    test(|world, number| Ok(distribute(world, number)? + 1));
}

#[test]
fn a_call_returns_an_error() {
    test(|world, number| {
        let number = distribute(world, number)?;
        world.send(&[number], world.size(), 0)?;
        Ok(number)
    });
}

#[test]
fn the_reference_is_wrong() {
    let reference = solution(|_, number| Ok(number.unwrap_or_default() + 1));
    functional(solution(distribute)).against(reference).ranks([2]).check(|_| [NUMBER]);
}

/// Rank 0 fails at the first check and does not reach the second; no other rank may continue alone.
#[test]
fn the_first_of_two_checks_fails() {
    test(|world, number| Ok(distribute(world, number)? + 1));
    test(distribute);
}

/// A right one at the end: whatever came before it must not touch it.
#[test]
fn z_right_after_all() {
    test(distribute);
}
