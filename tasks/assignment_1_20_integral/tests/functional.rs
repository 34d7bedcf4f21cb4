//! The assignment itself: the reference passes its own inputs, and the oracle refuses wrong outputs.
use assignment_1_20_integral::{Function, Input, Integral, Reference};
use workbench::{Assignment, Problem, Task, Verdict, functional, threads};

/// The output of the reference.
fn reference(input: Input) -> f64 {
    let outputs = threads(1, move |world| Reference.run(world, &input).expect("it sends nothing"));
    outputs[0]
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
        assert_eq!(Integral::compare(&reference(input), &expected), Verdict::Right, "{input:?}");
    }
}

/// A task that forgets an end of the interval, a step or the sign is found by at least one graded input.
#[test]
fn canary_mistakes_are_found_by_the_graded_inputs() {
    type Mistake = fn(&Input, f64) -> f64;
    let mistakes: [(&str, Mistake); 4] = [
        ("an end is missing", |input, right| right - 0.5 * input.width() * input.function.at(input.from)),
        ("a step is missing", |input, right| right - input.width() * input.function.at(input.to)),
        ("the sign", |_, right| right.abs()),
        ("not a number", |_, _| f64::NAN),
    ];
    for ranks in Integral::GRADED_RANKS {
        let inputs = Integral::graded_inputs(*ranks, 7);
        for case in &inputs {
            let right = reference(case.input);
            assert_eq!(Integral::check(&case.input, &right), Verdict::Right, "{} at {ranks}", case.name);
        }
        for (mistake, wrong) in mistakes {
            let found = inputs.iter().any(|case| {
                Integral::check(&case.input, &wrong(&case.input, reference(case.input))) != Verdict::Right
            });
            assert!(found, "{mistake} at {ranks}");
        }
    }
}

#[test]
fn other_seeds_give_other_inputs_and_equal_seeds_equal_ones() {
    assert_eq!(Integral::graded_inputs(3, 5), Integral::graded_inputs(3, 5));
    assert_ne!(Integral::graded_inputs(3, 5), Integral::graded_inputs(3, 6));
}
