//! Sorting: blocks are sorted, then neighbours compare and split in odd and even phases.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Sort, Unsorted},
    seq::Seq,
};

pub struct Mpi;

/// A block, padded with infinities.
pub struct Padded {
    block: Vec<f64>,
    length: usize,
}

impl Task for Mpi {
    type Problem = Sort;
    type Prepared = Padded;
    type Raw = Padded;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Unsorted, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Unsorted>) -> Result<Padded> {
        let mut length = [0_u64];
        let mut padded = vec![];
        if let Rooted::Here(mut input) = input {
            length[0] = input.values.len() as u64;
            let wanted = input.values.len().next_multiple_of(world.size());
            input.values.resize(wanted, f64::INFINITY);
            padded = input.values;
        }
        world.bcast(&mut length, 0)?;
        let length = length[0] as usize;
        let mut block = vec![0.0; length.div_ceil(world.size())];
        let source = (world.rank() == 0).then_some(&padded[..]);
        world.scatter(source, &mut block, 0)?;
        Ok(Padded { block, length })
    }

    fn run(&self, world: &World, padded: &Padded) -> Result<Padded> {
        let mut block = padded.block.clone();
        let end = block.len();
        partition_sort(&mut block, 0, end);
        let mut theirs = vec![0.0; end];
        for phase in 0..world.size() {
            let is_left = (world.rank() + phase) % 2 == 0;
            if is_left && world.rank() + 1 == world.size() || !is_left && world.rank() == 0 {
                continue;
            }
            let neighbour = if is_left { world.rank() + 1 } else { world.rank() - 1 };
            world.sendrecv(&block, neighbour, phase as i32, &mut theirs, neighbour, phase as i32)?;
            block = if is_left { lowest(&block, &theirs) } else { highest(&block, &theirs) };
        }
        Ok(Padded { block, length: padded.length })
    }

    fn postprocessing(&self, world: &World, padded: Padded) -> Result<Rooted<Vec<f64>>> {
        let mut all = vec![0.0; if world.rank() == 0 { padded.block.len() * world.size() } else { 0 }];
        let room = (world.rank() == 0).then_some(&mut all[..]);
        world.gather(&padded.block, room, 0)?;
        all.truncate(padded.length);
        Ok(Rooted::on(world.rank() == 0, || all))
    }
}

fn partition_sort(values: &mut Vec<f64>, from: usize, to: usize) {
    if to - from > 1 {
        let mut wall = from;
        for k in from + 1..to {
            if values[k] < values[from] {
                wall += 1;
                values.swap(wall, k);
            }
        }
        values.swap(from, wall);
        partition_sort(values, from, wall);
        partition_sort(values, wall + 1, to);
    }
}

fn lowest(own: &[f64], theirs: &[f64]) -> Vec<f64> {
    let (mut a, mut b) = (own.iter().peekable(), theirs.iter().peekable());
    (0..own.len())
        .filter_map(|_| match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x <= y => a.next(),
            (_, Some(_)) => b.next(),
            _ => a.next(),
        })
        .copied()
        .collect()
}

fn highest(own: &[f64], theirs: &[f64]) -> Vec<f64> {
    let mut result = vec![0.0; own.len()];
    let (mut i, mut j) = (own.len(), theirs.len());
    for place in result.iter_mut().rev() {
        if j == 0 || i > 0 && own[i - 1] >= theirs[j - 1] {
            i -= 1;
            *place = own[i];
        } else {
            j -= 1;
            *place = theirs[j];
        }
    }
    result
}
