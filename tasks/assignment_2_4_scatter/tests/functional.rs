//! The assignment itself: its laws, the outputs that it refuses, and a solution on several ranks.
mod solution;

use assignment_2_4_scatter::Scattering;
use solution::Star;
use workbench::{assignment_laws::check_assignment, functional};

#[test]
fn keeps_the_laws_and_finds_mistakes() {
    check_assignment::<Scattering>(&[
        ("ranks: the parts in another order", |_, mut parts| {
            parts.reverse();
            parts
        }),
        ("ranks: the whole vector as one part", |input, _| vec![input.data.clone()]),
        ("a part is missing", |_, mut parts| {
            parts.pop();
            parts
        }),
        ("an element is missing", |_, mut parts| {
            let last = parts.pop().expect("a part");
            parts.push(last.slice(0..last.count().max(1) - 1));
            parts
        }),
    ]);
}

#[test]
fn a_solution_on_several_ranks_passes() {
    functional(Star).against_reference().graded();
}
