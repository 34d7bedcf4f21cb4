//! The assignment itself: its laws, its examples, and a solution on several ranks.
use assignment_1_9_dot_product::{DotProduct, Reference, Vectors};
use workbench::{
    Invalid, Operation, Place, Result, Rooted, Task, World, assignment_laws::check_assignment, functional,
    reference_output,
};

#[test]
fn keeps_the_laws_and_finds_mistakes() {
    check_assignment::<DotProduct>(&[
        ("the last product is missing", |input, sum| {
            sum - input.x.last().zip(input.y.last()).map_or(0.0, |(x, y)| x * y)
        }),
        ("the sum of the elements", |input, _| input.x.iter().chain(&input.y).sum()),
        ("the sign", |_, sum| -sum),
        ("not a number", |_, _| f64::NAN),
    ]);
}

#[test]
fn the_examples_of_the_statement_are_right() {
    let dot = |x: &[f64], y: &[f64]| {
        reference_output::<DotProduct>(&Vectors { x: x.to_vec(), y: y.to_vec() }).expect("it is solved")
    };
    assert_eq!(dot(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]), 32.0);
    assert_eq!(dot(&[1.0, 0.0], &[0.0, 1.0]), 0.0);
    assert_eq!(dot(&[], &[]), 0.0);
}

#[test]
fn the_reference_passes() {
    functional(Reference).against_reference().ranks([1]).graded();
}

/// Every rank adds the products of a block.
struct Blocks;

impl Task for Blocks {
    type Problem = DotProduct;
    type Prepared = Vectors;
    type Raw = f64;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Vectors, ranks: usize) -> std::result::Result<(), Invalid> {
        Reference.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Vectors>) -> Result<Vectors> {
        let (x, y) = input.here().map(|input| (input.x, input.y)).unzip();
        let mut length = [x.as_ref().map_or(0, Vec::len)];
        world.bcast(&mut length, 0)?;
        let at = |rank: usize| rank * length[0] / world.size();
        let counts: Vec<usize> = (0..world.size()).map(|rank| at(rank + 1) - at(rank)).collect();
        let share = |all: Option<Vec<f64>>| {
            let mut mine = vec![0.0; counts[world.rank()]];
            world.scatterv(all.as_deref().map(|all| (all, &counts[..])), &mut mine, 0)?;
            Ok(mine)
        };
        Ok(Vectors { x: share(x)?, y: share(y)? })
    }

    fn run(&self, world: &World, data: &Vectors) -> Result<f64> {
        Reference.run(world, data)
    }

    fn postprocessing(&self, world: &World, sum: f64) -> Result<Rooted<f64>> {
        let mut total = [0.0];
        world.reduce(&[sum], Some(&mut total), Operation::Sum, 0)?;
        Ok(Rooted::on(world.rank() == 0, || total[0]))
    }
}

#[test]
fn a_solution_on_several_ranks_passes() {
    functional(Blocks).against_reference().graded();
}
