//! Functional tests: the assignment's inputs, on MPI and on threads, and products of the task's own, compared with the output
//! of the sequential version.
//!
//! `cargo test -p example_p_matmul_strips`, or `mpirun -n 4 cargo test -p example_p_matmul_strips`.
use approx::assert_relative_eq;
use example_p_matmul_strips::{Factors, Matrix, Mpi, Seq, product::product};
use rstest::rstest;
use workbench::functional;

/// The graded inputs of the assignment: with its oracle, its reference and its comparison.
#[test]
fn seq_answers_the_assignment() {
    functional(Seq).against_reference().ranks([1]).graded();
}

/// The same at every number of ranks.
#[test]
fn answers_the_assignment() {
    functional(Mpi).against_reference().graded();
}

/// Random matrices of many shapes. A strip is computed as in the whole product, so the outputs are bitwise equal.
#[rstest]
#[case::one_element(1, 1, 1)]
#[case::square(60, 60, 60)]
#[case::no_number_of_ranks_divides_it(61, 61, 61)]
#[case::fewer_rows_than_ranks(2, 30, 20)]
#[case::high(101, 2, 3)]
#[case::wide(3, 2, 101)]
#[case::long_rows(7, 300, 5)]
#[case::one_row_and_one_column(1, 40, 1)]
#[case::one_column_and_one_row(40, 1, 40)]
#[case::more_than_one_block(5, 400, 200)]
#[case::no_rows(0, 3, 2)]
#[case::no_columns(3, 2, 0)]
#[case::nothing_to_add_up(3, 0, 2)]
#[case::nothing(0, 0, 0)]
fn multiplies(#[case] rows: usize, #[case] inner: usize, #[case] columns: usize) {
    let input = Factors { a: Matrix::random(rows, inner, 1), b: Matrix::random(inner, columns, 2) };
    functional(Mpi).against(Seq).ranks(1..=5).check(|_ranks| vec![input.clone()]);
}

/// The identity and a permutation, for which the product is known.
#[test]
fn known_products() {
    let a = Matrix::random(20, 30, 3);
    let identity = Matrix::of(30, 30, |i, j| if i == j { 1.0 } else { 0.0 });
    assert_eq!(product(&a, &identity), a);
    let backwards = Matrix::of(30, 30, |i, j| if i + j == 29 { 1.0 } else { 0.0 });
    assert_eq!(product(&a, &backwards), Matrix::of(20, 30, |i, j| a.row(i)[29 - j]));
}

/// With and without blocks, each element is a row times a column.
#[test]
fn a_small_product_by_hand() {
    let (a, b) = (Matrix::random(9, 70, 4), Matrix::random(70, 11, 5));
    let c = product(&a, &b);
    for i in 0..9 {
        for j in 0..11 {
            let expected: f64 = (0..70).map(|k| a.row(i)[k] * b.row(k)[j]).sum();
            assert_relative_eq!(c.row(i)[j], expected, epsilon = 1e-13);
        }
    }
}

#[rstest]
#[case::shapes_that_do_not_fit(Matrix::zeros(2, 3), Matrix::zeros(4, 5), "A has 3 columns but B has 4 rows")]
#[case::incomplete_a(incomplete(), Matrix::zeros(3, 3), "A has not")]
#[case::incomplete_b(Matrix::zeros(3, 3), incomplete(), "B has not")]
fn refuses(#[case] a: Matrix, #[case] b: Matrix, #[case] reason: &str) {
    let input = Factors { a, b };
    functional(Mpi).ranks([1, 3]).refuses(reason, |_ranks| vec![input.clone()]);
}

fn incomplete() -> Matrix {
    Matrix { rows: 3, columns: 3, elements: vec![0.0; 8] }
}
