//! Matrix times vector, all to all: the vector is distributed as well, and its parts travel round by round.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Product, System},
    seq::Seq,
};

/// The vector rotates.
pub struct Mpi;

/// Strip of the matrix, part of the vector.
pub struct Owned {
    side: usize,
    real_rows: usize,
    band: Vec<f64>,
    part: Vec<f64>,
    width: usize,
}

/// Copies a matrix into one with more rows and columns.
fn grow(system: &System, rows: usize, columns: usize) -> Vec<f64> {
    let mut grown = vec![0.0; rows * columns];
    for row in 0..system.rows {
        grown[row * columns..row * columns + system.columns]
            .copy_from_slice(&system.matrix[row * system.columns..(row + 1) * system.columns]);
    }
    grown
}

impl Task for Mpi {
    type Problem = Product;
    type Prepared = Owned;
    type Raw = (Vec<f64>, usize);
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &System, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<System>) -> Result<Owned> {
        let ranks = world.size();
        let given = input.here();
        let mut numbers = given.as_ref().map_or([0; 3], |s| {
            [s.rows.div_ceil(ranks) as u64, s.columns.div_ceil(ranks) as u64, s.rows as u64]
        });
        world.bcast(&mut numbers, 0)?;
        let [side, width, real_rows] = numbers.map(|n| n as usize);
        let mut owned =
            Owned { side, real_rows, width, band: vec![0.0; side * width * ranks], part: vec![0.0; width] };
        let wide = given.as_ref().map(|s| grow(s, side * ranks, width * ranks));
        world.scatter(wide.as_deref(), &mut owned.band, 0)?;
        let long = given.map(|s| {
            let mut vector = s.vector;
            vector.resize(width * ranks, 0.0);
            vector
        });
        world.scatter(long.as_deref(), &mut owned.part, 0)?;
        Ok(owned)
    }

    fn run(&self, world: &World, owned: &Owned) -> Result<(Vec<f64>, usize)> {
        let (me, ranks) = (world.rank(), world.size());
        let mut sums = vec![0.0; owned.side];
        let mut visiting = owned.part.clone();
        for round in 0..ranks {
            let origin = (me + ranks - round) % ranks;
            for (row, sum) in sums.iter_mut().enumerate() {
                let offset = row * owned.width * ranks + origin * owned.width;
                for column in 0..owned.width {
                    *sum += owned.band[offset + column] * visiting[column];
                }
            }
            world.work(2 * (owned.side * owned.width) as u64, 0);
            let mut arriving = vec![0.0; owned.width];
            world.sendrecv(&visiting, (me + 1) % ranks, 5, &mut arriving, (me + ranks - 1) % ranks, 5)?;
            visiting = arriving;
        }
        Ok((sums, owned.real_rows))
    }

    fn postprocessing(&self, world: &World, (sums, real_rows): (Vec<f64>, usize)) -> Result<Rooted<Vec<f64>>> {
        let mut collected = vec![0.0; sums.len() * world.size()];
        world.allgather(&sums, &mut collected)?;
        Ok(Rooted::on(world.rank() == 0, || collected[..real_rows].to_vec()))
    }
}
