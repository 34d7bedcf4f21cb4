//! Functional tests: the assignment's inputs, on MPI and on threads, and systems of the task's own.
//!
//! `cargo test -p example_j_jacobi`, or `mpirun -n 4 cargo test -p example_j_jacobi`.
use example_j_jacobi::{LinearSystem, Mpi, Seq};
use rstest::rstest;
use workbench::{Matrix, functional};

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

/// A system whose solution is known: 1, 2, 3 and so on. A block on the wrong place of the ring changes it.
fn numbered(size: usize) -> LinearSystem {
    let mut system = LinearSystem::random(size, 9);
    let product = |row: &[f64]| row.iter().zip(1..).map(|(a, x)| a * f64::from(x)).sum();
    system.b = (0..size).map(|i| product(system.a.row(i))).collect();
    system
}

#[rstest]
#[case::no_equations(0)]
#[case::one_equation(1)]
#[case::fewer_equations_than_ranks(3)]
#[case::blocks_of_one(5)]
#[case::blocks_of_two_lengths(13)]
#[case::longer_than_the_vector_registers(50)]
fn the_solution_is_known(#[case] size: usize) {
    functional(Mpi).against_reference().ranks(1..=5).check(|_ranks| vec![numbered(size)]);
}

/// Each step sends every block to the next rank P - 1 times. A diagonal matrix needs two steps.
#[test]
fn the_blocks_go_once_around_the_ring_in_each_step() {
    let a = Matrix::of(8, 8, |i, j| if i == j { 2.0 } else { 0.0 });
    let system = LinearSystem { a, b: vec![6.0; 8], tolerance: 1e-9 };
    functional(Mpi)
        .ranks([1, 2, 3, 4])
        .messages(|_input, ranks| (2 * ranks * (ranks - 1)) as u64)
        .check(|_ranks| vec![system.clone()]);
}

#[test]
fn refuses_a_matrix_that_is_not_dominant() {
    let weak = LinearSystem { a: Matrix::zeros(2, 2), b: vec![1.0, 1.0], tolerance: 1e-9 };
    functional(Mpi)
        .ranks([1, 3])
        .refuses("row 0 of A is not diagonally dominant", |_ranks| vec![weak.clone()]);
}
