//! The graded inputs: sizes that the side of the grid divides and does not divide, at square and other numbers of ranks.
use workbench::{Assignment, AssignmentId, GradedInput, Matrix, Tolerance, Verdict};

use crate::{
    problem::{BlockProduct, SquareFactors},
    reference::Reference,
};

/// The largest difference between sums of the same products in different orders.
const ROUNDING: Tolerance = Tolerance { absolute: 1e-11, relative: 1e-11 };

impl Assignment for BlockProduct {
    const ID: AssignmentId = workbench::assignment_id!();

    const GRADED_RANKS: &'static [usize] = &[1, 2, 4, 5, 9];

    type Reference = Reference;

    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<SquareFactors>> {
        let side = ranks.isqrt();
        let random = |name: &str, size: usize| {
            let [a, b] = [seed, seed.wrapping_add(1)].map(|seed| Matrix::random(size, size, seed));
            GradedInput::new(name, SquareFactors { a, b })
        };
        let rotation = Matrix::of(7, 7, |i, j| if (i + 1) % 7 == j { 1.0 } else { 0.0 });
        vec![
            random("no elements", 0),
            random("one element", 1),
            random("one element for each rank of the grid", side),
            random("one row more than the grid has", side + 1),
            random("no side of a grid divides the size", 31),
            random("each side of a grid divides the size", 48),
            GradedInput::new(
                "a rotation of the rows",
                SquareFactors { a: rotation, b: Matrix::random(7, 7, seed) },
            ),
        ]
    }

    fn refused_inputs(_ranks: usize) -> Vec<GradedInput<SquareFactors>> {
        let incomplete = Matrix { rows: 3, columns: 3, elements: vec![0.0; 8] };
        let case = |name: &str, a: Matrix, b: Matrix| GradedInput::new(name, SquareFactors { a, b });
        vec![
            case("A is not square", Matrix::zeros(3, 4), Matrix::zeros(4, 4)),
            case("B is not square", Matrix::zeros(3, 3), Matrix::zeros(3, 2)),
            case("matrices of different sizes", Matrix::zeros(3, 3), Matrix::zeros(4, 4)),
            case("A has an element too few", incomplete.clone(), Matrix::zeros(3, 3)),
            case("B has an element too few", Matrix::zeros(3, 3), incomplete),
        ]
    }

    /// The ranks may add in another order than the reference.
    fn compare(output: &Matrix, expected: &Matrix) -> Verdict {
        if (output.rows, output.columns) != (expected.rows, expected.columns) {
            return Verdict::Wrong(format!(
                "{} x {} elements, expected {} x {}",
                output.rows, output.columns, expected.rows, expected.columns
            ));
        }
        Verdict::close(&output.elements, &expected.elements, ROUNDING)
    }
}
