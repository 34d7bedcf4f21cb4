//! The problem: solve A x = b with a square matrix A, or find that A is singular.
//!
//! The oracle does not solve the system. It computes the residual b - A x of each row and compares it with the rounding
//! errors that a stable elimination may cause. Where no solution was found, it eliminates with a search for the pivot in the
//! whole matrix, which finds the rank of A.
use workbench::{Matrix, Problem, Verdict, Workload, noise};

/// The input.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearSystem {
    /// The square matrix A.
    pub a: Matrix,
    /// The right-hand side b.
    pub b: Vec<f64>,
}

impl LinearSystem {
    /// A pseudo-random system of `size` equations.
    pub fn random(size: usize, seed: u64) -> Self {
        let b = noise::reals(seed.wrapping_add(1)).take(size).collect();
        Self { a: Matrix::random(size, size, seed), b }
    }

    /// The pivots below which A counts as singular: the rounding errors of its largest element.
    pub fn smallest_pivot(&self) -> f64 {
        smallest_pivot(&self.a)
    }
}

/// The problem. The output is the solution x, or `None` if A is singular.
pub struct Solving;

impl Problem for Solving {
    type Input = LinearSystem;
    type Output = Option<Vec<f64>>;

    /// `"random"`: `size` equations.
    fn workload(request: &Workload) -> Option<LinearSystem> {
        (request.name == "random").then(|| LinearSystem::random(request.size, request.seed))
    }

    fn check(LinearSystem { a, b }: &LinearSystem, output: &Option<Vec<f64>>) -> Verdict {
        let Some(x) = output else {
            return Verdict::of(is_singular(a), || "no solution was found, but A is not singular".into());
        };
        if x.len() != b.len() {
            return Verdict::Wrong(format!("{} unknowns, expected {}", x.len(), b.len()));
        }
        let largest = x.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let scale = largest * largest_element(a) * a.rows as f64;
        // The errors of an elimination grow with the size (Wilkinson); in practice this bound is far away.
        let bound = 16.0 * f64::EPSILON * a.rows as f64 * scale + f64::MIN_POSITIVE;
        let products = a.times(x);
        // The comparison is written so that NaN is wrong, too.
        let is_right = |row: &usize| (products[*row] - b[*row]).abs() <= bound;
        (0..b.len()).find(|row| !is_right(row)).map_or(Verdict::Right, |row| {
            Verdict::Wrong(format!("row {row} of A x is {}, expected {}", products[row], b[row]))
        })
    }
}

fn largest_element(a: &Matrix) -> f64 {
    a.elements.iter().fold(0.0, |largest, element| largest.max(element.abs()))
}

fn smallest_pivot(a: &Matrix) -> f64 {
    4.0 * f64::EPSILON * a.rows as f64 * largest_element(a)
}

/// Whether an elimination with complete pivoting meets a matrix without a pivot. It takes n^3 operations.
fn is_singular(a: &Matrix) -> bool {
    let mut rows: Vec<Vec<f64>> = (0..a.rows).map(|i| a.row(i).to_vec()).collect();
    for k in 0..a.rows {
        let places = (k..a.rows).flat_map(|i| (k..a.rows).map(move |j| (i, j)));
        let (i, j) = places
            .max_by(|(i, j), (row, column)| rows[*i][*j].abs().total_cmp(&rows[*row][*column].abs()))
            .expect("step k has row k");
        // Another order of elimination has other rounding errors, so the limit has a margin.
        if rows[i][j].abs() <= 100.0 * smallest_pivot(a) {
            return true;
        }
        rows.swap(k, i);
        rows.iter_mut().for_each(|row| row.swap(k, j));
        let (above, below) = rows.split_at_mut(k + 1);
        for row in below {
            let factor = row[k] / above[k][k];
            (k..a.rows).for_each(|j| row[j] -= factor * above[k][j]);
        }
    }
    false
}
