//! The assignment itself: its laws, and the outputs that it refuses. A solution is `tasks/example_p_matmul_strips`.
use assignment_2_13_matmul_rows::{Reference, StripProduct};
use workbench::{Matrix, assignment_laws::check_assignment, functional};

#[test]
fn keeps_the_laws_and_finds_mistakes() {
    check_assignment::<StripProduct>(&[
        ("one element is off by a millionth", |_, mut c| {
            if let Some(element) = c.elements.last_mut() {
                *element += 1e-6;
            }
            c
        }),
        ("zeros", |_, c| Matrix::zeros(c.rows, c.columns)),
        ("the product of the transposed factors", |_, c| {
            Matrix::of(c.rows, c.columns, |i, j| if i < c.columns && j < c.rows { c.row(j)[i] } else { 0.0 })
        }),
        ("a row is missing", |_, c| Matrix {
            rows: c.rows.max(1) - 1,
            elements: c.elements[..c.elements.len() - c.columns.min(c.elements.len())].to_vec(),
            columns: c.columns,
        }),
        ("not a number", |_, mut c| {
            c.elements.iter_mut().for_each(|element| *element = f64::NAN);
            c
        }),
    ]);
}

#[test]
fn the_reference_passes() {
    functional(Reference).against_reference().ranks([1]).graded();
}
