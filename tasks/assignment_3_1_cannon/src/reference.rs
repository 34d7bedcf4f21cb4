//! The instructor's sequential version.
//!
//! The order of the loops is i, k, j, so that the inner loop adds a multiple of a row of B to a row of C. B is divided into
//! blocks that stay in the cache, and each block is used for all rows of A before the next one.
use workbench::{Invalid, Matrix, Place, Result, Rooted, Task, World};

use crate::problem::{BlockProduct, SquareFactors};

/// The number of bytes in a block of B: about half of the second-level cache of most processors.
const BLOCK_BYTES: usize = 256 * 1024;

/// Multiplies on one rank.
#[derive(Default)]
pub struct Reference;

impl Task for Reference {
    type Problem = BlockProduct;
    type Prepared = SquareFactors;
    type Raw = Matrix;

    const OUTPUT: Place = Place::Home;

    fn validation(
        &self,
        SquareFactors { a, b }: &SquareFactors,
        _ranks: usize,
    ) -> std::result::Result<(), Invalid> {
        Invalid::unless(a.is_complete() && b.is_complete(), "a matrix has not rows x columns elements")?;
        let sizes = [a.rows, a.columns, b.rows, b.columns];
        Invalid::unless(
            sizes.iter().all(|size| *size == a.rows),
            "the matrices are not square and of one size",
        )
    }

    fn preprocessing(&self, _world: &World, input: Rooted<SquareFactors>) -> Result<SquareFactors> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, world: &World, SquareFactors { a, b }: &SquareFactors) -> Result<Matrix> {
        let elements = a.elements.len() + b.elements.len() + a.rows * b.columns;
        world.work(2 * (a.rows * a.columns * b.columns) as u64, 8 * elements as u64);
        let mut c = Matrix::zeros(a.rows, b.columns);
        let height = (BLOCK_BYTES / size_of::<f64>() / b.columns.max(1)).max(1);
        for start in (0..b.rows).step_by(height) {
            for i in 0..a.rows {
                let c_row = c.row_mut(i);
                for k in start..b.rows.min(start + height) {
                    let factor = a.row(i)[k];
                    c_row.iter_mut().zip(b.row(k)).for_each(|(c, b)| *c += factor * b);
                }
            }
        }
        Ok(c)
    }

    fn postprocessing(&self, _world: &World, c: Matrix) -> Result<Rooted<Matrix>> {
        Ok(Rooted::Here(c))
    }
}
