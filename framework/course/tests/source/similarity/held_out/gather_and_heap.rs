//! Sorting: every rank sorts with a stack of bounds, rank 0 merges all blocks by a heap of their heads.
use std::{cmp::Reverse, collections::BinaryHeap};

use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Sort, Unsorted},
    seq::Seq,
};

/// One block on every rank.
pub struct Mpi;

#[derive(PartialEq)]
struct Head(f64, usize);

impl Eq for Head {}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

impl Task for Mpi {
    type Problem = Sort;
    type Prepared = Vec<f64>;
    type Raw = Vec<Vec<f64>>;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Unsorted, _ranks: usize) -> std::result::Result<(), Invalid> {
        Invalid::unless(input.values.iter().all(|value| !value.is_nan()), "a number must not be NaN")
    }

    fn preprocessing(&self, world: &World, input: Rooted<Unsorted>) -> Result<Vec<f64>> {
        match input {
            Rooted::Here(input) => {
                let mut blocks = input.values.chunks(input.values.len().div_ceil(world.size()).max(1));
                let own = blocks.next().unwrap_or_default().to_vec();
                for rank in 1..world.size() {
                    world.send(blocks.next().unwrap_or_default(), rank, 0)?;
                }
                Ok(own)
            }
            Rooted::Elsewhere => world.recv_vec(0, 0).map(|(values, _)| values),
        }
    }

    fn run(&self, world: &World, block: &Vec<f64>) -> Result<Vec<Vec<f64>>> {
        let mut sorted = block.clone();
        let mut bounds = vec![(0, sorted.len())];
        while let Some((first, end)) = bounds.pop() {
            if end - first <= 1 {
                continue;
            }
            let pivot = sorted[end - 1];
            let mut middle = first;
            for at in first..end - 1 {
                if sorted[at] < pivot {
                    sorted.swap(at, middle);
                    middle += 1;
                }
            }
            sorted.swap(middle, end - 1);
            bounds.push((first, middle));
            bounds.push((middle + 1, end));
        }
        if world.rank() != 0 {
            world.send(&sorted, 0, 1)?;
            return Ok(vec![]);
        }
        let mut blocks = vec![sorted];
        for rank in 1..world.size() {
            blocks.push(world.recv_vec(rank, 1)?.0);
        }
        Ok(blocks)
    }

    fn postprocessing(&self, world: &World, blocks: Vec<Vec<f64>>) -> Result<Rooted<Vec<f64>>> {
        let mut places = vec![0; blocks.len()];
        let mut heads: BinaryHeap<_> = blocks
            .iter()
            .enumerate()
            .filter_map(|(number, block)| block.first().map(|value| Reverse(Head(*value, number))))
            .collect();
        let mut merged = vec![];
        while let Some(Reverse(Head(value, number))) = heads.pop() {
            merged.push(value);
            places[number] += 1;
            if let Some(next) = blocks[number].get(places[number]) {
                heads.push(Reverse(Head(*next, number)));
            }
        }
        Ok(Rooted::on(world.rank() == 0, || merged))
    }
}
