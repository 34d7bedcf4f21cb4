//! Matrix times vector, along a ring: every rank keeps the first strip that arrives and passes the others on.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Product, System},
    seq::Seq,
};

/// A pipeline of neighbours.
pub struct Mpi;

/// A strip and where it lies.
pub struct Segment {
    matrix: Vec<f64>,
    vector: Vec<f64>,
    longest: usize,
    rows: usize,
}

impl Mpi {
    fn left(world: &World) -> usize {
        (world.rank() + world.size() - 1) % world.size()
    }

    fn right(world: &World) -> usize {
        (world.rank() + 1) % world.size()
    }

    /// Rounds the strips up, so that all have one length.
    fn pass_on(world: &World, mut queue: Vec<Vec<f64>>, width: usize) -> Result<Vec<f64>> {
        let expected = world.size() - world.rank();
        if world.rank() > 0 {
            for _ in 0..expected {
                let mut strip = vec![0.0; width];
                world.recv(&mut strip, Self::left(world), 0)?;
                queue.push(strip);
            }
        }
        let own = queue.remove(0);
        for strip in queue {
            world.send(&strip, Self::right(world), 0)?;
        }
        Ok(own)
    }
}

impl Task for Mpi {
    type Problem = Product;
    type Prepared = Segment;
    type Raw = Segment;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &System, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<System>) -> Result<Segment> {
        let mut sizes = [0_u64; 2];
        if let Rooted::Here(system) = &input {
            sizes = [system.rows as u64, system.columns as u64];
        } else {
            world.recv(&mut sizes, Self::left(world), 1)?;
        }
        if Self::right(world) != 0 {
            world.send(&sizes, Self::right(world), 1)?;
        }
        let (rows, columns) = (sizes[0] as usize, sizes[1] as usize);
        let longest = rows.div_ceil(world.size());
        let mut queue = vec![];
        let mut vector = vec![vec![0.0; columns]];
        if let Rooted::Here(mut system) = input {
            system.matrix.resize(longest * world.size() * columns, 0.0);
            queue.extend(system.matrix.chunks_exact(longest * columns).map(<[f64]>::to_vec));
            vector = vec![system.vector; world.size()];
        } else {
            vector.clear();
        }
        let matrix = Self::pass_on(world, queue, longest * columns)?;
        let vector = Self::pass_on(world, vector, columns)?;
        Ok(Segment { matrix, vector, longest, rows })
    }

    fn run(&self, world: &World, segment: &Segment) -> Result<Segment> {
        let mut result = Vec::with_capacity(segment.longest);
        for index in 0..segment.longest {
            let row = &segment.matrix[index * segment.vector.len()..];
            result.push(segment.vector.iter().enumerate().map(|(column, x)| x * row[column]).sum());
        }
        world.work((2 * segment.matrix.len()) as u64, 0);
        Ok(Segment { matrix: result, vector: vec![], longest: segment.longest, rows: segment.rows })
    }

    fn postprocessing(&self, world: &World, segment: Segment) -> Result<Rooted<Vec<f64>>> {
        // Backwards: the strip of the last rank passes all others.
        let mut tail = Vec::new();
        if Self::right(world) != 0 {
            tail = vec![0.0; segment.longest * (world.size() - world.rank() - 1)];
            world.recv(&mut tail, Self::right(world), 2)?;
        }
        let mut whole = segment.matrix;
        whole.append(&mut tail);
        if world.rank() == 0 {
            whole.truncate(segment.rows);
            return Ok(Rooted::Here(whole));
        }
        world.send(&whole, Self::left(world), 2)?;
        Ok(Rooted::Elsewhere)
    }
}
