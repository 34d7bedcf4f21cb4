//! The sequential version: the reference for the parallel version's output, and the baseline of its speed-up.
//!
//! It uses the same kernel as the parallel version. A speed-up over a slow sequential program would be meaningless.
use assignment_3_1_cannon::{BlockProduct, SquareFactors};
use workbench::{Invalid, Matrix, Place, Result, Rooted, Task, World};

use crate::product::{add_product, cost};

/// Multiplies on one rank.
pub struct Seq;

impl Task for Seq {
    type Problem = BlockProduct;
    type Prepared = SquareFactors;
    type Raw = Matrix;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &SquareFactors, _ranks: usize) -> std::result::Result<(), Invalid> {
        let SquareFactors { a, b } = input;
        for (name, matrix) in [("A", a), ("B", b)] {
            Invalid::unless(matrix.is_complete(), format!("{name} has not rows x columns elements"))?;
            let (rows, columns) = (matrix.rows, matrix.columns);
            Invalid::unless(rows == columns, format!("{name} is not square: {rows} x {columns}"))?;
        }
        Invalid::unless(a.rows == b.rows, format!("A has {} rows but B has {}", a.rows, b.rows))
    }

    fn preprocessing(&self, _world: &World, input: Rooted<SquareFactors>) -> Result<SquareFactors> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, world: &World, SquareFactors { a, b }: &SquareFactors) -> Result<Matrix> {
        let (flops, bytes) = cost(a, b);
        world.work(flops, bytes);
        let mut c = Matrix::zeros(a.rows, b.columns);
        add_product(&mut c, a, b);
        Ok(c)
    }

    fn postprocessing(&self, _world: &World, c: Matrix) -> Result<Rooted<Matrix>> {
        Ok(Rooted::Here(c))
    }
}
