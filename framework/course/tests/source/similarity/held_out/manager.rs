//! Sorting: rank 0 deals out small pieces to the ranks that ask, and merges what comes back.
use workbench::{ANY_SOURCE, ANY_TAG, Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Sort, Unsorted},
    seq::Seq,
};

const PIECE: usize = 4096;
const ASK: i32 = 1;
const DONE: i32 = 2;

pub struct Mpi;

impl Task for Mpi {
    type Problem = Sort;
    type Prepared = Rooted<Unsorted>;
    type Raw = Vec<f64>;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Unsorted, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Unsorted>) -> Result<Rooted<Unsorted>> {
        Ok(input)
    }

    fn run(&self, world: &World, input: &Rooted<Unsorted>) -> Result<Vec<f64>> {
        match input {
            Rooted::Here(input) if world.size() == 1 => {
                let mut all = input.values.clone();
                all.sort_unstable_by(f64::total_cmp);
                Ok(all)
            }
            Rooted::Here(input) => manage(world, &input.values),
            Rooted::Elsewhere => {
                work(world)?;
                Ok(vec![])
            }
        }
    }

    fn postprocessing(&self, world: &World, sorted: Vec<f64>) -> Result<Rooted<Vec<f64>>> {
        Ok(Rooted::on(world.rank() == 0, || sorted))
    }
}

fn manage(world: &World, values: &[f64]) -> Result<Vec<f64>> {
    let mut pieces = values.chunks(PIECE);
    let mut runs: Vec<Vec<f64>> = vec![];
    let mut active = world.size() - 1;
    while active > 0 {
        let (answer, status) = world.recv_vec::<f64>(ANY_SOURCE, ASK)?;
        if !answer.is_empty() {
            runs.push(answer);
            while runs.len() > 1 && runs[runs.len() - 2].len() <= runs[runs.len() - 1].len() {
                let (b, a) = (runs.pop().unwrap_or_default(), runs.pop().unwrap_or_default());
                runs.push(join(a, b));
            }
        }
        match pieces.next() {
            Some(piece) => world.send(piece, status.source, ASK)?,
            None => {
                world.send::<f64>(&[], status.source, DONE)?;
                active -= 1;
            }
        }
    }
    Ok(runs.into_iter().rev().fold(vec![], join))
}

fn work(world: &World) -> Result<()> {
    world.send::<f64>(&[], 0, ASK)?;
    loop {
        let (mut piece, status) = world.recv_vec::<f64>(0, ANY_TAG)?;
        if status.tag == DONE {
            return Ok(());
        }
        quick(&mut piece);
        world.send(&piece, 0, ASK)?;
    }
}

fn quick(piece: &mut [f64]) {
    let Some(last) = piece.len().checked_sub(1).filter(|last| *last > 0) else { return };
    piece.swap(last / 2, last);
    let pivot = piece[last];
    let small = piece[..last].iter().filter(|value| **value < pivot).count();
    let mut next = small;
    for at in 0..small {
        while piece[at] >= pivot {
            piece.swap(at, next);
            next += 1;
        }
    }
    piece.swap(small, last);
    let (left, right) = piece.split_at_mut(small);
    quick(left);
    quick(&mut right[1..]);
}

fn join(a: Vec<f64>, b: Vec<f64>) -> Vec<f64> {
    let mut b = b.into_iter().peekable();
    let mut joined = Vec::new();
    for value in a {
        while let Some(smaller) = b.next_if(|other| *other < value) {
            joined.push(smaller);
        }
        joined.push(value);
    }
    joined.extend(b);
    joined
}
