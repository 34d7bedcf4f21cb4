//! More ranks than a launcher gives.
use workbench::functional;

use crate::kit::{NUMBER, solution, spread};

#[test]
fn some_need_more_ranks() {
    functional(solution(spread)).ranks([2, 5]).check(|_| [NUMBER, 7]);
}

#[test]
fn all_need_more_ranks() {
    functional(solution(spread)).ranks([6]).check(|_| [NUMBER]);
}
