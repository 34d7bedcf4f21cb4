//! Functional tests: the assignment's inputs, on MPI and on threads, and inputs of the task's own.
//!
//! `cargo test -p example_p_integral`, or `mpirun -n 4 cargo test -p example_p_integral`.
use approx::assert_relative_eq;
use example_p_integral::{Function, Input, Mpi, Seq, trapezoids::trapezoids};
use rstest::rstest;
use workbench::functional;

/// The graded inputs of the assignment: with its oracle, its reference and its comparison.
#[test]
fn answers_the_assignment() {
    functional(Mpi).against_reference().graded();
}

#[test]
fn the_sequential_version_answers_the_assignment() {
    functional(Seq).against_reference().ranks([1]).graded();
}

/// Steps that the ranks cannot divide evenly, from one step for two ranks on.
#[rstest]
#[case::line(Function::Line, 0.0, 1.0)]
#[case::sine_with_both_signs(Function::Sine, -2.0, 3.0)]
#[case::backwards(Function::Exponential, 1.0, -1.0)]
fn divides_every_number_of_steps(#[case] function: Function, #[case] from: f64, #[case] to: f64) {
    functional(Mpi)
        .against_reference()
        .ranks(2..=4)
        .check(|_ranks| [1, 2, 3, 5, 7, 11].map(|steps| Input { function, from, to, steps }));
}

#[rstest]
#[case::no_steps(0.0, 1.0, 0, "at least one step")]
#[case::infinite(0.0, f64::INFINITY, 10, "finite")]
fn says_why_it_refuses(#[case] from: f64, #[case] to: f64, #[case] steps: u64, #[case] reason: &str) {
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
