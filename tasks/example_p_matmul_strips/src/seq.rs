//! The sequential version: the reference for the parallel version's output, and the baseline of its speed-up.
//!
//! It uses the same kernel as the parallel version. A speed-up over a slow sequential program would be meaningless.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::{
    matrix::Matrix,
    problem::{Input, Product},
    product::{cost, product},
};

/// Multiplies on one rank.
pub struct Seq;

impl Task for Seq {
    type Problem = Product;
    type Prepared = Input;
    type Raw = Matrix;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, Input { a, b }: &Input, _ranks: usize) -> std::result::Result<(), Invalid> {
        Invalid::unless(a.is_complete(), "A has not rows x columns elements")?;
        Invalid::unless(b.is_complete(), "B has not rows x columns elements")?;
        Invalid::unless(a.columns == b.rows, format!("A has {} columns but B has {} rows", a.columns, b.rows))
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Input>) -> Result<Input> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, world: &World, Input { a, b }: &Input) -> Result<Matrix> {
        let (flops, bytes) = cost(a, b);
        world.work(flops, bytes);
        Ok(product(a, b))
    }

    fn postprocessing(&self, _world: &World, c: Matrix) -> Result<Rooted<Matrix>> {
        Ok(Rooted::Here(c))
    }
}
