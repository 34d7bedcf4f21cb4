//! Tests that are right, at the beginning, between the others and at the end.
use workbench::functional;

use crate::number_task::{distribute, solution, test};

#[test]
fn a_right_one() {
    test(distribute);
}

/// Rules that are kept, a reference that agrees, a refusal that is wanted, two checks in one test.
#[test]
fn a_right_one_with_rules() {
    functional(solution(distribute))
        .against(solution(|_, number| Ok(number.expect("there is one rank"))))
        .ranks(1..=4)
        .point_to_point_only()
        .messages(|_, ranks| ranks as u64 - 1)
        .check(|ranks| (1..=ranks as u64).collect::<Vec<_>>());
    functional(solution(distribute)).ranks([1, 2, 4]).refuses("is zero", |_| [0]);
}
