//! The graded inputs: every function, numbers of steps around the number of ranks, limits in both orders.
use workbench::{Assignment, AssignmentId, GradedInput, Tolerance, Verdict};

use crate::{
    problem::{Function, Input, Integral},
    reference::Reference,
};

/// The largest difference between sums of the same terms in different orders.
const ROUNDING: Tolerance = Tolerance { absolute: 1e-12, relative: 1e-10 };

impl Assignment for Integral {
    const ID: AssignmentId = workbench::assignment_id!();

    type Reference = Reference;

    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<Input>> {
        let ranks = ranks as u64;
        let case = |name: &str, function, from, to, steps| {
            GradedInput::new(name, Input { function, from, to, steps })
        };
        // Limits that no task knows in advance: three decimals of the seed.
        let shift = (seed % 1000) as f64 / 1000.0;
        vec![
            case("one step", Function::Line, 0.0, 1.0, 1),
            case("fewer steps than ranks", Function::Exponential, -1.0, 2.0, (ranks - 1).max(1)),
            case("as many steps as ranks", Function::Witch, 0.0, 1.0, ranks),
            case("one step more than ranks", Function::Sine, -2.0, 3.0, ranks + 1),
            case("steps that no number of ranks divides", Function::Witch, shift, shift + 1.0, 1009),
            case("the upper limit is below the lower one", Function::Witch, 1.0, -1.0 - shift, 1009),
            case("an interval of length zero", Function::Exponential, 1.5, 1.5, 100),
            case("an integral that is zero", Function::Sine, -1.0 - shift, 1.0 + shift, 1009),
            case("many steps", Function::Sine, shift, shift + std::f64::consts::PI, 100_000),
            case("large values", Function::Exponential, 20.0 + shift, 30.0, 20_000),
        ]
    }

    fn refused_inputs(_ranks: usize) -> Vec<GradedInput<Input>> {
        let case = |name: &str, from, to, steps| {
            GradedInput::new(name, Input { function: Function::Line, from, to, steps })
        };
        vec![
            case("no steps", 0.0, 1.0, 0),
            case("an infinite limit", 0.0, f64::INFINITY, 10),
            case("a lower limit that is not a number", f64::NAN, 1.0, 10),
            case("an upper limit that is not a number", 0.0, f64::NAN, 10),
        ]
    }

    /// The ranks may add in another order than the reference.
    fn compare(output: &f64, expected: &f64) -> Verdict {
        Verdict::close(&[*output], &[*expected], ROUNDING)
    }
}
