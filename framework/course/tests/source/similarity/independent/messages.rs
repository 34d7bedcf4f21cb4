//! Matrix times vector, rows in strips: the root sends every strip and receives every result, one after the other.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Product, System},
    seq::Seq,
};

/// Plain messages; the last rank takes the rest of the rows.
pub struct Mpi;

/// What a rank knows.
pub struct Known {
    height: usize,
    width: usize,
    a: Vec<f64>,
    x: Vec<f64>,
}

fn first_row(height: usize, ranks: usize, rank: usize) -> usize {
    if rank == ranks { height } else { rank * (height / ranks) }
}

impl Task for Mpi {
    type Problem = Product;
    type Prepared = Known;
    type Raw = Known;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &System, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<System>) -> Result<Known> {
        match input {
            Rooted::Here(System { rows, columns, matrix, vector }) => {
                for other in 1..world.size() {
                    let (from, to) = (first_row(rows, world.size(), other), first_row(rows, world.size(), other + 1));
                    world.send(&[rows as u64, columns as u64], other, 1)?;
                    world.send(&matrix[from * columns..to * columns], other, 2)?;
                    world.send(&vector, other, 3)?;
                }
                let own = first_row(rows, world.size(), 1) * columns;
                Ok(Known { height: rows, width: columns, a: matrix[..own].to_vec(), x: vector })
            }
            Rooted::Elsewhere => {
                let (sizes, _) = world.recv_vec::<u64>(2, 0, 1)?;
                let (height, width) = (sizes[0] as usize, sizes[1] as usize);
                let (from, to) =
                    (first_row(height, world.size(), world.rank()), first_row(height, world.size(), world.rank() + 1));
                let mut a = vec![0.0; (to - from) * width];
                let mut x = vec![0.0; width];
                world.recv(&mut a, 0, 2)?;
                world.recv(&mut x, 0, 3)?;
                Ok(Known { height, width, a, x })
            }
        }
    }

    fn run(&self, world: &World, known: &Known) -> Result<Known> {
        let mut y = Vec::new();
        let mut at = 0;
        while at < known.a.len() {
            let mut total = 0.0;
            for column in 0..known.width {
                total += known.a[at + column] * known.x[column];
            }
            y.push(total);
            at += known.width;
        }
        world.work(2 * known.a.len() as u64, 0);
        Ok(Known { height: known.height, width: known.width, a: y, x: Vec::new() })
    }

    fn postprocessing(&self, world: &World, known: Known) -> Result<Rooted<Vec<f64>>> {
        if world.rank() != 0 {
            world.send(&known.a, 0, 4)?;
            return Ok(Rooted::Elsewhere);
        }
        let mut answer = known.a;
        answer.resize(known.height, 0.0);
        for other in 1..world.size() {
            let (from, to) =
                (first_row(known.height, world.size(), other), first_row(known.height, world.size(), other + 1));
            world.recv(&mut answer[from..to], other, 4)?;
        }
        Ok(Rooted::Here(answer))
    }
}
