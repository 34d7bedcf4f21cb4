//! The instructor's sequential version.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::problem::{DotProduct, Vectors};

/// The number of sums that are added independently, so that the compiler can use vector registers.
const LANES: usize = 8;

/// One rank adds all products.
#[derive(Default)]
pub struct Reference;

impl Task for Reference {
    type Problem = DotProduct;
    type Prepared = Vectors;
    type Raw = f64;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, Vectors { x, y }: &Vectors, _ranks: usize) -> std::result::Result<(), Invalid> {
        Invalid::unless(x.len() == y.len(), format!("the lengths are {} and {}", x.len(), y.len()))
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Vectors>) -> Result<Vectors> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, world: &World, Vectors { x, y }: &Vectors) -> Result<f64> {
        world.work(2 * x.len() as u64, 16 * x.len() as u64);
        let mut sums = [0.0; LANES];
        let ((chunks_x, rest_x), (chunks_y, rest_y)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
        let rest: f64 = rest_x.iter().zip(rest_y).map(|(x, y)| x * y).sum();
        for (x, y) in chunks_x.iter().zip(chunks_y) {
            for lane in 0..LANES {
                sums[lane] += x[lane] * y[lane];
            }
        }
        Ok(sums.iter().sum::<f64>() + rest)
    }

    fn postprocessing(&self, _world: &World, sum: f64) -> Result<Rooted<f64>> {
        Ok(Rooted::Here(sum))
    }
}
