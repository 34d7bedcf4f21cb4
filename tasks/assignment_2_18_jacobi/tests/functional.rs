//! The assignment itself: its laws, the outputs that it refuses, and a solution on several ranks.
use assignment_2_18_jacobi::{Jacobi, LinearSystem, Reference};
use workbench::{
    Invalid, Matrix, Operation, Place, Result, Rooted, Task, World, assignment_laws::check_assignment,
    functional, reference_output,
};

#[test]
fn keeps_the_laws_and_finds_mistakes() {
    check_assignment::<Jacobi>(&[
        ("zeros", |_, x| vec![0.0; x.len()]),
        ("one step", |input, _| (0..input.b.len()).map(|i| input.b[i] / input.a.row(i)[i]).collect()),
        ("an unknown is missing", |_, mut x| {
            x.pop();
            x
        }),
        ("an unknown is off by a millionth", |_, mut x| {
            if let Some(x) = x.last_mut() {
                *x += 1e-6;
            }
            x
        }),
        ("not a number", |_, x| vec![f64::NAN; x.len()]),
    ]);
}

#[test]
fn the_examples_of_the_statement_are_right() {
    let solve = |elements: Vec<f64>, b: Vec<f64>| {
        let a = Matrix { rows: b.len(), columns: b.len(), elements };
        reference_output::<Jacobi>(&LinearSystem { a, b, tolerance: 1e-12 }).expect("it is solved")
    };
    let close = |got: Vec<f64>, expected: &[f64]| got.iter().zip(expected).all(|(x, e)| (x - e).abs() < 1e-9);
    assert!(close(solve(vec![2.0, 1.0, 1.0, 3.0], vec![3.0, 4.0]), &[1.0, 1.0]));
    assert!(close(solve(vec![4.0], vec![2.0]), &[0.5]));
}

/// Every rank computes the unknowns of a block of rows, and all get all unknowns after each step.
struct Blocks;

/// The rows of a rank, the first one's number, and the tolerance.
struct Rows {
    a: Matrix,
    b: Vec<f64>,
    first: usize,
    tolerance: f64,
}

fn first_row(rank: usize, ranks: usize, size: usize) -> usize {
    rank * size / ranks
}

impl Task for Blocks {
    type Problem = Jacobi;
    type Prepared = Rows;
    type Raw = Vec<f64>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &LinearSystem, ranks: usize) -> std::result::Result<(), Invalid> {
        Reference.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<LinearSystem>) -> Result<Rows> {
        let input = input.here();
        let mut shape = [input.as_ref().map_or(0.0, |input| input.b.len() as f64), 0.0];
        shape[1] = input.as_ref().map_or(0.0, |input| input.tolerance);
        world.bcast(&mut shape, 0)?;
        let (size, ranks) = (shape[0] as usize, world.size());
        let height = |rank| first_row(rank + 1, ranks, size) - first_row(rank, ranks, size);
        let heights: Vec<usize> = (0..ranks).map(height).collect();
        let areas: Vec<usize> = heights.iter().map(|height| height * size).collect();
        let mut a = Matrix::zeros(heights[world.rank()], size);
        let mut b = vec![0.0; heights[world.rank()]];
        world.scatterv(
            input.as_ref().map(|input| (&input.a.elements[..], &areas[..])),
            &mut a.elements,
            0,
        )?;
        world.scatterv(input.as_ref().map(|input| (&input.b[..], &heights[..])), &mut b, 0)?;
        Ok(Rows { a, b, first: first_row(world.rank(), ranks, size), tolerance: shape[1] })
    }

    fn run(&self, world: &World, Rows { a, b, first, tolerance }: &Rows) -> Result<Vec<f64>> {
        let (size, ranks) = (a.columns, world.size());
        let counts: Vec<usize> =
            (0..ranks).map(|rank| first_row(rank + 1, ranks, size) - first_row(rank, ranks, size)).collect();
        let mut x = vec![0.0; size];
        loop {
            let unknown = |row: usize| {
                let sum: f64 = a.row(row).iter().zip(&x).map(|(a, x)| a * x).sum();
                let (diagonal, old) = (a.row(row)[first + row], x[first + row]);
                (b[row] - sum + diagonal * old) / diagonal
            };
            let mine: Vec<f64> = (0..a.rows).map(unknown).collect();
            let changes = mine.iter().zip(&x[*first..]).map(|(new, old)| (new - old).abs());
            let (change, mut largest) = ([changes.fold(0.0, f64::max)], [0.0]);
            world.allreduce(&change, &mut largest, Operation::Max)?;
            world.allgatherv(&mine, &mut x, &counts)?;
            if largest[0] <= *tolerance {
                return Ok(x);
            }
        }
    }

    fn postprocessing(&self, world: &World, x: Vec<f64>) -> Result<Rooted<Vec<f64>>> {
        Ok(Rooted::on(world.rank() == 0, || x))
    }
}

#[test]
fn a_solution_on_several_ranks_passes() {
    functional(Blocks).against_reference().graded();
}
