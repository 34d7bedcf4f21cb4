//! Functional tests: on MPI and on threads, the labels go to the oracle and are compared with the sequential version's.
//!
//! `cargo test -p example_h_labelling`, or `mpirun -n 4 cargo test -p example_h_labelling`.
use std::collections::HashMap;

use example_h_labelling::{
    BinaryImage, Labelling, Mpi, Seq,
    merge::{pairs, smallest},
};
use rstest::rstest;
use workbench::{Problem, Verdict, functional};

/// Components that go through several strips, down and up again.
const SNAKE: [&str; 7] = ["#####", "....#", "#####", "#....", "#####", "....#", "#####"];

/// Teeth that are joined by the last row only, so that each strip sees many components.
const COMB: [&str; 6] = ["#.#.#.#", "#.#.#.#", "#.#.#.#", "#.#.#.#", "#.#.#.#", "#######"];

/// A spiral: its turns meet in the middle only.
const SPIRAL: [&str; 7] = ["#######", "......#", "#####.#", "#...#.#", "#.###.#", "#.....#", "#######"];

/// Pixels that meet at corners only: no two belong to the same component.
const CHESSBOARD: [&str; 5] = ["#.#.#", ".#.#.", "#.#.#", ".#.#.", "#.#.#"];

#[rstest]
#[case::snake(BinaryImage::from_rows(&SNAKE))]
#[case::comb(BinaryImage::from_rows(&COMB))]
#[case::spiral(BinaryImage::from_rows(&SPIRAL))]
#[case::chessboard(BinaryImage::from_rows(&CHESSBOARD))]
#[case::of_the_documentation(BinaryImage::from_rows(&["##.#.", "#..#.", "####.", "....#"]))]
#[case::no_object(BinaryImage::random(6, 5, 0, 1))]
#[case::one_object(BinaryImage::random(6, 5, 100, 1))]
#[case::one_pixel(BinaryImage::random(1, 1, 100, 1))]
#[case::fewer_rows_than_ranks(BinaryImage::random(2, 40, 60, 2))]
#[case::one_column(BinaryImage::random(40, 1, 60, 3))]
#[case::one_row(BinaryImage::random(1, 40, 60, 4))]
#[case::no_rows(BinaryImage::random(0, 5, 50, 5))]
#[case::no_columns(BinaryImage::random(5, 0, 50, 5))]
#[case::many_components(BinaryImage::random(37, 41, 40, 6))]
#[case::large_components(BinaryImage::random(37, 41, 60, 7))]
// Rows that are too long for the eager protocol: every sender waits for its receiver.
#[case::long_rows(BinaryImage::random(9, 1500, 60, 8))]
fn labels(#[case] image: BinaryImage) {
    functional(Seq).ranks([1]).check(|_ranks| vec![image.clone()]);
    functional(Mpi)
        .against(Seq)
        .compare(|got, expected| Verdict::same(got, expected))
        .ranks(1..=5)
        .check(|_ranks| vec![image.clone()]);
}

#[rstest]
#[case::a_pixel_too_few(BinaryImage { rows: 2, columns: 2, pixels: vec![1; 3] }, "3 pixels are not 2 x 2")]
#[case::too_large(BinaryImage { rows: usize::MAX, columns: 2, pixels: vec![] }, "0 pixels are not")]
#[case::grey(BinaryImage { rows: 1, columns: 2, pixels: vec![1, 7] }, "pixel 1 is 7, not 0 or 1")]
fn refuses(#[case] image: BinaryImage, #[case] reason: &str) {
    functional(Mpi).ranks([1, 3]).refuses(reason, |_ranks| vec![image.clone()]);
}

/// The oracle accepts labels that were made by hand, and refuses one wrong label.
#[test]
fn the_oracle_knows_the_example() {
    let image = BinaryImage::from_rows(&["##.#.", "#..#.", "####.", "....#"]);
    let right = vec![1, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 20];
    assert_eq!(Labelling::check(&image, &right), Verdict::Right);
    for at in 0..right.len() {
        let mut wrong = right.clone();
        wrong[at] += 1;
        assert_ne!(Labelling::check(&image, &wrong), Verdict::Right, "pixel {at}");
    }
    assert_ne!(Labelling::check(&image, &right[1..].to_vec()), Verdict::Right);
}

#[test]
fn pairs_meet_where_both_rows_have_objects() {
    assert_eq!(pairs(&[1, 1, 0, 4, 0], &[11, 11, 11, 11, 15]), [[1, 11], [4, 11]]);
    assert_eq!(pairs(&[], &[]), [[0; 2]; 0]);
}

/// Chains of pairs, in any order, lead to the smallest label.
#[test]
fn the_smallest_label_is_found() {
    let expected = HashMap::from([(4, 1), (9, 1), (11, 1), (30, 20)]);
    assert_eq!(smallest(&[[1, 11], [4, 11], [4, 9], [20, 30]]), expected);
    assert_eq!(smallest(&[[20, 30], [9, 11], [4, 9], [1, 11]]), expected);
    assert_eq!(smallest(&[]), HashMap::new());
}
