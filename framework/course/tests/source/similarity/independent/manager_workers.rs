//! Matrix times vector, rows on demand: workers ask for a row, the manager answers with its number or the end.
use workbench::{ANY_SOURCE, Invalid, Place, Rank, Result, Rooted, Task, World};

use crate::source::{
    problem::{Product, System},
    seq::Seq,
};

const MANAGER: Rank = 0;
const WANTED: i32 = 20;
const GIVEN: i32 = 21;
const DONE: f64 = -1.0;

/// A manager and its workers.
pub struct Mpi;

fn scalar(a: &[f64], b: &[f64]) -> f64 {
    let mut result = 0.0;
    for (index, value) in a.iter().enumerate() {
        result = result + value * b[index];
    }
    result
}

fn manage(world: &World, system: &System) -> Result<Vec<f64>> {
    let mut answers = vec![0.0; system.rows];
    let (mut next, mut active) = (0, world.size() - 1);
    while active > 0 {
        let mut request = [0.0; 2];
        let status = world.recv(&mut request, ANY_SOURCE, WANTED)?;
        if request[0] >= 0.0 {
            answers[request[0] as usize] = request[1];
        }
        let mut reply = vec![DONE];
        if next < system.rows {
            reply[0] = next as f64;
            reply.extend_from_slice(&system.matrix[next * system.columns..][..system.columns]);
            next += 1;
        } else {
            active -= 1;
        }
        world.send(&reply, status.source(), GIVEN)?;
    }
    for row in next..system.rows {
        answers[row] = scalar(&system.matrix[row * system.columns..], &system.vector);
    }
    Ok(answers)
}

fn labour(world: &World, vector: &[f64]) -> Result<()> {
    let mut message = [DONE, 0.0];
    loop {
        world.send(&message, MANAGER, WANTED)?;
        let (reply, _) = world.recv_vec::<f64>(vector.len() + 1, MANAGER, GIVEN)?;
        match reply.split_first() {
            Some((row, elements)) if *row >= 0.0 => {
                world.work(2 * elements.len() as u64, 0);
                message = [*row, scalar(vector, elements)];
            }
            _ => return Ok(()),
        }
    }
}

impl Task for Mpi {
    type Problem = Product;
    type Prepared = (Option<System>, Vec<f64>);
    type Raw = Option<Vec<f64>>;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &System, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<System>) -> Result<(Option<System>, Vec<f64>)> {
        let system = input.here();
        let mut width = [system.as_ref().map_or(0, |s| s.columns as u64)];
        world.bcast(&mut width, MANAGER)?;
        let mut vector = system.as_ref().map_or(vec![0.0; width[0] as usize], |s| s.vector.clone());
        world.bcast(&mut vector, MANAGER)?;
        Ok((system, vector))
    }

    fn run(&self, world: &World, (system, vector): &(Option<System>, Vec<f64>)) -> Result<Option<Vec<f64>>> {
        match system {
            Some(system) => manage(world, system).map(Some),
            None => labour(world, vector).map(|()| None),
        }
    }

    fn postprocessing(&self, _: &World, answers: Option<Vec<f64>>) -> Result<Rooted<Vec<f64>>> {
        Ok(answers.into())
    }
}
