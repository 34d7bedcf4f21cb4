//! Jacobi's method, rows in strips.
use workbench::{Invalid, Operation, Place, Rank, Result, Rooted, Task, World};

use crate::source::{
    problem::{Equations, Solution},
    seq::Seq,
};

/// The number of rows of each rank.
fn distribute(src_a: usize, ranks: usize) -> Vec<usize> {
    let mut blocks = vec![src_a / ranks; ranks];
    for p in 0..src_a % ranks {
        blocks[p] += 1;
    }
    blocks
}

impl Task for Mpi {
    type Problem = Equations;
    type Prepared = Local;
    type Raw = Vec<f64>;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, data: &Equations, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(data, ranks)
    }

    fn preprocessing(&self, world: &World, data: Rooted<Equations>) -> Result<Local> {
        let data = data.here();
        let mut eps = [0.0];
        let mut dims = [0_u64];
        if let Some(data) = &data {
            eps[0] = data.eps0;
            dims[0] = data.b.len() as u64;
        }
        world.bcast(&mut eps, ROOT)?;
        world.bcast(&mut dims, ROOT)?;
        let n = dims[0] as usize;
        let blocks = distribute(n, world.size());
        let lens: Vec<usize> = blocks.iter().map(|count| count * n).collect();
        let off = blocks[..world.rank()].iter().sum();
        let src_b = data.as_ref().map(|data| (&data.b[..], &blocks[..]));
        let mut b = vec![0.0; blocks[world.rank()]];
        world.scatterv(src_b, &mut b, ROOT)?;
        let src_a = data.as_ref().map(|data| (&data.a[..], &lens[..]));
        let mut a = vec![0.0; lens[world.rank()]];
        world.scatterv(src_a, &mut a, ROOT)?;
        Ok(Local { eps0: eps[0], n, b, a, blocks, off })
    }

    fn run(&self, world: &World, local: &Local) -> Result<Vec<f64>> {
        let mut delta = f64::MAX;
        let mut u = vec![0.0; local.n];
        while local.eps0 < delta {
            let mut worst = 0.0;
            let mut fresh = vec![0.0; local.b.len()];
            for i in 0..local.b.len() {
                let mut acc = local.b[i];
                for j in 0..local.n {
                    if i + local.off != j {
                        acc -= u[j] * local.a[j + local.n * i];
                    }
                }
                fresh[i] = acc / local.a[i * local.n + local.off + i];
                let d = (fresh[i] - u[local.off + i]).abs();
                if worst < d {
                    worst = d;
                }
            }
            let mut total = [0.0];
            world.allreduce(&[worst], &mut total, Operation::Max)?;
            world.allgatherv(&fresh, &mut u, &local.blocks)?;
            world.work(2 * local.a.len() as u64, 0);
            delta = total[0];
        }
        Ok(u)
    }

    fn postprocessing(&self, world: &World, u: Vec<f64>) -> Result<Rooted<Solution>> {
        Ok(Rooted::on(world.rank() == ROOT, || Solution { u }))
    }
}

/// The rows of one rank.
pub struct Local {
    off: usize,
    blocks: Vec<usize>,
    a: Vec<f64>,
    b: Vec<f64>,
    n: usize,
    eps0: f64,
}

/// Every rank computes the unknowns of its rows.
pub struct Mpi;

const ROOT: Rank = 0;
