//! Functional tests: on MPI and on threads, each solution goes to the oracle and is compared with the sequential version's, bit
//! by bit.
//!
//! `cargo test -p example_h_gauss_rows`, or `mpirun -n 4 cargo test -p example_h_gauss_rows`.
use example_h_gauss_rows::{LinearSystem, Matrix, Mpi, Seq, Solving, elimination::pivot};
use rstest::rstest;
use workbench::{Problem, Verdict, functional};

fn system(rows: &[&[f64]], b: &[f64]) -> LinearSystem {
    let a = Matrix::of(rows.len(), rows.len(), |i, j| rows[i][j]);
    LinearSystem { a, b: b.to_vec() }
}

/// Systems of every small size, and one that no number of ranks divides.
#[test]
fn solves_systems_of_many_sizes() {
    let inputs = || (0..=9).chain([31]).map(|size| LinearSystem::random(size, size as u64));
    functional(Seq).ranks([1]).check(|_ranks| inputs());
    functional(Mpi).against(Seq).compare(Verdict::equal).ranks(1..=5).check(|_ranks| inputs());
}

/// Zeros on the diagonal need an exchange; a matrix of very different rows needs pivots in the row.
#[rstest]
#[case::zeros_on_the_diagonal(system(&[&[0.0, 2.0, 0.0], &[0.0, 0.0, 4.0], &[8.0, 0.0, 0.0]], &[2.0, 8.0, 8.0]))]
#[case::a_small_diagonal(system(&[&[1e-20, 1.0], &[1.0, 1.0]], &[1.0, 2.0]))]
#[case::different_rows(system(&[&[1e10, 1.0, 2.0], &[1.0, 1e-3, 1.0], &[3.0, 2.0, 1e5]], &[1.0, 2.0, 3.0]))]
#[case::negative(system(&[&[-2.0, 1.0], &[1.0, -2.0]], &[-3.0, 3.0]))]
fn exchanges_columns(#[case] input: LinearSystem) {
    functional(Mpi).against(Seq).compare(Verdict::equal).ranks(1..=4).check(|_ranks| vec![input.clone()]);
}

/// No solution is found where a row is zero, equal to another one, or a sum of others.
#[rstest]
#[case::zero(system(&[&[0.0]], &[1.0]))]
#[case::a_row_of_zeros(system(&[&[1.0, 2.0], &[0.0, 0.0]], &[1.0, 2.0]))]
#[case::equal_rows(system(&[&[1.0, 2.0, 5.0], &[3.0, 4.0, 6.0], &[1.0, 2.0, 5.0]], &[1.0, 2.0, 3.0]))]
#[case::a_sum_of_rows(system(&[&[0.1, 0.2, 0.3], &[0.4, 0.5, 0.7], &[0.5, 0.7, 1.0]], &[1.0, 2.0, 3.0]))]
fn finds_singular_matrices(#[case] input: LinearSystem) {
    functional(Mpi).against(Seq).compare(Verdict::equal).ranks([1, 2, 4]).check(|_ranks| vec![input.clone()]);
    assert_eq!(Solving::check(&input, &None), Verdict::Right);
}

#[rstest]
#[case::not_square(LinearSystem { a: Matrix::zeros(2, 3), b: vec![0.0; 2] }, "not square: 2 x 3")]
#[case::a_short_side(LinearSystem { a: Matrix::zeros(2, 2), b: vec![0.0; 3] }, "but b has 3 numbers")]
#[case::incomplete(LinearSystem { a: Matrix { rows: 2, columns: 2, elements: vec![] }, b: vec![0.0; 2] }, "A has not")]
#[case::not_a_number(system(&[&[f64::NAN]], &[1.0]), "not a finite number")]
fn refuses(#[case] input: LinearSystem, #[case] reason: &str) {
    functional(Mpi).ranks([1, 3]).refuses(reason, |_ranks| vec![input.clone()]);
}

/// The oracle accepts a solution that is known, and refuses one wrong unknown at any position.
#[test]
fn the_oracle_finds_one_wrong_unknown() {
    let mut input = LinearSystem::random(12, 3);
    let x: Vec<f64> = (0..12).map(f64::from).collect();
    input.b = input.a.times(&x);
    assert_eq!(Solving::check(&input, &Some(x.clone())), Verdict::Right);
    for at in 0..12 {
        for wrong in [x[at] + 1e-6, f64::NAN] {
            let mut x = x.clone();
            x[at] = wrong;
            assert_ne!(Solving::check(&input, &Some(x)), Verdict::Right, "unknown {at}");
        }
    }
    assert_ne!(Solving::check(&input, &Some(x[1..].to_vec())), Verdict::Right);
    assert_ne!(Solving::check(&input, &None), Verdict::Right);
}

#[test]
fn the_pivot_is_the_largest_coefficient() {
    assert_eq!(pivot(&[1.0, -3.0, 3.0, 9.0], 0.5), Some(1));
    assert_eq!(pivot(&[0.1, 0.2, 9.0], 0.5), None);
}
