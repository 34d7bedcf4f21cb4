//! The sequential version: the reference for the parallel version's output, and the baseline of its speed-up.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::{
    crs::Crs,
    problem::{SparseFactors, SparseProduct},
    product::{cost, product},
};

/// Multiplies on one rank.
pub struct Seq;

impl Task for Seq {
    type Problem = SparseProduct;
    type Prepared = SparseFactors;
    type Raw = Crs;

    const OUTPUT: Place = Place::Home;

    fn validation(
        &self,
        SparseFactors { a, b }: &SparseFactors,
        _ranks: usize,
    ) -> std::result::Result<(), Invalid> {
        for (name, mistake) in [("A", a.mistake()), ("B", b.mistake())] {
            mistake.map_or(Ok(()), |mistake| Err(Invalid::because(format!("{name}: {mistake}"))))?;
        }
        let (columns, rows) = (a.width, b.height());
        Invalid::unless(columns == rows, format!("A has {columns} columns but B has {rows} rows"))
    }

    fn preprocessing(&self, _world: &World, input: Rooted<SparseFactors>) -> Result<SparseFactors> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, world: &World, SparseFactors { a, b }: &SparseFactors) -> Result<Crs> {
        let (flops, bytes) = cost(a, b);
        world.work(flops, bytes);
        Ok(product(a, b))
    }

    fn postprocessing(&self, _world: &World, c: Crs) -> Result<Rooted<Crs>> {
        Ok(Rooted::Here(c))
    }
}
