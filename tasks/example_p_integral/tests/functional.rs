//! Functional tests: on MPI and on threads, each output is compared with the exact integral and with the output of the
//! sequential version.
//!
//! `cargo test -p example_p_integral`, or `mpirun -n 4 cargo test -p example_p_integral`.
use approx::assert_relative_eq;
use example_p_integral::{Function, Input, Integral, Mpi, Seq, trapezoids::trapezoids};
use rstest::rstest;
use workbench::{Problem, Tolerance, Verdict, functional};

/// One step, fewer steps than ranks, as many, a number that no number of ranks divides, and many steps.
const STEPS: [u64; 6] = [1, 2, 4, 5, 1009, 100_000];

/// The largest difference between sums of the same terms in different orders.
const ROUNDING: Tolerance = Tolerance { absolute: 1e-12, relative: 1e-10 };

/// Each function over an interval, at all numbers of steps.
#[rstest]
#[case::line(Function::Line, 0.0, 1.0)]
#[case::sine(Function::Sine, 0.0, std::f64::consts::PI)]
#[case::sine_with_both_signs(Function::Sine, -2.0, 3.0)]
#[case::exponential(Function::Exponential, -1.0, 2.0)]
#[case::witch(Function::Witch, 0.0, 1.0)]
#[case::backwards(Function::Witch, 1.0, -1.0)]
#[case::nowhere(Function::Exponential, 1.5, 1.5)]
fn integrates(#[case] function: Function, #[case] from: f64, #[case] to: f64) {
    functional(Mpi)
        .against(Seq)
        // The ranks add in another order than one rank does, so the last digits differ.
        .compare(|integral, expected| Verdict::close(&[*integral], &[*expected], ROUNDING))
        .ranks(1..=5)
        .check(|_ranks| STEPS.map(|steps| Input { function, from, to, steps }));
}

#[rstest]
#[case::no_steps(0.0, 1.0, 0, "at least one step")]
#[case::infinite(0.0, f64::INFINITY, 10, "finite")]
#[case::not_a_number(f64::NAN, 1.0, 10, "finite")]
fn refuses(#[case] from: f64, #[case] to: f64, #[case] steps: u64, #[case] reason: &str) {
    functional(Mpi)
        .ranks([1, 3])
        .refuses(reason, |_ranks| vec![Input { function: Function::Line, from, to, steps }]);
}

/// For every division of the steps into blocks, the sum of the blocks is the whole.
#[test]
fn blocks_add_up() {
    let input = Input { function: Function::Sine, from: 0.0, to: 2.0, steps: 100 };
    let whole = trapezoids(&input, 0..100);
    for cut in 0..=100 {
        assert_relative_eq!(
            trapezoids(&input, 0..cut) + trapezoids(&input, cut..100),
            whole,
            epsilon = 1e-14
        );
    }
}

/// The oracle must reject a sum in which half of a trapezoid's side is missing.
#[rstest]
fn the_oracle_notices_a_missing_end(
    #[values(Function::Line, Function::Sine, Function::Exponential, Function::Witch)] function: Function,
) {
    let input = Input { function, from: 0.5, to: 1.0, steps: 1000 };
    let right = trapezoids(&input, 0..1000);
    assert_eq!(Integral::check(&input, &right), Verdict::Right);
    let wrong = right - 0.5 * input.width() * function.at(0.5);
    assert_ne!(Integral::check(&input, &wrong), Verdict::Right);
    assert_ne!(Integral::check(&input, &f64::NAN), Verdict::Right);
}
