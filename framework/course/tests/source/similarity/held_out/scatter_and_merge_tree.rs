//! Sorting: blocks are dealt out, sorted, and merged over a tree of ranks.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Sort, Unsorted},
    seq::Seq,
};

pub struct Mpi;

pub struct Part {
    numbers: Vec<f64>,
    lengths: Vec<usize>,
}

impl Task for Mpi {
    type Problem = Sort;
    type Prepared = Part;
    type Raw = Vec<f64>;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Unsorted, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Unsorted>) -> Result<Part> {
        let mut total = [0_u64];
        if let Rooted::Here(input) = &input {
            total[0] = input.values.len() as u64;
        }
        world.bcast(&mut total, 0)?;
        let lengths: Vec<usize> = (0..world.size())
            .map(|rank| total[0] as usize / world.size() + usize::from(rank < total[0] as usize % world.size()))
            .collect();
        let mut numbers = vec![0.0; lengths[world.rank()]];
        match input {
            Rooted::Here(input) => world.scatterv(Some(&input.values), &lengths, &mut numbers, 0)?,
            Rooted::Elsewhere => world.scatterv(None, &lengths, &mut numbers, 0)?,
        }
        Ok(Part { numbers, lengths })
    }

    fn run(&self, world: &World, part: &Part) -> Result<Vec<f64>> {
        let mut sorted = part.numbers.clone();
        quicksort(&mut sorted);
        let mut distance = 1;
        while distance < world.size() {
            if world.rank() % (2 * distance) == distance {
                world.send(&sorted, world.rank() - distance, 3)?;
                return Ok(vec![]);
            }
            if world.rank() + distance < world.size() {
                let last = (world.rank() + 2 * distance).min(world.size());
                let expected = part.lengths[world.rank() + distance..last].iter().sum();
                let mut other = vec![0.0; expected];
                world.recv(&mut other, world.rank() + distance, 3)?;
                sorted = merge(&sorted, &other);
            }
            distance *= 2;
        }
        Ok(sorted)
    }

    fn postprocessing(&self, world: &World, sorted: Vec<f64>) -> Result<Rooted<Vec<f64>>> {
        Ok(Rooted::on(world.rank() == 0, || sorted))
    }
}

fn quicksort(numbers: &mut [f64]) {
    if numbers.len() < 2 {
        return;
    }
    let pivot = numbers[numbers.len() / 2];
    let (mut low, mut high) = (0, numbers.len() - 1);
    loop {
        while numbers[low] < pivot {
            low += 1;
        }
        while numbers[high] > pivot {
            high -= 1;
        }
        if low >= high {
            break;
        }
        numbers.swap(low, high);
        low += 1;
        high -= 1;
    }
    let (left, right) = numbers.split_at_mut(low);
    quicksort(left);
    quicksort(right);
}

fn merge(left: &[f64], right: &[f64]) -> Vec<f64> {
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        if left[i] <= right[j] {
            merged.push(left[i]);
            i += 1;
        } else {
            merged.push(right[j]);
            j += 1;
        }
    }
    merged.extend_from_slice(&left[i..]);
    merged.extend_from_slice(&right[j..]);
    merged
}
