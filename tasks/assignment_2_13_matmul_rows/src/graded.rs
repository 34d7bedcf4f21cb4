//! The graded inputs: numbers of rows around the number of ranks, vectors, and matrices without elements.
use workbench::{Assignment, AssignmentId, GradedInput, Matrix, Tolerance, Verdict};

use crate::{
    problem::{Factors, StripProduct},
    reference::Reference,
};

/// The largest difference between sums of the same products in different orders.
const ROUNDING: Tolerance = Tolerance { absolute: 1e-11, relative: 1e-11 };

impl Assignment for StripProduct {
    const ID: AssignmentId = workbench::assignment_id!();

    type Reference = Reference;

    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<Factors>> {
        let random = |name: &str, [rows, inner, columns]: [usize; 3]| {
            let b = Matrix::random(inner, columns, seed.wrapping_add(1));
            GradedInput::new(name, Factors { a: Matrix::random(rows, inner, seed), b })
        };
        let identity = |size| Matrix::of(size, size, |i, j| if i == j { 1.0 } else { 0.0 });
        vec![
            random("one element", [1, 1, 1]),
            random("one row of A for each rank", [ranks, 4, 3]),
            random("one row of A more than ranks", [ranks + 1, 4, 3]),
            random("fewer rows of A than ranks", [ranks.max(2) - 1, 5, 2]),
            random("a row times a matrix", [1, 6, 7]),
            random("a matrix times a column", [7, 6, 1]),
            random("a column times a row", [5, 1, 6]),
            random("no rows of A", [0, 3, 4]),
            random("no columns of A", [4, 0, 3]),
            random("no columns of B", [4, 3, 0]),
            random("no number of ranks divides the rows", [31, 17, 13]),
            random("square matrices", [48, 48, 48]),
            GradedInput::new("an identity", Factors { a: identity(9), b: Matrix::random(9, 9, seed) }),
        ]
    }

    fn refused_inputs(_ranks: usize) -> Vec<GradedInput<Factors>> {
        let incomplete = Matrix { rows: 3, columns: 3, elements: vec![0.0; 8] };
        let case = |name: &str, a: Matrix, b: Matrix| GradedInput::new(name, Factors { a, b });
        vec![
            case("A is not as wide as B is high", Matrix::zeros(3, 4), Matrix::zeros(3, 4)),
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
