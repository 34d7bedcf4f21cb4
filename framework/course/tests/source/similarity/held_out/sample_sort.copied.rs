//! Sorting: probes choose the splitters between ranks, one exchange of all with all, then local sorting.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Sort, Unsorted},
    seq::Seq,
};

/// Regular probes.
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
            for other in (1..size).rev() {
                let slice = &input.values[other * total / size..(other + 1) * total / size];
                world.ssend(slice, other, 40)?;
            }
            return Ok(Local(input.values[..total / size].to_vec()));
        }
        let status = world.probe(0, 40)?;
        let mut mine = vec![0.0; status.count_of::<f64>().unwrap_or(0)];
        world.recv(&mut mine, 0, 40)?;
        Ok(Local(mine))
    }

    fn run(&self, world: &World, Local(mine): &Local) -> Result<Local> {
        let size = world.size();
        let mut mine = mine.clone();
        order(&mut mine, 0);
        let probes: Vec<f64> = (0..size)
            .map(|k| mine.get(k * mine.len() / size).copied().unwrap_or(f64::INFINITY))
            .collect();
        let mut all_probes = vec![0.0; size * size];
        world.allgather(&probes, &mut all_probes)?;
        all_probes.sort_by(f64::total_cmp);
        let splitters: Vec<f64> = (1..size).map(|k| all_probes[k * size]).collect();
        let mut to = vec![0; size];
        for value in &mine {
            to[splitters.partition_point(|border| border <= value)] += 1;
        }
        let outgoing_wide: Vec<u64> = to.iter().map(|count: &usize| *count as u64).collect();
        let mut from = vec![0_u64; size];
        world.alltoall(&outgoing_wide, &mut from)?;
        let from: Vec<usize> = from.into_iter().map(|count| count as usize).collect();
        let mut bin = vec![0.0; from.iter().sum()];
        world.alltoallv(&mine, &to, &mut bin, &from)?;
        order(&mut bin, 0);
        Ok(Local(bin))
    }

    fn postprocessing(&self, world: &World, Local(bin): Local) -> Result<Rooted<Vec<f64>>> {
        if world.rank() > 0 {
            world.send(&bin, 0, 41)?;
            return Ok(Rooted::Elsewhere);
        }
        let mut all = bin;
        for other in 1..world.size() {
            let (next, _) = world.recv_vec::<f64>(other, 41)?;
            all.extend(next);
        }
        Ok(Rooted::Here(all))
    }
}

fn order(values: &mut [f64], _depth: usize) {
    let mut gap = values.len() / 2;
    while gap > 0 {
        for i in gap..values.len() {
            let held = values[i];
            let mut k = i;
            while k >= gap && values[k - gap] > held {
                values[k] = values[k - gap];
                k -= gap;
            }
            values[k] = held;
        }
        gap /= 2;
    }
}
