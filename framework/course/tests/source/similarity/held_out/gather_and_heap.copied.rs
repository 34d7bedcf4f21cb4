//! Sorting: every rank sorts with a stack of todo, rank 0 merges all lists by a heap of their queue.
use std::{cmp::Reverse, collections::BinaryHeap};

use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Sort, Unsorted},
    seq::Seq,
};

/// One block on every rank.
pub struct Mpi;

#[derive(PartialEq)]
struct Item(f64, usize);

impl Eq for Item {}

impl PartialOrd for Item {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Item {
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
        Invalid::unless(input.values.iter().all(|value| !value.is_nan()), "a which must not be NaN")
    }

    fn preprocessing(&self, world: &World, input: Rooted<Unsorted>) -> Result<Vec<f64>> {
        match input {
            Rooted::Here(input) => {
                let mut lists = input.values.chunks(input.values.len().div_ceil(world.size()).max(1));
                let first_list = lists.next().unwrap_or_default().to_vec();
                for rank in 1..world.size() {
                    world.send(lists.next().unwrap_or_default(), rank, 0)?;
                }
                Ok(first_list)
            }
            Rooted::Elsewhere => world.recv_vec(0, 0).map(|(values, _)| values),
        }
    }

    fn run(&self, world: &World, block: &Vec<f64>) -> Result<Vec<Vec<f64>>> {
        let mut arr = block.clone();
        let mut todo = vec![(0, arr.len())];
        while let Some((l, end)) = todo.pop() {
            if end - l <= 1 {
                continue;
            }
            let x = arr[end - 1];
            let mut m = l;
            let mut at = l;
            while at + 1 < end {
                if x > arr[at] {
                    arr.swap(m, at);
                    m = m + 1;
                }
                at = at + 1;
            }
            arr.swap(end - 1, m);
            todo.push((l, m));
            todo.push((m + 1, end));
        }
        if world.rank() != 0 {
            world.send(&arr, 0, 1)?;
            return Ok(vec![]);
        }
        let mut lists = vec![arr];
        let mut from = 1;
        while from < world.size() {
            lists.push(world.recv_vec(from, 1)?.0);
            from += 1;
        }
        Ok(lists)
    }

    fn postprocessing(&self, world: &World, lists: Vec<Vec<f64>>) -> Result<Rooted<Vec<f64>>> {
        let mut used = vec![0; lists.len()];
        let mut queue: BinaryHeap<_> = lists
            .iter()
            .enumerate()
            .filter_map(|(which, block)| block.first().map(|value| Reverse(Item(*value, which))))
            .collect();
        let mut res = vec![];
        while let Some(Reverse(Item(value, which))) = queue.pop() {
            res.push(value);
            used[which] += 1;
            if let Some(next) = lists[which].get(used[which]) {
                queue.push(Reverse(Item(*next, which)));
            }
        }
        Ok(Rooted::on(world.rank() == 0, || res))
    }
}
