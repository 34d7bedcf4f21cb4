//! Sorting: blocks are dealt out, mine, and out over a tree of ranks.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Sort, Unsorted},
    seq::Seq,
};

fn qsort(data: &mut [f64]) {
    if data.len() < 2 {
        return;
    }
    let p = data[data.len() / 2];
    let (mut i, mut j) = (0, data.len() - 1);
    loop {
        while data[i] < p {
            i += 1;
        }
        while data[j] > p {
            j -= 1;
        }
        if i >= j {
            break;
        }
        data.swap(i, j);
        i += 1;
        j -= 1;
    }
    let (left, right) = data.split_at_mut(i);
    qsort(left);
    qsort(right);
}

fn merge(left: &[f64], right: &[f64]) -> Vec<f64> {
    let mut out = Vec::with_capacity(left.len() + right.len());
    let (mut i, mut j) = (0, 0);
    while out.len() < left.len() + right.len() {
        if j == right.len() || i < left.len() && left[i] <= right[j] {
            out.push(left[i]);
            i += 1;
        } else {
            out.push(right[j]);
            j += 1;
        }
    }
    out
}

pub struct Mpi;

pub struct Chunk {
    data: Vec<f64>,
    sizes: Vec<usize>,
}

impl Task for Mpi {
    type Problem = Sort;
    type Prepared = Chunk;
    type Raw = Vec<f64>;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Unsorted, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Unsorted>) -> Result<Chunk> {
        let mut n = [0_u64];
        if let Rooted::Here(input) = &input {
            n[0] = input.values.len() as u64;
        }
        world.bcast(&mut n, 0)?;
        let sizes: Vec<usize> = (0..world.size())
            .map(|rank| n[0] as usize / world.size() + usize::from(rank < n[0] as usize % world.size()))
            .collect();
        let mut data = vec![0.0; sizes[world.rank()]];
        match input {
            Rooted::Here(input) => world.scatterv(Some(&input.values), &sizes, &mut data, 0)?,
            Rooted::Elsewhere => world.scatterv(None, &sizes, &mut data, 0)?,
        }
        Ok(Chunk { data, sizes })
    }

    fn run(&self, world: &World, part: &Chunk) -> Result<Vec<f64>> {
        let mut mine = part.data.clone();
        qsort(&mut mine);
        let mut step = 1;
        while step < world.size() {
            if world.rank() % (2 * step) == step {
                world.send(&mine, world.rank() - step, 3)?;
                return Ok(vec![]);
            }
            if world.rank() + step < world.size() {
                let last = (world.rank() + 2 * step).min(world.size());
                let len = part.sizes[world.rank() + step..last].iter().sum();
                let mut got = vec![0.0; len];
                world.recv(&mut got, world.rank() + step, 3)?;
                mine = merge(&mine, &got);
            }
            step *= 2;
        }
        Ok(mine)
    }

    fn postprocessing(&self, world: &World, mine: Vec<f64>) -> Result<Rooted<Vec<f64>>> {
        Ok(Rooted::on(world.rank() == 0, || mine))
    }
}
