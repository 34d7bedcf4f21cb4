//! Functional tests: on MPI and on threads, each solution goes to the oracle and is compared with the sequential version's, bit
//! by bit.
//!
//! `cargo test -p example_e_conjugate_gradients`, or `mpirun -n 4 cargo test -p example_e_conjugate_gradients`.
use approx::assert_relative_eq;
use example_e_conjugate_gradients::{Matrix, Minimising, Mpi, PositiveSystem, Seq, iteration::dot};
use rstest::rstest;
use workbench::{Problem, Verdict, functional};

fn system(rows: &[&[f64]], b: &[f64]) -> PositiveSystem {
    let a = Matrix::of(rows.len(), rows.len(), |i, j| rows[i][j]);
    PositiveSystem { a, b: b.to_vec() }
}

/// The second difference: 2 on the diagonal, -1 beside it. Its condition number grows with the square of the size.
fn difference(size: usize) -> PositiveSystem {
    let a = Matrix::of(size, size, |i, j| match i.abs_diff(j) {
        0 => 2.0,
        1 => -1.0,
        _ => 0.0,
    });
    PositiveSystem { a, b: vec![1.0; size] }
}

/// Systems of every small size, and one that no number of ranks divides.
#[test]
fn solves_systems_of_many_sizes() {
    let inputs = || (0..=9).chain([61]).map(|size| PositiveSystem::random(size, size as u64));
    functional(Seq).ranks([1]).check(|_ranks| inputs());
    functional(Mpi).against(Seq).compare(Verdict::equal).ranks(1..=5).check(|_ranks| inputs());
}

/// A right-hand side of zeros, a diagonal matrix with very different elements, and a large condition number.
#[rstest]
#[case::zeros(PositiveSystem { b: vec![0.0; 5], ..PositiveSystem::random(5, 1) })]
#[case::diagonal(system(&[&[1e-6, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 1e6]], &[1.0, 1.0, 1.0]))]
#[case::difference(difference(40))]
fn solves(#[case] input: PositiveSystem) {
    functional(Mpi).against(Seq).compare(Verdict::equal).ranks([1, 2, 4]).check(|_ranks| vec![input.clone()]);
}

/// A direction of negative curvature shows that the matrix is not positive definite.
#[rstest]
#[case::negative(system(&[&[-1.0]], &[1.0]))]
#[case::zero(system(&[&[0.0, 0.0], &[0.0, 0.0]], &[1.0, 2.0]))]
#[case::indefinite(system(&[&[1.0, 2.0], &[2.0, 1.0]], &[1.0, -1.0]))]
fn finds_matrices_that_are_not_positive(#[case] input: PositiveSystem) {
    functional(Mpi).against(Seq).compare(Verdict::equal).ranks([1, 3]).check(|_ranks| vec![input.clone()]);
    assert_eq!(Minimising::check(&input, &None), Verdict::Right);
}

#[rstest]
#[case::not_square(PositiveSystem { a: Matrix::zeros(2, 3), b: vec![0.0; 2] }, "not square: 2 x 3")]
#[case::a_short_side(PositiveSystem { a: Matrix::zeros(2, 2), b: vec![0.0; 3] }, "but b has 3 numbers")]
#[case::incomplete(PositiveSystem { a: Matrix { rows: 1, columns: 1, elements: vec![] }, b: vec![0.0] }, "A has not")]
#[case::not_a_number(system(&[&[f64::NAN]], &[1.0]), "not a finite number")]
#[case::not_symmetric(system(&[&[2.0, 1.0], &[1.5, 2.0]], &[1.0, 1.0]), "not symmetric in row 1, column 0")]
fn refuses(#[case] input: PositiveSystem, #[case] reason: &str) {
    functional(Mpi).ranks([1, 3]).refuses(reason, |_ranks| vec![input.clone()]);
}

/// The oracle accepts a solution that is known, and refuses one wrong unknown at any position.
#[test]
fn the_oracle_finds_one_wrong_unknown() {
    let mut input = PositiveSystem::random(12, 3);
    let x: Vec<f64> = (0..12).map(f64::from).collect();
    input.b = input.a.times(&x);
    assert_eq!(Minimising::check(&input, &Some(x.clone())), Verdict::Right);
    for at in 0..12 {
        for wrong in [x[at] + 1e-4, f64::NAN] {
            let mut x = x.clone();
            x[at] = wrong;
            assert_ne!(Minimising::check(&input, &Some(x)), Verdict::Right, "unknown {at}");
        }
    }
    assert_ne!(Minimising::check(&input, &Some(x[1..].to_vec())), Verdict::Right);
    assert_ne!(Minimising::check(&input, &None), Verdict::Right);
}

/// Partial sums and the remainder behind them make the whole sum.
#[test]
fn a_scalar_product_has_every_element() {
    for count in 0..40 {
        let x: Vec<f64> = (0..count).map(|i| f64::from(i) / 3.0).collect();
        let expected: f64 = x.iter().map(|x| x * x).sum();
        assert_relative_eq!(dot(&x, &x), expected, epsilon = 1e-12);
    }
}
