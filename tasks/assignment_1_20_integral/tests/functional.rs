//! The assignment itself: its laws, the outputs that it refuses, and its examples. A solution is `tasks/example_p_integral`.
use assignment_1_20_integral::{Function, Input, Integral, Reference};
use workbench::{Assignment, Verdict, assignment_laws::check_assignment, functional, reference_output};

#[test]
fn keeps_the_laws_and_finds_mistakes() {
    check_assignment::<Integral>(&[
        ("an end is missing", |input, right| right - 0.5 * input.width() * input.function.at(input.from)),
        ("a step is missing", |input, right| right - input.width() * input.function.at(input.to)),
        ("the sign", |_, right| right.abs()),
        ("not a number", |_, _| f64::NAN),
    ]);
}

#[test]
fn the_reference_passes() {
    functional(Reference).against_reference().ranks([1]).graded();
}

#[test]
fn the_examples_of_the_statement_are_right() {
    let examples = [
        (Function::Line, 0.0, 1.0, 1, 2.0),
        (Function::Witch, 0.0, 1.0, 2, 3.1),
        (Function::Exponential, 1.5, 1.5, 100, 0.0),
    ];
    for (function, from, to, steps, expected) in examples {
        let input = Input { function, from, to, steps };
        let output = reference_output::<Integral>(&input).expect("it is solved");
        assert_eq!(Integral::compare(&output, &expected), Verdict::Right, "{input:?}");
    }
}
