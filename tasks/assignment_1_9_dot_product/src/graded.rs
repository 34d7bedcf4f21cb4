//! The graded inputs: lengths around the number of ranks, cancellation, and values of different sizes.
use workbench::{Assignment, AssignmentId, GradedInput, Tolerance, Verdict};

use crate::{
    problem::{DotProduct, Vectors},
    reference::Reference,
};

/// The largest difference between sums of the same terms in different orders.
const ROUNDING: Tolerance = Tolerance { absolute: 1e-9, relative: 1e-10 };

impl Assignment for DotProduct {
    const ID: AssignmentId = workbench::assignment_id!();

    type Reference = Reference;

    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<Vectors>> {
        let of = |x: &[f64], y: &[f64]| Vectors { x: x.to_vec(), y: y.to_vec() };
        let alternating: Vec<f64> = (0..100).map(|i| if i % 2 == 0 { 1e6 } else { -1e6 }).collect();
        let mut scaled = Vectors::random(500, seed ^ 5);
        scaled.x.iter_mut().enumerate().for_each(|(i, x)| *x *= 10_f64.powi(i as i32 % 9 - 4));
        vec![
            GradedInput::new("no elements", of(&[], &[])),
            GradedInput::new("one element", of(&[3.5], &[-2.0])),
            GradedInput::new("fewer elements than ranks", Vectors::random(ranks.max(2) - 1, seed)),
            GradedInput::new("as many elements as ranks", Vectors::random(ranks, seed ^ 1)),
            GradedInput::new("one element more than ranks", Vectors::random(ranks + 1, seed ^ 2)),
            GradedInput::new("no number of ranks divides the length", Vectors::random(1009, seed ^ 3)),
            GradedInput::new("orthogonal vectors", of(&[1.0, 0.0, 1.0, 0.0], &[0.0, 1.0, 0.0, 1.0])),
            GradedInput::new("terms that cancel", of(&alternating, &[1.0; 100])),
            GradedInput::new("terms of different sizes", scaled),
            GradedInput::new("many elements", Vectors::random(20_000, seed ^ 4)),
        ]
    }

    fn refused_inputs(_ranks: usize) -> Vec<GradedInput<Vectors>> {
        let of = |x: usize, y: usize| Vectors { x: vec![1.0; x], y: vec![1.0; y] };
        vec![
            GradedInput::new("the second vector is shorter", of(5, 4)),
            GradedInput::new("the second vector is longer", of(5, 6)),
            GradedInput::new("only one vector is empty", of(0, 3)),
        ]
    }

    /// The ranks may add in another order than the reference.
    fn compare(output: &f64, expected: &f64) -> Verdict {
        Verdict::close(&[*output], &[*expected], ROUNDING)
    }
}
