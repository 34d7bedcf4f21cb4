//! Jacobi's method, rows in strips.
use workbench::{Invalid, Operation, Place, Rank, Result, Rooted, Task, World};

use crate::{
    problem::{Equations, Solution},
    seq::Seq,
};

const ROOT: Rank = 0;

/// Every rank computes the unknowns of its rows.
pub struct Mpi;

/// The rows of one rank.
pub struct Local {
    off: usize,
    blocks: Vec<usize>,
    a: Vec<f64>,
    b: Vec<f64>,
    n: usize,
    eps0: f64,
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
        let mut dims = [0_u64];
        let mut eps = [0.0];
        if let Some(data) = &data {
            dims[0] = data.b.len() as u64;
            eps[0] = data.eps0;
        }
        world.bcast(&mut dims, ROOT)?;
        world.bcast(&mut eps, ROOT)?;
        let n = dims[0] as usize;
        let blocks = distribute(n, world.size());
        let lens: Vec<usize> = blocks.iter().map(|count| count * n).collect();
        let mut a = vec![0.0; lens[world.rank()]];
        let mut b = vec![0.0; blocks[world.rank()]];
        let src_a = data.as_ref().map(|data| (&data.a[..], &lens[..]));
        world.scatterv(src_a, &mut a, ROOT)?;
        let src_b = data.as_ref().map(|data| (&data.b[..], &blocks[..]));
        world.scatterv(src_b, &mut b, ROOT)?;
        let off = blocks[..world.rank()].iter().sum();
        Ok(Local { off, blocks, a, b, n, eps0: eps[0] })
    }

    fn run(&self, world: &World, local: &Local) -> Result<Vec<f64>> {
        let mut u = vec![0.0; local.n];
        let mut delta = f64::MAX;
        while delta > local.eps0 {
            let mut fresh = vec![0.0; local.b.len()];
            let mut worst = 0.0;
            for i in 0..local.b.len() {
                let mut acc = local.b[i];
                for j in 0..local.n {
                    if j != local.off + i {
                        acc -= local.a[i * local.n + j] * u[j];
                    }
                }
                fresh[i] = acc / local.a[i * local.n + local.off + i];
                let d = (fresh[i] - u[local.off + i]).abs();
                if d > worst {
                    worst = d;
                }
            }
            world.work(2 * local.a.len() as u64, 0);
            world.allgatherv(&fresh, &mut u, &local.blocks)?;
            let mut total = [0.0];
            world.allreduce(&[worst], &mut total, Operation::Max)?;
            delta = total[0];
        }
        Ok(u)
    }

    fn postprocessing(&self, world: &World, u: Vec<f64>) -> Result<Rooted<Solution>> {
        Ok(Rooted::on(world.rank() == ROOT, || Solution { u }))
    }
}

/// The number of rows of each rank.
fn distribute(src_a: usize, ranks: usize) -> Vec<usize> {
    let mut blocks = vec![src_a / ranks; ranks];
    for p in 0..src_a % ranks {
        blocks[p] += 1;
    }
    blocks
}
