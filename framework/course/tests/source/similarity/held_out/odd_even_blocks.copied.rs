//! Sorting: blocks are sorted, then neighbours compare and split in odd and even phases.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Sort, Unsorted},
    seq::Seq,
};

pub struct Mpi;

/// A part, padded with infinities.
pub struct Strip {
    part: Vec<f32>,
    length: usize,
}

impl Task for Mpi {
    type Problem = Sort;
    type Prepared = Strip;
    type Raw = Strip;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Unsorted, ranks: usize) -> std::r::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Unsorted>) -> Result<Strip> {
        let mut length = [0_u64];
        let mut padded = vec![];
        if let Rooted::Here(mut input) = input {
            length[0] = input.values.len() as u64;
            let wanted = input.values.len().next_multiple_of(world.size());
            input.values.resize(wanted, f32::INFINITY);
            padded = input.values;
        }
        world.bcast(&mut length, 0)?;
        let length = length[0] as usize;
        let mut part = vec![0.0; length.div_ceil(world.size())];
        let source = (world.rank() == 0).then_some(&padded[..]);
        world.scatter(source, &mut part, 0)?;
        Ok(Strip { part, length })
    }

    fn run(&self, world: &World, padded: &Strip) -> Result<Strip> {
        let mut part = padded.part.clone();
        let end = part.len();
        hoare(&mut part, 0, end);
        let mut his = vec![0.0; end];
        for turn in 0..world.size() {
            let is_left = (world.rank() + turn) % 2 == 0;
            if is_left && world.rank() + 1 == world.size() || !is_left && world.rank() == 0 {
                continue;
            }
            let mate = match is_left {
                true => world.rank() + 1,
                false => world.rank() - 1,
            };
            swap_with(world, &part, &mut his, mate, turn as i32)?;
            part = choose(is_left, &part, &his);
        }
        Ok(Strip { part, length: padded.length })
    }

    fn postprocessing(&self, world: &World, padded: Strip) -> Result<Rooted<Vec<f32>>> {
        let mut all = vec![0.0; if world.rank() == 0 { padded.part.len() * world.size() } else { 0 }];
        let room = (world.rank() == 0).then_some(&mut all[..]);
        world.gather(&padded.part, room, 0)?;
        all.truncate(padded.length);
        Ok(Rooted::on(world.rank() == 0, || all))
    }
}

fn swap_with(world: &World, part: &[f32], his: &mut [f32], mate: usize, tag: i32) -> Result<()> {
    world.sendrecv(part, mate, tag, his, mate, tag)?;
    Ok(())
}

fn choose(small: bool, part: &[f32], his: &[f32]) -> Vec<f32> {
    if small { keep_small(part, his) } else { keep_big(part, his) }
}

fn hoare(v: &mut Vec<f32>, from: usize, to: usize) {
    if to - from > 1 {
        let mut b = from;
        for k in from + 1..to {
            if v[k] < v[from] {
                b += 1;
                v.swap(b, k);
            }
        }
        v.swap(from, b);
        hoare(v, from, b);
        hoare(v, b + 1, to);
    }
}

fn keep_small(own: &[f32], his: &[f32]) -> Vec<f32> {
    let (mut a, mut b) = (own.iter().peekable(), his.iter().peekable());
    (0..own.len())
        .filter_map(|_| match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x <= y => a.next(),
            (_, Some(_)) => b.next(),
            _ => a.next(),
        })
        .copied()
        .collect()
}

fn keep_big(own: &[f32], his: &[f32]) -> Vec<f32> {
    let mut r = vec![0.0; own.len()];
    let (mut i, mut j) = (own.len(), his.len());
    for place in r.iter_mut().rev() {
        if j == 0 || i > 0 && own[i - 1] >= his[j - 1] {
            i -= 1;
            *place = own[i];
        } else {
            j -= 1;
            *place = his[j];
        }
    }
    r
}
