//! The graded inputs: numbers of equations around the number of ranks, diagonal matrices, and large solutions.
use workbench::{Assignment, AssignmentId, GradedInput, Matrix, Tolerance, Verdict};

use crate::{
    problem::{Jacobi, LinearSystem},
    reference::Reference,
};

/// The largest difference between iterations that add in different orders; the tolerances of the graded inputs are smaller.
const ROUNDING: Tolerance = Tolerance { absolute: 1e-7, relative: 1e-7 };

impl Assignment for Jacobi {
    const ID: AssignmentId = workbench::assignment_id!();

    type Reference = Reference;

    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<LinearSystem>> {
        let random = |name: &str, size| GradedInput::new(name, LinearSystem::random(size, seed));
        let diagonal = Matrix::of(6, 6, |i, j| if i == j { i as f64 - 2.5 } else { 0.0 });
        let mut large = LinearSystem::random(12, seed ^ 1);
        large.b.iter_mut().for_each(|b| *b *= 1e3);
        let zero = LinearSystem { b: vec![0.0; 10], ..LinearSystem::random(10, seed ^ 2) };
        vec![
            random("no equations", 0),
            random("one equation", 1),
            random("fewer equations than ranks", ranks.max(2) - 1),
            random("as many equations as ranks", ranks),
            random("one equation more than ranks", ranks + 1),
            random("no number of ranks divides the equations", 61),
            GradedInput::new(
                "a diagonal matrix",
                LinearSystem { a: diagonal, b: vec![1.0, -2.0, 3.0, 0.0, 5.0, -6.0], tolerance: 1e-12 },
            ),
            GradedInput::new("a large solution", large),
            GradedInput::new("the solution is zero", zero),
            GradedInput::new(
                "one step is enough",
                LinearSystem { tolerance: 1e-9, ..LinearSystem::random(3, seed ^ 3) },
            ),
        ]
    }

    fn refused_inputs(_ranks: usize) -> Vec<GradedInput<LinearSystem>> {
        let right = || LinearSystem::random(4, 1);
        let case = |name: &str, change: fn(&mut LinearSystem)| {
            let mut system = right();
            change(&mut system);
            GradedInput::new(name, system)
        };
        vec![
            case("a matrix that is not square", |system| system.a = Matrix::random(4, 5, 1)),
            case("a matrix without all elements", |system| system.a.elements.truncate(15)),
            case("a right-hand side too many", |system| system.b.push(1.0)),
            case("a zero on the diagonal", |system| system.a.row_mut(2)[2] = 0.0),
            case("a diagonal element that is too small", |system| system.a.row_mut(0).fill(1.0)),
            case("a tolerance of zero", |system| system.tolerance = 0.0),
            case("a negative tolerance", |system| system.tolerance = -1e-9),
            case("a tolerance that is not a number", |system| system.tolerance = f64::NAN),
        ]
    }

    /// The ranks may add in another order than the reference, and need one step more or less.
    fn compare(output: &Vec<f64>, expected: &Vec<f64>) -> Verdict {
        Verdict::close(output, expected, ROUNDING)
    }
}
