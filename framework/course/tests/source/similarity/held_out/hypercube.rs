//! Sorting: hypercube quicksort, in which pairs of ranks exchange halves around a common pivot.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Sort, Unsorted},
    seq::Seq,
};

pub struct Mpi;

impl Task for Mpi {
    type Problem = Sort;
    type Prepared = Vec<f64>;
    type Raw = Vec<f64>;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Unsorted, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Unsorted>) -> Result<Vec<f64>> {
        let mut count = [input.as_ref().here().map_or(0, |input| input.values.len() as u64)];
        world.bcast(&mut count, 0)?;
        let mut all = vec![0.0; count[0] as usize];
        if let Rooted::Here(input) = input {
            all.copy_from_slice(&input.values);
        }
        world.bcast(&mut all, 0)?;
        Ok(all.into_iter().skip(world.rank()).step_by(world.size()).collect())
    }

    fn run(&self, world: &World, own: &Vec<f64>) -> Result<Vec<f64>> {
        let mut values = own.clone();
        let dimensions = world.size().ilog2();
        let is_member = world.rank() < 1 << dimensions;
        let group = world.split(u32::from(is_member) as i32, world.rank() as i32)?;
        if !is_member {
            world.send(&values, world.rank() - (1 << dimensions), 9)?;
            return Ok(vec![]);
        }
        if world.rank() + (1 << dimensions) < world.size() {
            values.extend(world.recv_vec::<f64>(world.rank() + (1 << dimensions), 9)?.0);
        }
        for bit in (0..dimensions).rev() {
            let sum: f64 = values.iter().sum();
            let mut mean = [0.0, 0.0];
            group.allreduce(&[sum, values.len() as f64], &mut mean, workbench::Operation::Sum)?;
            let pivot = mean[0] / mean[1];
            let (small, large): (Vec<f64>, Vec<f64>) = values.iter().partition(|value| **value <= pivot);
            let partner = world.rank() ^ (1 << bit);
            let is_lower = world.rank() & (1 << bit) == 0;
            let (kept, given) = if is_lower { (small, large) } else { (large, small) };
            let request = world.isend(&given, partner, bit as i32)?;
            let (received, _) = world.recv_vec::<f64>(partner, bit as i32)?;
            request.wait()?;
            values = kept;
            values.extend(received);
        }
        values.sort_by(f64::total_cmp);
        Ok(values)
    }

    fn postprocessing(&self, world: &World, values: Vec<f64>) -> Result<Rooted<Vec<f64>>> {
        let mut lengths = vec![0_u64; world.size()];
        world.allgather(&[values.len() as u64], &mut lengths)?;
        let lengths: Vec<usize> = lengths.into_iter().map(|length| length as usize).collect();
        let mut all = vec![0.0; lengths.iter().sum()];
        world.gatherv(&values, Some((&mut all, &lengths)), 0)?;
        Ok(Rooted::on(world.rank() == 0, || all))
    }
}
