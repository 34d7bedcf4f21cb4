//! More ranks than a launcher gives.
use workbench::functional;

use crate::number_task::{NUMBER, distribute, solution};

#[test]
fn some_need_more_ranks() {
    functional(solution(distribute)).ranks([2, 5]).check(|_| [NUMBER, 7]);
}

#[test]
fn all_need_more_ranks() {
    functional(solution(distribute)).ranks([6]).check(|_| [NUMBER]);
}

#[test]
fn no_rank_at_all() {
    functional(solution(distribute)).ranks([]).check(|_| [NUMBER]);
}
