//! The assignment itself: its laws, the outputs that it refuses, and a solution on several ranks.
mod solution;

use assignment_2_2_reduce::{Combine, Operands, Reducing, Reference};
use solution::Tree;
use workbench::{TypedVec, assignment_laws::check_assignment, functional, reference_output};

#[test]
fn keeps_the_laws_and_finds_mistakes() {
    check_assignment::<Reducing>(&[
        ("the first vector alone", |input, _| input.vectors[0].clone()),
        ("always the sum", |input, _| sum(input)),
        ("one element too few", |_, output| output.slice(0..output.count().max(1) - 1)),
        ("another type", |_, output| match output {
            TypedVec::Float(data) => TypedVec::Double(data.into_iter().map(f64::from).collect()),
            other => other,
        }),
        ("the last vector twice", |input, output| combined(output, input.vectors.last().expect("a vector"))),
    ]);
}

fn sum(input: &Operands) -> TypedVec {
    let input = Operands { combine: Combine::Sum, ..input.clone() };
    match &input.vectors[0] {
        // The sum of extreme ints overflows.
        TypedVec::Int(_) => TypedVec::Int(vec![]),
        _ => reference_output::<Reducing>(&input).expect("it is solved"),
    }
}

/// The sum of two vectors.
fn combined(one: TypedVec, other: &TypedVec) -> TypedVec {
    match (one, other) {
        (TypedVec::Double(one), TypedVec::Double(other)) => {
            TypedVec::Double(one.iter().zip(other).map(|(one, other)| one + other).collect())
        }
        (one, _) => one,
    }
}

#[test]
fn the_reference_passes() {
    functional(Reference).against_reference().ranks([1]).check(|_| {
        vec![Operands { vectors: vec![TypedVec::Int(vec![1, 2])], combine: Combine::Sum, root: 0 }]
    });
}

#[test]
fn a_solution_on_several_ranks_passes() {
    functional(Tree).against_reference().graded();
}
