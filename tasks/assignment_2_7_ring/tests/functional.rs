//! The assignment itself: its laws, the outputs that it refuses, and a solution on several ranks.
mod solution;

use assignment_2_7_ring::{Delivery, Letter, Ring};
use solution::Passing;
use workbench::{Problem, Verdict, assignment_laws::check_assignment, functional};

#[test]
fn keeps_the_laws_and_finds_mistakes() {
    check_assignment::<Ring>(&[
        ("ranks: the direct way", |input, delivery| Delivery {
            route: vec![input.from, input.to],
            ..delivery
        }),
        ("ranks: the other direction", |_, delivery| Delivery {
            route: delivery.route.into_iter().rev().collect(),
            ..delivery
        }),
        ("an element is missing", |_, mut delivery| {
            delivery.data.pop();
            delivery
        }),
        ("the sign of zero", |_, mut delivery| {
            delivery.data.iter_mut().for_each(|x| *x += 0.0);
            delivery
        }),
        ("no route", |_, delivery| Delivery { route: vec![], ..delivery }),
        ("twice around", |_, mut delivery| {
            let around = delivery.route[1..].to_vec();
            delivery.route.extend(around);
            delivery
        }),
    ]);
}

#[test]
fn the_route_around_the_ring_reaches_every_rank() {
    let letter = |ranks| Letter { data: vec![], from: 0, to: 0, ranks };
    let check =
        |ranks, route: &[i32]| Ring::check(&letter(ranks), &Delivery { data: vec![], route: route.to_vec() });
    for (ranks, right) in [(1, &[0, 0][..]), (2, &[0, 1, 0]), (4, &[0, 1, 2, 3, 0])] {
        assert_eq!(check(ranks, right), Verdict::Right, "{right:?}");
    }
    for wrong in [&[0][..], &[0, 0], &[0, 2, 0], &[0, 1, 0, 1, 0], &[0, 1], &[0, 2, 1, 0], &[]] {
        assert_ne!(check(2, wrong), Verdict::Right, "{wrong:?}");
    }
    assert_ne!(check(3, &[0, 1, 0]), Verdict::Right);
}

#[test]
fn a_solution_on_several_ranks_passes() {
    functional(Passing).against_reference().graded();
}
