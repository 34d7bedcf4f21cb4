//! Functional tests: the assignment's inputs, on MPI and on threads, and matrices of all sizes around those of the grid.
//!
//! `cargo test -p example_c_cannon`, or `mpirun -n 4 cargo test -p example_c_cannon`.
use approx::assert_relative_eq;
use example_c_cannon::{Matrix, Mpi, Seq, SquareFactors, grid::Grid, product::add_product};
use rstest::rstest;
use workbench::functional;

/// The sequential version: it needs one rank only.
#[test]
fn seq_answers_the_assignment() {
    functional(Seq).against_reference().ranks([1]).graded();
}

/// The graded inputs of the assignment: with its oracle, its reference and its comparison.
#[test]
fn answers_the_assignment() {
    functional(Mpi).against_reference().graded();
}

/// Sizes below, at and above the side of the grid, on complete grids and with remaining ranks.
#[test]
fn multiplies_every_small_size() {
    functional(Mpi).against_reference().ranks([1, 2, 4, 6, 9]).check(|_ranks| {
        (0..=10).map(|size| {
            let [a, b] = [1, 2].map(|seed| Matrix::random(size, size, seed));
            SquareFactors { a, b }
        })
    });
}

/// Blocks that are too long for the eager protocol: every sender waits for its receiver.
#[test]
fn shifts_long_blocks() {
    let [a, b] = [1, 2].map(|seed| Matrix::random(100, 100, seed));
    let input = SquareFactors { a, b };
    functional(Mpi).against_reference().ranks([4, 9]).check(|_ranks| vec![input.clone()]);
}

#[rstest]
#[case::a(Matrix::zeros(3, 4), Matrix::zeros(3, 3), "A is not square: 3 x 4")]
#[case::b(Matrix::zeros(3, 3), Matrix::zeros(4, 3), "B is not square: 4 x 3")]
#[case::sizes(Matrix::zeros(3, 3), Matrix::zeros(4, 4), "A has 3 rows but B has 4")]
#[case::incomplete(Matrix { rows: 3, columns: 3, elements: vec![0.0; 8] }, Matrix::zeros(3, 3), "A has not")]
fn refuses(#[case] a: Matrix, #[case] b: Matrix, #[case] reason: &str) {
    let input = SquareFactors { a, b };
    functional(Mpi).ranks([1, 4]).refuses(reason, |_ranks| vec![input.clone()]);
}

/// The blocks of a matrix, put together, are the matrix.
#[test]
fn blocks_make_the_whole() {
    for (ranks, size) in (1..=17).flat_map(|ranks| (0..=9).map(move |size| (ranks, size))) {
        let (grid, whole) = (Grid::of(ranks), Matrix::random(size, size, 3));
        let mut copy = Matrix::zeros(size, size);
        for [i, j] in (0..grid.ranks()).map(|rank| grid.place(rank)) {
            grid.put(&mut copy, &grid.block(&whole, i, j), i, j);
        }
        assert_eq!(copy, whole, "{ranks} ranks, {size} rows");
    }
}

/// With and without strips, each element is a row times a column, added to what was there.
#[test]
fn a_small_product_by_hand() {
    let (a, b) = (Matrix::random(9, 700, 4), Matrix::random(700, 61, 5));
    let mut c = Matrix::of(9, 61, |i, j| (i + j) as f64);
    add_product(&mut c, &a, &b);
    for (i, j) in (0..9).flat_map(|i| (0..61).map(move |j| (i, j))) {
        let sum: f64 = (0..700).map(|k| a.row(i)[k] * b.row(k)[j]).sum();
        assert_relative_eq!(c.row(i)[j], (i + j) as f64 + sum, epsilon = 1e-12);
    }
}
