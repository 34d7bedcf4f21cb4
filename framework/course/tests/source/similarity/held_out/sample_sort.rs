//! Sorting: samples choose the borders between ranks, one exchange of all with all, then local sorting.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Sort, Unsorted},
    seq::Seq,
};

/// Regular samples.
pub struct Mpi;

pub struct Local(Vec<f64>);

impl Task for Mpi {
    type Problem = Sort;
    type Prepared = Local;
    type Raw = Local;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Unsorted, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Unsorted>) -> Result<Local> {
        let size = world.size();
        if let Rooted::Here(input) = input {
            let total = input.values.len();
            for peer in (1..size).rev() {
                let slice = &input.values[peer * total / size..(peer + 1) * total / size];
                world.ssend(slice, peer, 40)?;
            }
            return Ok(Local(input.values[..total / size].to_vec()));
        }
        let status = world.probe(0, 40)?;
        let mut own = vec![0.0; status.count_of::<f64>().unwrap_or(0)];
        world.recv(&mut own, 0, 40)?;
        Ok(Local(own))
    }

    fn run(&self, world: &World, Local(own): &Local) -> Result<Local> {
        let size = world.size();
        let mut own = own.clone();
        sort_range(&mut own, 0);
        let samples: Vec<f64> = (0..size)
            .map(|k| own.get(k * own.len() / size).copied().unwrap_or(f64::INFINITY))
            .collect();
        let mut pool = vec![0.0; size * size];
        world.allgather(&samples, &mut pool)?;
        pool.sort_by(f64::total_cmp);
        let borders: Vec<f64> = (1..size).map(|k| pool[k * size]).collect();
        let mut outgoing = vec![0; size];
        for value in &own {
            outgoing[borders.partition_point(|border| border <= value)] += 1;
        }
        let outgoing_wide: Vec<u64> = outgoing.iter().map(|count: &usize| *count as u64).collect();
        let mut incoming = vec![0_u64; size];
        world.alltoall(&outgoing_wide, &mut incoming)?;
        let incoming: Vec<usize> = incoming.into_iter().map(|count| count as usize).collect();
        let mut bucket = vec![0.0; incoming.iter().sum()];
        world.alltoallv(&own, &outgoing, &mut bucket, &incoming)?;
        sort_range(&mut bucket, 0);
        Ok(Local(bucket))
    }

    fn postprocessing(&self, world: &World, Local(bucket): Local) -> Result<Rooted<Vec<f64>>> {
        if world.rank() > 0 {
            world.send(&bucket, 0, 41)?;
            return Ok(Rooted::Elsewhere);
        }
        let mut all = bucket;
        for peer in 1..world.size() {
            let (next, _) = world.recv_vec::<f64>(peer, 41)?;
            all.extend(next);
        }
        Ok(Rooted::Here(all))
    }
}

/// Three parts: smaller, equal, larger.
fn sort_range(values: &mut [f64], depth: usize) {
    if values.len() <= 16 || depth > 60 {
        for i in 1..values.len() {
            let mut j = i;
            while j > 0 && values[j - 1] > values[j] {
                values.swap(j - 1, j);
                j -= 1;
            }
        }
        return;
    }
    let pivot = values[values.len() / 3];
    let (mut less, mut at, mut more) = (0, 0, values.len());
    while at < more {
        match values[at].total_cmp(&pivot) {
            std::cmp::Ordering::Less => {
                values.swap(less, at);
                less += 1;
                at += 1;
            }
            std::cmp::Ordering::Equal => at += 1,
            std::cmp::Ordering::Greater => {
                more -= 1;
                values.swap(at, more);
            }
        }
    }
    sort_range(&mut values[..less], depth + 1);
    sort_range(&mut values[more..], depth + 1);
}
