//! Functional tests: on MPI and on threads, each product goes to the oracle and is compared with the sequential version's, bit
//! by bit.
//!
//! `cargo test -p example_f_sparse_crs`, or `mpirun -n 4 cargo test -p example_f_sparse_crs`.
use approx::assert_relative_eq;
use example_f_sparse_crs::{Crs, Mpi, Seq, SparseFactors, SparseProduct, product::product, strips::heights};
use rstest::rstest;
use workbench::{Problem, Verdict, functional};

fn factors(rows: usize, inner: usize, columns: usize, each: usize) -> SparseFactors {
    SparseFactors { a: Crs::random(rows, inner, each, 1), b: Crs::random(inner, columns, each, 2) }
}

/// Random matrices of many shapes and densities.
#[rstest]
#[case::square(factors(40, 40, 40, 4))]
#[case::no_number_of_ranks_divides_it(factors(61, 61, 61, 3))]
#[case::fewer_rows_than_ranks(factors(2, 30, 20, 5))]
#[case::high(factors(101, 2, 3, 1))]
#[case::wide(factors(3, 2, 101, 20))]
#[case::dense(factors(12, 12, 12, 30))]
#[case::one_element(factors(1, 1, 1, 1))]
#[case::no_rows(factors(0, 3, 2, 1))]
#[case::no_columns(factors(3, 2, 0, 1))]
#[case::nothing_to_add_up(factors(3, 0, 2, 1))]
#[case::nothing(factors(0, 0, 0, 0))]
#[case::no_elements(factors(9, 9, 9, 0))]
#[case::one_long_row(one_long_row())]
#[case::banded(SparseFactors { a: Crs::banded(50, 3, 4, 1), b: Crs::banded(50, 3, 4, 2) })]
fn multiplies(#[case] input: SparseFactors) {
    functional(Seq).ranks([1]).check(|_ranks| vec![input.clone()]);
    functional(Mpi).against(Seq).compare(Verdict::equal).ranks(1..=5).check(|_ranks| vec![input.clone()]);
}

/// Nearly all of the work is in one row.
fn one_long_row() -> SparseFactors {
    let row = |i: usize| if i == 3 { (0..50).map(|column| (column, 1.0)).collect() } else { vec![] };
    let a = Crs::from_rows(50, &(0..9).map(row).collect::<Vec<_>>());
    SparseFactors { a, b: Crs::random(50, 50, 5, 7) }
}

#[rstest]
#[case::shapes_that_do_not_fit(
    Crs::random(2, 3, 1, 1),
    Crs::random(4, 5, 1, 2),
    "A has 3 columns but B has 4 rows"
)]
#[case::no_starts(Crs { starts: vec![], ..Crs::without_rows(0) }, Crs::without_rows(1), "A: the starts")]
#[case::falling_starts(Crs { starts: vec![0, 1, 0], ..Crs::without_rows(0) }, Crs::without_rows(1), "A: the starts")]
#[case::a_value_too_few(Crs::without_rows(0), Crs { values: vec![], ..one(0) }, "B: there are 0 values")]
#[case::a_column_outside(Crs::without_rows(1), one(1), "B: column 1 does not exist")]
#[case::a_column_twice(Crs::from_rows(2, &[vec![(0, 1.0), (0, 2.0)]]), Crs::without_rows(1), "A: the columns of row 0")]
fn refuses(#[case] a: Crs, #[case] b: Crs, #[case] reason: &str) {
    let input = SparseFactors { a, b };
    functional(Mpi).ranks([1, 3]).refuses(reason, |_ranks| vec![input.clone()]);
}

/// A matrix of one row and one column with an element in this column.
fn one(column: usize) -> Crs {
    Crs::from_rows(1, &[vec![(column, 5.0)]])
}

/// The example of the documentation, and its product with the identity.
#[test]
fn known_products() {
    let a = Crs::from_rows(3, &[vec![(0, 5.0), (2, 7.0)], vec![], vec![(0, 1.0), (1, 2.0)]]);
    assert_eq!((&a.starts[..], &a.columns[..]), (&[0, 2, 2, 4][..], &[0, 2, 0, 1][..]));
    let identity = Crs::from_rows(3, &[vec![(0, 1.0)], vec![(1, 1.0)], vec![(2, 1.0)]]);
    assert_eq!(product(&a, &identity), a);
    assert_eq!(product(&identity, &a), a);
}

/// Each element is a row times a column.
#[test]
fn a_small_product_by_hand() {
    let SparseFactors { a, b } = factors(9, 70, 11, 6);
    let c = product(&a, &b);
    let at = |matrix: &Crs, i: usize, j: usize| -> f64 {
        matrix.row(i).filter(|(column, _)| *column == j).map(|(_, value)| value).sum()
    };
    for (i, j) in (0..9).flat_map(|i| (0..11).map(move |j| (i, j))) {
        let expected: f64 = (0..70).map(|k| at(&a, i, k) * at(&b, k, j)).sum();
        assert_relative_eq!(at(&c, i, j), expected, epsilon = 1e-13);
    }
}

/// The strips have all rows, and none of them has more than its share and one row.
#[rstest]
#[case::even(&[1; 12], 4, &[3, 3, 3, 3])]
#[case::no_work(&[0; 7], 3, &[2, 2, 3])]
#[case::one_long_row(&[0, 0, 90, 0], 2, &[2, 2])]
#[case::no_rows(&[], 3, &[0, 0, 0])]
#[case::fewer_rows_than_ranks(&[5, 5], 4, &[0, 1, 0, 1])]
fn the_work_is_divided(#[case] work: &[u64], #[case] ranks: usize, #[case] expected: &[usize]) {
    assert_eq!(heights(work, ranks), expected);
}

#[test]
fn the_oracle_finds_one_wrong_element() {
    let input = factors(12, 12, 12, 3);
    let right = product(&input.a, &input.b);
    assert_eq!(SparseProduct::check(&input, &right), Verdict::Right);
    for at in 0..right.values.len() {
        for wrong in [right.values[at] + 1e-9, f64::NAN] {
            let mut c = right.clone();
            c.values[at] = wrong;
            assert_ne!(SparseProduct::check(&input, &c), Verdict::Right, "element {at}");
        }
    }
    let wide = Crs { width: 13, ..right.clone() };
    assert_ne!(SparseProduct::check(&input, &wide), Verdict::Right);
    let mut unsorted = right;
    unsorted.columns.reverse();
    assert_ne!(SparseProduct::check(&input, &unsorted), Verdict::Right);
}
